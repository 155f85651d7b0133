package movers

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// How a track train runs: in each frame it heads for the point of the tracks that it will reach in a tenth of a
// second, and faces the point that is its wheelbase ahead. So it cuts corners. Half-Life SDK, plats.cpp,
// CFuncTrackTrain::Next; Source SDK 2013, trains.cpp.

const (
	frame       = 0.02   // seconds per step of the simulation
	maxSimSteps = 30_000 // steps of a lap
	sight       = 0.1    // how far ahead a train aims, in seconds
)

// The spawnflags of track trains and of tracks.
const (
	uncontrolled = 2  // the tracks set the train's speed
	closed       = 1  // a track where trains stop
	teleports    = 16 // a track to which Source's trains jump from the one before it
)

// trackTrainSim is the state of a running track train.
type trackTrainSim struct {
	rules                     trackRules
	on                        *track
	at, angles                [3]float64
	height, wheels, bank      float64
	speed                     float64
	flat, fixed, uncontrolled bool
}

// simulate returns the movements of a train from its starting pose on its first track: one up to where it passes a
// track for the second time, and the loop from there on.
func (r trackRules) simulate(m *mover, first *track, start pose) []world.Movement {
	speed, starts := r.speeds(m)
	sim := &trackTrainSim{
		rules: r, on: first, at: first.at, angles: start.angles, height: start.at[2] - first.at[2], speed: speed,
		wheels: m.nonzero("wheels", 100), bank: math.Abs(m.nonzero("bank", 0)), flat: m.flag(flatFlag), uncontrolled: m.flag(uncontrolled),
		fixed: r.fixedOrientationFlag != 0 && (m.flag(r.fixedOrientationFlag) || m.e.Value("orientationtype") == "0"),
	}
	var movements []world.Movement
	seen := map[*track]bool{first: true}
	t := newKeyframes(start)
	var lap *track // the track passed twice
	for step := 0; step < maxSimSteps && m.paths.takes(1); step++ {
		before := sim.on
		moves, jumped := sim.step()
		if jumped {
			t.jump(sim.pose())
		} else {
			t.move(sim.pose(), frame)
		}
		if !moves {
			break
		}
		if sim.on == before {
			continue
		}
		switch {
		case sim.on == lap:
			movement := t.movement("cycle")
			movement.Keys, movement.Loops = reduceKeys(movement.Keys), true
			return append(movements, movement)
		case lap == nil && seen[sim.on]:
			lap, step = sim.on, 0
			movements = append(movements, world.Movement{Name: "path", Starts: starts, Keys: reduceKeys(t.keys)})
			t = newKeyframes(sim.pose())
		}
		seen[sim.on] = true
	}
	if lap == nil && len(t.keys) > 1 {
		movements = append(movements, world.Movement{Name: "path", Starts: starts, Keys: reduceKeys(t.keys)})
	}
	return movements
}

// speeds returns the speed of a train, and whether it starts by itself. In Source the key startspeed is the speed at
// the start; in GoldSrc the key speed is the greatest speed.
func (r trackRules) speeds(m *mover) (speed float64, starts bool) {
	first, most := "startspeed", "speed"
	if !r.west {
		first, most = most, first
	}
	if speed = math.Abs(m.nonzero(first, 0)); speed > 0 {
		return speed, true
	}
	return math.Abs(m.nonzero(most, m.class.speed)), false
}

func (r *trackTrainSim) pose() pose {
	p := pose{r.at, r.angles}
	p.at[2] += r.height
	return p
}

// step moves the train for a frame. moves is false at the end of the tracks; jumped states that it was teleported to
// a track.
func (r *trackTrainSim) step() (moves, jumped bool) {
	to, on := r.on.reach(r.at, r.speed*sight)
	way, far := [3]float64{}, distance(pose{at: r.at}, pose{at: to})
	if far > 0 {
		for k := range way {
			way[k] = (to[k] - r.at[k]) / far
		}
	}
	length := min(r.speed*frame, far)
	if r.rules.west && on != nil {
		length = far / sight * frame
	}
	if !r.fixed && on != nil {
		r.turn()
	}
	for k := range way {
		r.at[k] += float64(way[k] * length)
	}
	if on == nil {
		return far > 1e-3, false
	}
	if on != r.on {
		r.on = on
		if r.uncontrolled && on.speed != 0 {
			r.speed = math.Abs(on.speed)
		}
		if next := on.after(); !r.rules.west && next != nil && next.flags&teleports != 0 {
			r.teleport(next)
			jumped = true
		}
	}
	return true, jumped
}

// teleport moves the train to a track at once, and makes it face along the tracks. Source SDK 2013, trains.cpp,
// TeleportToPathTrack.
func (r *trackTrainSim) teleport(to *track) {
	r.at = to.at
	if next := to.after(); !r.fixed && next != nil && to.project(to.at, r.wheels) != to.at {
		r.angles = [3]float64{r.angles[0], 0, r.angles[2]}
		want := r.rules.look(to.at, next.at, false)
		r.angles[1] = want[1]
		if !r.flat {
			r.angles[0] = want[0]
		}
	}
}

// turn rotates the train toward the point ahead.
func (r *trackTrainSim) turn() {
	front := r.on.project(r.at, r.wheels)
	if front[0] == r.at[0] && front[1] == r.at[1] {
		return
	}
	want := r.rules.look(r.at, front, false)
	rate := 10 * frame // GoldSrc's trains take a tenth of a second
	if !r.rules.west {
		rate = 1
	}
	yaw := float64(nearer(want[1]-r.angles[1]) * rate)
	if !r.flat {
		r.angles[0] += float64(nearer(want[0]-r.angles[0]) * rate)
	}
	r.angles[1] += yaw
	if r.bank > 0 {
		lean, quick := 0.0, 4.0
		if turning := yaw / frame; turning < -5 {
			lean, quick = -r.bank, 1
		} else if turning > 5 {
			lean, quick = r.bank, 1
		}
		r.angles[2] += float64(min(max(lean-r.angles[2], -2*r.bank), 2*r.bank) * quick * frame)
	}
}

// nearer returns an angle in degrees as -180 to 180.
func nearer(degrees float64) float64 {
	return math.Remainder(degrees, 360)
}

// reach returns the point that is units farther along open tracks than at, which is between t and its next track; and
// the last track before that point, or nil if the tracks end earlier.
func (t *track) reach(at [3]float64, units float64) (to [3]float64, on *track) {
	for range maxAhead {
		next := t.after()
		if next == nil || next.flags&closed != 0 {
			return t.at, nil
		}
		far := distance(pose{at: at}, pose{at: next.at})
		if far > units {
			return beyond(next.at, at, -units), t
		}
		units -= far
		at, t = next.at, next
		if units == 0 {
			break
		}
	}
	return at, t
}

// project returns the point that is units farther along the tracks than at, which is between t and its next track.
// Tracks that are too short are extended in a straight line.
func (t *track) project(at [3]float64, units float64) [3]float64 {
	from, whole, start := t, units, at
	for range maxAhead {
		next := from.after()
		if next == nil {
			if before := from.before(); before != nil {
				return beyond(before.at, from.at, units)
			}
			return at
		}
		far := distance(pose{at: at}, pose{at: next.at})
		switch {
		case far == 0 && next.after() == nil && units == whole:
			return start // the tracks end here
		case far > units:
			return beyond(next.at, at, -units)
		}
		units -= far
		at, from = next.at, next
	}
	return at
}
