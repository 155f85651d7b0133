package quake3

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/solid"
)

// quakeContents are the bits of Quake III's surfaceflags.h, which Ritual's branches share as far as they go.
var quakeContents = []solid.Contents{
	{0x1, "solid"}, {0x8, "lava"}, {0x10, "slime"}, {0x20, "water"}, {0x40, "fog"}, {0x80, "notteam1"}, {0x100, "notteam2"},
	{0x200, "nobotclip"}, {0x8000, "areaportal"}, {0x10000, "playerclip"}, {0x20000, "monsterclip"}, {0x40000, "teleporter"},
	{0x80000, "jumppad"}, {0x100000, "clusterportal"}, {0x200000, "donotenter"}, {0x400000, "botclip"}, {0x800000, "mover"},
	{0x1000000, "origin"}, {0x2000000, "body"}, {0x4000000, "corpse"}, {0x8000000, "detail"}, {0x10000000, "structural"},
	{0x20000000, "translucent"}, {0x40000000, "trigger"}, {0x80000000, "nodrop"},
}

// ravenContents are the contents of Jedi Academy's surfaceflags.h.
var ravenContents = []solid.Contents{
	{0x1, "solid"}, {0x2, "lava"}, {0x4, "water"}, {0x8, "fog"}, {0x10, "playerclip"}, {0x20, "monsterclip"}, {0x40, "botclip"},
	{0x80, "shotclip"}, {0x100, "body"}, {0x200, "corpse"}, {0x400, "trigger"}, {0x800, "nodrop"}, {0x1000, "terrain"},
	{0x2000, "ladder"}, {0x4000, "abseil"}, {0x8000, "opaque"}, {0x10000, "outside"}, {0x20000, "slime"},
	{0x40000, "lightsaber"}, {0x80000, "teleporter"}, {0x100000, "item"}, {0x8000000, "detail"}, {0x80000000, "translucent"},
}

// contents returns the names of the variant's bits.
func (v variant) contents() []solid.Contents {
	if v.classes == classes.Raven {
		return ravenContents
	}
	return quakeContents
}
