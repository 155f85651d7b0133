// Package pipeline holds the settings of a conversion: a Pipeline is pipeline.yaml as a struct, with a section for each
// stage.
//
// Default returns the settings of pipeline.yaml. Load applies layers to them, each of which states only what differs: a preset,
// files, the folders of games, single assignments. The Config that it returns records where each value came from. Mistakes in a
// file are errors with a line; Check lists all of them. Settings and Schema describe the keys for help and for editors.
package pipeline
