package vbsp

import "math"

// Material is a mapper's choice for the side of a brush. The zero scales are Hammer's: a quarter of a unit for a texel and
// 16 units for a luxel.
type Material struct {
	Name          string
	Width, Height int32
	Reflectivity  [3]float32
	Flags         int32
	Scale         float32 // units per texel
	LuxelScale    float32 // units per luxel
	Shift         [2]float32
}

// Plane returns the index of the plane, added with its opposite if the map has none. The one of the pair that points along
// its largest axis comes first, as the engine's compiler has it.
func (m *Map) Plane(normal [3]float32, dist float32) uint16 {
	for i := range normal {
		normal[i] += 0 // -0 becomes 0
	}
	dist += 0
	for i, q := range m.Planes {
		if q.Normal == normal && q.Dist == dist {
			return uint16(i)
		}
	}
	largest, axial := 0, int32(3)
	for i, c := range normal {
		if math.Abs(float64(c)) > math.Abs(float64(normal[largest])) {
			largest = i
		}
	}
	if math.Abs(float64(normal[largest])) == 1 {
		axial = 0
	}
	kind := axial + int32(largest)
	p := Plane{normal, dist, kind}
	n := Plane{[3]float32{0 - normal[0], 0 - normal[1], 0 - normal[2]}, 0 - dist, kind}
	i := uint16(len(m.Planes))
	if normal[largest] < 0 {
		m.Planes = append(m.Planes, n, p)
		return i + 1
	}
	m.Planes = append(m.Planes, p, n)
	return i
}

// Texture returns the index of the texdata of a material, added if the map has none.
func (m *Map) Texture(mat Material) int32 {
	t := TexData{mat.Name, mat.Reflectivity, mat.Width, mat.Height}
	for i, q := range m.TexData {
		if q == t {
			return int32(i)
		}
	}
	m.TexData = append(m.TexData, t)
	return int32(len(m.TexData) - 1)
}

// Info returns the index of the texinfo, added if the map has none.
func (m *Map) Info(t TexInfo) int32 {
	for i, q := range m.TexInfo {
		if q == t {
			return int32(i)
		}
	}
	m.TexInfo = append(m.TexInfo, t)
	return int32(len(m.TexInfo) - 1)
}

// Project returns the texinfo of a material on a plane, aligned to the world as Hammer does it: U goes along +Y on planes
// that face X and along +X on all others; V goes along -Y on floors and ceilings and down on all others.
func (m *Map) Project(mat Material, normal [3]float32) int32 {
	u, v := [3]float32{1, 0, 0}, [3]float32{0, 0, -1}
	x, y, z := math.Abs(float64(normal[0])), math.Abs(float64(normal[1])), math.Abs(float64(normal[2]))
	switch {
	case z >= x && z >= y:
		v = [3]float32{0, -1, 0}
	case x >= y:
		u = [3]float32{0, 1, 0}
	}
	return m.Align(mat, u, v)
}

// Align returns the texinfo of a material whose U and V go along these directions, which are units.
func (m *Map) Align(mat Material, u, v [3]float32) int32 {
	scale, luxel := mat.Scale, mat.LuxelScale
	if scale == 0 {
		scale = 0.25
	}
	if luxel == 0 {
		luxel = 16
	}
	t := TexInfo{Flags: mat.Flags, TexData: m.Texture(mat)}
	for i, axis := range [2][3]float32{u, v} {
		for k, c := range axis {
			t.Texture[i][k] = c / scale
			t.Luxels[i][k] = c / luxel
		}
		// A shift is in texels; the luxels move along, as the compiler has it.
		t.Texture[i][3] = mat.Shift[i]
		t.Luxels[i][3] = mat.Shift[i] * scale / luxel
	}
	return m.Info(t)
}

// StartModel begins a model, which faces and brushes are added to from here on, and returns its index. The first is the
// world; it begins by itself.
func (m *Map) StartModel() int {
	m.Models = append(m.Models, Model{FirstFace: int32(len(m.Faces))})
	return len(m.Models) - 1
}

// Polygon adds a face of the loop, which is convex, flat and clockwise seen from the front, and returns its index. Corners
// may lie on the line between their neighbours.
func (m *Map) Polygon(texinfo int32, loop ...[3]float32) int {
	if len(m.Models) == 0 {
		m.StartModel()
	}
	normal, area := loopNormal(loop)
	plane := m.Plane(normal, float32(dot(normal, loop[0])))
	f := Face{Plane: plane, Side: uint8(plane & 1), FirstEdge: int32(len(m.Surfedges)), NumEdges: int16(len(loop)),
		TexInfo: int16(texinfo), DispInfo: -1, Fog: -1, Styles: [4]uint8{NoStyle, NoStyle, NoStyle, NoStyle},
		LightOfs: -1, Area: float32(area), OrigFace: int32(len(m.Faces))}
	m.Surfedges = append(m.Surfedges, m.loopEdges(loop)...)
	if texinfo >= 0 {
		f.LuxelMins, f.LuxelSize = m.luxelBounds(texinfo, loop)
	}
	m.Faces = append(m.Faces, f)
	m.Models[len(m.Models)-1].NumFaces++
	return len(m.Faces) - 1
}

// luxelBounds returns the first luxel of a face and how many more there are, as CalcFaceExtents of vbsp has it.
func (m *Map) luxelBounds(texinfo int32, loop [][3]float32) (first, size [2]int32) {
	for i, v := range m.TexInfo[texinfo].Luxels {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, p := range loop {
			x := dot([3]float32{v[0], v[1], v[2]}, p) + float64(v[3])
			lo, hi = math.Min(lo, x), math.Max(hi, x)
		}
		first[i] = int32(math.Floor(lo + 1e-4))
		size[i] = int32(math.Ceil(hi-1e-4)) - first[i]
	}
	return first, size
}

// Loop returns the corners of a face.
func (m *Map) Loop(face int) (loop [][3]float32) {
	f := m.Faces[face]
	for _, e := range m.Surfedges[f.FirstEdge : f.FirstEdge+int32(f.NumEdges)] {
		if e >= 0 {
			loop = append(loop, m.Vertices[m.Edges[e][0]])
		} else {
			loop = append(loop, m.Vertices[m.Edges[-e][1]])
		}
	}
	return loop
}

// loopEdges returns the surfedges of a loop. Vertices that are there already are shared, and so is the edge of a neighbour,
// which goes the other way. Edge 0 belongs to no face, because 0 can't be reversed.
func (m *Map) loopEdges(loop [][3]float32) (edges []int32) {
	if m.vertexAt == nil {
		m.vertexAt, m.edgeAt = map[[3]float32]uint16{}, map[[2]uint16]int32{}
	}
	if len(m.Edges) == 0 {
		m.Edges = append(m.Edges, [2]uint16{})
	}
	at := make([]uint16, len(loop))
	for i, p := range loop {
		for k := range p {
			p[k] += 0
		}
		v, ok := m.vertexAt[p]
		if !ok {
			v = uint16(len(m.Vertices))
			m.vertexAt[p] = v
			m.Vertices = append(m.Vertices, p)
		}
		at[i] = v
	}
	for i, a := range at {
		b := at[(i+1)%len(at)]
		if e, ok := m.edgeAt[[2]uint16{b, a}]; ok {
			delete(m.edgeAt, [2]uint16{b, a}) // an edge has two faces at most
			edges = append(edges, -e)
			continue
		}
		e := int32(len(m.Edges))
		m.edgeAt[[2]uint16{a, b}] = e
		m.Edges = append(m.Edges, [2]uint16{a, b})
		edges = append(edges, e)
	}
	return edges
}

// loopNormal returns the unit normal of a loop that is clockwise seen from the front, and its area.
func loopNormal(loop [][3]float32) (normal [3]float32, area float64) {
	var n [3]float64
	for i, a := range loop {
		b := loop[(i+1)%len(loop)]
		for k := range 3 {
			u, v := (k+1)%3, (k+2)%3
			n[k] -= float64(float64(a[u])*float64(b[v])) - float64(float64(a[v])*float64(b[u]))
		}
	}
	l := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
	for k := range n {
		normal[k] = float32(n[k] / l)
		if math.Abs(math.Abs(float64(normal[k]))-1) < 1e-6 {
			normal = [3]float32{}
			normal[k] = float32(math.Copysign(1, n[k]))
			break
		}
	}
	return normal, l / 2
}

func dot(a, b [3]float32) float64 {
	return float64(float64(a[0])*float64(b[0])) + float64(float64(a[1])*float64(b[1])) + float64(float64(a[2])*float64(b[2]))
}
