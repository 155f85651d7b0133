// Package bsp2gltf converts compiled game maps to glTF 2.0 and OBJ.
//
// The command is in cmd/bsp2gltf; as a library, start at package convert. This package holds the default pipeline.
package bsp2gltf

import _ "embed"

// DefaultPipeline is pipeline.yaml: every option with its default and what it does.
//
//go:embed pipeline.yaml
var DefaultPipeline []byte

// Version is the tool's version.
const Version = "0.1.0"
