package place

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// boxes makes the meshes of boxes in place of models that were not read. Models of the same size share one.
type boxes struct {
	sizes    map[string]models.Box // by model
	meshes   map[models.Box]int
	material int // or scene.None
	shapes   *shapes
	axes     axes.Axes
}

func newBoxes(sizes map[string]models.Box, s *shapes, to axes.Axes) *boxes {
	return &boxes{sizes: sizes, meshes: map[models.Box]int{}, material: scene.None, shapes: s, axes: to}
}

// unknownBox is used for models of unknown size.
var unknownBox = models.Box{Mins: [3]float32{-8, -8, -8}, Maxs: [3]float32{8, 8, 8}}

// sized reports whether the size of a model is known.
func (b *boxes) sized(model string) bool {
	_, ok := b.sizes[model]
	return ok
}

// mesh returns the mesh of a box in place of a model.
func (b *boxes) mesh(model string) int {
	box, ok := b.sizes[model]
	if !ok {
		box = unknownBox
	}
	if mesh, ok := b.meshes[box]; ok {
		return mesh
	}
	if b.material == scene.None {
		m := pbr.New("placeholder_prop")
		m.BaseColor, m.Alpha, m.Draw.Unlit, m.Draw.DoubleSided = [4]float32{0.1, 0.1, 0.1, 0.5}, pbr.Blend, true, true
		m.Extras = nil
		b.material = b.shapes.addMaterial(m)
	}
	p := boxPrimitive(box, b.axes)
	p.Material = b.material
	b.meshes[box] = b.shapes.addMesh(scene.Mesh{Name: "placeholder_prop", Primitives: []scene.Primitive{p}})
	return b.meshes[box]
}

// boxPrimitive returns the six sides of a box, each with separate vertices.
func boxPrimitive(b models.Box, to axes.Axes) (p scene.Primitive) {
	for axis := range 3 {
		for side, at := range [2]float32{b.Mins[axis], b.Maxs[axis]} {
			u, v := (axis+1)%3, (axis+2)%3 // right-handed: seen from the greater side, V is left of U
			if side == 0 {
				u, v = v, u
			}
			first := uint32(len(p.Positions))
			var normal [3]float32
			normal[axis] = float32(2*side - 1)
			for _, corner := range [4][2]bool{{false, false}, {true, false}, {true, true}, {false, true}} {
				pos := b.Mins
				pos[axis] = at
				if corner[0] {
					pos[u] = b.Maxs[u]
				}
				if corner[1] {
					pos[v] = b.Maxs[v]
				}
				p.Positions = append(p.Positions, to.Point(pos))
				p.Normals = append(p.Normals, axes.Turn(normal))
			}
			p.Indices = append(p.Indices, first, first+1, first+2, first, first+2, first+3)
		}
	}
	return p
}
