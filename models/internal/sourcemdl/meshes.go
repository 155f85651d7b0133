package sourcemdl

import (
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// checkEvery is how many vertices or corners are made between checks of the context.
const checkEvery = 1 << 16

// shapeKey identifies the triangles of a mesh in a pose.
type shapeKey struct{ mesh, pose int }

// stored is the index of the pose in which vertices are as stored.
const stored = -1

// shape is the triangles of a mesh in a pose and their bounding box. Several appearances may share it.
type shape struct {
	triangles  *world.Triangles
	mins, maxs [3]float32
}

// shapes makes the triangles of meshes in poses.
type shapes struct {
	decoding *decoding
	vertices *vertices
	where    string // the name of the .vtx file, for errors
	bones    int    // to which stored vertices are bound; 0 for a model without a skeleton
	face     *face  // flexes of unposed vertices, or nil
	made     map[shapeKey]shape
	irises   map[*world.Triangles]shape // by the triangles of the eye's white
}

// of returns the triangles of a mesh in the pose with an index. They are made only once.
func (d *shapes) of(m *mesh, index int, p skinMatrices) (out shape, err error) {
	key := shapeKey{m.id, index}
	out, ok := d.made[key]
	if !ok {
		if out, err = d.make(m, p, index == stored && d.bones > 0); err == nil {
			d.made[key] = out
		}
	}
	return out, err
}

// make returns the triangles of a mesh in a pose: the vertices of its strip groups in order, bound to bones if bound
// is set.
func (d *shapes) make(m *mesh, p skinMatrices, bound bool) (out shape, err error) {
	vertices, corners, strips := 0, 0, 0
	for i := range m.groups {
		g := &m.groups[i]
		vertices, corners, strips = vertices+g.vertices.Len(), corners+g.corners, strips+g.strips.Len()
	}
	// Strips are not kept, but a file with very many strips without triangles must also reach a limit.
	if err := d.decoding.memory.Reserve(limit.Bytes[world.Vertex](vertices) + 4*int64(corners) + int64(strips)); err != nil {
		return out, err
	}
	t := &world.Triangles{Vertices: make([]world.Vertex, 0, vertices), Indices: make([]uint32, 0, corners)}
	if bound {
		if err := d.decoding.memory.Reserve(limit.Bytes[world.Binding](vertices)); err != nil {
			return out, err
		}
		t.Bindings = make([]world.Binding, 0, vertices)
	}
	for i := range m.groups {
		g := &m.groups[i]
		first := len(t.Vertices)
		for k := range g.vertices.Len() {
			if k%checkEvery == 0 && d.decoding.ctx.Err() != nil {
				return out, d.decoding.ctx.Err()
			}
			at := m.first + index16(g.vertices.Record(k)[4:])
			v, err := d.vertex(at, p)
			if err != nil {
				return out, err
			}
			t.Vertices = append(t.Vertices, v)
			if !bound {
				continue
			}
			b, err := d.binding(at)
			if err != nil {
				return out, err
			}
			t.Bindings = append(t.Bindings, b)
		}
		for k := range g.strips.Len() {
			s := readStrip(g.strips.Record(k))
			if err := d.strip(t, s, g.indices, first); err != nil {
				return out, err
			}
		}
	}
	out.triangles = t
	if d.face != nil && p == nil {
		if t.MorphTargets, err = d.face.morphTargets(m); err != nil {
			return out, err
		}
	}
	for i := range t.Vertices {
		at := t.Vertices[i].Position
		if i == 0 {
			out.mins, out.maxs = at, at
		}
		space.Extend(&out.mins, &out.maxs, at)
	}
	return out, nil
}

// strip adds the triangles of a strip whose vertices start at first. In the file triangles are clockwise seen from
// the front, in the world counter-clockwise; in triangle strips every second one is reversed.
func (d *shapes) strip(shape *world.Triangles, s strip, indices modelfile.Table, first int) error {
	count := len(shape.Vertices) - first
	var t [3]uint32 // the latest three corners
	for i := range s.count {
		if i%checkEvery == checkEvery-1 && d.decoding.ctx.Err() != nil {
			return d.decoding.ctx.Err()
		}
		k := index16(indices.Record(s.first + i))
		if k >= count {
			return modelfile.Fault("index-range", d.where, "corner %d of %d", k, count)
		}
		t[0], t[1], t[2] = t[1], t[2], uint32(first+k)
		if s.joined && i < 2 || !s.joined && i%3 < 2 || t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
			continue
		}
		if s.joined && i&1 == 1 {
			shape.Indices = append(shape.Indices, t[0], t[1], t[2])
		} else {
			shape.Indices = append(shape.Indices, t[0], t[2], t[1])
		}
	}
	return nil
}

// vertex returns vertex i of the model in a pose.
func (d *shapes) vertex(i int, p skinMatrices) (out world.Vertex, err error) {
	if i < 0 || i >= d.vertices.count {
		return out, modelfile.Fault("index-range", d.where, "vertex %d of %d", i, d.vertices.count)
	}
	v := d.vertices.vertex(i)
	out = world.Vertex{Position: v.position, Normal: space.UnitNormal(space.Vector64(v.normal)), UV: v.uv, Color: [4]float32{1, 1, 1, 1}}
	if p != nil {
		if out.Position, out.Normal, err = p.move(&v); err != nil {
			return out, err
		}
	}
	if !modelfile.InRange(out.Position[:]...) {
		return out, modelfile.Fault("range", "the vertices", "vertex %d is at %g", i, out.Position)
	}
	if !modelfile.InRange(out.UV[:]...) {
		out.UV = [2]float32{}
	}
	return out, nil
}

// binding returns the bones of vertex i. The caller has checked i.
func (d *shapes) binding(i int) (world.Binding, error) {
	v := d.vertices.vertex(i)
	var weights skeleton.Weights
	for k := range v.count {
		if int(v.bones[k]) >= d.bones {
			return world.Binding{}, modelfile.Fault("index-range", "the vertices", "bone %d of %d", v.bones[k], d.bones)
		}
		weights.Add(v.bones[k], float64(v.weights[k]))
	}
	if weights.None() {
		d.decoding.issue("model-skeleton", "a vertex is bound to no bone: it moves with the first")
	}
	return weights.Binding(), nil
}
