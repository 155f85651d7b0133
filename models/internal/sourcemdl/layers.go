package sourcemdl

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl/joints"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Flags of layers.
const (
	layerSpline  = 0x40   // its weight rises and falls smoothly
	layerFades   = 0x80   // another layer replaces it while its weight falls
	layerUnbound = 0x200  // its weight is independent of the parent sequence's
	layerLocal   = 0x1000 // it belongs to the sequence itself, and uses its bone weights
	layerByPose  = 0x4000 // a pose parameter replaces the time
)

const (
	layerSize = 24
	maxLayers = 64 // the most layers of a sequence, with those of its layers
	maxDepth  = 8  // of nesting
)

// Reasons for leaving a layer out, as in the text.
const (
	ownTime    = "run in a time of their own"
	heldByIK   = "hold hands or feet by inverse kinematics"
	byPoseTime = "are at a time that a parameter sets"
	broken     = "can't be read"
	tooMany    = "are too many"
)

// skipReasons counts layers that are left out, by reason.
type skipReasons map[string]int

// layer adds the layers of sequence i to its blend. left counts those that can't be shown exactly.
func (m *motion) layer(i int, s *blend, left skipReasons) error {
	n := 0
	return m.addLayers(s, []int{i}, &n, left)
}

// addLayers adds the layers of the last sequence of a path, and their layers; n counts them.
func (m *motion) addLayers(s *blend, path []int, n *int, left skipReasons) error {
	q := &m.sequences[path[len(path)-1]]
	f := m.origins[q.origin].file
	t, err := f.header("sequences", sequences, sequenceSize)
	if err != nil {
		return err
	}
	b := t.Record(q.number)
	list, err := f.Table("layers", le.Int32(b[148:]), t.Offset(q.number)+int64(le.Int32(b[152:])), layerSize)
	if err == nil {
		err = f.pay(int64(len(list.Data)))
	}
	if err != nil {
		left[broken]++
		return nil
	}
	if list.Len() > 0 && le.Int32(b[164:]) != 0 {
		left[heldByIK]++
		return nil
	}
	for i := range list.Len() {
		if *n++; *n > maxLayers || len(path) > maxDepth {
			left[tooMany]++
			return nil
		}
		if err := m.addLayer(s, list.Record(i), path, n, left); err != nil {
			return err
		}
	}
	return nil
}

// addLayer adds a layer, if it can be shown exactly.
func (m *motion) addLayer(s *blend, stored []byte, path []int, n *int, left skipReasons) error {
	l := newLayer(stored)
	target, ok, err := m.target(s.origin, index16(stored))
	if err != nil || !ok || slices.Contains(path, target) {
		left[broken]++
		return err
	}
	over, err := m.blend(target, s.at)
	if err == nil {
		_, err = over.mixture(m, 0)
	}
	switch {
	case limit.Fatal(err):
		return err
	case err != nil || len(over.cells) == 0:
		left[broken]++
		return nil
	}
	q := &m.sequences[target]
	t, err := m.origins[q.origin].file.header("sequences", sequences, sequenceSize)
	if err != nil {
		return err
	}
	switch {
	case q.flags&flagOwnTime != 0 && over.frames > 1:
		left[ownTime]++
		return nil
	case q.flags&flagByPose != 0 && over.frames > 1:
		left[byPoseTime]++
		return nil
	case le.Int32(t.Record(q.number)[164:]) != 0:
		left[heldByIK]++
		return nil
	}
	if l.flags&layerByPose != 0 {
		if l.value, err = m.origins[q.origin].file.parameter(index16(stored[2:]), s.at); err != nil {
			left[broken]++
			return nil
		}
	}
	l.of = over
	s.layers = append(s.layers, l)
	return m.addLayers(over, append(slices.Clone(path), target), n, left)
}

func newLayer(b []byte) layer {
	float := func(at int) float64 { return float64(le.Float32(b[at:])) }
	return layer{flags: le.Int32(b[4:]), ramp: joints.Ramp{Start: float(8), Peak: float(12), Tail: float(16), End: float(20)}}
}

// target returns the index of the sequence with a number in a file. If the file only reserves it, included models are
// read to find it.
func (m *motion) target(origin, number int) (i int, ok bool, err error) {
	if number < 0 || number >= len(m.origins[origin].sequences) {
		return 0, false, nil
	}
	i = m.origins[origin].sequences[number]
	if m.sequences[i].flags&flagReserved != 0 {
		err = m.include()
	}
	return i, m.sequences[i].flags&flagReserved == 0, err
}

// at returns the fraction of a layer's own time and its weight, given the fraction of the outer sequence's time and
// the outer weight. At the very end of the outer sequence they are as just before: the engine restarts or stops
// there. Source SDK 2013, public/bone_setup.cpp, AddSequenceLayers.
func (l *layer) at(cycle, weight float64) (at, layerWeight float64) {
	r := &l.ramp
	if r.Start == r.End {
		return cycle, weight
	}
	index, byPose := cycle, l.flags&layerByPose != 0 && l.flags&layerLocal == 0
	if byPose {
		index = l.value
	}
	if !(index >= r.Start) || !(index <= r.End) || index == r.End && (byPose || index < 1) {
		return 0, 0
	}
	s := r.At(index)
	if l.flags&layerSpline != 0 {
		s = joints.Smooth(s)
	}
	switch {
	case l.flags&layerFades != 0 && index > r.Tail:
		layerWeight = s * weight / (1 - weight + float64(s*weight))
	case l.flags&layerUnbound != 0:
		layerWeight = s
	default:
		layerWeight = weight * s
	}
	if byPose {
		return cycle, layerWeight
	}
	return (cycle - r.Start) / (r.End - r.Start), layerWeight
}

// compose returns the model's bones at a fraction of a blend's time, with layers and procedural bones, or nil if it
// has no data.
func (m *motion) compose(s *blend, cycle float64) ([]world.Joint, error) {
	out := m.pool.rest(m.bones)
	shown, err := m.accumulate(out, s, cycle, 1)
	if err != nil || !shown {
		return nil, err
	}
	joints.PlaceProcedural(m.followers, m.parents, out)
	return out, nil
}

// accumulate adds a blend with its layers to a frame; shown is false if the blend has no data.
func (m *motion) accumulate(frame []world.Joint, s *blend, cycle, weight float64) (shown bool, err error) {
	from, err := s.mixture(m, cycle)
	if err != nil {
		return false, err
	}
	if from != nil {
		if s.flags&flagLocal != 0 {
			if err := m.accumulateLayers(from, s, layerLocal, cycle, 1); err != nil {
				return false, err
			}
		}
		m.combine(frame, from, s, joints.Clamp(weight))
		m.pool.back(from)
	}
	return from != nil, m.accumulateLayers(frame, s, 0, cycle, weight)
}

// accumulateLayers adds the layers of a blend to a frame: the local ones if local is flagged, otherwise the others.
func (m *motion) accumulateLayers(frame []world.Joint, s *blend, local int32, cycle, weight float64) error {
	for i := range s.layers {
		l := &s.layers[i]
		if l.flags&layerLocal != local {
			continue
		}
		if at, w := l.at(cycle, weight); w > 0 {
			if _, err := m.accumulate(frame, l.of, joints.Clamp(at), joints.Clamp(w)); err != nil {
				return err
			}
		}
	}
	return nil
}

// combine moves the bones of a frame toward those of a blend by a weight, or adds them if the blend is a delta.
func (m *motion) combine(frame, from []world.Joint, s *blend, weight float64) {
	share := make([]float64, len(frame))
	for i := range frame {
		if k := m.origins[s.origin].from[i]; k >= 0 {
			share[i] = weight * s.weights[k]
		}
	}
	switch {
	case s.flags&flagWorld != 0:
		joints.TowardInModel(m.parents, frame, from, share)
	case s.flags&flagDelta != 0:
		joints.Add(frame, from, share, s.flags&flagPost != 0)
	default:
		joints.Toward(frame, from, share)
	}
}
