package indexed

import (
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// palette returns the game's palette, or nil if there is none. A .wal uses Quake II's.
func (ip *Planner) palette(wal bool) [][3]uint8 {
	k, files := 0, []string{plan.QuakePalette}
	if wal {
		k, files = 1, []string{plan.Quake2Palette, plan.QuakePalette}
	}
	if ip.asked[k] {
		return ip.palettes[k]
	}
	ip.asked[k] = true
	text := ip.Options.Palette
	for _, file := range files {
		if text != "" {
			break
		}
		data, err := ip.Files.Text(file)
		if err != nil {
			continue
		}
		if text, err = Palette(data); err != nil {
			ip.Into.Issue(world.Issue{Code: "image-broken", Where: file, Detail: err.Error()})
		}
	}
	if text != "" {
		ip.palettes[k] = miptex.Colours([]byte(text))
	}
	return ip.palettes[k]
}
