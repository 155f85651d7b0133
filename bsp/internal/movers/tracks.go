package movers

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// track is a path_track: a point of the tracks of track trains.
type track struct {
	altName             string // value of its key altpath, in the form in which names are compared
	at                  [3]float64
	flags               int
	speed               float64 // the speed that it gives to trains; 0 leaves theirs
	next, previous, alt *track
}

// The spawnflags of tracks.
const (
	altBackwards = 4      // flags: the branch is for trains that go backwards
	altOpen      = 0x8000 // the branch is open
)

// link returns the tracks of a map by entity. Half-Life SDK, pathcorner.cpp; Source SDK 2013, pathtrack.cpp.
func (c *pathNetwork) link() map[*world.Entity]*track {
	if c.tracks != nil {
		return c.tracks
	}
	c.tracks = map[*world.Entity]*track{}
	for i := range c.entities {
		e := &c.entities[i]
		if at, ok := e.Vector("origin"); ok && strings.EqualFold(e.Class(), "path_track") {
			t := &track{altName: c.key(e.Value("altpath")), flags: e.Bits("spawnflags"), speed: floatOr(e, "speed", 0)}
			for k := range at {
				t.at[k] = float64(at[k])
			}
			c.tracks[e] = t
		}
	}
	for i := range c.entities { // in map order: a later track that leads to the same next track becomes its previous one
		e := &c.entities[i]
		t := c.tracks[e]
		if t == nil {
			continue
		}
		link := func(key string) *track {
			to := c.find(e.Value(key))
			on := c.tracks[to]
			if e.Value(key) == "" || on == nil {
				return nil
			}
			if on.altName != c.key(e.Value("targetname")) || e.Value("targetname") == "" {
				on.previous = t
			}
			return on
		}
		t.next, t.alt = link("target"), link("altpath")
	}
	return c.tracks
}

// after returns the track that a train reaches next, or nil.
func (t *track) after() *track {
	if t.alt != nil && t.flags&altOpen != 0 && t.flags&altBackwards == 0 {
		return t.alt
	}
	return t.next
}

// before returns the track that a train came from, or nil.
func (t *track) before() *track {
	if t.alt != nil && t.flags&altOpen != 0 && t.flags&altBackwards != 0 {
		return t.alt
	}
	return t.previous
}

// maxAhead bounds the tracks that a train looks ahead: they may form a circle of length 0.
const maxAhead = 128

// beyond returns the point on the line from a to b that is units past b, or before b if units is negative.
func beyond(a, b [3]float64, units float64) [3]float64 {
	far := distance(pose{at: a}, pose{at: b})
	if far == 0 {
		return b
	}
	out := b
	for k := range out {
		out[k] += float64((b[k] - a[k]) * (units / far))
	}
	return out
}

// trackRules is how a family's track trains are oriented on their tracks.
type trackRules struct {
	west                 bool // the model is built facing west, and positive pitch is upwards
	fixedOrientationFlag int  // spawnflag of trains that never rotate
}

// flatFlag is the spawnflag of track trains without pitch.
const flatFlag = 1

// train starts above its first track, and faces the point of the tracks that is its wheelbase ahead. Half-Life SDK,
// plats.cpp, CFuncTrackTrain::Find; Source SDK 2013, trains.cpp.
func (r trackRules) train(m *mover) path {
	p := path{start: m.built}
	first := m.paths.link()[m.paths.find(m.e.Value("target"))]
	if first == nil || m.e.Value("target") == "" {
		return p
	}
	p.start.at = first.at
	p.start.at[2] += m.nonzero("height", 0)
	if r.fixedOrientationFlag == 0 || !m.flag(r.fixedOrientationFlag) {
		p.start.angles = r.look(first.at, first.project(first.at, m.nonzero("wheels", 0)), m.flag(flatFlag))
	}
	p.movements = r.simulate(m, first, p.start)
	return p
}

// look returns the angles of a train at from that faces to.
func (r trackRules) look(from, to [3]float64, flat bool) (angles [3]float64) {
	var way [3]float64
	for k := range way {
		way[k] = to[k] - from[k]
	}
	var up, yaw float64
	switch across := math.Hypot(way[0], way[1]); {
	case across > 0:
		yaw = math.Atan2(way[1], way[0]) * 180 / math.Pi
		up = math.Atan2(way[2], across) * 180 / math.Pi
	case way[2] > 0:
		up = 90
	default: // also if both points are the same
		up = -90
	}
	if flat {
		up = 0
	}
	if r.west {
		return [3]float64{up, yaw + 180, 0}
	}
	return [3]float64{-up, yaw, 0}
}
