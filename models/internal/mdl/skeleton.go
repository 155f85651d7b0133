package mdl

import (
	"maps"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/turn"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// skeleton returns the model's bones as they stand in the pose of an index, that of a sequence, and its sequences as a rig wants them.
func (d *poses) skeleton(p, sequence int, rig turn.Rig) (*world.Skeleton, error) {
	if err := d.decoding.memory.reserve(limit.Bytes[world.Bone](len(d.bones))); err != nil {
		return nil, err
	}
	out := &world.Skeleton{Bones: make([]world.Bone, len(d.bones)), Shown: -1}
	for i := range d.bones {
		b := &d.bones[i]
		out.Bones[i] = world.Bone{Name: b.label, Parent: b.parent, Joint: normal(d.frames[p][i]), Inverse: b.toBone}
	}
	if rig.Hits {
		if err := d.hit(out); err != nil {
			return out, err
		}
	}
	if rig.Attached {
		if err := d.eyeballs(out); err != nil {
			return out, err
		}
	}
	if err := d.attach(out, rig); err != nil || len(rig.Sequences) == 0 && !rig.Shown {
		return out, err
	}
	if d.motion == nil {
		return out, nil // the model has no bones
	}
	if len(rig.Sequences) > 0 {
		if err := d.motion.include(); err != nil {
			return out, err
		}
	}
	var err error
	out.Sequences, out.Shown, err = d.motion.wanted(rig, sequence)
	return out, err
}

// attach adds the attachments, if the rig wants them. A broken one is left out with all others, which is an issue.
func (d *poses) attach(to *world.Skeleton, rig turn.Rig) error {
	if !rig.Attached {
		return nil
	}
	t, err := d.file.header("attachments", attachments, attachmentSize)
	if err == nil {
		err = d.file.pay(int64(len(t.data)))
	}
	if err != nil {
		d.decoding.note("model-skeleton", "%v: its attachments are left out", err)
		return nil
	}
	if err := d.decoding.memory.reserve(limit.Bytes[world.Attachment](t.len())); err != nil {
		return err
	}
	for i := range t.len() {
		b := t.record(i)
		bone, m := int(le.Int32(b[8:])), newMatrix(b[12:])
		if a := m.Joint(); bone >= 0 && bone < len(to.Bones) && sane(a.Position[:]...) {
			to.Attached = append(to.Attached, world.Attachment{Name: d.file.text(t.offset(i) + int64(le.Int32(b))), Bone: bone, Joint: a})
		}
	}
	return nil
}

// normal returns a bone's place with a rotation of length 1.
func normal(j world.Joint) world.Joint {
	j.Turn = turn.Normal(j.Turn)
	return j
}

// film makes the sequences of a model.
type film struct {
	motion  *motion
	rig     turn.Rig
	samples int              // frames times bones so far
	added   int              // sequences that are added to others
	without int              // sequences without data
	long    int              // sequences that are too long
	lacking map[string]*lack // by the reason
}

// lack is layers that are left out for one reason.
type lack struct {
	layers, sequences int
	first             string // of the sequences
}

// lacks counts layers of a sequence that are left out.
func (f *film) lacks(name string, left absent) {
	for reason, n := range left {
		l := f.lacking[reason]
		if l == nil {
			l = &lack{first: name}
			f.lacking[reason] = l
		}
		l.layers += n
		l.sequences++
	}
}

// wanted returns the sequences that a rig wants, in order, and which of them is the shown one, or -1. Sequences that are added to others
// are left out, which is an issue.
func (m *motion) wanted(rig turn.Rig, shown int) (out []world.Sequence, at int, err error) {
	f := &film{motion: m, rig: rig, lacking: map[string]*lack{}}
	at = -1
	for i := range m.sequences {
		s := &m.sequences[i]
		if s.flags&flagReserved != 0 || !rig.Wants(s.label) && !(rig.Shown && i == shown) {
			continue
		}
		if err := m.decoding.ctx.Err(); err != nil {
			return nil, -1, err
		}
		made, ok, err := f.sequence(i)
		switch {
		case fatal(err):
			return nil, -1, err
		case err != nil:
			m.decoding.issue("model-sequence", "sequence %q: %v: it is left out", s.label, err)
		case ok && i == shown:
			at = len(out)
			fallthrough
		case ok:
			out = append(out, made)
		}
	}
	if len(rig.Sequences) == 0 {
		return out, at, nil // a model that shows one of those below stands
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
			m.decoding.note("model-sequence", "%d of its %d sequences %s: they are left out", left.n, len(m.sequences), left.why)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(f.lacking)) {
		l := f.lacking[reason]
		m.decoding.note("model-layer", "%d layers of %d sequences (%q first) %s: they are left out", l.layers, l.sequences, l.first, reason)
	}
	return out, at, nil
}

// sequence returns a sequence; ok is false if it is left out.
func (f *film) sequence(i int) (out world.Sequence, ok bool, err error) {
	s := &f.motion.sequences[i]
	shot, err := f.motion.shot(i)
	switch {
	case err != nil:
		return out, false, err
	case s.flags&flagDelta != 0 && !f.rig.Described:
		f.added++
		return out, false, nil
	case len(shot.cells) == 0:
		f.without++
		return out, false, nil
	}
	out = world.Sequence{
		Name: s.name, Activity: strings.ToUpper(s.activity), Frames: shot.frames, FPS: shot.fps, Loops: s.flags&flagLoops != 0,
		Added: s.flags&flagDelta != 0,
	}
	if err := f.motion.decoding.memory.reserve(recordCost + int64(len(s.name)+len(s.activity))); err != nil {
		return out, false, err
	}
	if out.Events, err = f.motion.events(s, shot.frames); err != nil || f.rig.Described {
		return out, true, err
	}
	if _, err := shot.mixture(f.motion, 0); err != nil { // it opens the files that it needs
		return out, false, err
	}
	left := absent{}
	if err := f.motion.layer(i, shot, left); err != nil {
		return out, false, err
	}
	f.lacks(s.name, left)
	n := shot.frames * len(f.motion.bones) * shot.size()
	if shot.frames > turn.MaxFrames || n > turn.Samples(f.read())-f.samples {
		f.long++
		return out, false, nil
	}
	f.samples += n
	out.Tracks, ok, err = f.tracks(shot)
	if err == nil && !ok {
		f.without++
	}
	return out, ok, err
}

// read returns the bytes of the files that have been read for sequences.
func (f *film) read() (n int64) {
	n = int64(len(f.motion.origins[0].file.data))
	for _, other := range f.motion.decoding.files {
		n += int64(len(other.data))
	}
	return n
}

// tracks returns the tracks of a sequence; ok is false if it has no data.
func (f *film) tracks(s *shot) (out []world.Track, ok bool, err error) {
	size := limit.Bytes[world.Joint](s.frames * len(f.motion.bones))
	if err := f.motion.decoding.memory.budget.Reserve(size); err != nil {
		return nil, false, err
	}
	defer f.motion.decoding.memory.budget.Release(size)
	joints := make([]world.Joint, s.frames*len(f.motion.bones)) // by bone, then frame
	for k := range s.frames {
		if err := f.motion.decoding.ctx.Err(); err != nil {
			return nil, false, err
		}
		frame, err := f.motion.compose(s, float64(k)/float64(max(1, s.frames-1)))
		if err != nil || frame == nil {
			return nil, false, err
		}
		for i := range frame {
			j := normal(frame[i])
			if !sane(j.Position[:]...) {
				return nil, false, fault("range", f.motion.origins[s.origin].file.what, "bone %d is at %g", i, j.Position)
			}
			joints[i*s.frames+k] = j
		}
	}
	for i := range f.motion.bones {
		t := turn.Track(joints[i*s.frames:][:s.frames], f.rig.Exact)
		n := len(t.Positions) + len(t.Turns)
		if err := f.motion.decoding.memory.reserve(limit.Bytes[world.Track](1) + 28*int64(n)); err != nil {
			return nil, false, err
		}
		out = append(out, t)
	}
	return out, true, nil
}
