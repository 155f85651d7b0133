package lift

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// patterns are how the light styles flicker that all games of Quake's line have: a letter for each tenth of a second, a is
// dark, m is what the map has, z is twice that and a little. Quake, world.qc; Half-Life SDK, dlls/world.cpp, has the last.
var patterns = [...]string{
	1:  "mmnmmommommnonmmonqnmmo",
	2:  "abcdefghijklmnopqrstuvwxyzyxwvutsrqponmlkjihgfedcba",
	3:  "mmmmmaaaaammmmmaaaaaabcdefgabcdefg",
	4:  "mamamamamama",
	5:  "jklmnopqrstuvwxyzyxwvutsrqponmlkj",
	6:  "nmonqnmomnmomomno",
	7:  "mmmaaaabcdefgmmmmaaaammmaamm",
	8:  "mmmaaammmaaammmabcdefaaaammmmabcdefmmmaaaa",
	9:  "aaaaaaaazzzzzzzz",
	10: "mmamammmmammamamaaamammma",
	11: "abcdefghijklmnopqrrqponmlkjihgfedcba",
	12: "mmnnmmnnnmmnn",
}

const (
	firstSwitched  = 32 // styles from here on are lamps that entities switch
	startsOff      = 1  // the spawnflag of such a lamp
	longestPattern = 64 // letters that engines keep
)

// Styles returns how bright each light style is as the map starts, where that is not what the map has, which is 1. Of a
// style that flickers it is the mean. Of several lamps of one style the last decides, as the last to set it does in the
// game.
func Styles(entities []world.Entity) map[uint8]float32 {
	levels := map[uint8]float32{}
	for style, p := range patterns {
		if p != "" {
			levels[uint8(style)] = mean(p)
		}
	}
	for i := range entities {
		e := &entities[i]
		if !classes.HasStyle(e.Class()) {
			continue
		}
		style, _ := e.Float("style")
		if !(style >= firstSwitched && style < 128) {
			continue
		}
		flags, _ := e.Float("spawnflags")
		level := float32(1)
		switch pattern := e.Value("pattern"); {
		case int64(flags)&startsOff != 0:
			level = 0
		case pattern != "":
			level = mean(pattern)
		default: // Source's key of a style whose pattern it takes
			if own, _ := e.Float("defaultstyle"); own > 0 && own < float64(len(patterns)) {
				level = mean(patterns[int(own)])
			}
		}
		levels[uint8(style)] = level
	}
	return levels
}

// mean is how bright a pattern is on average. What is no letter is dark.
func mean(pattern string) float32 {
	sum, n := 0, min(len(pattern), longestPattern)
	for _, c := range []byte(strings.ToLower(pattern[:n])) {
		if c >= 'a' && c <= 'z' {
			sum += int(c - 'a')
		}
	}
	return float32(sum) / float32(12*max(n, 1))
}
