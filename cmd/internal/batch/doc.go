// Package batch converts many maps in worker processes, so that a crash, an endless loop or a map that takes all
// memory loses only that map.
//
// Expand finds the maps and names their outputs. Run compares them with the manifest of the output folder, gives the
// remaining maps to a Pool of processes, and writes a line into the manifest for each finished map. A worker process
// runs Serve: it reads jobs from its standard input and answers on its standard output. Each job and each answer is
// one line of JSON.
package batch
