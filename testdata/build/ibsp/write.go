package ibsp

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
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
	binary.LittleEndian.PutUint32(file[4:], uint32(v.Version))
	for _, i := range fileOrder {
		if i >= v.Lumps {
			continue
		}
		SetLump(file, i, len(file), len(lumps[i]))
		file = append(file, lumps[i]...)
		for len(file)%4 != 0 {
			file = append(file, 0)
		}
	}
	return file
}

// lumps returns the content of every lump.
func (m *Map) lumps(v Variant) (lumps [18][]byte) {
	put := func(lump int, record any) {
		b, err := binary.Append(lumps[lump], binary.LittleEndian, record)
		if err != nil {
			panic(err) // a record without a fixed size
		}
		lumps[lump] = b
	}
	ents := m.RawEntities
	if ents == "" {
		ents = EntityText(m.Entities)
	}
	lumps[LumpEntities] = append([]byte(ents), 0)
	for _, s := range m.Shaders {
		put(LumpShaders, shader{cut(s.Name), s.Flags, s.Contents})
	}
	put(LumpPlanes, m.Planes)
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

// EntityText returns the text of the entities as q3map2 writes it.
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

func cut(s string) (n name) {
	copy(n[:63], s)
	return n
}

// Lump returns the offset and the length of a lump of a written file, in bytes.
func Lump(file []byte, lump int) (offset, length int) {
	at := 8 + 8*lump
	return int(Int32(file, at)), int(Int32(file, at+4))
}

// SetLump changes where the directory says that a lump is.
func SetLump(file []byte, lump, offset, length int) {
	SetInt32(file, 8+8*lump, int32(offset))
	SetInt32(file, 8+8*lump+4, int32(length))
}

// Int32 returns the number at an offset of the file.
func Int32(file []byte, at int) int32 { return int32(binary.LittleEndian.Uint32(file[at:])) }

// SetInt32 changes the number at an offset of the file.
func SetInt32(file []byte, at int, n int32) { binary.LittleEndian.PutUint32(file[at:], uint32(n)) }

// SetFloat32 changes the number at an offset of the file.
func SetFloat32(file []byte, at int, f float32) {
	binary.LittleEndian.PutUint32(file[at:], math.Float32bits(f))
}

// Record returns the offset in the file of a record of a lump, whose records are size bytes long.
func Record(file []byte, lump, size, record int) int {
	offset, _ := Lump(file, lump)
	return offset + size*record
}

// Replace returns a copy of the file in which the lump's content is another, at the end of the file.
func Replace(file []byte, lump int, content []byte) []byte {
	b := bytes.Clone(file)
	SetLump(b, lump, len(b), len(content))
	b = append(b, content...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}
