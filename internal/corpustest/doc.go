// Package corpustest contains only tests. They convert the maps of the corpus and compare the output with an independent reading
// of the maps' bytes. Without a corpus they are skipped.
package corpustest
