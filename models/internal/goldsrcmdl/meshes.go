package goldsrcmdl

import (
	"encoding/binary"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// mesher makes the surfaces of a model in one pose.
type mesher struct {
	decoding  *decoding
	file      *file
	bones     []space.Matrix // world matrices that pose the vertices
	stands    []space.Matrix // world matrices at the map's start
	bound     bool           // vertices are bound to bones
	materials *materials
	skin      int
	families  bool // fill the surfaces' Skins with all families
	model     *world.Model
	paid      int64             // bytes of the file that meshes have used
	corners   map[corner]uint32 // of the current mesh: the index of each corner's vertex
}

// corner is a corner in a run of triangles: a vertex, a normal, and a position on the texture in pixels.
type corner struct{ vertex, normal, s, t int16 }

const (
	cornerCost  = 56 + 32 + 12 // estimated bytes of a corner: a vertex, an entry in corners, a triangle's index
	bindingCost = 24           // estimated bytes of a vertex's binding
	pivotCost   = 16           // estimated bytes of a vertex's centre
	surfaceCost = 512          // estimated bytes of a surface with its material
)

// pay makes sure that meshes don't share bytes of the file, so that a small file can't become a large model.
func (m *mesher) pay(n int64) error {
	if m.paid += n; m.paid > int64(len(m.file.Data)) {
		return modelfile.Fault("bounds", "triangles", "meshes share their bytes")
	}
	return nil
}

// part makes the surfaces of the variant of body part i that an appearance selects. Its Body encodes the choices of
// all parts as digits, each with its own base.
func (m *mesher) part(stored []byte, i int, p skeleton.Appearance) error {
	variants, err := m.file.Table("variants", le.Int32(stored[64:]), int64(le.Int32(stored[72:])), variantSize)
	if err != nil || variants.Len() == 0 {
		return err
	}
	base := int(max(1, le.Int32(stored[68:])))
	number, ok := p.BodyParts.Variant(i, variants.Len(), max(0, p.Body)/base%variants.Len())
	if !ok {
		return nil
	}
	v, err := readVariant(m.file, variants.Record(number))
	if err != nil {
		return err
	}
	for k := range v.meshes.Len() {
		if err := m.mesh(v, v.meshes.Record(k)); err != nil {
			return fmt.Errorf("mesh %d: %w", k, err)
		}
	}
	return nil
}

// variant is one variant of a body part.
type variant struct {
	meshes            modelfile.Table
	vertices, normals modelfile.Table
	vertexBones       []byte
	normalBones       []byte
}

func readVariant(f *file, stored []byte) (v variant, err error) {
	n := func(at int) int32 { return le.Int32(stored[at:]) }
	if v.meshes, err = f.Table("meshes", n(72), int64(n(76)), meshSize); err != nil {
		return v, err
	}
	if v.vertices, err = f.Table("vertices", n(80), int64(n(88)), 12); err != nil {
		return v, err
	}
	if v.normals, err = f.Table("normals", n(92), int64(n(100)), 12); err != nil {
		return v, err
	}
	if v.vertexBones, err = f.Bytes("vertices' bones", int64(n(84)), int64(n(80))); err != nil {
		return v, err
	}
	v.normalBones, err = f.Bytes("normals' bones", int64(n(96)), int64(n(92)))
	return v, err
}

// mesh makes the surface of a mesh. A run of corners begins with its length, which is negative for a fan; a length of
// 0 ends the list.
func (m *mesher) mesh(v variant, stored []byte) error {
	at, reference := int64(le.Int32(stored[4:])), le.Int32(stored[8:])
	if err := m.pay(meshSize); err != nil {
		return err
	}
	clear(m.corners)
	shape := &world.Triangles{}
	var b *builder
	for {
		head, err := m.file.Bytes("a run", at, 2)
		if err != nil {
			return err
		}
		n := int64(int16(binary.LittleEndian.Uint16(head)))
		if n == 0 {
			break
		}
		fan := n < 0
		n = max(n, -n)
		run, err := m.file.Bytes("a run", at+2, n*cornerSize)
		if err != nil {
			return err
		}
		at += 2 + n*cornerSize
		if err := m.pay(n * cornerSize); err != nil {
			return err
		}
		cost := int64(cornerCost)
		if m.bound {
			cost += bindingCost
		}
		if err := m.decoding.memory.Reserve(n * cost); err != nil {
			return err
		}
		if b == nil {
			if err := m.decoding.memory.Reserve(surfaceCost); err != nil {
				return err
			}
			material, err := m.materials.of(reference, m.skin)
			if err != nil {
				return err
			}
			b = &builder{bones: m.bones, stands: m.stands, bound: m.bound, variant: v, texture: &m.materials.list[material],
				corners: m.corners, shape: shape, model: m.model}
			skins, err := m.skins(reference, material)
			if err != nil {
				return err
			}
			m.model.Surfaces = append(m.model.Surfaces, world.Surface{
				Shape: shape, Material: material, Skins: skins, Chart: world.NoChart, Fog: -1,
			})
		}
		if b.chrome() {
			if err := m.decoding.memory.Reserve(n * pivotCost); err != nil {
				return err
			}
		}
		if err := b.run(run, fan); err != nil {
			return err
		}
	}
	if b != nil && len(shape.Indices) == 0 {
		m.model.Surfaces = m.model.Surfaces[:len(m.model.Surfaces)-1]
	}
	return nil
}

// skins returns the material of a mesh in each skin of the file. A skin whose texture is broken, or has another size
// than the mesh's coordinates in pixels are for, gets the mesh's own material.
func (m *mesher) skins(reference int32, material int) (list []int, err error) {
	if !m.families || m.materials.skins.references == 0 || m.materials.skins.families.Len() < 2 {
		return nil, nil
	}
	n := m.materials.skins.families.Len()
	if err := m.decoding.memory.Reserve(8 * int64(n)); err != nil {
		return nil, err
	}
	list = make([]int, n)
	for k := range list {
		list[k] = material
		i, err := m.materials.of(reference, k)
		if limit.Fatal(err) {
			return nil, err
		}
		if err == nil && sameSize(&m.materials.list[i], &m.materials.list[material]) {
			list[k] = i
		}
	}
	return list, nil
}

// sameSize reports whether two materials can share texture coordinates.
func sameSize(a, b *world.Material) bool {
	return a.Width == b.Width && a.Height == b.Height && a.Surface&flagChrome == b.Surface&flagChrome
}

// builder makes the triangles of a mesh.
type builder struct {
	bones   []space.Matrix
	stands  []space.Matrix
	bound   bool // vertices are bound to bones
	variant variant
	texture *world.Material
	corners map[corner]uint32 // index of each corner's vertex
	shape   *world.Triangles
	model   *world.Model
}

// run adds a strip or fan. In the file triangles are clockwise seen from the front, in the world counter-clockwise;
// every second triangle of a strip has the opposite order.
func (b *builder) run(data []byte, fan bool) error {
	var first, last, latest uint32 // the fan's centre, and the last two corners
	for i := range len(data) / cornerSize {
		v, err := b.corner(data[i*cornerSize:])
		if err != nil {
			return err
		}
		if i == 0 {
			first = v
		}
		if i >= 2 {
			t := [3]uint32{last, v, latest}
			switch {
			case fan:
				t = [3]uint32{first, v, latest}
			case i&1 == 1:
				t = [3]uint32{latest, v, last}
			}
			if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
				b.shape.Indices = append(b.shape.Indices, t[:]...)
			}
		}
		last, latest = latest, v
	}
	return nil
}

// corner returns the index of a corner's vertex, which it adds if it is new.
func (b *builder) corner(data []byte) (uint32, error) {
	number := func(k int) int16 { return int16(binary.LittleEndian.Uint16(data[2*k:])) }
	c := corner{number(0), number(1), number(2), number(3)}
	if i, ok := b.corners[c]; ok {
		return i, nil
	}
	if c.vertex < 0 || int(c.vertex) >= b.variant.vertices.Len() || c.normal < 0 || int(c.normal) >= b.variant.normals.Len() {
		return 0, modelfile.Fault("index-range", "triangles", "vertex %d of %d, normal %d of %d", c.vertex, b.variant.vertices.Len(), c.normal,
			b.variant.normals.Len())
	}
	vertexBone, normalBone := int(b.variant.vertexBones[c.vertex]), int(b.variant.normalBones[c.normal])
	if max(vertexBone, normalBone) >= len(b.bones) {
		return 0, modelfile.Fault("index-range", "triangles", "bone %d of %d", max(vertexBone, normalBone), len(b.bones))
	}
	at := b.bones[vertexBone].Point(le.Vector(b.variant.vertices.Record(int(c.vertex))))
	if !modelfile.InRange(at[:]...) {
		return 0, modelfile.Fault("range", "triangles", "vertex %d is at %g", c.vertex, at)
	}
	stored := le.Vector(b.variant.normals.Record(int(c.normal)))
	normal := space.UnitNormal(b.bones[normalBone].Direction(stored))
	v := world.Vertex{Position: space.Vector32(at), Normal: normal, Color: [4]float32{1, 1, 1, 1},
		UV: b.uv(c, space.UnitNormal(b.stands[normalBone].Direction(stored)))}
	grow(b.model, v.Position)
	i := uint32(len(b.shape.Vertices))
	b.corners[c] = i
	b.shape.Vertices = append(b.shape.Vertices, v)
	if b.bound {
		b.shape.Bindings = append(b.shape.Bindings, world.Binding{Bones: [4]uint8{uint8(vertexBone)}, Weights: [4]float32{1}})
	}
	if b.chrome() {
		center := b.bones[normalBone].Point([3]float32{})
		b.shape.Pivots = append(b.shape.Pivots, space.Vector32(center))
	}
	return i, nil
}

// uv returns the texture coordinates of a corner. normal is that of the model in its pose at the map's start.
//
// Chrome depends on the normal as the viewer sees it: normals to the left show the texture's left edge, normals
// upwards its top. In the game, and in clients that implement it, it moves with the viewer. Here the viewer is
// assumed in front of the model. (Xash3D, R_StudioSetupChrome.)
func (b *builder) uv(c corner, normal [3]float32) [2]float32 {
	if b.chrome() {
		return [2]float32{(1 + normal[1]) * b.texture.Texture.Chrome[0], (1 - normal[2]) * b.texture.Texture.Chrome[1]}
	}
	// If the texture is missing, its size is unknown. 64 pixels are common.
	width, height := 64, 64
	if b.texture.Texture != nil {
		width, height = b.texture.Width, b.texture.Height
	}
	return [2]float32{float32(c.s) / float32(width), float32(c.t) / float32(height)}
}

// chrome reports whether the texture's coordinates depend on the viewer.
func (b *builder) chrome() bool {
	return b.texture.Texture != nil && b.texture.Texture.Chrome != [2]float32{}
}

// grow extends the bounding box of a model to a point. The first vertex of the first surface starts the box.
func grow(m *world.Model, at [3]float32) {
	if len(m.Surfaces) == 1 && len(m.Surfaces[0].Shape.(*world.Triangles).Vertices) == 0 {
		m.Mins, m.Maxs = at, at
	}
	space.Extend(&m.Mins, &m.Maxs, at)
}
