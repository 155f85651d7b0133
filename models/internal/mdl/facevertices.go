package mdl

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// shifts returns by how much each shape of the face moves the vertices of a mesh, which are those of its strip groups in order.
func (d *face) shifts(m *mesh) ([]world.Shift, error) {
	if err := d.decoding.memory.reserve(limit.Bytes[world.Shift](len(d.names))); err != nil {
		return nil, err
	}
	out := make([]world.Shift, len(d.names))
	flexes := d.meshes[m.id]
	if len(flexes) == 0 {
		return out, nil
	}
	at, err := d.places(m)
	if err != nil {
		return nil, err
	}
	for shape := range out {
		moved := map[uint32][2][3]float32{} // how position and normal of a vertex change
		for i := range flexes {
			if x := &flexes[i]; x.shapes[0] == shape || x.shapes[1] == shape {
				if err := d.add(moved, x, shape, at); err != nil {
					return nil, err
				}
			}
		}
		if len(moved) == 0 {
			continue
		}
		if err := d.decoding.memory.reserve(28 * int64(len(moved))); err != nil {
			return nil, err
		}
		s := world.Shift{Vertices: make([]uint32, 0, len(moved))}
		for v := range moved {
			s.Vertices = append(s.Vertices, v)
		}
		slices.Sort(s.Vertices)
		for _, v := range s.Vertices {
			s.Positions, s.Normals = append(s.Positions, moved[v][0]), append(s.Normals, moved[v][1])
		}
		out[shape] = s
	}
	return out, d.decoding.ctx.Err()
}

// places returns the vertices that show each vertex of a mesh.
func (d *face) places(m *mesh) (map[int][]uint32, error) {
	out, n := map[int][]uint32{}, uint32(0)
	for i := range m.groups {
		t := m.groups[i].vertices
		if err := d.decoding.memory.borrow(64 * int64(t.len())); err != nil {
			return nil, err
		}
		for k := range t.len() {
			v := index16(t.record(k)[4:])
			out[v] = append(out[v], n)
			n++
		}
	}
	return out, nil
}

// add adds to what a shape moves what it moves by one flex, whose records are mstudiovertanim_t: an index, a speed, which counts only
// while the weight changes, a side, and by how much the position and the normal change.
func (d *face) add(moved map[uint32][2][3]float32, x *flex, shape int, at map[int][]uint32) error {
	for i := range x.vertices.len() {
		if i%checkEvery == 0 && d.decoding.ctx.Err() != nil {
			return d.decoding.ctx.Err()
		}
		b := x.vertices.record(i)
		second := float32(b[3]) / 255
		share := float32(0)
		if x.shapes[0] == shape {
			share = 1 - second
		}
		if x.shapes[1] == shape {
			share += second
		}
		var by [2][3]float32
		for k := range 6 {
			by[k/3][k%3] = d.number(b[4+2*k:]) * share
		}
		if !sane(by[0][:]...) || !sane(by[1][:]...) {
			return fault("range", d.file.what, "a flex moves a vertex by %g", by[0])
		}
		if by == [2][3]float32{} {
			continue
		}
		for _, v := range at[index16(b)] {
			sum := moved[v]
			for k := range by {
				for axis, n := range by[k] {
					sum[k][axis] += n
				}
			}
			moved[v] = sum
		}
	}
	return nil
}

// number reads a coordinate: a half float, or a number of steps in files that a game has converted.
func (d *face) number(b []byte) float32 {
	if d.scale != 0 {
		return float32(int16(index16(b))) * d.scale
	}
	return float32(half(b))
}
