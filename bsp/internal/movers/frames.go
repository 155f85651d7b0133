package movers

import "math"

// Quake II moves in frames of a tenth of a second: evenly for as many whole frames as fit, and then the rest in one more. Platforms
// gather speed, and lose it again. Quake II, game, g_func.c.

// tenth is the seconds of a frame.
const tenth = 0.1

// Between its keys a sampled path may be this far from the true one.
const (
	nearEnough      = 0.25 // map units
	nearEnoughTurns = 0.25 // degrees
)

// pace states that a part of the way, from 0 to 1, is done after some seconds.
type pace struct{ seconds, part float64 }

// evenPaces returns the paces of a way at an even speed. Lengths are map units or degrees.
func evenPaces(way, speed float64) (list []pace) {
	frames := math.Floor(way/speed/tenth + 1e-9)
	done := float64(frames * speed * tenth)
	if frames > 0 {
		list = append(list, pace{float64(frames * tenth), min(done/way, 1)})
	}
	if (way-done)/way > 1e-6 {
		list = append(list, pace{float64((frames + 1) * tenth), 1})
	}
	return list
}

// paces returns the paces of a way at the entity's speed.
func (m *mover) paces(way float64) []pace { return m.pacesAt(way, m.speed()) }

// pacesAt returns the paces of a way at an even speed.
func (m *mover) pacesAt(way, speed float64) []pace {
	switch way = math.Abs(way); {
	case m.slows() && way > 0 && way/speed < maxSeconds:
		return easedPaces(way, speed)
	case m.family.frames && way > 0 && way/speed < maxSeconds:
		return evenPaces(way, speed)
	}
	return []pace{{way / speed, 1}}
}

// slows reports whether the entity slows down to the end of each way.
func (m *mover) slows() bool {
	linear, _ := m.e.Float("linear")
	return m.class.eases && linear == 0
}

// easedPaces returns the paces of a way whose part after a share x of its time is sin(x · 90°).
func easedPaces(way, speed float64) []pace {
	seconds := way / speed
	// A chord over an nth of it leaves the curve by at most way · (π/2)²/(8n²).
	n := int(min(max(math.Ceil(math.Pi/2*math.Sqrt(way/(8*nearEnough))), 4), 64))
	list := make([]pace, n)
	for i := range list {
		x := float64(i+1) / float64(n)
		list[i] = pace{seconds * x, math.Sin(x * math.Pi / 2)}
	}
	list[n-1].part = 1
	return list
}

// maxFrames bounds the frames of a way.
const maxFrames = 4096

// rampPaces returns the paces of a way that begins and ends slowly. The speed and its changes are in map units a frame. The first frame
// only starts the movement.
func rampPaces(way, speed, gain, loss float64) []pace {
	distance := func(v, change float64) float64 { return v * (v/change + 1) / 2 }
	r := ramp{top: speed, gain: gain, loss: loss}
	if way < distance(speed, gain)+distance(speed, loss) {
		f := (gain + loss) / (gain * loss)
		r.top = (-2 + math.Sqrt(4+float64(8*f*way))) / (2 * f)
	}
	r.braking = distance(r.top, loss)
	time := tenth
	list := []pace{{time, 0}}
	for left := way; len(list) < maxFrames; {
		r.next(left, speed)
		time += tenth
		if left <= r.now || !(r.now > 0) {
			break
		}
		left -= r.now
		list = append(list, pace{time, 1 - left/way})
	}
	return append(list, pace{time, 1})
}

// ramp is a movement that gathers and loses speed. All are map units a frame, but braking, which is map units.
type ramp struct {
	top, gain, loss float64
	braking         float64 // the rest of the way on which it slows down
	now             float64
	after           float64 // the speed of the next frame, if it begins to slow down in this one; else 0
}

// next sets the speed of the next frame, given the way that is left.
func (r *ramp) next(left, speed float64) {
	free := left - r.braking // the way before it slows down
	switch {
	case free < 0 && r.after > 0:
		r.now, r.after = r.after, 0
	case free < 0 && r.now > r.loss:
		r.now -= r.loss
	case free <= 0:
	case r.now == r.top && free < r.now:
		r.slowIn(free, r.top)
		r.now = r.top
	case r.now < speed:
		old := r.now
		if r.now = min(r.now+r.gain, speed); free < r.now {
			r.now = r.slowIn(free, (old+r.top)/2)
		}
	}
}

// slowIn begins to slow down in this frame, after a way at a speed. It returns the frame's mean speed.
func (r *ramp) slowIn(free, speed float64) float64 {
	rest := float64(r.top * (1 - free/speed))
	share := rest / (free + rest)
	r.after = r.top - float64(r.loss*share)
	return float64(speed*(1-share)) + float64(r.top*share)
}
