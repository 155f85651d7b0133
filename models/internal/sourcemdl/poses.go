package sourcemdl

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const poseCost = 160 // bytes per bone of a pose

// skinMatrices holds, by bone, the matrix that moves vertices to the pose. It is nil if no bone moves them.
type skinMatrices []space.Matrix

// move returns a vertex's position and normal in the pose: the weighted mean over its bones.
func (p skinMatrices) move(v *vertex) (position, normal [3]float32, err error) {
	var at, direction [3]float64
	total := 0.0
	for i := range v.count {
		if int(v.bones[i]) >= len(p) {
			return position, normal, modelfile.Fault("index-range", "the vertices", "bone %d of %d", v.bones[i], len(p))
		}
		m, weight := &p[v.bones[i]], float64(v.weights[i])
		total += weight
		to, turned := m.Direction(v.position), m.Direction(v.normal)
		for k := range 3 {
			at[k] += float64(weight * (to[k] + m[k][3]))
			direction[k] += float64(weight * turned[k])
		}
	}
	if !(total > 1e-6) {
		return v.position, space.UnitNormal(space.Vector64(v.normal)), nil // no bone moves it
	}
	for k := range at {
		position[k] = float32(at[k] / total)
	}
	return position, space.UnitNormal(direction), nil
}

// poseBuilder makes the poses of a model.
type poseBuilder struct {
	decoding *decoding
	file     *file
	bones    []bone
	behind   map[int64]bool // offsets in the file of the eyeballs that look away from their mesh
	motion   *motion        // nil until first needed
	list     []skinMatrices
	frames   [][]world.Joint // by pose: the transforms of its bones, relative to their parents
	index    map[int]int     // index into list by sequence; -1 for no pose
}

// of returns the index of the pose in the first frame of an appearance's sequence, and that sequence, or -1.
func (d *poseBuilder) of(l skeleton.Appearance) (index, sequence int, err error) {
	sequence = -1
	if d.file.Int32(headerFlags)&flagStaticProp == 0 && len(d.bones) > 0 {
		if d.motion == nil {
			if d.motion, err = newMotion(d.decoding, d.file, d.bones); err != nil {
				return 0, -1, err
			}
		}
		if sequence, err = d.motion.choose(l); err != nil {
			return 0, -1, err
		}
	}
	p, ok := d.index[sequence]
	if ok {
		return p, sequence, nil
	}
	if err := d.decoding.memory.Borrow(int64(len(d.bones)) * poseCost); err != nil {
		return 0, -1, err
	}
	var made skinMatrices
	still := rest(d.bones)
	if sequence >= 0 {
		frame, err := d.motion.frame(sequence)
		switch {
		case limit.Fatal(err):
			return 0, -1, err
		case err != nil:
			d.decoding.issue("model-animation", "sequence %d: %v: its bones stay where they are", sequence, err)
		default:
			if made = stand(d.decoding, d.bones, frame); made != nil {
				still = frame
			}
		}
	}
	d.list, d.frames = append(d.list, made), append(d.frames, still)
	d.index[sequence] = len(d.list) - 1
	return len(d.list) - 1, sequence, nil
}

// stand returns the pose with the bones of a frame, or nil for a nil frame.
func stand(j *decoding, bones []bone, frame []world.Joint) skinMatrices {
	if frame == nil {
		return nil
	}
	p := skinMatrices(skeleton.Chain(len(bones), func(i int) int { return bones[i].parent },
		func(i int) space.Matrix { return space.NewMatrix(frame[i].Position, frame[i].Rotation) }))
	// Last, because children needed the bone's own matrix, not its effect on vertices.
	for i := range p {
		p[i] = p[i].Times(&bones[i].toBone)
		for _, row := range p[i] {
			if !modelfile.InRange(row[:]...) {
				j.issue("model-animation", "bone %d is at %g: all stay where they are", i, p[i])
				return nil
			}
		}
	}
	return p
}

// frame returns the model's bones in the first frame of a sequence, or nil if they stay in their rest position: for a
// delta sequence or one without data.
func (m *motion) frame(sequence int) ([]world.Joint, error) {
	if m.sequences[sequence].flags&flagDelta != 0 {
		return nil, nil
	}
	s, err := m.blend(sequence, nil)
	if err != nil {
		return nil, err
	}
	if len(s.cells) == 0 {
		m.decoding.issue("model-animation", "sequence %d shows an animation that does not exist: its bones stay where they are", sequence)
		return nil, nil
	}
	if err := m.layer(sequence, s, skipReasons{}); err != nil {
		return nil, err
	}
	return m.compose(s, 0)
}

// choose returns the index of the sequence of an appearance, or -1 if the model has none. It reads included models
// only if the model's own sequences don't decide.
func (m *motion) choose(l skeleton.Appearance) (int, error) {
	if len(l.Activities) == 0 {
		if i, ok := m.named(l); ok && m.sequences[i].flags&flagReserved == 0 {
			return i, nil
		}
	}
	if err := m.include(); err != nil {
		return 0, err
	}
	if i, ok := m.named(l); ok && (l.Animation != "" || len(l.Activities) == 0) {
		return i, nil
	}
	for activity := range strings.FieldsSeq(l.Activities) {
		if i, ok := m.likeliest(strings.ToLower(activity)); ok {
			return i, nil
		}
	}
	if len(l.Activities) > 0 {
		for i := range m.sequences {
			if strings.HasPrefix(m.sequences[i].label, "idle") {
				return i, nil
			}
		}
		if len(m.sequences) > 1 {
			m.decoding.issue("model-animation", "none of its %d sequences is for %s: it shows %q",
				len(m.sequences), strings.ReplaceAll(l.Activities, " ", ", "), m.sequences[0].label)
		}
	}
	if l.Animation != "" && len(m.sequences) > 0 {
		m.decoding.issue("model-animation", "it has no sequence %q: it shows %q", l.Animation, m.sequences[0].label)
	}
	return min(0, len(m.sequences)-1), nil
}

// named returns the index of an appearance's sequence by name, or else by number; ok is false if there is none among
// the files read so far.
func (m *motion) named(l skeleton.Appearance) (i int, ok bool) {
	if l.Animation != "" {
		i, ok = m.labels[l.Animation]
		return i, ok
	}
	return l.Sequence, l.Sequence >= 0 && l.Sequence < len(m.sequences)
}

// likeliest returns the index of the sequence of an activity that the game chooses most often: the first one with the
// greatest weight; ok is false if there is none. A weight counts by its absolute value. Source SDK 2013,
// game/shared/animation.cpp.
func (m *motion) likeliest(activity string) (best int, ok bool) {
	heaviest := -1
	for i := range m.sequences {
		s := &m.sequences[i]
		if s.activity == activity && max(s.weight, -s.weight) > heaviest {
			best, heaviest, ok = i, max(s.weight, -s.weight), true
		}
	}
	return best, ok
}
