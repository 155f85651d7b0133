package quake3

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// isDeluxe reports whether odd pages hold the directions of the even ones' light. q3map2 and others leave a note in
// worldspawn. Without one, no surface may use an odd page (ioquake3 asks for no more, and takes any map that uses page
// 0 of two for deluxe) and the pages beside used ones must hold unit vectors where there is light: in real deluxe maps
// they do at 94 to 97 of 100 luxels.
func isDeluxe(used []bool, entities []world.Entity, pages []page) bool {
	for i := 1; i < len(used); i += 2 {
		if used[i] {
			return false
		}
	}
	if len(entities) > 0 {
		e := &entities[0]
		if e.Value("deluxeMapping") == "1" || strings.Contains(e.Value("_q3map2_cmdline")+" ", "-deluxe ") {
			return true
		}
	}
	unit, all := 0, 0
	for i := 0; i+1 < len(pages); i += 2 {
		if lit(used, i) {
			u, n := unitVectors(&pages[i], &pages[i+1])
			unit, all = unit+u, all+n
		}
	}
	return all > 0 && unit*10 >= all*9
}

// unitVectors counts the luxels of a page that have light, and those of them where the other page has a unit vector.
func unitVectors(light, dir *page) (unit, all int) {
	for i := range light.width * light.height {
		if l := light.data[i*light.stride:]; l[0]|l[1]|l[2] == 0 {
			continue
		}
		all++
		if dir.width != light.width || dir.height != light.height {
			continue
		}
		v := dir.data[i*dir.stride:]
		l := space.Length([3]float32{float32(v[0])/127.5 - 1, float32(v[1])/127.5 - 1, float32(v[2])/127.5 - 1})
		grey := max(v[0], v[1], v[2])-min(v[0], v[1], v[2]) < 16 // light far more often than the direction 1 1 1
		if l > 0.96 && l < 1.04 && !grey {
			unit++
		}
	}
	return unit, all
}
