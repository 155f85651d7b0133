// Package batch converts many maps, in worker processes, so that a crash, an endless loop or a map that takes all memory
// costs that map and no other.
//
// Expand finds the maps and where their outputs go. Run compares them with the manifest of the output folder, hands what is
// to do to a Pool of processes, and writes a line into the manifest for each map that is done. A worker process runs Serve:
// it reads jobs from its standard input and answers on its standard output, a line of JSON each.
package batch
