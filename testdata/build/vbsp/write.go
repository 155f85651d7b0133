package vbsp

import (
	"encoding/binary"
	"fmt"
	"strings"
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

// lumpVersions are those that are not 0. Of leaves and world lights the variant says it.
var lumpVersions = map[int]int32{LumpFaces: 1, LumpFacesHDR: 1, LumpLighting: 1, LumpLightingHDR: 1, LumpOcclusion: 2,
	LumpAmbient: 1, LumpAmbientHDR: 1}

// Write returns the file of the map in the variant's format. The same map gives the same bytes.
func (m *Map) Write(v Variant) []byte {
	whole := *m
	whole.complete()
	lumps := whole.lumps(v)

	file := make([]byte, headerSize)
	copy(file, "VBSP")
	SetInt32(file, 4, v.Version)
	SetInt32(file, headerSize-4, m.Revision)
	if v.VersionFirst {
		// Its first entry starts with version 0, which is how Lump tells the two orders apart.
		SetInt32(file, 8, 0)
	}
	for i, content := range lumps {
		if len(content) == 0 {
			continue
		}
		for len(file)%4 != 0 {
			file = append(file, 0)
		}
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
		at := 8 + 16*i
		if v.VersionFirst {
			SetInt32(file, at, version)
			SetInt32(file, at+4, int32(len(file)))
			SetInt32(file, at+8, int32(len(content)))
		} else {
			SetInt32(file, at, int32(len(file)))
			SetInt32(file, at+4, int32(len(content)))
			SetInt32(file, at+8, version)
		}
		SetInt32(file, at+12, int32(size))
		file = append(file, content...)
	}
	return file
}

// put appends a record, or a slice of them, in the file's order of bytes.
func put(lump []byte, record any) []byte {
	b, err := binary.Append(lump, binary.LittleEndian, record)
	if err != nil {
		panic(err) // a record without a fixed size
	}
	return b
}

// lumps returns the content of every lump. The game lump's is made up later, because it knows its place: here it is
// only not empty.
func (m *Map) lumps(v Variant) (lumps [numLumps][]byte) {
	ents := m.RawEntities
	if ents == "" {
		ents = EntityText(m.Entities)
	}
	lumps[LumpEntities] = append([]byte(ents), 0)
	lumps[LumpOcclusion] = make([]byte, 12)
	lumps[LumpGame] = []byte{0}
	lumps[LumpPak] = m.pak()
	lumps[LumpVisibility] = m.Visibility
	for lump, records := range map[int]any{
		LumpPlanes: m.Planes, LumpVertices: m.Vertices, LumpNodes: m.Nodes, LumpTexInfo: m.TexInfo, LumpFaces: m.Faces,
		LumpLighting: m.Lighting, LumpEdges: m.Edges, LumpSurfedges: m.Surfedges, LumpModels: m.Models,
		LumpLeafFaces: m.LeafFaces, LumpLeafBrushes: m.LeafBrushes, LumpAreas: m.Areas, LumpDispInfo: m.DispInfo,
		LumpOriginalFaces: m.OriginalFaces, LumpVertNormals: m.VertNormals, LumpVertNormalIndices: m.VertNormalIndices,
		LumpDispVerts: m.DispVerts, LumpLeafWater: m.LeafWater, LumpPrimitives: m.Primitives, LumpPrimVerts: m.PrimVerts,
		LumpPrimIndices: m.PrimIndices, LumpCubemaps: m.Cubemaps, LumpDispTris: m.DispTris, LumpLightingHDR: m.LightingHDR,
		LumpFacesHDR: m.FacesHDR, LumpBlends: m.Blends,
	} {
		lumps[lump] = put(nil, records)
	}
	if v.Version > 19 {
		lumps[LumpMapFlags] = put(nil, m.Flags)
	}
	m.putNames(&lumps)
	m.putBrushes(&lumps, v)
	m.putLeaves(&lumps, v)
	m.putOverlays(&lumps, v)
	lumps[LumpWorldLights] = worldLights(m.WorldLights, v)
	lumps[LumpWorldLightsHDR] = worldLights(m.WorldLightsHDR, v)
	return lumps
}

// putNames writes texdata with the names apart from it, each of them once, as the engine's compiler does.
func (m *Map) putNames(lumps *[numLumps][]byte) {
	at := map[string]int32{}
	for _, t := range m.TexData {
		i, ok := at[t.Name]
		if !ok {
			i = int32(len(at))
			at[t.Name] = i
			lumps[LumpTexDataTable] = put(lumps[LumpTexDataTable], int32(len(lumps[LumpTexDataStrings])))
			lumps[LumpTexDataStrings] = append(append(lumps[LumpTexDataStrings], t.Name...), 0)
		}
		lumps[LumpTexData] = put(lumps[LumpTexData], struct {
			Reflectivity [3]float32
			Rest         [5]int32
		}{t.Reflectivity, [5]int32{i, t.Width, t.Height, t.Width, t.Height}})
	}
}

func (m *Map) putBrushes(lumps *[numLumps][]byte, v Variant) {
	first := 0
	for _, b := range m.Brushes {
		lumps[LumpBrushes] = put(lumps[LumpBrushes], [3]int32{int32(first), int32(len(b.Sides)), b.Contents})
		first += len(b.Sides)
		for _, s := range b.Sides {
			last := [2]uint8{}
			if s.Bevel {
				last[0] = 1
			}
			if s.Thin && v.ThinSides {
				last[1] = 1
			}
			lumps[LumpBrushSides] = put(lumps[LumpBrushSides], struct {
				Plane             uint16
				TexInfo, DispInfo int16
				Last              [2]uint8
			}{s.Plane, s.TexInfo, s.DispInfo, last})
		}
	}
}

// putLeaves writes the leaves and the light in them, in the place that the variant has for it.
func (m *Map) putLeaves(lumps *[numLumps][]byte, v Variant) {
	for i, l := range m.Leaves {
		lumps[LumpLeaves] = put(lumps[LumpLeaves], l)
		if v.LeafLight {
			lumps[LumpLeaves] = put(lumps[LumpLeaves][:len(lumps[LumpLeaves])-2], m.cubeOf(i, m.Probes))
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
				lumps[p.data] = put(lumps[p.data], m.cubeOf(i, p.probes))
			}
			continue
		}
		first := 0
		for i := range m.Leaves {
			in := m.probesIn(i, p.probes)
			lumps[p.index] = put(lumps[p.index], [2]uint16{uint16(len(in)), uint16(first)})
			first += len(in)
			for _, q := range in {
				lumps[p.data] = put(lumps[p.data], q.Cube)
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
	for _, o := range m.Overlays {
		lumps[LumpOverlays] = o.put(lumps[LumpOverlays], 64)
		lumps[LumpOverlayFades] = put(lumps[LumpOverlayFades], [2]float32{o.Fade[0] * o.Fade[0], o.Fade[1] * o.Fade[1]})
		if v.Version > 20 {
			lumps[LumpOverlayLevels] = put(lumps[LumpOverlayLevels], o.Levels)
		}
	}
	for _, o := range m.WaterOverlays {
		lumps[LumpWaterOverlays] = o.put(lumps[LumpWaterOverlays], 256)
	}
}

// put appends the record with room for that many faces.
func (o *Overlay) put(lump []byte, faces int) []byte {
	ids := make([]int32, faces)
	copy(ids, o.Faces)
	flip := float32(0)
	if o.FlipV {
		flip = 1
	}
	lump = put(lump, o.ID)
	lump = put(lump, o.TexInfo)
	lump = put(lump, uint16(len(o.Faces))&0x3fff|o.Order<<14)
	lump = put(lump, ids)
	lump = put(lump, [2][2]float32{o.U, o.V})
	for i, z := range []float32{o.Basis[0], o.Basis[1], o.Basis[2], flip} {
		lump = put(lump, [3]float32{o.Corners[i][0], o.Corners[i][1], z})
	}
	return put(lump, [2][3]float32{o.Origin, o.Normal})
}

func worldLights(lights []WorldLight, v Variant) (lump []byte) {
	for _, l := range lights {
		lump = put(lump, [3][3]float32{l.Origin, l.Intensity, l.Normal})
		if v.LongLights {
			lump = put(lump, l.ShadowOffset)
		}
		lump = put(lump, [3]int32{l.Cluster, l.Type, l.Style})
		lump = put(lump, [7]float32{l.StopDot, l.StopDot2, l.Exponent, l.Radius, l.Constant, l.Linear, l.Quadratic})
		lump = put(lump, [3]int32{l.Flags, l.TexInfo, l.Owner})
	}
	return lump
}

// EntityText returns the text of the entities as the engine's compiler writes it.
func EntityText(entities []Entity) string {
	var b strings.Builder
	for _, e := range entities {
		b.WriteString("{\n")
		for _, kv := range e {
			fmt.Fprintf(&b, "\"%s\" \"%s\"\n", kv[0], kv[1])
		}
		b.WriteString("}\n")
	}
	return b.String()
}
