package valve

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// atStart are the outputs, in lower case, that a map fires when it starts.
var atStart = map[string]bool{"onmapspawn": true, "onnewgame": true, "onmultinewmap": true, "onmultinewround": true}

// startInput is an input that an entity gets when the map starts.
type startInput struct {
	target, input string // in lower case
	value         string
	delay         float64 // seconds
}

// startInputs returns what the outputs of a logic_auto send when the map starts: target, input, parameter, delay and how many times,
// parted by commas, or since Left 4 Dead 2 by escape characters.
func startInputs(entities []world.Entity) iter.Seq[startInput] {
	return func(yield func(startInput) bool) {
		for i := range entities {
			e := &entities[i]
			if !strings.EqualFold(e.Class(), "logic_auto") {
				continue
			}
			for _, p := range e.Pairs {
				f := strings.Split(strings.ReplaceAll(p.Value, "\x1b", ","), ",")
				if !atStart[strings.ToLower(p.Key)] || len(f) < 3 {
					continue
				}
				s := startInput{target: entlump.Lower(f[0]), input: entlump.Lower(f[1]), value: f[2]}
				if len(f) > 3 {
					s.delay, _ = strconv.ParseFloat(strings.TrimSpace(f[3]), 64)
				}
				if !yield(s) {
					return
				}
			}
		}
	}
}

// The spawnflag of a point_template that leaves its entities in the map, and how many names it has at most, with how many that end in a *
// in all templates of a map.
const (
	leavesEntities = 1
	maxTemplates   = 16
	maxOpen        = 64
)

// Later returns the entities that a point_template takes out of the map before it starts, to make copies of them later: those that its
// keys Template01 to Template16 name. One that a logic_auto lets make its copies when the map starts does not count, as these stand where
// the entities did. Source SDK 2013, point_template.cpp, mapentities.cpp (MapEntity_ParseAllEntities), which excepts lamps.
func Later(entities []world.Entity) map[*world.Entity]bool {
	names, open := templates(entities)
	if len(names) == 0 {
		return nil
	}
	later := map[*world.Entity]bool{}
	for i := range entities {
		e := &entities[i]
		class, own := strings.ToLower(e.Class()), entlump.Lower(e.Value("targetname"))
		if own == "" || class == "worldspawn" || class == "point_template" || strings.HasPrefix(class, "light") {
			continue
		}
		if names[own] || slices.ContainsFunc(open, func(name string) bool { return matches(own, name) }) {
			later[e] = true
		}
	}
	return later
}

// templates returns the names of the entities that are templates, in lower case, and those of them that end in a *.
func templates(entities []world.Entity) (names map[string]bool, open []string) {
	var made map[string]bool // the templates that make their copies when the map starts
	for i := range entities {
		e := &entities[i]
		if !strings.EqualFold(e.Class(), "point_template") || e.Bits("spawnflags")&leavesEntities != 0 {
			continue
		}
		if made == nil {
			names, made = map[string]bool{}, map[string]bool{}
			for s := range startInputs(entities) {
				if s.input == "forcespawn" && s.delay <= 1 {
					made[s.target] = true
				}
			}
		}
		if made[entlump.Lower(e.Value("targetname"))] {
			continue
		}
		for _, p := range e.Pairs {
			name := entlump.Lower(p.Value)
			number, ok := strings.CutPrefix(strings.ToLower(p.Key), "template")
			if n, err := strconv.Atoi(number); !ok || err != nil || n < 1 || n > maxTemplates || name == "" || names[name] {
				continue
			}
			if names[name] = true; strings.HasSuffix(name, "*") && len(open) < maxOpen {
				open = append(open, name)
			}
		}
	}
	return names, open
}

// matches reports whether an entity's name is one, which may end in a * for any letters; both are in lower case. Source SDK 2013,
// baseentity.cpp (NameMatchesComplex).
func matches(own, name string) bool {
	start, open := strings.CutSuffix(name, "*")
	return own != "" && (own == name || open && strings.HasPrefix(own, start))
}
