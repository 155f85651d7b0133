// Package corpustest has tests alone: they convert the maps of the corpus and compare what comes out with a second reading of the
// maps' bytes. Without a corpus they are skipped.
package corpustest
