package ibsp

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Variant is one of the family's formats.
type Variant struct {
	Ident    string
	Version  int32
	Lumps    int
	PageSize int
	// Raven says that vertices and surfaces have four light styles, brush sides a surface, and the grid an index.
	Raven bool
}

// The variants that can be written.
var (
	Quake3  = Variant{"IBSP", 46, 17, 128, false}
	RTCW    = Variant{"IBSP", 47, 17, 128, false} // and Enemy Territory, Quake Live
	Raven   = Variant{"RBSP", 1, 18, 128, true}   // Jedi Outcast, Jedi Academy, Soldier of Fortune 2
	QFusion = Variant{"FBSP", 1, 18, 512, true}   // Warsow
)

// Lumps, in the order of the directory. LumpGridArray is in RBSP and FBSP only.
const (
	LumpEntities = iota
	LumpShaders
	LumpPlanes
	LumpNodes
	LumpLeaves
	LumpLeafSurfaces
	LumpLeafBrushes
	LumpModels
	LumpBrushes
	LumpBrushSides
	LumpVertices
	LumpIndices
	LumpFogs
	LumpSurfaces
	LumpPages
	LumpGrid
	LumpVisibility
	LumpGridArray
)

// fileOrder is the order in which q3map2 writes the lumps; readers must not take them for sorted.
var fileOrder = []int{LumpShaders, LumpPlanes, LumpLeaves, LumpNodes, LumpBrushes, LumpBrushSides, LumpLeafSurfaces,
	LumpLeafBrushes, LumpModels, LumpVertices, LumpSurfaces, LumpVisibility, LumpPages, LumpGrid, LumpGridArray,
	LumpEntities, LumpFogs, LumpIndices}

// The records. Where the two layouts differ, the short one is IBSP's, the other RBSP's and FBSP's.
type (
	name [64]byte

	shader struct {
		Name            name
		Flags, Contents int32
	}
	plane struct {
		Normal [3]float32
		Dist   float32
	}
	model struct {
		Mins, Maxs                [3]float32
		FirstSurface, NumSurfaces int32
		FirstBrush, NumBrushes    int32
	}
	brush struct {
		FirstSide, NumSides, Shader int32
	}
	fog struct {
		Shader      name
		Brush, Side int32
	}
	side struct {
		Plane, Shader int32
	}
	ravenSide struct {
		Plane, Shader, Surface int32
	}
	vertex struct {
		XYZ    [3]float32
		ST     [2]float32
		Light  [2]float32
		Normal [3]float32
		Color  [4]uint8
	}
	ravenVertex struct {
		XYZ    [3]float32
		ST     [2]float32
		Light  [4][2]float32
		Normal [3]float32
		Color  [4][4]uint8
	}
	surface struct {
		Shader, Fog, Type        int32
		FirstVertex, NumVertices int32
		FirstIndex, NumIndices   int32
		Page, LightX, LightY     int32
		LightW, LightH           int32
		LightOrigin              [3]float32
		LightVecs                [3][3]float32
		PatchW, PatchH           int32
	}
	ravenSurface struct {
		Shader, Fog, Type         int32
		FirstVertex, NumVertices  int32
		FirstIndex, NumIndices    int32
		LightStyles, VertexStyles [4]uint8
		Page, LightX, LightY      [4]int32
		LightW, LightH            int32
		LightOrigin               [3]float32
		LightVecs                 [3][3]float32
		PatchW, PatchH            int32
	}
	gridPoint struct {
		Ambient, Directed [3]uint8
		Direction         [2]uint8
	}
	ravenGridPoint struct {
		Ambient, Directed [4][3]uint8
		Styles            [4]uint8
		Direction         [2]uint8
	}
)

// Write returns the file of the map in the variant's format. The same map gives the same bytes.
func (m *Map) Write(v Variant) []byte {
	tree := *m
	if len(m.Nodes) == 0 {
		tree.plant()
	}
	lumps := tree.lumps(v)

	file := make([]byte, 8+8*v.Lumps)
	copy(file, v.Ident)
	brushmap.SetInt32(file, 4, v.Version)
	for _, i := range fileOrder {
		if i >= v.Lumps {
			continue
		}
		file = brushmap.Place(file, entry(i), lumps[i])
	}
	return brushmap.Align(file)
}

// lumps returns the content of every lump.
func (m *Map) lumps(v Variant) (lumps [18][]byte) {
	put := func(lump int, record any) { lumps[lump] = brushmap.Put(lumps[lump], binary.LittleEndian, record) }
	ents := m.RawEntities
	if ents == "" {
		ents = brushmap.EntityText(m.Entities)
	}
	lumps[LumpEntities] = append([]byte(ents), 0)
	for _, s := range m.Shaders {
		put(LumpShaders, shader{cut(s.Name), s.Flags, s.Contents})
	}
	for _, p := range m.Planes {
		put(LumpPlanes, plane{p.Normal, p.Dist})
	}
	put(LumpNodes, m.Nodes)
	put(LumpLeaves, m.Leaves)
	put(LumpLeafSurfaces, m.LeafSurfaces)
	put(LumpLeafBrushes, m.LeafBrushes)

	var surfaces, brushes, sides, vertices, indices int
	for _, x := range m.Models {
		put(LumpModels, model{x.Mins, x.Maxs, int32(surfaces), int32(len(x.Surfaces)), int32(brushes), int32(len(x.Brushes))})
		for _, b := range x.Brushes {
			put(LumpBrushes, brush{int32(sides), int32(len(b.Sides)), b.Shader})
			for _, s := range b.Sides {
				if v.Raven {
					put(LumpBrushSides, ravenSide(s))
				} else {
					put(LumpBrushSides, side{s.Plane, s.Shader})
				}
			}
			sides += len(b.Sides)
		}
		for _, s := range x.Surfaces {
			r := ravenSurface{s.Shader, s.Fog, int32(s.Type), int32(vertices), int32(len(s.Vertices)), int32(indices),
				int32(len(s.Indices)), s.LightStyles, s.VertexStyles, s.Page, s.LightX, s.LightY, s.LightW, s.LightH,
				s.LightOrigin, s.LightVecs, s.PatchW, s.PatchH}
			if s.Type == Flare {
				r.FirstVertex, r.FirstIndex = 0, 0
			}
			if v.Raven {
				put(LumpSurfaces, r)
			} else {
				put(LumpSurfaces, surface{r.Shader, r.Fog, r.Type, r.FirstVertex, r.NumVertices, r.FirstIndex, r.NumIndices,
					r.Page[0], r.LightX[0], r.LightY[0], r.LightW, r.LightH, r.LightOrigin, r.LightVecs, r.PatchW, r.PatchH})
			}
			for _, c := range s.Vertices {
				if v.Raven {
					put(LumpVertices, ravenVertex(c))
				} else {
					put(LumpVertices, vertex{c.XYZ, c.ST, c.Light[0], c.Normal, c.Color[0]})
				}
			}
			put(LumpIndices, s.Indices)
			vertices += len(s.Vertices)
			indices += len(s.Indices)
		}
		surfaces += len(x.Surfaces)
		brushes += len(x.Brushes)
	}
	for _, f := range m.Fogs {
		put(LumpFogs, fog{cut(f.Shader), f.Brush, f.Side})
	}
	for _, p := range m.Pages {
		lumps[LumpPages] = append(lumps[LumpPages], p...)
	}
	lumps[LumpVisibility] = m.Visibility

	// RBSP and FBSP hold each different sample once, and an index for each place.
	at := map[GridPoint]uint16{}
	for _, g := range m.Grid {
		if !v.Raven {
			put(LumpGrid, gridPoint{g.Ambient[0], g.Directed[0], g.Direction})
			continue
		}
		if _, ok := at[g]; !ok {
			at[g] = uint16(len(at))
			put(LumpGrid, ravenGridPoint(g))
		}
		put(LumpGridArray, at[g])
	}
	return lumps
}

// plant makes up the tree: a node far to the left of the world, an outside leaf, and a leaf of everything.
func (m *Map) plant() {
	var surfaces, brushes int
	all := Model{}
	if len(m.Models) > 0 {
		all = m.Models[0]
		surfaces, brushes = len(all.Surfaces), len(all.Brushes)
	}
	var mins, maxs [3]int32
	for i := range 3 {
		mins[i], maxs[i] = int32(math.Floor(float64(all.Mins[i]))), int32(math.Ceil(float64(all.Maxs[i])))
	}
	planes := Map{Planes: append([]Plane(nil), m.Planes...)}
	left := planes.Plane([3]float32{1, 0, 0}, float32(mins[0]-1024))
	m.Planes = planes.Planes
	m.Nodes = []Node{{left, [2]int32{-2, -1}, mins, maxs}}
	m.Leaves = []Leaf{{Cluster: -1, Area: -1},
		{Mins: mins, Maxs: maxs, NumSurfaces: int32(surfaces), NumBrushes: int32(brushes)}}
	m.LeafSurfaces, m.LeafBrushes = nil, nil
	for i := range surfaces {
		m.LeafSurfaces = append(m.LeafSurfaces, int32(i))
	}
	for i := range brushes {
		m.LeafBrushes = append(m.LeafBrushes, int32(i))
	}
}

func cut(s string) (n name) {
	copy(n[:63], s)
	return n
}

// entry returns where the offset and the length of a lump stand.
func entry(lump int) int { return 8 + 8*lump }

// Lump returns the offset and the length of a lump of a written file, in bytes.
func Lump(file []byte, lump int) (offset, length int) { return brushmap.Entry(file, entry(lump)) }

// SetLump changes where the directory says that a lump is.
func SetLump(file []byte, lump, offset, length int) {
	brushmap.SetEntry(file, entry(lump), offset, length)
}

// Record returns the offset in the file of a record of a lump, whose records are size bytes long.
func Record(file []byte, lump, size, record int) int {
	offset, _ := Lump(file, lump)
	return offset + size*record
}

// Replace returns a copy of the file in which the lump's content is another, at the end of the file.
func Replace(file []byte, lump int, content []byte) []byte {
	return brushmap.Align(brushmap.Place(bytes.Clone(file), entry(lump), content))
}
