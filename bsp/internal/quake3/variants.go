package quake3

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lightstyle"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// variant is a branch of the format, described by its differences from Quake III Arena's.
type variant struct {
	ident   string
	version uint32
	game    string
	lumps   int
	page    int  // luxels per side of an internal lightmap page
	wide    bool // Raven's records: four lightmaps and vertex colours, each with a style
	flags   flagBits
	classes classes.Family
	ritual  *ritual // differences of Ritual's branches; nil for all others
	engine  engine  // unless engineMarks names another
	levels  func(entities []world.Entity) world.Levels
}

func variants() []variant {
	return []variant{
		{"IBSP", 46, "Quake III Arena", 17, 128, false, quake, classes.Quake3, nil, quake3Engine, lightstyle.Levels},
		{"IBSP", 47, "Return to Castle Wolfenstein, Enemy Territory or Quake Live", 17,
			128, false, quake, classes.Wolfenstein, nil, wolfenstein, lightstyle.Levels},
		{"RBSP", 1, "Jedi Outcast, Jedi Academy or Soldier of Fortune II", 18, 128, true, raven, classes.Raven, nil, ravenEngine,
			lightstyle.RavenLevels},
		{"FBSP", 1, "Warsow or another QFusion game", 18, 512, true, quake, classes.Quake3, nil, qfusion, lightstyle.Levels},
		{"FAKK", 12, "Heavy Metal: F.A.K.K. 2", len(fakk.order), 128, false, uber, classes.Ritual, &fakk, quake3Engine, lightstyle.Levels},
		{"FAKK", 42, "American McGee's Alice", len(fakk.order), 128, false, uber, classes.Ritual, &fakk, quake3Engine, lightstyle.Levels},
		{"EF2!", 20, "Star Trek: Elite Force II", len(eliteForce2.order),
			128, false, uber, classes.Ritual, &eliteForce2, quake3Engine, lightstyle.Levels},
	}
}

// flagBits holds the bits of the shader lump that affect how a surface is drawn.
type flagBits struct {
	surface, contents []flagBit
}

type flagBit struct {
	bit  uint32
	flag world.Flags
}

// quake holds the bits of Quake III's surfaceflags.h, which Wolfenstein and QFusion kept.
var quake = flagBits{
	surface:  []flagBit{{0x4, world.Sky}, {0x80, world.NoDraw}, {0x100, world.Hint}, {0x200, world.Hint}},
	contents: []flagBit{{0x8 | 0x10 | 0x20, world.Liquid}, {0x40000000, world.Trigger}, {0x10000 | 0x20000, world.Clip}},
}

// raven holds the bits of Jedi Academy's surfaceflags.h.
var raven = flagBits{
	surface:  []flagBit{{0x2000, world.Sky}, {0x200000, world.NoDraw}},
	contents: []flagBit{{0x2 | 0x4 | 0x20000, world.Liquid}, {0x400, world.Trigger}, {0x10 | 0x20 | 0x40 | 0x80, world.Clip}},
}

// uber holds the bits of surfaceflags.h in F.A.K.K. 2's game code: quake's with its additions.
var uber = flagBits{
	surface:  []flagBit{{0x4, world.Sky}, {0x80, world.NoDraw}, {0x1000000, world.Hint}},
	contents: []flagBit{{0x8 | 0x10 | 0x20, world.Liquid}, {0x10000 | 0x20000 | 0x40000 | 0x80000, world.Clip}},
}

func (f flagBits) decode(surface, contents uint32) (flags world.Flags) {
	for _, b := range f.surface {
		if surface&b.bit != 0 {
			flags |= b.flag
		}
	}
	for _, b := range f.contents {
		if contents&b.bit != 0 {
			flags |= b.flag
		}
	}
	return flags
}

// The lumps, in the order of the directory.
const (
	lumpEntities = iota
	lumpShaders
	lumpPlanes
	lumpNodes
	lumpLeafs
	lumpLeafSurfaces
	lumpLeafBrushes
	lumpModels
	lumpBrushes
	lumpBrushSides
	lumpVertices
	lumpIndices
	lumpFogs
	lumpSurfaces
	lumpLightmaps
	lumpLightGrid
	lumpVisibility
	lumpLightArray
)

// lumpUse states what a lump is used for.
type lumpUse uint8

const (
	unused    lumpUse = iota // not drawn, not read
	optional                 // a map can be drawn without the lump
	essential                // a map needs the lump
)

// lumps lists the directory's entries: name and bytes per record, in the narrow and the wide layout; 0 if there are
// no records.
var lumps = [...]struct {
	name         string
	narrow, wide int
	use          lumpUse
}{
	{"entities", 0, 0, essential}, {"shaders", 72, 72, essential}, {"planes", planeV46.Size, planeV46.Size, optional},
	{"nodes", 36, 36, unused},
	{"leafs", leafV46.Size, leafV46.Size, unused}, {"leaf surfaces", 4, 4, unused}, {"leaf brushes", 4, 4, unused},
	{"models", 40, 40, essential}, {"brushes", brushV46.Size, brushV46.Size, optional},
	{"brush sides", brushSideV46.Size, brushSideWide.Size, optional},
	{"vertices", 44, 80, essential}, {"indices", 4, 4, essential}, {"fogs", 72, 72, optional},
	{"surfaces", 104, 148, essential}, {"lightmaps", 0, 0, essential}, {"light grid", gridV46.Size, gridWide.Size, optional},
	{"visibility", 0, 0, unused}, {"light array", 2, 2, optional},
}

func (v variant) recordSize(lump int) int {
	if v.wide {
		return lumps[lump].wide
	}
	return lumps[lump].narrow
}

// side returns the layout of brush sides.
func (v variant) side() record.Layout[brushSide] {
	if v.wide {
		return brushSideWide
	}
	return brushSideV46
}

// grid returns the layout of the light grid.
func (v variant) grid() record.Layout[gridSample] {
	if v.wide {
		return gridWide
	}
	return gridV46
}

// slots returns the number of lightmaps and colours of a vertex.
func (v variant) slots() int {
	if v.wide {
		return 4
	}
	return 1
}
