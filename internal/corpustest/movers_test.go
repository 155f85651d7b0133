package corpustest

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every brush model of every map stands where the game puts it when the map starts, and so do hinged doors.
func TestMoversStandWhereTheGamesPutThem(t *testing.T) {
	for _, group := range []struct {
		name   string
		list   func(t *testing.T) []gameMap
		nexuiz bool
	}{
		{"openarena", openArena, false},
		{"nexuiz", nexuiz, true},
		{"corpus", func(t *testing.T) []gameMap {
			return corpusMaps(t, corpus(t), "goldsrc", "quake1", "quake2", "quake3", "quake3-fbsp", "source")
		}, false},
	} {
		t.Run(group.name, func(t *testing.T) {
			sum, read := moverSum{}, 0
			for _, m := range group.list(t) {
				if o, ok := readMovers(t, m, group.nexuiz); ok {
					checkMovers(t, m, o, sum)
					read++
				}
			}
			compared(t, "movers", len(sum))
			var text bytes.Buffer
			starts := sum.total()
			fmt.Fprintf(&text, "%d maps: %d starts, %d of them moved or turned, at most %.5f off",
				read, starts.all, starts.elsewhere, starts.start)
			for _, class := range slices.Sorted(maps.Keys(sum)) {
				n := sum[class]
				fmt.Fprintf(&text, "\n%-40s %4d, %4d of them moved or turned, %4d acts", class, n.all, n.elsewhere, n.acts)
				if n.acts > 0 {
					fmt.Fprintf(&text, ", at most %.3f off", n.worst)
				}
			}
			t.Log(text.String())
		})
	}
}

// moverSum counts by game and class.
type moverSum map[string]moverCount

// moverCount counts the entities that were compared, those that stand elsewhere than where they were built, and the acts. worst is the
// greatest distance in map units or angle in degrees of an act from the game's movement, start that of a start from the game's place.
type moverCount struct {
	all, elsewhere, acts int
	worst, start         float64
}

// total returns the counts of all classes together.
func (s moverSum) total() (sum moverCount) {
	for _, n := range s {
		sum.all, sum.elsewhere, sum.acts = sum.all+n.all, sum.elsewhere+n.elsewhere, sum.acts+n.acts
		sum.worst, sum.start = max(sum.worst, n.worst), max(sum.start, n.start)
	}
	return sum
}

// nexuiz returns the maps of Debian's nexuiz-data.
func nexuiz(t *testing.T) []gameMap {
	t.Helper()
	dir := cmp.Or(os.Getenv("BSP2GLTF_NEXUIZ"), "/usr/share/games/nexuiz/data")
	archives, _ := filepath.Glob(filepath.Join(dir, "*.pk3"))
	if len(archives) == 0 {
		t.Skipf("no maps: %s has no .pk3 files (Debian's nexuiz-data; BSP2GLTF_NEXUIZ names another folder)", dir)
	}
	var list []gameMap
	for _, archive := range archives {
		for _, member := range mapsIn(t, archive) {
			list = append(list, gameMap{"nexuiz", mapName(member), archive + ":" + member, []string{dir}, archives})
		}
	}
	return chosen(t, list)
}

// checkMovers compares the nodes of a map's entities with where the games put these.
func checkMovers(t *testing.T, m gameMap, o *moverMap, sum moverSum) {
	t.Helper()
	file := convertMoving(t, m)
	nodes := file.entities()
	used := make([]bool, len(nodes))
	for i, e := range o.entities {
		number, err := strconv.Atoi(strings.TrimPrefix(e["model"], "*"))
		brush := strings.HasPrefix(e["model"], "*") && err == nil && number > 0 && number < len(o.boxes)
		hinged := o.game == "source" && strings.EqualFold(e["classname"], "prop_door_rotating")
		if i == 0 || !brush && !hinged {
			continue
		}
		at := slices.IndexFunc(nodes, func(n moverNode) bool { return n.of(e) })
		for at >= 0 && used[at] {
			if next := slices.IndexFunc(nodes[at+1:], func(n moverNode) bool { return n.of(e) }); next < 0 {
				at = -1
			} else {
				at += next + 1
			}
		}
		if at < 0 {
			t.Errorf("%s: entity %d (%s %s) has no node", m.name, i, e["classname"], e["model"])
			continue
		}
		used[at] = true
		if brush {
			file.checkActs(t, m, o, &nodes[at], e, o.boxes[number], sum)
		}
		got := nodes[at].matrix
		want, built := o.matrices(e, number, brush, 0)
		d := apart(got, want)
		if d > 0.01 {
			t.Errorf("%s: entity %d (%s %s) stands %.3g units or degrees from where the game puts it: %v, want %v",
				m.name, i, e["classname"], e["model"], d, got, want)
		}
		class := o.game + " " + strings.ToLower(e["classname"])
		n := sum[class]
		n.all++
		n.start = max(n.start, d)
		if apart(want, built) > 0.01 {
			n.elsewhere++
		}
		sum[class] = n
	}
}

// of reports whether a node is that of an entity.
func (n moverNode) of(e keyed) bool {
	for _, key := range []string{"classname", "model", "origin", "targetname", "hammerid"} {
		found := ""
		for name, value := range n.extras {
			if strings.EqualFold(name, key) {
				found = fmt.Sprint(value)
			}
		}
		if found != e[key] {
			return false
		}
	}
	return true
}

// matrices returns the matrix of an entity when the map starts, in map units, and that of its keys. A child moves with its parent.
func (m *moverMap) matrices(e keyed, number int, brush bool, depth int) (now, built [4]vector) {
	keys := stand{at: e.vec("origin")}
	var start stand
	class := strings.ToLower(e["classname"])
	if brush {
		start = m.start(e, m.boxes[number])
		if m.turned(class) || m.game == "source" {
			keys.turn = e.turn()
		} else if m.game == "goldsrc" && class == "func_breakable" {
			keys.turn = start.turn
		}
	} else {
		keys.turn = e.turn()
		if start = keys; class == "prop_door_rotating" {
			start = hinged(e, keys)
		}
	}
	now, built = start.matrix(), keys.matrix()
	parent := m.named(strings.TrimSpace(strings.SplitN(e["parentname"], ",", 2)[0]))
	if parent == nil || depth > 8 {
		return now, built
	}
	n, _ := strconv.Atoi(strings.TrimPrefix(parent["model"], "*"))
	isBrush := strings.HasPrefix(parent["model"], "*") && n > 0 && n < len(m.boxes)
	parentNow, parentBuilt := m.matrices(parent, n, isBrush, depth+1)
	return times(parentNow, times(inverse(parentBuilt), now)), built
}

// hinged returns where Source's door of a model file is.
func hinged(e keyed, s stand) stand {
	by := math.Abs(e.or("distance", 90))
	switch at := e.num("spawnpos"); {
	case e.has(1), at == 1:
		s.turn[1] -= by
	case at == 2:
		s.turn[1] += by
	case at == 3 && e["ajarangles"] != "":
		s.turn = e.vec("ajarangles")
	}
	return s
}

// matrix returns a stand as a matrix: roll about X, then pitch about Y, then yaw about Z.
func (s stand) matrix() (m [4]vector) {
	sin, cos := vector{}, vector{}
	for k := range sin {
		sin[k], cos[k] = math.Sincos(s.turn[k] * math.Pi / 180)
	}
	turn := func(v vector) vector {
		v = vector{v[0], v[1]*cos[2] - v[2]*sin[2], v[1]*sin[2] + v[2]*cos[2]}
		v = vector{v[0]*cos[0] + v[2]*sin[0], v[1], v[2]*cos[0] - v[0]*sin[0]}
		return vector{v[0]*cos[1] - v[1]*sin[1], v[0]*sin[1] + v[1]*cos[1], v[2]}
	}
	return [4]vector{turn(vector{1, 0, 0}), turn(vector{0, 1, 0}), turn(vector{0, 0, 1}), s.at}
}

// times returns the matrix of b, then a.
func times(a, b [4]vector) (out [4]vector) {
	for c := range b {
		for k := range 3 {
			out[c][k] = a[0][k]*b[c][0] + a[1][k]*b[c][1] + a[2][k]*b[c][2]
			if c == 3 {
				out[c][k] += a[3][k]
			}
		}
	}
	return out
}

// inverse returns the inverse of a rotation and a position.
func inverse(a [4]vector) (out [4]vector) {
	for c := range 3 {
		for k := range 3 {
			out[c][k] = a[k][c]
		}
	}
	for k := range 3 {
		out[3][k] = -a[k].dot(a[3])
	}
	return out
}

// apart returns the distance in map units between two matrices or the angle between their axes in degrees, whichever is greater.
func apart(a, b [4]vector) (d float64) {
	for c := range 3 {
		d = max(d, a[c].minus(b[c]).length()*180/math.Pi) // a chord is as long as its arc, where it is short
	}
	return max(d, a[3].minus(b[3]).length())
}
