package vbsp

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Variant is one of the formats.
type Variant struct {
	Version int32
	// LeafLight says that leaves hold a cube of light: the leaf of 56 bytes.
	LeafLight bool
	// LongLights says that world lights have the offset of their shadows: 100 bytes in place of 88.
	LongLights bool
	// ThinSides says that brush sides have a byte each for bevel and thin.
	ThinSides bool
	// VersionFirst says that entries of the directory start with the lump's version.
	VersionFirst bool
	// Packed says that lumps and game lumps are packed by LZMA.
	Packed bool
	// Branch states how a branch of the format differs, or is nil.
	*Branch
}

// branch returns the variant's branch, or one that differs in nothing.
func (v Variant) branch() *Branch {
	if v.Branch == nil {
		return &Branch{}
	}
	return v.Branch
}

// The variants that can be written.
var (
	Source2004 = Variant{Version: 19, LeafLight: true} // Half-Life 2, Counter-Strike: Source
	Source2007 = Variant{Version: 20}                  // The Orange Box and later
	Packed2013 = Variant{Version: 20, Packed: true}    // Team Fortress 2 and Source SDK 2013
	Source2010 = Variant{Version: 21, LongLights: true, ThinSides: true}
	Left4Dead2 = Variant{Version: 21, LongLights: true, VersionFirst: true}
)

// Lumps, in the order of the directory.
const (
	LumpEntities          = 0
	LumpPlanes            = 1
	LumpTexData           = 2
	LumpVertices          = 3
	LumpVisibility        = 4
	LumpNodes             = 5
	LumpTexInfo           = 6
	LumpFaces             = 7
	LumpLighting          = 8
	LumpOcclusion         = 9
	LumpLeaves            = 10
	LumpEdges             = 12
	LumpSurfedges         = 13
	LumpModels            = 14
	LumpWorldLights       = 15
	LumpLeafFaces         = 16
	LumpLeafBrushes       = 17
	LumpBrushes           = 18
	LumpBrushSides        = 19
	LumpAreas             = 20
	LumpAreaPortals       = 21
	LumpMoreEntities      = 24
	LumpDispInfo          = 26
	LumpOriginalFaces     = 27
	LumpVertNormals       = 30
	LumpVertNormalIndices = 31
	LumpDispVerts         = 33
	LumpGame              = 35
	LumpLeafWater         = 36
	LumpPrimitives        = 37
	LumpPrimVerts         = 38
	LumpPrimIndices       = 39
	LumpPak               = 40
	LumpCubemaps          = 42
	LumpTexDataStrings    = 43
	LumpTexDataTable      = 44
	LumpOverlays          = 45
	LumpDispTris          = 48
	LumpWaterOverlays     = 50
	LumpAmbientIndexHDR   = 51
	LumpAmbientIndex      = 52
	LumpLightingHDR       = 53
	LumpWorldLightsHDR    = 54
	LumpAmbientHDR        = 55
	LumpAmbient           = 56
	LumpFacesHDR          = 58
	LumpMapFlags          = 59
	LumpOverlayFades      = 60
	LumpOverlayLevels     = 61
	LumpBlends            = 63
)

const (
	numLumps   = 64
	headerSize = 8 + 16*numLumps + 4
)

// lumpVersions are the versions of lumps that are not 0. The variant states those of leaves and world lights.
var lumpVersions = map[int]int32{LumpFaces: 1, LumpFacesHDR: 1, LumpLighting: 1, LumpLightingHDR: 1, LumpOcclusion: 2,
	LumpAmbient: 1, LumpAmbientHDR: 1}

// Write returns the file of the map in the variant's format. The same map gives the same bytes.
func (m *Map) Write(v Variant) []byte {
	whole := *m
	whole.complete()
	if v.branch().Averaged {
		whole.average()
	}
	lumps := whole.lumps(v)

	file := make([]byte, headerSize)
	copy(file, "VBSP")
	if v.branch().BigEndian {
		copy(file, "PSBV")
	}
	set := func(at int, n int32) { v.order().PutUint32(file[at:], uint32(n)) }
	set(4, v.Version)
	set(headerSize-4, m.Revision)
	if v.VersionFirst {
		// Its first entry starts with version 0, which is how Lump tells the two orders apart.
		set(8, 0)
	}
	for i, content := range lumps {
		if len(content) == 0 {
			continue
		}
		file = brushmap.Align(file)
		size := 0
		switch {
		case i == LumpGame: // its offsets are counted from the start of the file
			content = whole.gameLump(len(file), v)
		case v.Packed && i != LumpPak:
			size = len(content)
			content = pack(content)
		}
		version := lumpVersions[i]
		switch {
		case i == LumpLeaves && !v.LeafLight, (i == LumpWorldLights || i == LumpWorldLightsHDR) && v.LongLights:
			version = 1
		}
		if n, ok := v.branch().LumpVersions[i]; ok {
			version = n
		}
		at := 8 + 16*i
		if v.VersionFirst {
			set(at, version)
			set(at+4, int32(len(file)))
			set(at+8, int32(len(content)))
		} else {
			set(at, int32(len(file)))
			set(at+4, int32(len(content)))
			set(at+8, version)
		}
		set(at+12, int32(size))
		file = append(file, content...)
	}
	if v.branch().Hidden {
		hide(file)
	}
	return file
}

// lumps returns the content of every lump. The game lump's is made up later, because it knows its place: here it is
// only not empty.
func (m *Map) lumps(v Variant) (lumps [numLumps][]byte) {
	ents := m.RawEntities
	if ents == "" {
		first := m.Entities
		if v.branch().MoreEntities && len(first) > 2 {
			lumps[LumpMoreEntities] = append([]byte(brushmap.EntityText(first[2:])), 0)
			first = first[:2]
		}
		ents = brushmap.EntityText(first)
	}
	lumps[LumpEntities] = append([]byte(ents), 0)
	lumps[LumpOcclusion] = make([]byte, 12)
	lumps[LumpGame] = []byte{0}
	lumps[LumpPak] = m.pak()
	if v.branch().BigEndian {
		lumps[LumpPak] = consolePak(lumps[LumpPak])
	}
	lumps[LumpVisibility] = m.Visibility
	for lump, records := range map[int]any{
		LumpPlanes: m.Planes, LumpVertices: m.Vertices, LumpNodes: m.Nodes, LumpTexInfo: m.TexInfo,
		LumpLighting: m.Lighting, LumpEdges: m.Edges, LumpSurfedges: m.Surfedges, LumpModels: m.Models,
		LumpLeafFaces: m.LeafFaces, LumpLeafBrushes: m.LeafBrushes, LumpAreas: m.Areas, LumpDispInfo: m.DispInfo,
		LumpVertNormals: m.VertNormals, LumpVertNormalIndices: m.VertNormalIndices,
		LumpDispVerts: m.DispVerts, LumpLeafWater: m.LeafWater, LumpPrimitives: m.Primitives, LumpPrimVerts: m.PrimVerts,
		LumpPrimIndices: m.PrimIndices, LumpCubemaps: m.Cubemaps, LumpDispTris: m.DispTris, LumpLightingHDR: m.LightingHDR,
		LumpBlends: m.Blends,
	} {
		lumps[lump] = v.records(lump, records)
	}
	lumps[LumpFaces], lumps[LumpFacesHDR], lumps[LumpOriginalFaces] = m.putFaces(m.Faces, v), m.putFaces(m.FacesHDR, v),
		m.putFaces(m.OriginalFaces, v)
	if v.Version > 19 {
		lumps[LumpMapFlags] = v.put(nil, m.Flags)
	}
	m.putNames(&lumps, v)
	m.putBrushes(&lumps, v)
	m.putLeaves(&lumps, v)
	m.putOverlays(&lumps, v)
	lumps[LumpWorldLights] = worldLights(m.WorldLights, v)
	lumps[LumpWorldLightsHDR] = worldLights(m.WorldLightsHDR, v)
	switch b := v.branch(); {
	case b.BlendsIn61:
		lumps[LumpOverlayLevels], lumps[LumpBlends] = lumps[LumpBlends], nil
	case b.Pages:
		m.putPages(&lumps, v)
	case v.Version > 20 && v.Version < 1<<16 && m.Flags&(LuxelByte|LuxelBytes) != 0:
		lumps[LumpFaces], lumps[LumpLighting] = m.putWideLight(m.Faces, m.Lighting, v)
		lumps[LumpFacesHDR], lumps[LumpLightingHDR] = m.putWideLight(m.FacesHDR, m.LightingHDR, v)
	}
	return lumps
}

// anyFace is a face with what some branches have in place of other fields.
type anyFace struct {
	Face
	ShadowPrims uint32 // the number of primitives, and in the lowest bit that it takes shadows
	Styles8     [8]uint8
	Day, Night  [8]uint8 // which of the styles shine then
}

// putFaces writes faces.
func (m *Map) putFaces(faces []Face, v Variant) (lump []byte) {
	layout := v.branch().Records[LumpFaces]
	if layout == "" {
		return v.put(nil, faces)
	}
	for _, f := range faces {
		x := anyFace{Face: f, ShadowPrims: uint32(f.NumPrims)<<1 | 1}
		for i := range 8 {
			x.Styles8[i], x.Day[i], x.Night[i] = NoStyle, NoStyle, NoStyle
		}
		copy(x.Styles8[:], f.Styles[:])
		day, night := x.Day[:0], x.Night[:0]
		for i, s := range f.Styles {
			switch {
			case s == NoStyle:
			case m.Night&(1<<i) != 0:
				night = append(night, uint8(i))
			default:
				day = append(day, uint8(i))
			}
		}
		lump = v.lay(lump, layout, x)
	}
	return lump
}

// average moves the light so far to the front as there is mean light before that of the first face.
func (m *Map) average() {
	first := int32(len(m.Lighting) * 4)
	for _, f := range m.Faces {
		if f.LightOfs >= 0 {
			first = min(first, f.LightOfs)
		}
	}
	m.Lighting = m.Lighting[first/4:]
	m.Faces = append([]Face(nil), m.Faces...)
	for i := range m.Faces {
		if m.Faces[i].LightOfs >= 0 {
			m.Faces[i].LightOfs -= first
		}
	}
}

// putNames writes texdata with the names apart from it, each of them once, as the engine's compiler does.
func (m *Map) putNames(lumps *[numLumps][]byte, v Variant) {
	at := map[string]int32{}
	for _, t := range m.TexData {
		i, ok := at[t.Name]
		if !ok {
			i = int32(len(at))
			at[t.Name] = i
			lumps[LumpTexDataTable] = v.put(lumps[LumpTexDataTable], int32(len(lumps[LumpTexDataStrings])))
			lumps[LumpTexDataStrings] = append(append(lumps[LumpTexDataStrings], t.Name...), 0)
		}
		lumps[LumpTexData] = v.put(lumps[LumpTexData], struct {
			Reflectivity [3]float32
			Rest         [5]int32
		}{t.Reflectivity, [5]int32{i, t.Width, t.Height, t.Width, t.Height}})
	}
}

func (m *Map) putBrushes(lumps *[numLumps][]byte, v Variant) {
	first := 0
	layout := v.branch().Records[LumpBrushSides]
	if layout == "" {
		layout = "Plane:2 TexInfo:2 DispInfo:2 Bevel:1 Thin:1"
	}
	for _, b := range m.Brushes {
		lumps[LumpBrushes] = v.put(lumps[LumpBrushes], [3]int32{int32(first), int32(len(b.Sides)), b.Contents})
		first += len(b.Sides)
		for _, s := range b.Sides {
			s.Thin = s.Thin && v.ThinSides
			if v.order() == binary.BigEndian && !v.ThinSides { // the two are one number
				lumps[LumpBrushSides] = v.lay(lumps[LumpBrushSides], "Plane:2 TexInfo:2 DispInfo:2 Bevel:2", s)
				continue
			}
			lumps[LumpBrushSides] = v.lay(lumps[LumpBrushSides], layout, s)
		}
	}
}

// putLeaves writes the leaves and the light in them, in the place that the variant has for it.
func (m *Map) putLeaves(lumps *[numLumps][]byte, v Variant) {
	for i, l := range m.Leaves {
		if layout := v.branch().Records[LumpLeaves]; layout != "" {
			lumps[LumpLeaves] = v.lay(lumps[LumpLeaves], layout, struct {
				Leaf
				AreaFlags32 uint32 // 17 bits of area, 15 of flags
			}{l, uint32(l.AreaFlags&0x1ff) | uint32(l.AreaFlags>>9)<<17})
			continue
		}
		lumps[LumpLeaves] = v.put(lumps[LumpLeaves], l)
		if v.LeafLight {
			lumps[LumpLeaves] = v.put(lumps[LumpLeaves][:len(lumps[LumpLeaves])-2], m.cubeOf(i, m.Probes))
			lumps[LumpLeaves] = append(lumps[LumpLeaves], 0, 0)
		}
	}
	if v.LeafLight {
		return
	}
	for _, p := range []struct {
		probes      []Probe
		index, data int
	}{{m.Probes, LumpAmbientIndex, LumpAmbient}, {m.ProbesHDR, LumpAmbientIndexHDR, LumpAmbientHDR}} {
		if len(p.probes) == 0 {
			continue
		}
		if m.OldProbes {
			for i := range m.Leaves {
				lumps[p.data] = v.put(lumps[p.data], m.cubeOf(i, p.probes))
			}
			continue
		}
		first := 0
		for i := range m.Leaves {
			in := m.probesIn(i, p.probes)
			lumps[p.index] = append(lumps[p.index], v.records(LumpAmbientIndex, [][2]uint16{{uint16(len(in)), uint16(first)}})...)
			first += len(in)
			for _, q := range in {
				lumps[p.data] = v.put(lumps[p.data], q.Cube)
				lumps[p.data] = append(lumps[p.data], m.Leaves[i].fraction(q.At)...)
			}
		}
	}
}

// fraction returns where a place is in the leaf's box, as three bytes of which 255 is the far side, and one more.
func (l *Leaf) fraction(at [3]float32) []byte {
	b := make([]byte, 4)
	for i := range 3 {
		size := float64(l.Maxs[i]) - float64(l.Mins[i])
		if size > 0 {
			b[i] = uint8(255*(float64(at[i])-float64(l.Mins[i]))/size + 0.5)
		}
	}
	return b
}

// probesIn returns the probes in a leaf, in their order.
func (m *Map) probesIn(leaf int, probes []Probe) (in []Probe) {
	for _, p := range probes {
		if m.LeafAt(p.At) == leaf {
			in = append(in, p)
		}
	}
	return in
}

// cubeOf returns the light of the leaf's first probe, or none.
func (m *Map) cubeOf(leaf int, probes []Probe) (cube [6]RGBE) {
	for _, p := range m.probesIn(leaf, probes) {
		return p.Cube
	}
	return cube
}

// putOverlays writes the overlays with what is parallel to them.
func (m *Map) putOverlays(lumps *[numLumps][]byte, v Variant) {
	for lump, list := range map[int][]Overlay{LumpOverlays: m.Overlays, LumpWaterOverlays: m.WaterOverlays} {
		layout := v.branch().Records[lump]
		if layout == "" {
			layout = plainOverlay
		}
		room := 64
		if lump == LumpWaterOverlays {
			room = 256
		}
		for i := range list {
			lumps[lump] = v.lay(lumps[lump], layout, list[i].record(room))
		}
	}
	for _, o := range m.Overlays {
		lumps[LumpOverlayFades] = v.put(lumps[LumpOverlayFades], [2]float32{o.Fade[0] * o.Fade[0], o.Fade[1] * o.Fade[1]})
		if v.Version > 20 && v.Version < 1<<16 {
			lumps[LumpOverlayLevels] = v.put(lumps[LumpOverlayLevels], o.Levels)
		}
	}
	if v.branch().LongOverlays && len(m.Overlays) > 0 {
		lumps[LumpOverlays] = m.longOverlays(v)
	}
}

// overlayRecord is an overlay as the file has it. Three of the corners' third numbers are the basis, and the last says
// whether V is flipped.
type overlayRecord struct {
	ID             int32
	TexInfo        int16
	CountOrder     uint16
	CountOrder32   uint32
	Faces          []int32
	U, V           [2]float32
	Corners        [4][3]float32
	Origin, Normal [3]float32
	Tint           [4]uint8
}

// record returns the record with room for that many faces.
func (o *Overlay) record(faces int) overlayRecord {
	r := overlayRecord{ID: o.ID, TexInfo: o.TexInfo, CountOrder: uint16(len(o.Faces))&0x3fff | o.Order<<14,
		CountOrder32: uint32(len(o.Faces)) | uint32(o.Order)<<30,
		Faces:        make([]int32, faces), U: o.U, V: o.V, Origin: o.Origin, Normal: o.Normal, Tint: [4]uint8{255, 255, 255, 255}}
	copy(r.Faces, o.Faces)
	flip := float32(0)
	if o.FlipV {
		flip = 1
	}
	for i, z := range []float32{o.Basis[0], o.Basis[1], o.Basis[2], flip} {
		r.Corners[i] = [3]float32{o.Corners[i][0], o.Corners[i][1], z}
	}
	return r
}

// longOverlays returns the overlays behind a list of all their faces.
func (m *Map) longOverlays(v Variant) (lump []byte) {
	var faces []int32
	var records []byte
	for _, o := range m.Overlays {
		flags := uint16(0)
		if o.FlipV {
			flags = 1
		}
		records = v.put(records, [2]int32{o.ID, int32(o.TexInfo)})
		records = v.put(records, [2]uint16{flags, o.Order})
		records = v.put(records, [2]int32{int32(len(faces)), int32(len(o.Faces))})
		records = v.put(records, [2][2]float32{o.U, o.V})
		records = v.put(records, o.Corners)
		records = v.put(records, [3][3]float32{o.Basis, o.Origin, o.Normal})
		records = v.put(records, [4]uint8{255, 255, 255, 255})
		faces = append(faces, o.Faces...)
	}
	lump = v.put(nil, [2]int32{int32(len(m.Overlays)), int32(len(faces))})
	return append(v.put(lump, faces), records...)
}

func worldLights(lights []WorldLight, v Variant) (lump []byte) {
	if layout := v.branch().Records[LumpWorldLights]; layout != "" {
		return v.records(LumpWorldLights, lights)
	}
	for _, l := range lights {
		lump = v.put(lump, [3][3]float32{l.Origin, l.Intensity, l.Normal})
		if v.LongLights {
			lump = v.put(lump, l.ShadowOffset)
		}
		lump = v.put(lump, [3]int32{l.Cluster, l.Type, l.Style})
		lump = v.put(lump, [7]float32{l.StopDot, l.StopDot2, l.Exponent, l.Radius, l.Constant, l.Linear, l.Quadratic})
		lump = v.put(lump, [3]int32{l.Flags, l.TexInfo, l.Owner})
	}
	return lump
}
