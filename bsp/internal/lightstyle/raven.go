package lightstyle

import (
	"cmp"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Raven's light styles have a pattern each for red, green and blue, in which z, the 25th letter after a, shows light as it is. OpenJK,
// codemp/cgame/cg_light.c, CG_SetLightstyle; codemp/game/g_spawn.c.
const ravenNormal = 25

// ravenPatterns are the patterns that differ from Quake's or have no match there.
var ravenPatterns = map[int][3]string{
	12: {"mkigegik", "mkigegik", "mkigegik"},
	13: {"abcdefghijklmqrstuvwxyz", "zyxwvutsrqmlkjihgfedcba", "aammbbzzccllcckkffyyggp"},
}

const (
	ravenStyles = 32 // styles with patterns, which worldspawn can replace; those from here on belong to lamps that are switched
	ravenOff    = 4  // spawnflag of a lamp that starts off
)

// RavenLevels is Levels for Raven's games. A style without a pattern shows light as it is. Lamps with a name set their style, to all
// or nothing or to the level of another style. OpenJK, codemp/game/g_misc.c, SP_light and misc_lightstyle_set.
func RavenLevels(entities []world.Entity) world.Levels {
	levels := world.Levels{}
	for style := 1; style < ravenStyles && len(entities) > 0; style++ {
		own, ok := ravenPatterns[style]
		if !ok && style < len(patterns) {
			own = [3]string{patterns[style], patterns[style], patterns[style]}
		}
		level := [3]float32{1, 1, 1}
		for k, channel := range "rgb" {
			p := cmp.Or(entities[0].Value(fmt.Sprintf("ls_%d%c", style, channel)), own[k])
			if p != "" {
				level[k] = mean(p, ravenNormal)
			}
		}
		if level != [3]float32{1, 1, 1} {
			levels[uint8(style)] = level
		}
	}
	for i := range entities {
		e := &entities[i]
		style, ok := e.Float("style")
		if !ok || !(style >= 1 && style < 2*ravenStyles) {
			continue
		}
		if classes.LampOf(classes.Raven, e.Class()) != classes.PointLamp || e.Value("targetname") == "" {
			continue
		}
		key, level := "switch_style", [3]float32{1, 1, 1}
		if e.Bits("spawnflags")&ravenOff != 0 {
			key, level = "style_off", [3]float32{}
		}
		if other, _ := e.Float(key); other >= 1 && other < 2*ravenStyles {
			level = [3]float32{1, 1, 1}
			if l, ok := levels[uint8(other)]; ok {
				level = l
			}
		}
		levels[uint8(style)] = level
	}
	return levels
}
