package mdl

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// shot is a sequence while all parameters of the pose are 0: a mixture of animations.
type shot struct {
	origin   int    // the file that it is in
	affected []bool // by bone of that file
	cells    []reel
	frames   int // those of its longest animation
	fps      float64
}

// reel is an animation in a shot, and its share in the mixture with those before it.
type reel struct {
	animation
	share  float64
	frames int
	marks  marks
}

// shot returns the mixture of sequence i; it has no cells if an animation does not exist.
func (m *motion) shot(i int) (*shot, error) {
	s := &m.sequences[i]
	g := &m.origins[s.origin]
	t, err := g.file.header("sequences", sequences, sequenceSize)
	if err != nil {
		return nil, err
	}
	cells, err := g.file.cells(t, s.number)
	if err != nil {
		return nil, err
	}
	out := &shot{origin: s.origin, frames: 1, fps: 30}
	if out.affected, err = g.affected(t, s.number); err != nil {
		return nil, err
	}
	duration, last := 0.0, 30.0
	for k, c := range cells {
		if c.animation >= len(g.animations) {
			return &shot{}, nil
		}
		a := m.animations[g.animations[c.animation]]
		list, err := m.origins[a.origin].file.header("animations", animations, animationSize)
		if err != nil {
			return nil, err
		}
		b := list.record(a.number)
		r := reel{animation: a, share: c.share, frames: max(1, int(le.Int32(b[16:]))), marks: marks{}}
		if fps := float64(le.Float32(b[8:])); fps > 1e-3 && fps < 1e4 {
			last = fps
		}
		if out.frames = max(out.frames, r.frames); k == 0 {
			duration = float64(r.frames-1) / last
		} else {
			duration += float64((float64(r.frames-1)/last - duration) * c.share)
		}
		out.cells = append(out.cells, r)
	}
	if out.fps = last; duration > 0 {
		out.fps = float64(out.frames-1) / duration
	}
	return out, nil
}

// frame returns the model's bones in a frame of a sequence, or nil if it has no data. Shorter animations of the mixture take as long as
// the longest, and what is between two of their frames is mixed of both.
func (s *shot) frame(m *motion, k int) ([]placed, error) {
	g := &m.origins[s.origin]
	var out []placed
	for i := range s.cells {
		c := &s.cells[i]
		at := float64(k)
		if c.frames != s.frames {
			at = float64(k) * float64(c.frames-1) / float64(s.frames-1)
		}
		whole := min(int(at), c.frames-1)
		frame, err := m.show(g, s.affected, c.animation, moment{whole, c.marks})
		if err != nil || frame == nil {
			return nil, err
		}
		if rest := at - float64(whole); rest > minShare && whole+1 < c.frames {
			next, err := m.show(g, s.affected, c.animation, moment{whole + 1, c.marks})
			if err != nil || next == nil {
				return nil, err
			}
			mix(frame, next, rest)
		}
		if out == nil {
			out = frame
		} else {
			mix(out, frame, c.share)
		}
	}
	return out, nil
}

// eventSize is the size of mstudioevent_t.
const eventSize = 80

// events returns the events of a sequence.
func (m *motion) events(s *sequence, frames int) (out []world.Event, err error) {
	f := m.origins[s.origin].file
	t, err := f.header("sequences", sequences, sequenceSize)
	if err != nil {
		return nil, err
	}
	b := t.record(s.number)
	list, err := f.table("events", le.Int32(b[24:]), t.offset(s.number)+int64(le.Int32(b[28:])), eventSize)
	if err != nil {
		return nil, err
	}
	if err := f.pay(int64(len(list.data))); err != nil {
		return nil, err
	}
	if err := m.decoding.memory.reserve(3 * int64(len(list.data))); err != nil {
		return nil, err
	}
	for i := range list.len() {
		b := list.record(i)
		e := world.Event{Number: int(le.Int32(b[4:])), Options: entlump.Text(le.String(b[12:76]))}
		if cycle := float64(le.Float32(b)); cycle >= 0 && cycle <= 1 {
			e.Frame = math.Round(1000*cycle*float64(frames-1)) / 1000
		}
		if at := le.Int32(b[76:]); at != 0 {
			e.Name = f.text(list.offset(i) + int64(at))
		}
		out = append(out, e)
	}
	return out, nil
}
