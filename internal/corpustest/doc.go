// Package corpustest contains only tests. They convert the maps of the corpus and compare the output with an independent reading
// of the maps' bytes. They are skipped if there is no corpus.
package corpustest
