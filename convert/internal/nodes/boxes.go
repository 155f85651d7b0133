package nodes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// boxes makes the meshes of boxes in place of models that were not read. Boxes of the same size share all but their light.
type boxes struct {
	sizes     map[string]models.Box // by model
	sides     map[models.Box]scene.Primitive
	meshes    map[boxKey]int
	materials map[bool]int // by whether they are lit
	shapes    *shapes
	axes      axes.Axes
}

// boxKey identifies the mesh of a box: its size, and its light if it has any.
type boxKey struct {
	size  models.Box
	light *world.RGB
}

func newBoxes(sizes map[string]models.Box, s *shapes, to axes.Axes) *boxes {
	return &boxes{
		sizes: sizes, sides: map[models.Box]scene.Primitive{}, meshes: map[boxKey]int{}, materials: map[bool]int{}, shapes: s, axes: to,
	}
}

// sized reports whether the size of a model is known.
func (b *boxes) sized(model string) bool {
	_, ok := b.sizes[model]
	return ok
}

// mesh returns the mesh of a box in place of a prop's model.
func (b *boxes) mesh(prop *world.Prop) int {
	size, ok := b.sizes[prop.Model]
	if !ok {
		size = models.UnknownBox
	}
	key := boxKey{size: size}
	if len(prop.Light.Colors) > 0 {
		key.light = &prop.Light.Colors[0][0]
	}
	if at, ok := b.meshes[key]; ok {
		return at
	}
	p, ok := b.sides[size]
	if !ok {
		p = boxPrimitive(size, b.axes)
		b.sides[size] = p
	}
	if key.light != nil {
		p.Colors = boxColors(prop.Light.Colors[0])
	}
	p.Material = b.material(p.Colors != nil)
	b.meshes[key] = b.shapes.addMesh(scene.Mesh{Name: scene.PlaceholderProp, Primitives: []scene.Primitive{p}})
	return b.meshes[key]
}

// material returns the index of the material of boxes. Light multiplies middle grey; without it a dark grey stands out from the map.
func (b *boxes) material(lit bool) int {
	if at, ok := b.materials[lit]; ok {
		return at
	}
	m := pbr.New(scene.PlaceholderProp)
	m.BaseColor, m.Alpha, m.Draw.Unlit, m.Draw.DoubleSided = [4]float32{0.1, 0.1, 0.1, 0.5}, pbr.Blend, true, true
	if lit {
		m.BaseColor, m.Vertex.Color = [4]float32{0.5, 0.5, 0.5, 0.5}, true
	}
	m.Extras = nil
	b.materials[lit] = b.shapes.addMaterial(m)
	return b.materials[lit]
}

// boxColors returns the colours of a box's vertices in a light.
func boxColors(light []world.RGB) [][4]uint16 {
	out := make([][4]uint16, len(light))
	for i, c := range light {
		shown, _ := meshes.VertexLight(c.Float32(), [3]float32{})
		out[i] = [4]uint16{shown[0], shown[1], shown[2], 65535}
	}
	return out
}

// boxPrimitive returns the six sides of a box, without a material.
func boxPrimitive(b models.Box, to axes.Axes) scene.Primitive {
	t := b.Triangles()
	n := len(t.Vertices)
	p := scene.Primitive{Indices: t.Indices, Positions: make([][3]float32, 0, n), Normals: make([][3]float32, 0, n)}
	for i := range t.Vertices {
		p.Positions = append(p.Positions, to.Point(t.Vertices[i].Position))
		p.Normals = append(p.Normals, axes.Turn(t.Vertices[i].Normal))
	}
	return p
}
