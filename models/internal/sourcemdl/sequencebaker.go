package sourcemdl

import (
	"maps"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl/joints"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// sequenceBaker makes the sequences of a model, and counts those left out.
type sequenceBaker struct {
	motion  *motion
	rig     skeleton.Options
	added   int                       // delta sequences
	without int                       // sequences without data
	long    int                       // sequences that are too long
	wide    int                       // sequences whose blends are too many or broken
	skipped map[string]*skippedLayers // by reason
	baker   skeleton.Baker
}

// skippedLayers is the layers that are left out for one reason.
type skippedLayers struct {
	layers, sequences int
	first             string // name of the first of the sequences
}

// addSkipped counts the layers of a sequence that are left out.
func (f *sequenceBaker) addSkipped(name string, left skipReasons) {
	for reason, n := range left {
		l := f.skipped[reason]
		if l == nil {
			l = &skippedLayers{first: name}
			f.skipped[reason] = l
		}
		l.layers += n
		l.sequences++
	}
}

// wanted returns the sequences that a rig wants, in order, and which of them is the shown one, or -1. Delta sequences
// are left out, which is an issue.
func (m *motion) wanted(rig skeleton.Options, shown int) (out []world.Sequence, at int, err error) {
	f := &sequenceBaker{motion: m, rig: rig, skipped: map[string]*skippedLayers{},
		baker: skeleton.Baker{Memory: &m.decoding.memory, EveryFrame: rig.EveryFrame}}
	f.baker.Begin()
	at = -1
	for i := range m.sequences {
		s := &m.sequences[i]
		if s.flags&flagReserved != 0 || !rig.Wants(s.label) && !(rig.Shown && i == shown) {
			continue
		}
		if err := m.decoding.ctx.Err(); err != nil {
			return nil, -1, err
		}
		made, err := f.all(i)
		switch {
		case limit.Fatal(err):
			return nil, -1, err
		case err != nil:
			m.decoding.issue("model-sequence", "sequence %q: %v: it is left out", s.label, err)
		}
		if len(made) > 0 && i == shown {
			at = len(out)
		}
		out = append(out, made...)
	}
	if len(rig.Sequences) == 0 {
		return out, at, nil // in a model whose own sequence is such a one, bones stay in the pose
	}
	for _, left := range []struct {
		n   int
		why string
	}{
		{f.added, "are added to others in the game, which glTF can't express"},
		{f.without, "have no data"},
		{f.long, "are longer than can be made"},
	} {
		if left.n > 0 {
			m.decoding.Note("model-sequence", "%d of its %d sequences %s: they are left out", left.n, len(m.sequences), left.why)
		}
	}
	if f.wide > 0 {
		m.decoding.Note("model-sequence", "%d of its %d sequences have blends that can't be read, or more than %d in a row: these are left out",
			f.wide, len(m.sequences), maxBlends)
	}
	for _, reason := range slices.Sorted(maps.Keys(f.skipped)) {
		l := f.skipped[reason]
		m.decoding.Note("model-layer", "%d layers of %d sequences (%q first) %s: they are left out", l.layers, l.sequences, l.first, reason)
	}
	return out, at, nil
}

// all returns sequence i with all pose parameters at 0 and then, if the rig wants them, its blends; none if it is
// left out.
func (f *sequenceBaker) all(i int) (out []world.Sequence, err error) {
	first, ok, err := f.sequence(i, gridPoint{})
	if err != nil || !ok {
		return nil, err
	}
	out = append(out, first)
	if !f.rig.Blends || f.rig.WithoutTracks {
		return out, nil
	}
	s := &f.motion.sequences[i]
	file := f.motion.origins[s.origin].file
	t, err := file.header("sequences", sequences, sequenceSize)
	if err != nil {
		return out, err
	}
	blends, ok, err := file.blends(t, s.number)
	if err != nil || !ok {
		f.wide++
	}
	for _, b := range blends {
		if err := f.motion.decoding.ctx.Err(); err != nil {
			return nil, err
		}
		made, ok, err := f.sequence(i, b)
		switch {
		case limit.Fatal(err):
			return nil, err
		case err != nil:
			f.motion.decoding.issue("model-sequence", "sequence %q [%s]: %v: it is left out", s.label, b.name, err)
		case ok:
			out = append(out, made)
		}
	}
	return out, nil
}

// sequence returns a sequence, or a blend of it; ok is false if it is left out.
func (f *sequenceBaker) sequence(i int, b gridPoint) (out world.Sequence, ok bool, err error) {
	s := &f.motion.sequences[i]
	blend, err := f.motion.blend(i, b.at)
	switch {
	case err != nil:
		return out, false, err
	case s.flags&flagDelta != 0 && !f.rig.WithoutTracks:
		f.added++
		return out, false, nil
	case len(blend.cells) == 0:
		f.without++
		return out, false, nil
	}
	out = world.Sequence{
		Name: s.name, Activity: strings.ToUpper(s.activity), Frames: blend.frames, FPS: blend.fps, Loops: s.flags&flagLoops != 0,
		Additive: s.flags&flagDelta != 0, Blend: b.name,
	}
	if b.name != "" {
		out.Name += " [" + b.name + "]"
	}
	if err := f.motion.decoding.memory.Reserve(recordCost + int64(len(s.name)+len(s.activity)+2*len(b.name))); err != nil {
		return out, false, err
	}
	if out.Events, err = f.motion.events(s, blend.frames); err != nil || f.rig.WithoutTracks {
		return out, true, err
	}
	if _, err := blend.mixture(f.motion, 0); err != nil { // this opens the files that it needs
		return out, false, err
	}
	if f.rig.RootMotion {
		if err := f.motion.readRootMotion(blend); err != nil {
			return out, false, err
		}
	}
	left := skipReasons{}
	if err := f.motion.layer(i, blend, left); err != nil {
		return out, false, err
	}
	if b.name == "" {
		f.addSkipped(s.name, left)
	}
	if !f.baker.Fits(blend.frames, blend.frames*len(f.motion.bones)*blend.size(), f.read()) {
		f.long++
		return out, false, nil
	}
	out.Tracks, ok, err = f.tracks(blend)
	if err == nil && !ok {
		f.without++
	}
	return out, ok, err
}

// read returns the size of the files that have been read for sequences.
func (f *sequenceBaker) read() (n int64) {
	n = int64(len(f.motion.origins[0].file.Data))
	for _, other := range f.motion.decoding.files {
		n += int64(len(other.Data))
	}
	return n
}

// tracks returns the tracks of a sequence; ok is false if it has no data.
func (f *sequenceBaker) tracks(s *blend) (out []world.Track, ok bool, err error) {
	m := f.motion
	places := make([]world.Joint, len(m.bones))
	out, err = f.baker.Tracks(m.parents, s.frames, func(k int) ([]world.Joint, error) {
		if err := m.decoding.ctx.Err(); err != nil {
			return nil, err
		}
		cycle := float64(k) / float64(max(1, s.frames-1))
		frame, err := m.compose(s, cycle)
		if err != nil || frame == nil {
			return nil, err
		}
		if f.rig.RootMotion {
			at, angle := s.rootMotion(cycle)
			joints.ApplyRootMotion(m.parents, frame, at, angle)
		}
		for i := range frame {
			places[i] = normal(frame[i])
		}
		m.pool.back(frame)
		return places, nil
	})
	return out, out != nil, err
}
