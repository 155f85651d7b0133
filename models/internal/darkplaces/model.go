package darkplaces

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decoder makes a world.Model of a file.
type decoder struct {
	file *file
	ctx  context.Context
	modelfile.Notes
	rig    skeleton.Options
	memory *modelfile.Reservation
	baker  skeleton.Baker
	bytes  int64 // of the file
}

// model returns the model in the first pose of a frame. A frame is a pose if the file is posed, a sequence otherwise.
func (d *decoder) model(frame int) (*world.Model, error) {
	f, pose := d.file, 0
	if f.posed {
		pose = max(0, min(frame, f.poses-1))
	} else if len(f.scenes) > 0 {
		pose = f.scenes[max(0, min(frame, len(f.scenes)-1))].first
	}
	places := make([]world.Joint, len(f.bones))
	for i := range places {
		if places[i] = f.pose(pose, i); !modelfile.InRange(places[i].Position[:]...) {
			return nil, modelfile.Fault("range", "poses", "bone %d is at %g", i, places[i].Position)
		}
	}
	m := &world.Model{Name: d.Model}
	bound := d.rig.Bones && len(f.bones) > 0
	if bound {
		var err error
		if m.Skeleton, err = d.skeleton(places, pose); err != nil {
			return nil, err
		}
	}
	mesh := f.base
	if !bound && len(f.bones) > 0 {
		if err := d.memory.Reserve(limit.Bytes[world.Vertex](len(f.base))); err != nil {
			return nil, err
		}
		mesh = f.moved(places)
	}
	for i := range f.triangles {
		if err := d.surface(m, i, mesh, bound); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// moved returns the mesh as bones with these transforms pose it.
func (f *file) moved(places []world.Joint) []world.Vertex {
	moves := skeleton.Chain(len(f.bones), func(i int) int { return f.bones[i].parent },
		func(i int) space.Matrix { return space.NewMatrix(places[i].Position, places[i].Rotation) })
	for i := range moves {
		moves[i] = moves[i].Times(&f.inverse[i])
	}
	out := make([]world.Vertex, len(f.base))
	for i := range out {
		out[i] = f.base[i]
		out[i].Position, out[i].Normal = skeleton.Skin(moves, &f.bindings[i], &f.base[i])
	}
	return out
}

// surface adds a surface, with the vertices of the mesh that it uses. A surface without triangles is left out.
func (d *decoder) surface(m *world.Model, i int, mesh []world.Vertex, bound bool) error {
	list := d.file.triangles[i]
	if len(list) == 0 {
		return nil
	}
	most := min(len(list), len(mesh))
	const entry = 40 // estimated bytes of a map entry
	cost := limit.Bytes[world.Vertex](most) + limit.Bytes[world.Binding](most) + int64(entry*most+4*len(list)+256)
	if err := d.memory.Reserve(cost); err != nil {
		return err
	}
	t := &world.Triangles{Indices: make([]uint32, 0, len(list))}
	have := make(map[uint32]uint32, most)
	for k := 0; k+2 < len(list); k += 3 {
		if list[k] == list[k+1] || list[k+1] == list[k+2] || list[k+2] == list[k] {
			continue
		}
		for _, v := range list[k : k+3] {
			at, ok := have[v]
			if !ok {
				at = uint32(len(t.Vertices))
				have[v] = at
				p := mesh[v].Position
				if !modelfile.InRange(float64(p[0]), float64(p[1]), float64(p[2])) {
					return modelfile.Fault("range", "poses", "they put vertex %d at %g", v, p)
				}
				if len(m.Surfaces) == 0 && at == 0 {
					m.Mins, m.Maxs = p, p
				}
				space.Extend(&m.Mins, &m.Maxs, p)
				t.Vertices = append(t.Vertices, mesh[v])
				if bound {
					t.Bindings = append(t.Bindings, d.file.bindings[v])
				}
			}
			t.Indices = append(t.Indices, at)
		}
	}
	if len(t.Indices) > 0 {
		m.Surfaces = append(m.Surfaces, world.Surface{Shape: t, Material: i, Chart: world.NoChart, Fog: -1})
	}
	return nil
}

// sequenceCost is the estimated bytes of a sequence without its tracks.
const sequenceCost = 256

// skeleton returns the bones with the transforms of a pose, and the sequences that the rig wants.
func (d *decoder) skeleton(places []world.Joint, pose int) (*world.Skeleton, error) {
	f, out := d.file, &world.Skeleton{Shown: -1}
	if err := d.memory.Reserve(limit.Bytes[world.Bone](len(f.bones))); err != nil {
		return nil, err
	}
	for i, b := range f.bones {
		out.Bones = append(out.Bones, world.Bone{Name: b.name, Parent: b.parent, Joint: places[i], Inverse: f.inverse[i]})
	}
	long := 0
	d.baker.Begin()
	for i := range f.scenes {
		s := &f.scenes[i]
		shown := f.posed && d.rig.Shown && s.first <= pose && pose < s.first+s.count
		if !shown && !d.rig.Wants(s.name) {
			continue
		}
		if err := d.ctx.Err(); err != nil {
			return nil, err
		}
		if err := d.memory.Reserve(sequenceCost + int64(len(s.name))); err != nil {
			return nil, err
		}
		q := world.Sequence{Name: s.name, Frames: s.count, FPS: s.fps, Loops: s.loops && s.count > 1}
		if q.Loops {
			q.Frames++ // the first pose again, as the loop's end
		}
		if !d.rig.WithoutTracks {
			if !d.baker.Fits(q.Frames, q.Frames*len(f.bones), d.bytes) {
				long++
				continue
			}
			var err error
			if q.Tracks, err = d.tracks(s, q.Frames); limit.Fatal(err) {
				return nil, err
			} else if err != nil {
				d.Note("model-sequence", "sequence %q: %v: it is left out", s.name, err)
				continue
			}
		}
		if shown {
			out.Shown = len(out.Sequences)
		}
		out.Sequences = append(out.Sequences, q)
	}
	if long > 0 {
		d.Note("model-sequence", "%d of its %d sequences are longer than can be made: they are left out", long, len(f.scenes))
	}
	return out, nil
}

// tracks returns the tracks of a sequence with this many frames.
func (d *decoder) tracks(s *sequence, frames int) ([]world.Track, error) {
	places, parents := make([]world.Joint, len(d.file.bones)), make([]int, len(d.file.bones))
	for i := range parents {
		parents[i] = d.file.bones[i].parent
	}
	return d.baker.Tracks(parents, frames, func(k int) ([]world.Joint, error) {
		for i := range places {
			places[i] = d.file.pose(s.first+k%s.count, i)
		}
		return places, nil
	})
}
