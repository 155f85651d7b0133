package bsp

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/source"
)

// tables are what docs/reference/formats.md says about what is read and what is not, from the tables that the decoders use: each with
// its heads.
func tables() [][][2]string {
	return [][][2]string{
		append([][2]string{{"block of BSPX", "what it is used for; any other is `bspx`"}}, goldsrc.Blocks()...),
		append([][2]string{{"game lump of Source", "what it is used for; any other is `lump-unsupported`"}}, source.GameLumps()...),
		append([][2]string{{"lumps of Source that are not read", "why"}},
			source.UnreadLumps()...),
		append([][2]string{{"classes of entities that the game draws, and we don't (`entity-effect`)", "what"}}, classes.Effects()...),
	}
}
