package vbsp

// Branch states how a branch of the format differs from the plain one. Layouts are written as record.go says.
type Branch struct {
	Records      map[int]string // by lump
	LumpVersions map[int]int32
	GameEntry    string // of an entry of the game lump's directory

	BigEndian bool
	// FromGameLump counts offsets in the game lump from its start, as Portal 2 does on consoles.
	FromGameLump bool
	Hidden       bool // the file is under a key
	Averaged     bool // mean light is in the faces
	Pages        bool // light is in pages of palette indices
	// MoreEntities puts all entities behind the first two into lump 24.
	MoreEntities bool
	BlendsIn61   bool // Blends are in lump 61
	LongOverlays bool // overlays share a list of faces
	WideLeaves   bool // the leaves of static props have 32 bits
}

// plainEntry and the others are entries of the game lump's directory.
const (
	plainEntry     = "ID:4 Flags:2 Version:2 Offset:4 Length:4"
	vindictusEntry = "ID:4 Flags:4 Version:4 Offset:4 Length:4"
	messiahEntry   = "-:4 ID:4 Flags:2 Version:2 Offset:4 Length:4"
)

const (
	messiahLight = "Origin:4 Intensity:4 Normal:4 Cluster:4 Type:4 Style:4 StopDot:4 StopDot2:4 Exponent:4 Radius:4 Constant:4 Linear:4 Quadratic:4 Flags:4 TexInfo:4 Owner:4 0:4"
	wideLight    = "Origin:4 Intensity:4 Normal:4 ShadowOffset:4 Cluster:4 Type:4 -:4 Style:4 StopDot:4 StopDot2:4 Exponent:4 Radius:4 Constant:4 Linear:4 Quadratic:4 Flags:4 TexInfo:4 Owner:4"
	wideDispEnd  = "LightAlphaStart:4 LightSampleStart:4 -:64 -:80 AllowedVerts:4"
	plainDispEnd = "LightAlphaStart:4 LightSampleStart:4 -:48 -:40 AllowedVerts:4"
	plainOverlay = "ID:4 TexInfo:2 CountOrder:2 Faces:4 U:4 V:4 Corners:4 Origin:4 Normal:4"
	wideOverlay  = "ID:4 TexInfo:4 CountOrder:2 -:2 Faces:4 U:4 V:4 Corners:4 Origin:4 Normal:4"
	betaFace     = "Plane:2 Side:1 OnNode:1 FirstEdge:4 NumEdges:2 TexInfo:2 DispInfo:2 Fog:2 Styles:1 " + faceLight
	faceLight    = "LightOfs:4 Area:4 LuxelMins:4 LuxelSize:4 OrigFace:4"
)

// vindictusRecords have 32 bits, but a few.
func vindictusRecords(face string) map[int]string {
	return map[int]string{
		LumpFaces: face, LumpEdges: ".:4", LumpLeafFaces: ".:4", LumpLeafBrushes: ".:4",
		LumpNodes:      "Plane:4 Children:4 Mins:4 Maxs:4 FirstFace:4 NumFaces:4 Area:4",
		LumpLeaves:     "Contents:4 Cluster:4 AreaFlags:4 Mins:4 Maxs:4 FirstFace:4 NumFaces:4 FirstBrush:4 NumBrush:4 Water:4",
		LumpBrushSides: "Plane:4 TexInfo:4 DispInfo:4 Bevel:4",
		LumpDispInfo:   "Start:4 FirstVert:4 FirstTri:4 Power:4 SmoothingAngle:4 -:4 Contents:4 Face:2 0:2 " + wideDispEnd,
		LumpOverlays:   "ID:4 TexInfo:4 CountOrder32:4 Faces:4 U:4 V:4 Corners:4 Origin:4 Normal:4",
	}
}

// oldLeaves are the leaves of versions before the release: without light, and the directory gives them no version.
var oldLeaves = map[int]int32{LumpLeaves: 0}

// The branches that can be written besides the plain variants.
var (
	Beta17 = Variant{Version: 17, Branch: &Branch{Averaged: true, LumpVersions: oldLeaves, Records: map[int]string{
		LumpFaces:    "-:16 " + betaFace + " SmoothingGroups:4",
		LumpDispInfo: "Start:4 FirstVert:4 Power:4 MinTess:4 SmoothingAngle:4 Contents:4 Face:2 -:2 " + plainDispEnd,
	}}}
	Beta18 = Variant{Version: 18, Branch: &Branch{Averaged: true, LumpVersions: oldLeaves, Records: map[int]string{
		LumpFaces: "-:16 " + betaFace + " FirstPrim:2 NumPrims:2 SmoothingGroups:4",
	}}}
	Bloodlines = Variant{Version: 17, Branch: &Branch{Averaged: true, LumpVersions: oldLeaves, Records: map[int]string{
		LumpFaces: "-:32 Plane:2 Side:1 OnNode:1 FirstEdge:4 NumEdges:2 TexInfo:2 DispInfo:2 Fog:2 Styles8:1 Day:1 Night:1 LightOfs:4 Area:4 LuxelMins:4 LuxelSize:4 OrigFace:4 SmoothingGroups:4",
	}}}
	Xbox2004 = Variant{Version: 19, LeafLight: true, Branch: &Branch{Pages: true}}
	Xbox360  = Variant{Version: 20, LongLights: true, Packed: true, Branch: &Branch{BigEndian: true, FromGameLump: true}}
	Console  = Variant{Version: 21, LongLights: true, ThinSides: true, Branch: &Branch{BigEndian: true}}

	MessiahSingle = Variant{Version: 4<<16 | 20, Branch: &Branch{GameEntry: messiahEntry, Records: map[int]string{
		LumpTexInfo: "Texture:4 Luxels:4 -:24 Flags:4 TexData:4",
		LumpModels:  "Mins:4 Maxs:4 Origin:4 0:4 HeadNode:4 FirstFace:4 NumFaces:4",
	}}}
	MessiahMulti = Variant{Version: 4<<16 | 20, Branch: &Branch{Records: map[int]string{
		LumpWorldLights: messiahLight,
	}}}
	Vindictus = Variant{Version: 20, Branch: &Branch{GameEntry: vindictusEntry, Records: vindictusRecords(
		"Plane:4 Side:1 OnNode:1 -:2 FirstEdge:4 NumEdges:4 TexInfo:4 DispInfo:4 Fog:4 Styles:1 " + faceLight +
			" FirstPrim:4 NumPrims:4 SmoothingGroups:4")}}
	// The later form, with the styles where BSPSource has them, and where bsp_tool has them.
	VindictusLater = Variant{Version: 20, Branch: &Branch{GameEntry: vindictusEntry, Records: vindictusRecords(
		"Plane:4 Side:1 OnNode:1 -:2 FirstEdge:4 NumEdges:4 TexInfo:4 DispInfo:4 Fog:4 Styles:1 -:4 " + faceLight +
			" FirstPrim:4 NumPrims:4 SmoothingGroups:4")}}
	VindictusOther = Variant{Version: 20, Branch: &Branch{GameEntry: vindictusEntry, Records: vindictusRecords(
		"Plane:4 Side:1 OnNode:1 -:2 FirstEdge:4 NumEdges:4 TexInfo:4 DispInfo:4 Fog:4 -:4 Styles:1 " + faceLight +
			" ShadowPrims:4 FirstPrim:4 SmoothingGroups:4")}}
	Mesa = Variant{Version: 20, Branch: &Branch{BlendsIn61: true}}

	Jabroni = Variant{Version: 22, LongLights: true, ThinSides: true}
	Infra   = Variant{Version: 22, LongLights: true, ThinSides: true, Branch: &Branch{Records: map[int]string{
		LumpPrimitives: "Type:1 -:3 FirstIndex:4 NumIndex:4 FirstVert:2 NumVerts:2",
	}}}
	Dota22 = Variant{Version: 22, LongLights: true, ThinSides: true, Branch: &Branch{Records: map[int]string{
		LumpDispInfo: "Start:4 FirstVert:4 FirstTri:4 Power:4 MinTess:4 SmoothingAngle:4 Contents:4 Face:2 -:2 LightAlphaStart:4 LightSampleStart:4 0:4 -:48 -:40 AllowedVerts:4",
		LumpOverlays: plainOverlay + " -:4",
	}}}
	Dota23 = Variant{Version: 23, LongLights: true, ThinSides: true, Branch: &Branch{Records: map[int]string{
		LumpDispInfo: "Start:4 FirstVert:4 FirstTri:4 Power:4 MinTess:4 SmoothingAngle:4 Contents:4 0:4 Face:2 -:2 LightAlphaStart:4 LightSampleStart:4 0:4 -:48 -:40 AllowedVerts:4",
		LumpOverlays: plainOverlay + " -:4",
	}}}
	Tactical20 = Variant{Version: 20, Branch: &Branch{Hidden: true}}
	Tactical22 = Variant{Version: 22, LongLights: true, ThinSides: true, Branch: &Branch{MoreEntities: true}}
	// TacticalBoth is under a key that its directory does not show.
	TacticalBoth = Variant{Version: 22, LongLights: true, ThinSides: true, Branch: &Branch{MoreEntities: true, Hidden: true}}
	Contagion    = Variant{Version: 27, LongLights: true, VersionFirst: true}
	Desolation   = Variant{Version: 42, LongLights: true, ThinSides: true}

	// Strata has all lumps in their newest versions, StrataOlder overlays of version 2 and lamps of version 1, as most
	// maps of it.
	Strata = Variant{Version: 25, Branch: &Branch{Records: strataRecords(map[int]string{
		LumpWorldLights: wideLight, LumpWaterOverlays: wideOverlay,
	}), LumpVersions: strataVersions(map[int]int32{LumpWorldLights: 2, LumpWorldLightsHDR: 2, LumpOverlays: 3}), LongOverlays: true,
		WideLeaves: true}}
	StrataOlder = Variant{Version: 25, LongLights: true, Branch: &Branch{Records: strataRecords(map[int]string{
		LumpOverlays: wideOverlay + " Tint:1", LumpWaterOverlays: wideOverlay,
	}), LumpVersions: strataVersions(map[int]int32{LumpWorldLights: 1, LumpWorldLightsHDR: 1, LumpOverlays: 2}), WideLeaves: true}}
	// StrataFirst has wide faces and edges, and else what all have.
	StrataFirst = Variant{Version: 25, LongLights: true, Branch: &Branch{Records: map[int]string{LumpFaces: strataFace, LumpEdges: ".:4"},
		LumpVersions: map[int]int32{LumpFaces: 2, LumpFacesHDR: 2, LumpEdges: 1}}}
)

const strataFace = "Plane:4 Side:1 OnNode:1 -:2 FirstEdge:4 NumEdges:4 TexInfo:4 DispInfo:4 Fog:4 Styles:1 " + faceLight +
	" ShadowPrims:4 FirstPrim:4 SmoothingGroups:4"

func strataRecords(more map[int]string) map[int]string {
	all := map[int]string{
		LumpFaces: strataFace, LumpEdges: ".:4", LumpLeafFaces: ".:4", LumpLeafBrushes: ".:4", LumpVertNormalIndices: ".:4",
		LumpPrimIndices:  ".:4",
		LumpNodes:        "Plane:4 Children:4 Mins:f Maxs:f FirstFace:4 NumFaces:4 Area:2 -:2",
		LumpLeaves:       "Contents:4 Cluster:4 AreaFlags32:4 Mins:f Maxs:f FirstFace:4 NumFaces:4 FirstBrush:4 NumBrush:4 Water:4",
		LumpBrushSides:   "Plane:4 TexInfo:4 DispInfo:4 Bevel:1 Thin:1 -:2",
		LumpDispInfo:     "Start:4 FirstVert:4 FirstTri:4 Power:4 MinTess:4 SmoothingAngle:4 Contents:4 Face:4 " + wideDispEnd,
		LumpPrimitives:   "Type:1 -:3 FirstIndex:4 NumIndex:4 FirstVert:4 NumVerts:4",
		LumpLeafWater:    "Surface:4 Bottom:4 TexInfo:4",
		LumpAmbientIndex: ".:4",
	}
	for lump, layout := range more {
		all[lump] = layout
	}
	return all
}

func strataVersions(more map[int]int32) map[int]int32 {
	all := map[int]int32{LumpFaces: 2, LumpFacesHDR: 2, LumpLeaves: 2, LumpWaterOverlays: 1}
	for _, lump := range []int{LumpEdges, LumpLeafFaces, LumpLeafBrushes, LumpVertNormalIndices, LumpPrimIndices, LumpNodes, LumpBrushSides,
		LumpDispInfo,
		LumpPrimitives, LumpLeafWater, LumpAmbientIndex, LumpAmbientIndexHDR} {
		all[lump] = 1
	}
	for lump, version := range more {
		all[lump] = version
	}
	return all
}

// hiddenKey is a key of ours. It has no byte twice.
var hiddenKey = func() (key [32]byte) {
	for i := range key {
		key[i] = uint8(37*i + 11)
	}
	return key
}()

// hide puts a file under the key.
func hide(file []byte) {
	for i := range file {
		file[i] ^= hiddenKey[i%len(hiddenKey)]
	}
}

// Named is a variant with the static props of its games, as StaticProps has them.
type Named struct {
	Name         string
	Variant      Variant
	Props        [2]int
	NoPrimitives bool // faces have none
	Blends       bool // it is known by them
}

// Branches are all variants that are not plain.
var Branches = []Named{
	{Name: "beta17", Variant: Beta17, Props: [2]int{4, 56}, NoPrimitives: true}, {Name: "beta18", Variant: Beta18, Props: [2]int{4, 56}},
	{Name: "bloodlines", Variant: Bloodlines, Props: [2]int{4, 56}, NoPrimitives: true},
	{Name: "xbox2004", Variant: Xbox2004, Props: [2]int{5, 60}},
	{Name: "xbox360", Variant: Xbox360, Props: [2]int{6, 64}}, {Name: "console", Variant: Console, Props: [2]int{9, 72}},
	{Name: "messiah_single", Variant: MessiahSingle, Props: [2]int{6, 136}},
	{Name: "messiah_multi", Variant: MessiahMulti, Props: [2]int{6, 64}},
	{Name: "vindictus", Variant: Vindictus, Props: [2]int{7, 64 | ScaleTable}},
	{Name: "vindictus_later", Variant: VindictusLater, Props: [2]int{8, 72 | ScaleTable}},
	{Name: "vindictus_other", Variant: VindictusOther, Props: [2]int{6, 60 | ScaleTable}},
	{Name: "mesa", Variant: Mesa, Props: [2]int{11, 80 | BlackMesa}, Blends: true},
	{Name: "ship", Variant: Source2007, Props: [2]int{5, 188}}, {Name: "bloody_good_time", Variant: Source2007, Props: [2]int{6, 192}},
	{Name: "zeno", Variant: Source2007, Props: [2]int{7, 68 | ZenoClash}},
	{Name: "fairy_tale_busters", Variant: Source2007, Props: [2]int{7, 76}},
	{Name: "dear_esther", Variant: Source2010, Props: [2]int{9, 76}}, {Name: "gmod", Variant: Packed2013, Props: [2]int{11, 80}},
	{Name: "jabroni", Variant: Jabroni, Props: [2]int{11, 80}}, {Name: "infra", Variant: Infra, Props: [2]int{9, 72}},
	{Name: "dota22", Variant: Dota22, Props: [2]int{9, 72}}, {Name: "dota23", Variant: Dota23, Props: [2]int{9, 72}},
	{Name: "tactical20", Variant: Tactical20, Props: [2]int{9, 72}}, {Name: "tactical22", Variant: Tactical22, Props: [2]int{9, 72}},
	{Name: "tactical_both", Variant: TacticalBoth, Props: [2]int{9, 72}},
	{Name: "strata", Variant: Strata, Props: [2]int{13, 88}}, {Name: "strata_older", Variant: StrataOlder, Props: [2]int{12, 80}},
	{Name: "strata_first", Variant: StrataFirst, Props: [2]int{11, 80}},
	{Name: "contagion", Variant: Contagion, Props: [2]int{9, 72}}, {Name: "desolation", Variant: Desolation, Props: [2]int{11, 80}},
}
