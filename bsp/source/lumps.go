package source

// The lumps, by their place in the directory (Source SDK 2013, public/bspfile.h).
const (
	lumpEntities        = 0
	lumpPlanes          = 1
	lumpTexdata         = 2
	lumpVertices        = 3
	lumpNodes           = 5
	lumpTexinfo         = 6
	lumpFaces           = 7
	lumpLighting        = 8
	lumpLeafs           = 10
	lumpEdges           = 12
	lumpSurfedges       = 13
	lumpModels          = 14
	lumpWorldlights     = 15
	lumpLeafFaces       = 16
	lumpLeafBrushes     = 17
	lumpBrushes         = 18
	lumpBrushSides      = 19
	lumpDispinfo        = 26
	lumpOriginalFaces   = 27
	lumpNormals         = 30
	lumpNormalIndices   = 31
	lumpDispverts       = 33
	lumpGame            = 35
	lumpWaterData       = 36
	lumpPrimitives      = 37
	lumpPrimVertices    = 38
	lumpPrimIndices     = 39
	lumpPakfile         = 40
	lumpCubemaps        = 42
	lumpTexdataStrings  = 43
	lumpTexdataTable    = 44
	lumpOverlays        = 45
	lumpDisptris        = 48
	lumpWaterOverlays   = 50
	lumpAmbientIndexHDR = 51
	lumpAmbientIndex    = 52
	lumpLightingHDR     = 53
	lumpWorldlightsHDR  = 54
	lumpAmbientHDR      = 55
	lumpAmbient         = 56
	lumpFacesHDR        = 58
	lumpOverlayFades    = 60
	lumpMultiblend      = 63
	lumpCount           = 64
)

// use is what a lump is for.
type use uint8

const (
	unused    use = iota // not drawn, not read
	optional             // a map can be drawn without it
	essential            // there is no map without it
	inPlace              // read where it lies: archives and what has a directory of its own
)

// lumps are the directory's entries: the name, the bytes per record (0: none, or told otherwise) and the use.
var lumps = [lumpCount]struct {
	name string
	size int
	use  use
}{
	{"entities", 0, optional}, {"planes", 20, essential}, {"texdata", 32, essential}, {"vertices", 12, essential},
	{"visibility", 0, unused}, {"nodes", 32, optional}, {"texinfo", 72, essential}, {"faces", 56, optional},
	{"lighting", 0, optional}, {"occlusion", 0, unused}, {"leafs", 0, optional}, {"face ids", 2, unused},
	{"edges", 4, essential}, {"surfedges", 4, essential}, {"models", 48, essential}, {"worldlights", 0, optional},
	{"leaf faces", 2, optional}, {"leaf brushes", 2, optional}, {"brushes", 12, optional}, {"brush sides", 8, optional},
	{"areas", 8, unused}, {"areaportals", 12, unused}, {"lump 22", 0, unused}, {"lump 23", 0, unused},
	{"lump 24", 0, unused}, {"lump 25", 0, unused}, {"dispinfo", 176, optional}, {"original faces", 56, optional},
	{"physdisp", 0, unused}, {"physcollide", 0, unused}, {"vertex normals", 12, optional}, {"vertex normal indices", 2, optional},
	{"displacement lightmap alphas", 0, unused}, {"dispverts", 20, optional}, {"displacement sample positions", 0, unused},
	{"game lump", 0, inPlace}, {"leaf water data", 12, optional}, {"primitives", 10, optional}, {"primitive vertices", 12, optional},
	{"primitive indices", 2, optional}, {"pakfile", 0, inPlace}, {"clip portal vertices", 12, unused}, {"cubemaps", 16, optional},
	{"texdata strings", 0, optional}, {"texdata string table", 4, optional}, {"overlays", 352, optional},
	{"leaf distance to water", 2, unused}, {"macro textures", 2, unused}, {"disptris", 2, optional}, {"lump 49", 0, unused},
	{"water overlays", 1120, optional}, {"ambient index HDR", 4, optional}, {"ambient index", 4, optional},
	{"lighting HDR", 0, optional}, {"worldlights HDR", 0, optional}, {"ambient lighting HDR", 0, optional},
	{"ambient lighting", 0, optional}, {"lump 57", 0, unused}, {"faces HDR", 56, optional}, {"map flags", 4, unused},
	{"overlay fades", 8, optional}, {"lump 61", 0, unused}, {"lump 62", 0, unused}, {"multiblend", 80, optional},
}
