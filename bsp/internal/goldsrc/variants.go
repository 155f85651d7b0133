package goldsrc

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/fog"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The lumps that are read, by any place in the directory.
const (
	lumpEntities = iota
	lumpPlanes
	lumpTextures
	lumpVertices
	lumpTexinfo
	lumpFaces
	lumpLighting
	lumpEdges
	lumpSurfedges
	lumpModels
	lumpDirections // Xash3D's extra header, or BSPX
	lumpFaceinfo   // Xash3D's extra header
	lumpCount
	unused = lumpCount
)

// essential are the lumps without which there is no map.
var essential = [lumpCount]bool{lumpPlanes: true, lumpVertices: true, lumpTexinfo: true, lumpFaces: true, lumpEdges: true,
	lumpSurfedges: true, lumpModels: true}

// entry states the purpose of an entry of the directory: the lump's name, what it is read as, and the bytes of a record, or 0.
type entry struct {
	name string
	lump int
	size int
}

// The directories. Quake, bspfile.h; Half-Life SDK, utils/common/bspfile.h; Quake II, qfiles.h.
var (
	quakeLumps = []entry{
		{"entities", lumpEntities, 0}, {"planes", lumpPlanes, 20}, {"textures", lumpTextures, 0}, {"vertices", lumpVertices, 12},
		{"visibility", unused, 0}, {"nodes", unused, 24}, {"texinfo", lumpTexinfo, 40}, {"faces", lumpFaces, 20},
		{"lighting", lumpLighting, 0}, {"clipnodes", unused, 8}, {"leafs", unused, 28}, {"marksurfaces", unused, 2},
		{"edges", lumpEdges, 4}, {"surfedges", lumpSurfedges, 4}, {"models", lumpModels, 64},
	}
	// Xash3D's have the clip nodes of the three sizes of people apart.
	xashLumps = append(quakeLumps[:15:15], entry{"clipnodes 2", unused, 8}, entry{"clipnodes 3", unused, 8})
	// Numbers of 32 bits in place of 16, and boxes of floats.
	bsp2Lumps = []entry{
		{"entities", lumpEntities, 0}, {"planes", lumpPlanes, 20}, {"textures", lumpTextures, 0}, {"vertices", lumpVertices, 12},
		{"visibility", unused, 0}, {"nodes", unused, 44}, {"texinfo", lumpTexinfo, 40}, {"faces", lumpFaces, 28},
		{"lighting", lumpLighting, 0}, {"clipnodes", unused, 12}, {"leafs", unused, 44}, {"marksurfaces", unused, 4},
		{"edges", lumpEdges, 8}, {"surfedges", lumpSurfedges, 4}, {"models", lumpModels, 64},
	}
	// The same before the boxes became floats.
	psb2Lumps = []entry{
		{"entities", lumpEntities, 0}, {"planes", lumpPlanes, 20}, {"textures", lumpTextures, 0}, {"vertices", lumpVertices, 12},
		{"visibility", unused, 0}, {"nodes", unused, 32}, {"texinfo", lumpTexinfo, 40}, {"faces", lumpFaces, 28},
		{"lighting", lumpLighting, 0}, {"clipnodes", unused, 12}, {"leafs", unused, 32}, {"marksurfaces", unused, 4},
		{"edges", lumpEdges, 8}, {"surfedges", lumpSurfedges, 4}, {"models", lumpModels, 64},
	}
	// Q2PRO, inc/format/bsp.h, IDBSPHEADER_EXT; ericw-tools has it as qbism.
	qbspLumps = []entry{
		{"entities", lumpEntities, 0}, {"planes", lumpPlanes, 20}, {"vertices", lumpVertices, 12}, {"visibility", unused, 0},
		{"nodes", unused, 44}, {"texinfo", lumpTexinfo, 76}, {"faces", lumpFaces, 28}, {"lighting", lumpLighting, 0},
		{"leafs", unused, 52}, {"leaf faces", unused, 4}, {"leaf brushes", unused, 4}, {"edges", lumpEdges, 8},
		{"surfedges", lumpSurfedges, 4}, {"models", lumpModels, 48}, {"brushes", unused, 12}, {"brush sides", unused, 8},
		{"pop", unused, 0}, {"areas", unused, 8}, {"area portals", unused, 8},
	}
	quake2Lumps = []entry{
		{"entities", lumpEntities, 0}, {"planes", lumpPlanes, 20}, {"vertices", lumpVertices, 12}, {"visibility", unused, 0},
		{"nodes", unused, 28}, {"texinfo", lumpTexinfo, 76}, {"faces", lumpFaces, 20}, {"lighting", lumpLighting, 0},
		{"leafs", unused, 28}, {"leaf faces", unused, 2}, {"leaf brushes", unused, 2}, {"edges", lumpEdges, 4},
		{"surfedges", lumpSurfedges, 4}, {"models", lumpModels, 48}, {"brushes", unused, 12}, {"brush sides", unused, 4},
		{"pop", unused, 0}, {"areas", unused, 8}, {"area portals", unused, 8},
	}
)

// layout states how the records of a format are written.
type layout struct {
	lumps   []entry
	face    record.Layout[face]
	texinfo record.Layout[texinfo]
	model   record.Layout[model]
	leaf    record.Layout[leaf]
	wide    bool // numbers have 32 bits in place of 16
}

// variant is a format.
type variant struct {
	ident   string // "" where the file starts with the version
	version int    // 0 where the ident says it all
	family  string
	game    string
	apps    []int // Steam's numbers of the games
	layout  layout

	unit     float64 // metres
	luxel    int     // bytes of a luxel: 1 is grey, 3 are red, green and blue, 2 are those in 16 bits (Quake 64)
	palettes bool    // textures have palettes of their own
	shifts   bool    // textures say how much larger they are drawn (Quake 64)
	holes    bool    // textures whose names begin with { may have holes
	swaps    bool    // entities and planes may have changed places
	noseUp   bool    // the pitch of models is up, where that of everything else is down
	liquids  liquids // what their surfaces are like
	litAll   bool    // liquids and translucent surfaces have light (Quake II with BSPX)
	bright   bool    // a face without light is bright; else it is dark where others have light
	show     brightness
	names    []nameRule
	bits     []bitRule
	classes  map[string]string // models of entities, by class
	skies    skyPaths
	clock    float32 // the client's clock in seconds when a map starts
	lamp     func(*lamps, *world.Entity) (world.Light, bool)
	cone     cone                                           // of spots
	fog      func(worldspawn *world.Entity) *world.RangeFog // the fog of its keys, or nil
}

// skyPaths is where a game's skies are.
type skyPaths struct {
	folder string // what goes before a sky's name
	none   string // the sky of a map that names none, or ""
}

// liquids is how a game draws liquids.
type liquids struct {
	level bool // of those in brush models only the surface is drawn
	// texels is how many of their texinfo's texels are 1 in coordinates, whatever the size of their texture, and without the texinfo's
	// shift. It is 0 where they are as all others. Quake II, ref_gl, gl_warp.c; Xash3D, gl_rsurf.c, R_TextureCoord and EmitWaterPolys.
	texels float64
	// grid is how many map units the planes are apart that cut them; their texture is warped at the corners. 0 is at each pixel.
	// Quake II, ref_gl, gl_warp.c, SubdividePolygon; Xash3D, gl_rsurf.c, SubdividePolygon_r.
	grid float32
	// lit means that liquids whose texinfo lacks TEX_SPECIAL are shown with their light.
	lit   bool
	light *liquidLight // changes the light of those that are lit, or nil
	// alphas are the opacities of liquids by worldspawn's keys, by the prefix of the liquids' names; nil if there are none.
	alphas []liquidAlpha
}

// liquidLight multiplies the light of liquids. least is the least of it, as a part of the most that is shown.
type liquidLight struct{ gain, least float64 }

// liquidAlpha is the opacity of the liquids whose names start with a prefix.
type liquidAlpha struct {
	key, prefix string
	alpha       float32
}

// liquidKeys are worldspawn's keys for the opacity of liquids, which also start with _. The first prefix of a name counts. Ironwail,
// gl_rmisc.c, R_ParseWorldspawn and GL_WaterAlphaForTextureType; gl_model.c, Mod_TextureTypeFromName.
var liquidKeys = []liquidAlpha{
	{key: "lavaalpha", prefix: "*lava"}, {key: "slimealpha", prefix: "*slime"}, {key: "telealpha", prefix: "*tele"},
	{key: "wateralpha", prefix: "*"},
}

// alphaOf returns the opacity of a liquid, or 0 if no key states one.
func (l *liquids) alphaOf(name string) float32 {
	for i := range l.alphas {
		if strings.HasPrefix(name, l.alphas[i].prefix) {
			return l.alphas[i].alpha
		}
	}
	return 0
}

// withLiquidKeys returns the variant for a map whose worldspawn has keys for its liquids.
func (v *variant) withLiquidKeys(worldspawn *world.Entity) *variant {
	if v.family == familyGoldSrc && worldspawn.Bits("_litwater") != 0 { // Xash3D, mod_bmodel.c; gl_rsurf.c, R_BuildLightMap
		out := *v
		out.liquids.lit = true
		gain, scaled := worldspawn.Float("_litwater_scale")
		least, raised := worldspawn.Float("_litwater_minlight")
		if scaled = scaled && gain >= 0; !scaled {
			gain = 1
		}
		if scaled || raised {
			out.liquids.light = &liquidLight{gain, min(max(least, 0)/1023, 1)}
		}
		return &out
	}
	if v.family != familyQuake && v.family != familyHexen2 {
		return v
	}
	alphas, found := slices.Clone(liquidKeys), false
	for _, p := range worldspawn.Pairs {
		key, _ := strings.CutPrefix(p.Key, "_")
		for i := range alphas {
			if alphas[i].key == key {
				alpha, _ := worldspawn.Float(p.Key)
				alphas[i].alpha, found = float32(alpha), true
			}
		}
	}
	if !found {
		return v
	}
	out := *v
	out.liquids.alphas = alphas
	return &out
}

// The families.
const (
	familyQuake   = "Quake"
	familyGoldSrc = "GoldSrc"
	familyQuake2  = "Quake II"
	familyHexen2  = "Hexen II"
)

// classesOf are the families as the table of classes has them.
var classesOf = map[string]classes.Family{familyQuake: classes.Quake, familyGoldSrc: classes.GoldSrc, familyQuake2: classes.Quake2,
	familyHexen2: classes.Hexen2}

// Quake's people are 56 units tall and Half-Life's 72, as in Source, where a unit is an inch.
const (
	quakeUnit = 1.0 / 32
	inch      = 0.0254
)

var (
	quake = variant{
		version: 29, family: familyQuake, game: "Quake", apps: []int{2310},
		layout: layout{lumps: quakeLumps, face: faceV29, texinfo: texinfoV29, model: modelV29, leaf: leafV29},
		unit:   quakeUnit, luxel: 1, holes: true, noseUp: true, show: quakeBrightness, names: quakeNames, bits: quakeBits,
		skies: skyPaths{folder: "gfx/env/"}, lamp: quakeLamp, cone: cone{"angle", 40, 0.5}, fog: fog.Quake, liquids: liquids{lit: true},
	}
	goldSrc = variant{
		version: 30, family: familyGoldSrc, game: "Half-Life, Counter-Strike or another GoldSrc game", apps: []int{70, 10},
		layout: layout{lumps: quakeLumps, face: faceV29, texinfo: texinfoV29, model: modelV29, leaf: leafV29}, unit: inch,
		luxel: 3, palettes: true,
		holes: true, swaps: true, noseUp: true, liquids: liquids{level: true, texels: 64, grid: 64}, show: goldSrcBrightness,
		names: goldSrcNames, bits: quakeBits, classes: goldSrcClasses, skies: skyPaths{"gfx/env/", "desert"},
		clock: 1, lamp: goldSrcLamp, // Xash3D, sv_init.c, SV_SpawnServer
	}
	quake2 = variant{
		ident: "IBSP", version: 38, family: familyQuake2, game: "Quake II", apps: []int{2320},
		layout: layout{lumps: quake2Lumps, face: faceV29, texinfo: texinfoV38, model: modelV38, leaf: leafV38}, unit: quakeUnit,
		luxel: 3, palettes: true, bright: true, liquids: liquids{texels: 64, grid: 64}, show: quake2Brightness,
		bits: quake2Bits, skies: skyPaths{"env/", "unit1_"}, lamp: quakeLamp, cone: cone{"_cone", 10, 1}, fog: fog.Quake2,
	}
)

// hexen2 is distinguished from Quake by its models. The engine is Quake's; Hammer of Thyrion, common/bspfile.h.
var hexen2 = func() variant {
	v := quake
	v.family, v.game, v.apps, v.layout.model = familyHexen2, "Hexen II", []int{9060}, modelHexen2
	return v
}()

// quake64 has textures and light of its own. Ironwail, gl_model.c, BSPVERSION_QUAKE64.
var quake64 = func() variant {
	v := quake.as(" 46Q", 0, "Quake 64", quakeLumps, leafV29)
	v.luxel, v.shifts = 2, true
	return v
}()

// variants are the formats. The first bytes of a file distinguish them.
func variants() []variant {
	return []variant{
		quake,
		quake.as("BSP2", 0, "Quake, with large limits", bsp2Lumps, leafBSP2).wide(),
		quake.as("2PSB", 0, "Quake, with large limits (RMQ)", psb2Lumps, leaf2PSB).wide(),
		quake64,
		goldSrc,
		goldSrc.as("", 31, "Xash3D", xashLumps, leafV29),
		quake2,
		quake2.as("QBSP", 38, "Quake II, with large limits", qbspLumps, leafQBSP).wide(),
	}
}

// edges returns the layout of edges.
func (l *layout) edges() record.Layout[record.Edge] {
	if l.wide {
		return record.EdgeWide
	}
	return record.EdgeV1
}

// as is the variant with another head, other lumps and leafs.
func (v variant) as(ident string, version int, game string, lumps []entry, leafs record.Layout[leaf]) variant {
	v.ident, v.version, v.game, v.layout.lumps, v.layout.leaf = ident, version, game, lumps, leafs
	return v
}

// wide is the variant with numbers of 32 bits.
func (v variant) wide() variant {
	v.layout.face, v.layout.wide = faceBSP2, true
	return v
}
