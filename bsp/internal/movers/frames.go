package movers

import "math"

// Quake II moves entities in frames of a tenth of a second: at full speed for as many whole frames as fit, and then
// the rest in one more frame. Platforms accelerate and brake. Quake II, game, g_func.c.

// tenth is the length of a frame in seconds.
const tenth = 0.1

// The most that a path sampled at keys may deviate from the true one.
const (
	nearEnough      = 0.25 // map units
	nearEnoughTurns = 0.25 // degrees
)

// pace states that a fraction of the distance is done after some seconds.
type pace struct{ seconds, part float64 }

// evenPaces returns the paces of a distance at a constant speed. Lengths are map units or degrees.
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

// paces returns the paces of a distance at the entity's speed.
func (m *mover) paces(way float64) []pace { return m.pacesAt(way, m.speed()) }

// pacesAt returns the paces of a distance at a constant speed.
func (m *mover) pacesAt(way, speed float64) []pace {
	switch way = math.Abs(way); {
	case m.slows() && way > 0 && way/speed < maxSeconds:
		return easedPaces(way, speed)
	case m.family.frames && way > 0 && way/speed < maxSeconds:
		return evenPaces(way, speed)
	}
	return []pace{{way / speed, 1}}
}

// slows reports whether the entity slows down toward the end of its movement.
func (m *mover) slows() bool {
	linear, _ := m.e.Float("linear")
	return m.class.eases && linear == 0
}

// easedPaces returns paces where, after a fraction x of the time, sin(x · 90°) of the distance is done.
func easedPaces(way, speed float64) []pace {
	seconds := way / speed
	// A chord over 1/n of it deviates from the curve by at most way · (π/2)²/(8n²).
	n := int(min(max(math.Ceil(math.Pi/2*math.Sqrt(way/(8*nearEnough))), 4), 64))
	list := make([]pace, n)
	for i := range list {
		x := float64(i+1) / float64(n)
		list[i] = pace{seconds * x, math.Sin(x * math.Pi / 2)}
	}
	list[n-1].part = 1
	return list
}

// maxFrames bounds the frames of a movement.
const maxFrames = 4096

// rampPaces returns the paces of a distance that begins and ends slowly. The speed is in map units per frame, gain
// and loss are its changes per frame. The first frame only starts the movement.
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

// ramp is a movement that accelerates and brakes. Speeds are map units per frame.
type ramp struct {
	top, gain, loss float64
	braking         float64 // the distance, in map units, over which it brakes
	now             float64
	after           float64 // speed of the next frame if braking begins during this one, else 0
}

// next sets the speed of the next frame. left is the remaining distance.
func (r *ramp) next(left, speed float64) {
	free := left - r.braking // distance before braking begins
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

// slowIn handles the frame in which braking begins, after a distance free at a speed. It returns the frame's mean
// speed.
func (r *ramp) slowIn(free, speed float64) float64 {
	rest := float64(r.top * (1 - free/speed))
	share := rest / (free + rest)
	r.after = r.top - float64(r.loss*share)
	return float64(speed*(1-share)) + float64(r.top*share)
}
