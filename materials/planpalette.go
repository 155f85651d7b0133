package materials

import (
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// palette returns the game's palette, or nil where there is none. A .wal has Quake II's.
func (ip *indexedPlanner) palette(wal bool) [][3]uint8 {
	k, files := 0, []string{quakePalette}
	if wal {
		k, files = 1, []string{quake2Palette, quakePalette}
	}
	if ip.asked[k] {
		return ip.palettes[k]
	}
	ip.asked[k] = true
	text := ip.o.Palette
	for _, file := range files {
		if text != "" {
			break
		}
		data, err := ip.files.text(file)
		if err != nil {
			continue
		}
		if text, err = Palette(data); err != nil {
			ip.plan.issue(world.Issue{Code: "image-broken", Where: file, Detail: err.Error()})
		}
	}
	if text != "" {
		ip.palettes[k] = miptex.Colours([]byte(text))
	}
	return ip.palettes[k]
}
