package mdl10

import (
	"encoding/binary"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/turn"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// mesher makes the surfaces of a model in one pose.
type mesher struct {
	*decoder
	bones   []turn.Matrix
	skin    int
	m       *world.Model
	paid    int64             // bytes of the file that meshes have taken
	corners map[corner]uint32 // of the mesh that is made: their vertices
}

// corner is what a run of triangles has for each: a vertex, a normal, a place on the texture in pixels.
type corner struct{ vertex, normal, s, t int16 }

const (
	cornerCost  = worldVertex + 32 + 12 // about what a corner takes: a vertex, an entry of the corners, a triangle
	surfaceCost = 512                   // and a surface with its material
)

// pay makes sure that no bytes of the file are read for more than one mesh, so that a small file makes no large model.
func (m *mesher) pay(n int64) error {
	if m.paid += n; m.paid > int64(len(m.file.data)) {
		return fault("bounds", "triangles", "meshes share their bytes")
	}
	return nil
}

// part makes the surfaces of the variant of a part that body asks for: all parts' choices are in it as digits, each
// with a base of its own.
func (m *mesher) part(i, body int) error {
	record := m.parts.record(i)
	variants, err := m.file.table("variants", le.Int32(record[64:]), le.Int32(record[72:]), variantSize)
	if err != nil || variants.len() == 0 {
		return err
	}
	base := int(max(1, le.Int32(record[68:])))
	v, err := m.variant(variants.record(max(0, body) / base % variants.len()))
	if err != nil {
		return err
	}
	for k := range v.meshes.len() {
		if err := m.mesh(v, v.meshes.record(k)); err != nil {
			return fmt.Errorf("mesh %d: %w", k, err)
		}
	}
	return nil
}

// variant is one that a part of the body comes in.
type variant struct {
	meshes            table
	vertices, normals table
	vertexBones       []byte
	normalBones       []byte
}

func (m *mesher) variant(record []byte) (v variant, err error) {
	n := func(at int) int32 { return le.Int32(record[at:]) }
	if v.meshes, err = m.file.table("meshes", n(72), n(76), meshSize); err != nil {
		return v, err
	}
	if v.vertices, err = m.file.table("vertices", n(80), n(88), 12); err != nil {
		return v, err
	}
	if v.normals, err = m.file.table("normals", n(92), n(100), 12); err != nil {
		return v, err
	}
	if v.vertexBones, err = m.file.bytes("vertices' bones", int64(n(84)), int64(n(80))); err != nil {
		return v, err
	}
	v.normalBones, err = m.file.bytes("normals' bones", int64(n(96)), int64(n(92)))
	return v, err
}

// mesh makes the surface of a mesh: runs of corners that begin with their number, less than 0 for a fan, and end with 0.
func (m *mesher) mesh(v variant, record []byte) error {
	at, reference := int64(le.Int32(record[4:])), le.Int32(record[8:])
	if err := m.pay(meshSize); err != nil {
		return err
	}
	clear(m.corners)
	shape := &world.Triangles{}
	var b *builder
	for {
		head, err := m.file.bytes("a run", at, 2)
		if err != nil {
			return err
		}
		n := int64(int16(binary.LittleEndian.Uint16(head)))
		if n == 0 {
			break
		}
		fan := n < 0
		n = max(n, -n)
		run, err := m.file.bytes("a run", at+2, n*cornerSize)
		if err != nil {
			return err
		}
		at += 2 + n*cornerSize
		if err := m.pay(n * cornerSize); err != nil {
			return err
		}
		if err := m.reserve(n * cornerCost); err != nil {
			return err
		}
		if b == nil {
			if err := m.reserve(surfaceCost); err != nil {
				return err
			}
			material, err := m.material(reference, m.skin)
			if err != nil {
				return err
			}
			b = &builder{mesher: m, variant: v, shape: shape, texture: &m.materials[material]}
			m.m.Surfaces = append(m.m.Surfaces, world.Surface{Shape: shape, Material: material, Chart: world.NoChart, Fog: -1})
		}
		if err := b.run(run, fan); err != nil {
			return err
		}
	}
	if b != nil && len(shape.Indices) == 0 {
		m.m.Surfaces = m.m.Surfaces[:len(m.m.Surfaces)-1]
	}
	return nil
}

// builder makes the triangles of a mesh.
type builder struct {
	*mesher
	variant
	shape   *world.Triangles
	texture *world.Material
}

// run adds a strip or fan. Its triangles are clockwise seen from the front, and those of the world are not; every
// second one of a strip is the other way round.
func (b *builder) run(data []byte, fan bool) error {
	var first, last, latest uint32 // the corner that a fan turns about, and the two before this one
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

// corner returns the index of a corner's vertex.
func (b *builder) corner(data []byte) (uint32, error) {
	number := func(k int) int16 { return int16(binary.LittleEndian.Uint16(data[2*k:])) }
	c := corner{number(0), number(1), number(2), number(3)}
	if i, ok := b.corners[c]; ok {
		return i, nil
	}
	if c.vertex < 0 || int(c.vertex) >= b.vertices.len() || c.normal < 0 || int(c.normal) >= b.normals.len() {
		return 0, fault("index-range", "triangles", "vertex %d of %d, normal %d of %d", c.vertex, b.vertices.len(), c.normal, b.normals.len())
	}
	vertexBone, normalBone := int(b.vertexBones[c.vertex]), int(b.normalBones[c.normal])
	if max(vertexBone, normalBone) >= len(b.bones) {
		return 0, fault("index-range", "triangles", "bone %d of %d", max(vertexBone, normalBone), len(b.bones))
	}
	at := b.bones[vertexBone].Point(vector(b.vertices.record(int(c.vertex))))
	if !sane(at[:]...) {
		return 0, fault("range", "triangles", "vertex %d is at %g", c.vertex, at)
	}
	normal := turn.Unit(b.bones[normalBone].Direction(vector(b.normals.record(int(c.normal)))))
	v := world.Vertex{Normal: normal, UV: b.uv(c, normal), Color: [4]float32{1, 1, 1, 1}}
	for k, x := range at {
		v.Position[k] = float32(x)
	}
	b.grow(v.Position)
	i := uint32(len(b.shape.Vertices))
	b.corners[c] = i
	b.shape.Vertices = append(b.shape.Vertices, v)
	return i, nil
}

// uv is where a corner is on its texture.
//
// Chrome is put on as the viewer sees the normal: it has its left where that points to the left and its top where it
// points up. It would move with the viewer; here that is one in front of the model, who sees its left on the right.
// (Half-Life SDK, StudioChrome.)
func (b *builder) uv(c corner, normal [3]float32) [2]float32 {
	if b.texture.Surface&flagChrome != 0 {
		return [2]float32{(1 - normal[1]) / 2, (1 - normal[2]) / 2}
	}
	// Without its texture the size is unknown. Many have 64 pixels.
	width, height := 64, 64
	if b.texture.Texture != nil {
		width, height = b.texture.Width, b.texture.Height
	}
	return [2]float32{float32(c.s) / float32(width), float32(c.t) / float32(height)}
}

// grow makes the model's box hold a point.
func (m *mesher) grow(at [3]float32) {
	if len(m.m.Surfaces) == 1 && len(m.m.Surfaces[0].Shape.(*world.Triangles).Vertices) == 0 {
		m.m.Mins, m.m.Maxs = at, at
	}
	for k, x := range at {
		m.m.Mins[k], m.m.Maxs[k] = min(m.m.Mins[k], x), max(m.m.Maxs[k], x)
	}
}

func vector(b []byte) [3]float32 {
	return [3]float32{le.Float32(b), le.Float32(b[4:]), le.Float32(b[8:])}
}
