package corpustest

import (
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/assets"
)

// Where movers stand when a map starts, read a second time: from the bytes of the map, by the rules of the games' code, with no code of
// the decoder's. The sources are Quake, doors.qc and plats.qc; Quake II, g_func.c; Quake III Arena, g_mover.c; Nexuiz, t_plats.qc;
// Half-Life SDK, doors.cpp, plats.cpp and bmodels.cpp; Source SDK 2013, doors.cpp, trains.cpp and props.cpp.

// moverMap has the parts of a map that the rules need.
type moverMap struct {
	game     string // "quake", "quake2", "quake3", "nexuiz", "goldsrc" or "source"
	entities []keyed
	boxes    [][2]vector // of the models, as they are stored
}

// keyed is an entity, by keys in lower case.
type keyed map[string]string

func (e keyed) num(key string) float64 {
	text := strings.TrimSpace(e[key])
	if i := strings.IndexAny(text, " \t"); i > 0 {
		text = text[:i]
	}
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

func (e keyed) or(key string, without float64) float64 {
	if f := e.num(key); f != 0 {
		return f
	}
	return without
}

func (e keyed) vec(key string) (v vector) {
	for i, text := range strings.Fields(e[key]) {
		if i < 3 {
			v[i], _ = strconv.ParseFloat(text, 64)
		}
	}
	return v
}

func (e keyed) has(flag int) bool { return int(e.num("spawnflags"))&flag != 0 }

// turn returns the angles of an entity's keys; up and down are no angles.
func (e keyed) turn() vector {
	if len(strings.Fields(e["angles"])) >= 3 {
		return e.vec("angles")
	}
	if a := e.num("angle"); a != -1 && a != -2 {
		return vector{0, a, 0}
	}
	return vector{}
}

// way returns the direction in which a mover slides.
func (m *moverMap) way(e keyed) vector {
	a := e.turn()
	switch {
	case m.game == "source":
		a = e.vec("movedir")
	case e["angles"] == "" && e.num("angle") == -1, a == vector{0, -1, 0}:
		return vector{0, 0, 1}
	case e["angles"] == "" && e.num("angle") == -2, a == vector{0, -2, 0}:
		return vector{0, 0, -1}
	}
	r := math.Pi / 180
	return vector{math.Cos(a[0]*r) * math.Cos(a[1]*r), math.Cos(a[0]*r) * math.Sin(a[1]*r), -math.Sin(a[0] * r)}
}

// stand is a position in map units and angles in degrees.
type stand struct{ at, turn vector }

// readMovers reads the entities and the models' boxes; ok is false for a map of another kind.
func readMovers(t *testing.T, m gameMap, nexuiz bool) (o *moverMap, ok bool) {
	t.Helper()
	opened, err := assets.OpenMap(t.Context(), m.in)
	if err != nil {
		return nil, false
	}
	defer opened.Close()
	data, err := io.ReadAll(io.NewSectionReader(opened, 0, opened.Size))
	if err != nil || len(data) < 200 {
		return nil, false
	}
	head := numbers(data)
	lump := func(at int) numbers { return numbers(data[head.i32(at):][:head.i32(at+4)]) }
	var text, models numbers
	size := 64
	switch ident := string(data[:4]); {
	case ident == "VBSP" && readsSource(t, m.in):
		s := readOracle(t, m.in)
		o, text, models, size = &moverMap{game: "source"}, s.lumps[0], s.lumps[14], 48
	case ident == "IBSP" && head.i32(4) == 38:
		o, text, models, size = &moverMap{game: "quake2"}, lump(8), lump(8+8*13), 48
	case ident == "IBSP" || ident == "FBSP" || ident == "RBSP":
		o, text, models, size = &moverMap{game: "quake3"}, lump(8), lump(8+8*7), 40
		if nexuiz {
			o.game = "nexuiz"
		}
	case ident == "BSP2" || ident == "2PSB" || head.i32(0) == 29:
		o, text, models = &moverMap{game: "quake"}, lump(4), lump(4+8*14)
	case head.i32(0) == 30:
		o, text, models = &moverMap{game: "goldsrc"}, lump(4), lump(4+8*14)
		if len(models)%64 != 0 || strings.HasPrefix(string(lump(12)[:min(1, len(lump(12)))]), "{") {
			return nil, false // Blue Shift's order of lumps
		}
	default:
		return nil, false
	}
	for i := 0; i+size <= len(models); i += size {
		o.boxes = append(o.boxes, [2]vector{models.vector(i), models.vector(i + 12)})
	}
	o.entities = readKeyed(string(text))
	return o, true
}

var keyedText = regexp.MustCompile(`"([^"]*)"|[{}]`)

// readKeyed reads the text of the entities. The first of two equal keys counts.
func readKeyed(text string) (list []keyed) {
	var e keyed
	key, open := "", false
	for _, found := range keyedText.FindAllStringSubmatch(text, -1) {
		switch {
		case found[0] == "{":
			e, open = keyed{}, false
		case found[0] == "}":
			list = append(list, e)
		case !open:
			key, open = strings.ToLower(found[1]), true
		default:
			if _, twice := e[key]; !twice && e != nil {
				e[key] = found[1]
			}
			open = false
		}
	}
	return list
}

// named returns the first entity of a name.
func (m *moverMap) named(name string) keyed {
	for _, e := range m.entities {
		have := e["targetname"]
		if have == "" || name == "" {
			continue
		}
		if have == name || (m.game == "source" || m.game == "quake2" || m.game == "quake3") && strings.EqualFold(have, name) {
			return e
		}
	}
	return nil
}

// grown returns the size of a model with what the engine adds to it, on each axis.
func (m *moverMap) grown(box [2]vector, by float64) vector {
	s := box[1].minus(box[0])
	return vector{s[0] + by, s[1] + by, s[2] + by}
}

// turned reports whether the class keeps the angles of its keys.
func (m *moverMap) turned(class string) bool {
	switch m.game {
	case "goldsrc":
		return !strings.HasPrefix(class, "trigger_") && !strings.Contains(" func_door func_water momentary_door func_button func_plat "+
			"func_platrot func_trackchange func_trackautochange func_wall func_wall_toggle func_illusionary func_conveyor "+
			"func_monsterclip func_breakable ", " "+class+" ")
	case "source":
		return !strings.Contains(" func_plat func_platrot func_trackchange func_trackautochange func_wall func_wall_toggle func_illusionary "+
			"func_vehicleclip func_conveyor func_breakable func_breakable_surf ", " "+class+" ")
	case "quake2":
		return strings.Contains(" func_rotating func_wall func_object func_explosive func_conveyor ", " "+class+" ")
	case "quake3":
		return class == "func_pendulum"
	case "nexuiz":
		return strings.Contains(" func_train func_rotating func_bobbing ", " "+class+" ")
	}
	return class == "func_train"
}

// start returns where an entity with a box is when the map starts.
func (m *moverMap) start(e keyed, box [2]vector) stand {
	class := strings.ToLower(e["classname"])
	s := stand{at: e.vec("origin")}
	if m.turned(class) {
		s.turn = e.turn()
	} else if m.game == "goldsrc" && class == "func_breakable" {
		s.turn = vector{e.turn()[0], 0, e.turn()[2]}
	}
	byAxis := func(degrees float64) vector {
		switch {
		case e.has(64):
			return vector{0, 0, degrees}
		case e.has(128):
			return vector{degrees, 0, 0}
		}
		return vector{0, degrees, 0}
	}
	valve := m.game == "goldsrc" || m.game == "source"
	switch class {
	case "func_door", "func_water", "momentary_door":
		if m.doorOpens(e, class) {
			s.at = m.opened(e, class, s.at, box)
		}
	case "func_door_rotating":
		open := e.has(1) || m.game == "source" && e.num("spawnpos") == 1
		by := e.num("distance")
		if m.game == "quake2" {
			by = math.Trunc(e.or("distance", 90))
		}
		if e.has(2) && m.game != "nexuiz" {
			by = -by
		}
		if m.game == "nexuiz" {
			by = e.or("angle", 90)
		}
		if open && (valve || m.game == "quake2" || m.game == "nexuiz") {
			s.turn = plus(s.turn, byAxis(by))
		}
	case "func_plat", "func_platrot":
		if e["targetname"] == "" || m.game == "quake3" {
			s.at[2] -= m.drop(e, box)
		} else if class == "func_platrot" {
			s.turn = plus(s.turn, byAxis(e.num("rotation")))
		}
	case "func_trackchange", "func_trackautochange":
		if e.has(8) && !e.has(16) {
			s.at[2] -= m.drop(e, box)
		} else if !e.has(8) {
			s.turn = byAxis(e.num("rotation"))
		}
	case "func_train", "func_guntarget":
		return m.onPath(e, class, s, box)
	case "func_tracktrain", "func_tanktrain":
		if valve {
			return m.onTrack(e, s)
		}
	default:
		return m.swings(e, class, s, box)
	}
	return s
}

// swings returns where what moves by itself begins.
func (m *moverMap) swings(e keyed, class string, s stand, box [2]vector) stand {
	phase := math.Sin(2 * math.Pi * e.num("phase"))
	switch {
	case class == "func_bobbing" && (m.game == "quake3" || m.game == "nexuiz"):
		by := -phase * e.or("height", 32)
		if m.game == "nexuiz" {
			by = -by
		}
		axis := 2
		if e.has(1) {
			axis = 0
		} else if e.has(2) {
			axis = 1
		}
		s.at[axis] += by
	case class == "func_pendulum" && m.game == "quake3":
		s.turn[2] -= phase * e.or("speed", 30)
	case class == "func_rotating" && m.game == "goldsrc" && e.vec("spawnorigin") != vector{}:
		s.at = e.vec("spawnorigin") // no map at hand has an origin after it
	}
	return s
}

func plus(a, b vector) vector { return vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// doorOpens reports whether a sliding door starts open.
func (m *moverMap) doorOpens(e keyed, class string) bool {
	switch {
	case class == "momentary_door":
		return m.game == "goldsrc" && e.has(1)
	case class == "func_water" && (m.game == "quake" || m.game == "quake3" || m.game == "nexuiz"):
		return false
	}
	return e.has(1) || m.game == "source" && e.num("spawnpos") == 1
}

// opened returns where a sliding door is that starts open.
func (m *moverMap) opened(e keyed, class string, at vector, box [2]vector) vector {
	grow, lip := 2.0, 8.0
	switch {
	case class == "func_button":
		lip = 4
	case class == "func_water", m.game == "goldsrc", m.game == "source":
		lip = 0
	}
	if m.game == "goldsrc" || m.game == "source" || m.game == "nexuiz" {
		grow = 0
	}
	switch _, given := e["lip"]; {
	case m.game == "quake3" && given:
		lip = e.num("lip")
	case m.game == "quake2":
		lip = math.Trunc(e.or("lip", lip))
	default:
		lip = e.or("lip", lip)
	}
	way, size := m.way(e), m.grown(box, grow)
	far := math.Abs(way[0]*size[0]) + math.Abs(way[1]*size[1]) + math.Abs(way[2]*size[2])
	if m.game == "quake" || m.game == "nexuiz" {
		far = math.Abs(way.dot(size))
	}
	far -= lip
	return plus(at, vector{way[0] * far, way[1] * far, way[2] * far})
}

// drop returns how far below its place a platform's bottom is.
func (m *moverMap) drop(e keyed, box [2]vector) float64 {
	tall := box[1][2] - box[0][2]
	_, height := e["height"]
	_, lip := e["lip"]
	switch m.game {
	case "nexuiz":
		return tall - 8
	case "quake3":
		if height {
			return e.num("height")
		} else if lip {
			return tall + 2 - e.num("lip")
		}
	case "quake2":
		return e.or("height", tall+2-e.or("lip", 8))
	}
	return e.or("height", tall+2-8)
}

// onPath returns where a train is at its first corner.
func (m *moverMap) onPath(e keyed, class string, s stand, box [2]vector) stand {
	corner := m.named(e["target"])
	if class == "func_guntarget" && m.game != "goldsrc" || corner == nil || corner["origin"] == "" || e["parentname"] != "" {
		return s
	}
	s.at = corner.vec("origin")
	for k := range s.at {
		switch m.game {
		case "quake", "quake2":
			s.at[k] -= box[0][k] - 1
		case "nexuiz":
			s.at[k] -= box[0][k]
		case "goldsrc", "source":
			s.at[k] -= (box[0][k] + box[1][k]) / 2
		}
	}
	return s
}

// onTrack returns where a track train is on its first track.
func (m *moverMap) onTrack(e keyed, s stand) stand {
	first := m.named(e["target"])
	if first == nil || !strings.EqualFold(first["classname"], "path_track") {
		return s
	}
	from := first.vec("origin")
	s.at = plus(from, vector{0, 0, e.num("height")})
	if m.game == "source" && e.has(16) {
		return s
	}
	to, left, track := from, e.num("wheels"), first
	for range 1000 {
		next := m.named(track["target"])
		if left <= 0 {
			break
		}
		if next == nil || !strings.EqualFold(next["classname"], "path_track") {
			for _, before := range m.entities { // on along the line from the track before
				if strings.EqualFold(before["classname"], "path_track") && before["target"] == track["targetname"] {
					way := track.vec("origin").minus(before.vec("origin"))
					for k := range to {
						to[k] += way[k] / way.length() * left
					}
				}
			}
			break
		}
		way := next.vec("origin").minus(to)
		if way.length() > left {
			for k := range to {
				to[k] += way[k] / way.length() * left
			}
			break
		}
		left -= way.length()
		to, track = next.vec("origin"), next
	}
	way := to.minus(from)
	pitch, yaw := math.Atan2(way[2], math.Hypot(way[0], way[1]))*180/math.Pi, math.Atan2(way[1], way[0])*180/math.Pi
	if way[0] == 0 && way[1] == 0 && way[2] <= 0 {
		pitch = -90
	}
	if e.has(1) {
		pitch = 0
	}
	if m.game == "goldsrc" {
		s.turn = vector{pitch, yaw + 180, 0}
	} else {
		s.turn = vector{-pitch, yaw, 0}
	}
	return s
}
