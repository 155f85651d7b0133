package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
)

// The lumps by their index in the directory (Source SDK 2013, public/bspfile.h). A lump that a branch uses
// differently has a second name.
const (
	lumpEntities        = 0
	lumpPlanes          = 1
	lumpTexdata         = 2
	lumpVertices        = 3
	lumpVisibility      = 4
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
	lumpMoreEntities    = 24
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
	lumpPages           = 51
	lumpPageInfos       = 52
	lumpAmbientIndexHDR = 51
	lumpAmbientIndex    = 52
	lumpLightingHDR     = 53
	lumpWorldlightsHDR  = 54
	lumpAmbientHDR      = 55
	lumpAmbient         = 56
	lumpXZip            = 57
	lumpFacesHDR        = 58
	lumpMapFlags        = 59
	lumpOverlayFades    = 60
	lumpOverlayLevels   = 61
	lumpMultiblend      = 63
	lumpCount           = 64
)

// lumpUse states what a lump is used for.
type lumpUse uint8

const (
	unused    lumpUse = iota // not drawn, not read
	optional                 // a map can be drawn without the lump
	essential                // a map needs the lump
	inPlace                  // read in place: archives and lumps with their own directory
)

// lumps lists the directory's entries: the name, the bytes per record and its fields (0 and "" if there are none, or if they
// are determined elsewhere) and the use. Lumps of single bytes need no byte swapping, so their fields are left out.
var lumps = [lumpCount]struct {
	name   string
	size   int
	fields string
	use    lumpUse
}{
	{"entities", 0, "", optional}, {"planes", 20, planeV1.Fields, essential},
	{"texdata", 32, valve.TexdataV1.Fields, essential}, {"vertices", 12, "4*3", essential}, {"visibility", 0, "", unused},
	{"nodes", 32, nodeV1.Fields, optional}, {"texinfo", 72, texinfoV1.Fields, essential},
	{"faces", 56, faceV1.Fields, optional}, {"lighting", 0, "", optional}, {"occlusion", 0, "", unused},
	{"leafs", 0, leafV1.Fields, optional}, {"face ids", 2, "", unused}, {"edges", 4, record.EdgeV1.Fields, essential},
	{"surfedges", 4, "4", essential}, {"models", 48, modelV1.Fields, essential}, {"worldlights", 0, "4", optional},
	{"leaf faces", 2, "2", optional}, {"leaf brushes", 2, "2", optional}, {"brushes", 12, brushV1.Fields, optional},
	{"brush sides", 8, brushSideV1.Fields, optional}, {"areas", 8, "", unused}, {"areaportals", 12, "", unused},
	{"prop collision", 0, "", unused}, {"prop hulls", 0, "", unused}, {"prop hull vertices", 0, "", unused},
	{"prop hull triangles", 0, "", unused}, // of static props since Left 4 Dead
	{"dispinfo", 176, dispinfoV1.Fields, optional}, {"original faces", 56, "", unused},
	{"physdisp", 0, "", unused}, {"physcollide", 0, "", unused}, {"vertex normals", 12, "4*3", optional},
	{"vertex normal indices", 2, "2", optional}, {"displacement lightmap alphas", 0, "", unused},
	{"dispverts", 20, "4*5", optional}, {"displacement sample positions", 0, "", unused}, {"game lump", 0, "", inPlace},
	{"leaf water data", 12, waterBodyV1.Fields, optional}, {"primitives", 10, primitiveV1.Fields, optional},
	{"primitive vertices", 12, "4*3", optional}, {"primitive indices", 2, "2", optional}, {"pakfile", 0, "", inPlace},
	{"clip portal vertices", 12, "", unused}, {"cubemaps", 16, cubemapV1.Fields, optional},
	{"texdata strings", 0, "", optional}, {"texdata string table", 4, "4", optional},
	{"overlays", 352, overlayV1.Fields, optional}, {"leaf distance to water", 2, "", unused},
	{"macro textures", 2, "", unused}, {"disptris", 2, "2", optional}, {"physcollide surfaces", 0, "", unused},
	{"water overlays", 1120, waterOverlayV1.Fields, optional}, {"ambient index HDR", 4, ambientIndexV1.Fields, optional},
	{"ambient index", 4, ambientIndexV1.Fields, optional}, {"lighting HDR", 0, "", optional},
	{"worldlights HDR", 0, "4", optional}, {"ambient lighting HDR", 0, "", optional},
	{"ambient lighting", 0, "", optional}, {"xzip pakfile", 0, "", unused}, {"faces HDR", 56, faceV1.Fields, optional},
	{"map flags", 4, "4", optional}, {"overlay fades", 8, fadeV1.Fields, optional}, {"overlay levels", 0, "", unused},
	{"physics levels", 0, "", unused}, {"multiblend", 80, "4*20", optional},
}
