package vbsp

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

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

// Plane returns the index of the plane, added with its opposite if the map has none.
func (m *Map) Plane(normal [3]float32, dist float32) uint16 {
	return uint16(brushmap.AddPlane(&m.Planes, normal, dist))
}

// Texture returns the index of the texdata of a material, added if the map has none.
func (m *Map) Texture(mat Material) int32 {
	return int32(brushmap.Intern(&m.TexData, TexData{mat.Name, mat.Reflectivity, mat.Width, mat.Height}))
}

// Info returns the index of the texinfo, added if the map has none.
func (m *Map) Info(t TexInfo) int32 { return int32(brushmap.Intern(&m.TexInfo, t)) }

// Project returns the texinfo of a material on a plane, aligned to the world.
func (m *Map) Project(mat Material, normal [3]float32) int32 {
	u, v := brushmap.Project(normal)
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
	normal, area := brushmap.LoopNormal(loop)
	plane := m.Plane(normal, float32(brushmap.Dot(normal, loop[0])))
	f := Face{Plane: plane, Side: uint8(plane & 1), FirstEdge: m.AddLoop(loop), NumEdges: int16(len(loop)),
		TexInfo: int16(texinfo), DispInfo: -1, Fog: -1, Styles: [4]uint8{NoStyle, NoStyle, NoStyle, NoStyle},
		LightOfs: -1, Area: float32(area), OrigFace: int32(len(m.Faces))}
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
			x := brushmap.Dot([3]float32{v[0], v[1], v[2]}, p) + float64(v[3])
			lo, hi = math.Min(lo, x), math.Max(hi, x)
		}
		first[i] = int32(math.Floor(lo + 1e-4))
		size[i] = int32(math.Ceil(hi-1e-4)) - first[i]
	}
	return first, size
}

// Loop returns the corners of a face.
func (m *Map) Loop(face int) [][3]float32 {
	return m.LoopAt(m.Faces[face].FirstEdge, int(m.Faces[face].NumEdges))
}
