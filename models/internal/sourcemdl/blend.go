package sourcemdl

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl/joints"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// blend is a sequence at certain pose parameters: the animations that it mixes, and the layers that it adds to
// itself.
type blend struct {
	at      poseValues
	origin  int       // index of the file that it is in
	flags   int32     // of the sequence
	weights []float64 // by bone of that file: how much the sequence affects the bone
	cells   []blendInput
	frames  int // of its longest animation
	fps     float64
	layers  []layer
}

// layer is another sequence that a sequence shows over itself, mstudioautolayer_t. Its ramp is in fractions of the
// time of the outer sequence. If the ramp's start equals its end, the layer is shown all the time.
type layer struct {
	of    *blend
	flags int32
	value float64 // of the pose parameter that replaces the time
	ramp  joints.Ramp
}

// blendInput is an animation of a blend. share is its weight against the ones before it.
type blendInput struct {
	animation
	share       float64
	frames      int
	marks       runCursors
	hierarchies []hierarchy
	goes        joints.RootMotion // for sequences that keep root motion
}

// blend returns sequence i at certain pose parameters, without layers. It has no cells if an animation does not
// exist.
func (m *motion) blend(i int, at poseValues) (*blend, error) {
	s := &m.sequences[i]
	g := &m.origins[s.origin]
	t, err := g.file.header("sequences", sequences, sequenceSize)
	if err != nil {
		return nil, err
	}
	cells, err := g.file.cells(t, s.number, at)
	if err != nil {
		return nil, err
	}
	out := &blend{at: at, origin: s.origin, flags: s.flags, frames: 1, fps: 30}
	if out.weights, err = g.weigh(t, s.number); err != nil {
		return nil, err
	}
	duration, last := 0.0, 30.0
	for k, c := range cells {
		if c.animation >= len(g.animations) {
			return &blend{}, nil
		}
		a := m.animations[g.animations[c.animation]]
		list, err := m.origins[a.origin].file.header("animations", animations, animationSize)
		if err != nil {
			return nil, err
		}
		b := list.Record(a.number)
		r := blendInput{animation: a, share: c.share, frames: max(1, int(le.Int32(b[16:]))), marks: runCursors{}}
		if fps := float64(le.Float32(b[8:])); fps > 1e-3 && fps < 1e4 {
			last = fps
		}
		if out.frames = max(out.frames, r.frames); k == 0 {
			duration = float64(r.frames-1) / last
		} else {
			duration += float64((float64(r.frames-1)/last - duration) * c.share)
		}
		if r.hierarchies, err = m.hierarchies(a); err != nil {
			return nil, err
		}
		out.cells = append(out.cells, r)
	}
	if out.fps = last; duration > 0 {
		out.fps = float64(out.frames-1) / duration
	}
	return out, nil
}

// mixture returns the model's bones at a fraction of the sequence's time, without its layers, or nil if it has no
// data. Shorter animations are stretched to the longest one; between two of its frames both are mixed.
func (s *blend) mixture(m *motion, cycle float64) ([]world.Joint, error) {
	var out []world.Joint
	for i := range s.cells {
		c := &s.cells[i]
		at := cycle * float64(c.frames-1)
		if near := math.Round(at); math.Abs(at-near) < 1e-6 {
			at = near
		}
		whole := min(int(at), c.frames-1)
		frame, err := m.show(s, c, whole)
		if err != nil || frame == nil {
			return nil, err
		}
		if rest := at - float64(whole); rest > minShare && whole+1 < c.frames {
			next, err := m.show(s, c, whole+1)
			if err != nil || next == nil {
				return nil, err
			}
			joints.Mix(frame, next, rest)
			m.pool.back(next)
		}
		if out == nil {
			out = frame
		} else {
			joints.Mix(out, frame, c.share)
			m.pool.back(frame)
		}
	}
	return out, nil
}

// size returns the cost of a frame, in multiples of the bone count.
func (s *blend) size() int {
	n := 1
	for i := range s.cells {
		n += 2 * len(s.cells[i].hierarchies)
	}
	for i := range s.layers {
		n += s.layers[i].of.size()
	}
	return n
}

// weigh returns, by bone of g's file, how much sequence i affects the bone, from 0 to 1.
func (g *sequenceFile) weigh(t modelfile.Table, i int) ([]float64, error) {
	out := make([]float64, len(g.bones))
	at := le.Int32(t.Record(i)[156:])
	var weights []byte
	if at != 0 {
		var err error
		if weights, err = g.file.Bytes("weights", t.Offset(i)+int64(at), 4*int64(len(out))); err != nil {
			return nil, err
		}
	}
	for k := range out {
		if out[k] = 1; at != 0 {
			out[k] = joints.Clamp(float64(le.Float32(weights[4*k:])))
		}
	}
	return out, nil
}

// show returns the model's bones in a frame of an animation of a blend, or nil if it has no data. Bones that the
// sequence does not affect are in the model's rest position; those that the animation does not move are in the rest
// position of the sequence's file.
func (m *motion) show(s *blend, c *blendInput, number int) ([]world.Joint, error) {
	g, from := &m.origins[s.origin], &m.origins[c.origin]
	moved, err := m.animate(from, c.number, animationFrame{number, c.marks}, s.flags&flagDelta != 0)
	if err == nil && moved == nil && s.flags&flagDelta != 0 {
		return joints.Still(len(m.bones)), nil
	}
	if err != nil || moved == nil {
		return nil, err
	}
	list, err := from.file.header("animations", animations, animationSize)
	if err != nil {
		return nil, err
	}
	out, still := m.pool.rest(m.bones), (*bone).rest
	if le.Int32(list.Record(c.number)[12:])&flagDelta != 0 {
		out, still = joints.Still(len(m.bones)), func(*bone) world.Joint { return world.Joint{Rotation: [4]float64{3: 1}} }
	}
	for i := range out {
		k := g.from[i]
		if k < 0 || s.weights[k] == 0 {
			continue
		}
		out[i] = still(&g.bones[k])
		if n := from.from[i]; n >= 0 && moved.moved[n] {
			out[i] = moved.joints[n]
		}
	}
	m.pool.back(moved.joints)
	return out, m.reparent(c.hierarchies, out, number, c.frames)
}

const movementSize = 44 // mstudiomovement_t

// readRootMotion reads the root motion of the animations of a blend.
func (m *motion) readRootMotion(s *blend) error {
	for i := range s.cells {
		c := &s.cells[i]
		f := m.origins[c.origin].file
		list, err := f.header("animations", animations, animationSize)
		if err != nil {
			return err
		}
		b := list.Record(c.number)
		t, err := f.Table("movements", le.Int32(b[20:]), list.Offset(c.number)+int64(le.Int32(b[24:])), movementSize)
		if err == nil {
			err = f.pay(int64(len(t.Data)))
		}
		if err != nil {
			return err
		}
		if err := m.decoding.memory.Borrow(3 * int64(len(t.Data))); err != nil {
			return err
		}
		for k := range t.Len() {
			b := t.Record(k)
			c.goes.Movements = append(c.goes.Movements, joints.RootMovement{End: int(le.Int32(b)), First: float64(le.Float32(b[8:])),
				Last: float64(le.Float32(b[12:])), Angle: float64(le.Float32(b[16:])), Vector: space.Vector64(le.Vector(b[20:])),
				Position: space.Vector64(le.Vector(b[32:]))})
		}
	}
	return nil
}

// rootMotion returns the position of the model at a fraction of the blend's time, relative to the start of the
// sequence, and its rotation in degrees. Calls must have ascending times.
func (s *blend) rootMotion(cycle float64) (at [3]float64, angle float64) {
	for i := range s.cells {
		c := &s.cells[i]
		to, by := c.goes.At(cycle * float64(c.frames-1))
		if i == 0 {
			at, angle = to, by
			continue
		}
		at, angle = space.Lerp(at, to, c.share), angle+float64((by-angle)*c.share)
	}
	return at, angle
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
	b := t.Record(s.number)
	list, err := f.Table("events", le.Int32(b[24:]), t.Offset(s.number)+int64(le.Int32(b[28:])), eventSize)
	if err != nil {
		return nil, err
	}
	if err := f.pay(int64(len(list.Data))); err != nil {
		return nil, err
	}
	if err := m.decoding.memory.Reserve(3 * int64(len(list.Data))); err != nil {
		return nil, err
	}
	for i := range list.Len() {
		b := list.Record(i)
		e := world.Event{Number: int(le.Int32(b[4:])), Options: entlump.Text(le.String(b[12:76]))}
		if cycle := float64(le.Float32(b)); cycle >= 0 && cycle <= 1 {
			e.Frame = math.Round(1000*cycle*float64(frames-1)) / 1000
		}
		if at := le.Int32(b[76:]); at != 0 {
			e.Name = f.text(list.Offset(i) + int64(at))
		}
		out = append(out, e)
	}
	return out, nil
}
