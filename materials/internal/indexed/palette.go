package indexed

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// loose is the name of Quake's palette outside of the game's archive, as mappers' tools have it.
const loose = "palette.lmp"

// palette returns the game's palette, or "" if there is none. A .wal uses Quake II's.
func (ip *Planner) palette(wal bool) string {
	k, files := 0, []string{images.QuakePalette, loose}
	if wal {
		k, files = 1, []string{images.Quake2Palette, images.QuakePalette, loose}
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
	ip.palettes[k] = text
	return ip.palettes[k]
}
