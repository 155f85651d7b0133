// Package pipeline holds the settings of a conversion: a Pipeline is pipeline.yaml as a struct, a section for each stage.
//
// Default returns the settings of pipeline.yaml. Load puts layers over them, each of which states only what differs: a preset, files,
// the folders of games, single assignments. The Config that it returns knows where each value came from. All mistakes of a file are
// errors with a line, and Check lists them all. Settings and Schema describe the keys for help and for editors.
package pipeline
