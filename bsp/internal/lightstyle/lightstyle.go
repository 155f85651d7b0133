// Package lightstyle has the brightness and the flicker patterns of light styles.
package lightstyle

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// patterns lists the flicker patterns that all descendants of Quake share: a letter for each tenth of a second; a is dark,
// m is normal, z is slightly more than twice that. Quake, world.qc; Half-Life SDK, dlls/world.cpp, has the last.
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
	normal         = 12 // letters from a, which is dark, to m, which shows light as it is
	firstSwitched  = 32 // styles from here on belong to lamps that entities switch
	startsOff      = 1  // spawnflag of a lamp that starts off
	longestPattern = 64 // number of letters that engines keep
)

// Levels returns the brightness of each light style when the map starts, if it differs from 1. For a flickering style
// it is the mean. If several lamps share a style the last decides, as in the game.
func Levels(entities []world.Entity) world.Levels {
	levels := world.Levels{}
	for style, p := range patterns {
		if p != "" {
			levels[uint8(style)] = grey(mean(p, normal))
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
		level := float32(1)
		switch pattern := e.Value("pattern"); {
		case e.Bits("spawnflags")&startsOff != 0:
			level = 0
		case pattern != "":
			level = mean(pattern, normal)
		default: // Source's key with a style whose pattern it uses
			if own, _ := e.Float("defaultstyle"); own > 0 && own < float64(len(patterns)) {
				level = mean(patterns[int(own)], normal)
			}
		}
		levels[uint8(style)] = grey(level)
	}
	return levels
}

// Patterns returns how light styles flicker: those that all games share, and those that lamps with styles of their own state.
func Patterns(entities []world.Entity) world.Patterns {
	out := world.Patterns{}
	for style, p := range patterns {
		if p != "" {
			out[uint8(style)] = p
		}
	}
	for i := range entities {
		e := &entities[i]
		style, _ := e.Float("style")
		if !classes.HasStyle(e.Class()) || !(style >= firstSwitched && style < 128) {
			continue
		}
		delete(out, uint8(style)) // the last decides
		own, _ := e.Float("defaultstyle")
		switch pattern := e.Value("pattern"); {
		case e.Bits("spawnflags")&startsOff != 0:
		case pattern != "":
			out[uint8(style)] = pattern[:min(len(pattern), longestPattern)]
		case own > 0 && own < float64(len(patterns)):
			out[uint8(style)] = patterns[int(own)]
		}
	}
	return out
}

func grey(level float32) [3]float32 { return [3]float32{level, level, level} }

// mean returns the average brightness of a pattern, in which the letter that shows light as it is comes so many letters after a.
// Characters that are not letters count as dark.
func mean(pattern string, normal int) float32 {
	sum, n := 0, min(len(pattern), longestPattern)
	for _, c := range []byte(strings.ToLower(pattern[:n])) {
		if c >= 'a' && c <= 'z' {
			sum += int(c - 'a')
		}
	}
	return float32(sum) / float32(normal*max(n, 1))
}
