package corpustest

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// This computes the acts of movers a second time.

// moverAct is a movement of an entity: where it is at a time in seconds up to the end.
type moverAct struct {
	end float64
	at  func(time float64) stand
}

// pace is the default speed and wait of a class.
var pace = map[string][2]float64{
	"quake func_door": {100, 3}, "quake func_button": {40, 1}, "quake func_plat": {150, 3}, "quake func_train": {100},
	"quake2 func_door": {100, 3}, "quake2 func_button": {40, 3}, "quake2 func_plat": {200, 3}, "quake2 func_water": {25, -1},
	"quake2 func_door_rotating": {100, 3}, "quake2 func_train": {100}, "quake2 func_rotating": {100},
	"quake3 func_door": {400, 2}, "quake3 func_button": {40, 1}, "quake3 func_plat": {200, 1}, "quake3 func_train": {100},
	"quake3 func_rotating": {100}, "quake3 func_bobbing": {4}, "nexuiz func_bobbing": {4}, "nexuiz func_rotating": {100},
	"nexuiz func_door": {100, 3}, "nexuiz func_button": {40, 1}, "nexuiz func_plat": {150, 3}, "nexuiz func_train": {100},
	"nexuiz func_door_rotating": {50, 1}, "nexuiz func_vectormamamam": {},
	"goldsrc func_door": {100, 0}, "goldsrc func_water": {100, 0}, "goldsrc func_door_rotating": {100, 0},
	"goldsrc func_button": {40, 1},
	"goldsrc func_plat":   {150, 3}, "goldsrc func_rotating": {0}, "goldsrc func_train": {100},
	"source func_door": {100, 0}, "source func_water": {100, 0}, "source func_door_rotating": {100, 0}, "source func_button": {40, 1},
	"source func_plat": {150, 3}, "source func_movelinear": {100, -1}, "source func_water_analog": {100, -1}, "source func_rotating": {100},
	"source func_train": {100},
}

// checkActs compares the animations of an entity's node with its acts, at twenty times each.
func (f *movingFile) checkActs(t *testing.T, m gameMap, o *moverMap, n *moverNode, e keyed, box [2]vector, sum moverSum) {
	t.Helper()
	if e["parentname"] != "" { // its place would be its parent's business
		return
	}
	class := o.game + " " + strings.ToLower(e["classname"])
	for name, act := range o.acts(e, box) {
		found := -1
		for i := range f.doc.Animations {
			if x := f.doc.Animations[i].Extras; x["node"] == n.name && x["act"] == name {
				found = i
				break
			}
		}
		if found < 0 {
			t.Errorf("%s: %s has no animation %s", m.name, n.name, name)
			continue
		}
		count := sum[class]
		count.acts++
		for i := range 20 {
			time := act.end * (float64(i) + 0.37) / 20
			want := act.at(time)
			d := apart(f.at(found, n, time), want.matrix())
			if count.worst = max(count.worst, d); d > 0.3 {
				t.Errorf("%s: %s %s: at %.3g s it is %.3g units or degrees off", m.name, n.name, name, time, d)
				break
			}
		}
		sum[class] = count
	}
}

// acts returns what an entity does, by the names of the acts.
func (m *moverMap) acts(e keyed, box [2]vector) map[string]moverAct {
	class := strings.ToLower(e["classname"])
	defaults, known := pace[m.game+" "+class]
	if !known {
		return nil
	}
	speed, wait := math.Abs(e.or("speed", defaults[0])), e.or("wait", defaults[1])
	start := m.start(e, box)
	switch class {
	case "func_rotating", "func_bobbing":
		return m.loops(e, class, start, speed)
	case "func_vectormamamam":
		return m.follows(e, start)
	case "func_train":
		return m.rides(e, start, box, speed)
	case "func_plat":
		return m.lifts(e, start, box, speed, defaults[1])
	}
	// Doors and buttons: from where it stands to its other end.
	other := start
	switch built := e.vec("origin"); {
	case class == "func_door_rotating":
		by := e.or("distance", 0)
		if m.game == "nexuiz" {
			by = e.or("angle", 90)
		} else if m.game == "quake2" {
			by = math.Trunc(e.or("distance", 90))
		}
		if e.has(2) && m.game != "nexuiz" {
			by = -by
		}
		if e.has(1) || m.game == "source" && e.num("spawnpos") == 1 {
			by = -by
		}
		axis := 1
		if e.has(64) {
			axis = 2
		} else if e.has(128) {
			axis = 0
		}
		other.turn[axis] += by
	case class == "func_movelinear" || class == "func_water_analog":
		return m.slides(e, start, box, speed)
	case m.doorOpens(e, class) && class != "func_button":
		other.at = built
	default:
		other.at = m.opened(e, class, built, box)
	}
	if class == "func_button" && (m.game == "goldsrc" || m.game == "source") && e.has(1) {
		return nil
	}
	far := math.Max(other.at.minus(start.at).length(), other.turn.minus(start.turn).length())
	valve := m.game == "goldsrc" || m.game == "source"
	stay := wait < 0 || e.has(32) && m.game != "quake3" && (valve || class != "func_button") || m.game == "source" && e.num("spawnpos") == 1
	if m.game == "source" && e.num("spawnpos") == 1 || m.game == "source" && class == "func_door" && e.has(1) {
		stay = true
		start, other = other, start // its first act closes it
	}
	seconds := m.lasts(far / speed)
	back := m.until(seconds, wait)
	if first := m.firstOfTeam(e); m.game == "quake3" && first != nil {
		its, wait := m.opens(first)
		back, stay = max(m.until(its, wait), seconds), wait < 0
	}
	acts := shuttle(start, other, seconds, back, stay)
	toggles := e.has(32) && (valve || class != "func_button")
	if wait < 0 && !toggles && m.game != "quake3" && m.game != "source" && class != "func_water" {
		delete(acts, "close") // a negative wait is a time that has passed: its function to return is never called
	}
	return acts
}

// follows returns the acts of what moves with its target, without the part of its way along targetnormal.
func (m *moverMap) follows(e keyed, start stand) map[string]moverAct {
	target := m.named(e["target"])
	number, err := strconv.Atoi(strings.TrimPrefix(target["model"], "*"))
	if err != nil || e["target2"] != "" || e.has(1) {
		return nil
	}
	normal := e.vec("targetnormal")
	box := m.boxes[number]
	first := m.start(target, box)
	acts := map[string]moverAct{}
	for name, act := range m.acts(target, box) {
		acts[name] = moverAct{act.end, func(time float64) stand {
			way := act.at(time).at.minus(first.at)
			s := start
			for k := range way {
				s.at[k] += way[k] - way.dot(normal)*normal[k]/max(normal.dot(normal), 1e-9)
			}
			return s
		}}
	}
	return acts
}

// between returns where something is that has gone a part of its way.
func between(a, b stand, part float64) stand {
	part = min(max(part, 0), 1)
	for k := range a.at {
		a.at[k] += (b.at[k] - a.at[k]) * part
		a.turn[k] += (b.turn[k] - a.turn[k]) * part
	}
	return a
}

// firstOfTeam returns the first mover of an entity's team, which says when all of them return, or nil.
func (m *moverMap) firstOfTeam(e keyed) keyed {
	for _, other := range m.entities {
		if e["team"] != "" && other["team"] == e["team"] && strings.HasPrefix(other["model"], "*") {
			return other
		}
	}
	return nil
}

// opens returns the seconds in which a sliding door or button of Quake III opens, and those for which it stays.
func (m *moverMap) opens(e keyed) (seconds, wait float64) {
	class := strings.ToLower(e["classname"])
	defaults := pace["quake3 "+class]
	number, err := strconv.Atoi(strings.TrimPrefix(e["model"], "*"))
	if err != nil {
		return 0, -1
	}
	far := m.opened(e, class, vector{}, m.boxes[number]).length()
	return m.lasts(far / math.Abs(e.or("speed", defaults[0]))), e.or("wait", defaults[1])
}

// lasts returns how long a movement lasts: in Quake III whole milliseconds.
func (m *moverMap) lasts(seconds float64) float64 {
	if m.game != "quake3" {
		return seconds
	}
	return math.Floor(seconds*1000+1e-6) / 1000
}

// until returns when something goes on that needs some seconds and then waits. Quake III's server looks twenty times a second.
func (m *moverMap) until(seconds, wait float64) float64 {
	if m.game != "quake3" {
		return seconds + wait
	}
	frames := func(ms float64) float64 { return math.Ceil(ms/50-1e-6) * 50 }
	return frames(frames(seconds*1000)+wait*1000) / 1000
}

// shuttle returns the acts of what goes from one end to the other, and back after a time.
func shuttle(a, b stand, seconds, back float64, stay bool) map[string]moverAct {
	if a == b {
		return nil
	}
	there := func(t float64) stand { return between(a, b, t/seconds) }
	if stay {
		return map[string]moverAct{"open": {seconds, there}, "close": {seconds, func(t float64) stand { return between(b, a, t/seconds) }}}
	}
	return map[string]moverAct{"cycle": {seconds + back, func(t float64) stand {
		if t > back {
			return between(b, a, (t-back)/seconds)
		}
		return there(t)
	}}}
}

// lifts returns the acts of a platform.
func (m *moverMap) lifts(e keyed, start stand, box [2]vector, speed, wait float64) map[string]moverAct {
	bottom, top := start, start
	if e["targetname"] == "" || m.game == "quake3" {
		top.at[2] += m.drop(e, box)
	} else {
		bottom.at[2] -= m.drop(e, box)
	}
	stay := (m.game == "goldsrc" || m.game == "source") && e.has(1)
	seconds := m.lasts(math.Abs(m.drop(e, box)) / speed)
	return shuttle(bottom, top, seconds, m.until(seconds, wait), stay)
}

// slides returns the acts of what stands in the middle of its way.
func (m *moverMap) slides(e keyed, start stand, box [2]vector, speed float64) map[string]moverAct {
	way, size, far := m.way(e), m.grown(box, 0), e.num("movedistance")
	if far <= 0 {
		far = math.Abs(way[0]*size[0]) + math.Abs(way[1]*size[1]) + math.Abs(way[2]*size[2]) - e.num("lip")
	}
	acts := map[string]moverAct{}
	at := min(max(e.num("startposition"), 0), 1)
	for name, part := range map[string]float64{"open": 1 - at, "close": -at} {
		to := start
		for k := range way {
			to.at[k] += way[k] * far * part
		}
		if seconds := far * math.Abs(part) / speed; part != 0 {
			acts[name] = moverAct{seconds, func(t float64) stand { return between(start, to, t/seconds) }}
		}
	}
	return acts
}

// loops returns the act of what turns or bobs for ever.
func (m *moverMap) loops(e keyed, class string, start stand, speed float64) map[string]moverAct {
	if class == "func_bobbing" {
		phase, by := e.num("phase"), e.or("height", 32)
		if m.game == "quake3" {
			phase = -phase
		}
		axis := 2
		if e.has(1) {
			axis = 0
		} else if e.has(2) {
			axis = 1
		}
		return map[string]moverAct{"cycle": {speed, func(t float64) stand {
			s := start
			s.at[axis] = e.vec("origin")[axis] + by*math.Sin(2*math.Pi*(t/speed+phase))
			return s
		}}}
	}
	turn := e.or("speed", pace[m.game+" "+class][0])
	if m.game == "source" {
		turn = math.Abs(e.or("maxspeed", 100))
	}
	if e.has(2) && m.game != "quake3" && m.game != "nexuiz" {
		turn = -turn
	}
	if turn == 0 {
		return nil
	}
	axis := 1
	if e.has(4) {
		axis = 2
	} else if e.has(8) {
		axis = 0
	}
	return map[string]moverAct{"cycle": {360 / math.Abs(turn), func(t float64) stand {
		s := start
		s.turn[axis] += turn * t
		return s
	}}}
}

// rides returns the first act of a train, if none of its corners stops it and the way leads back to the first or ends.
func (m *moverMap) rides(e keyed, start stand, box [2]vector, speed float64) map[string]moverAct {
	corner := m.named(e["target"])
	if corner == nil || corner["origin"] == "" {
		return nil
	}
	type leg struct {
		from, to   stand
		begin, end float64
	}
	var legs []leg
	now, here, first := 0.0, start, corner
	if m.game == "quake3" {
		now = max(corner.num("wait"), 0)
	}
	for range 500 {
		next := m.named(corner["target"])
		if next == nil || next["origin"] == "" {
			break
		}
		if (m.game == "goldsrc" || m.game == "source") && next.has(1|2) || m.game == "quake2" && next.has(1) || next.num("wait") < 0 {
			return nil
		}
		there := m.onPath(keyed{"classname": "func_train", "target": next["targetname"]}, "func_train", start, box)
		way := speed
		switch m.game {
		case "quake3":
			way = corner.or("speed", speed)
		case "goldsrc", "source":
			speed = corner.or("speed", speed)
			way = speed
		case "nexuiz":
			way = next.or("speed", speed)
		}
		seconds := m.lasts(there.at.minus(here.at).length() / way)
		legs = append(legs, leg{here, there, now, now + seconds})
		now += seconds
		if next["targetname"] == first["targetname"] {
			break
		}
		if wait := next.num("wait"); wait > 0 || m.game == "quake3" {
			now = m.until(now, wait)
		} else if m.game == "quake" || m.game == "nexuiz" {
			now += 0.1
		}
		for _, l := range legs[:len(legs)-1] {
			if l.to == there {
				return nil // it goes on in a smaller circle
			}
		}
		here, corner = there, next
	}
	if len(legs) == 0 || now == 0 {
		return nil
	}
	return map[string]moverAct{"path": {legs[len(legs)-1].end, func(t float64) stand {
		at := start
		for _, l := range legs {
			if t >= l.begin {
				at = between(l.from, l.to, (t-l.begin)/max(l.end-l.begin, 1e-9))
			}
		}
		return at
	}}}
}
