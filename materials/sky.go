package materials

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func noSky() *Sky {
	return &Sky{Box: [6]int{NoImage, NoImage, NoImage, NoImage, NoImage, NoImage}}
}

// sides are the ends of the names of a sky's images, in the order of Sky.Box.
var sides = [6]string{"_rt", "_bk", "_lf", "_ft", "_up", "_dn"}

// sky makes the material of a sky: its box, and its stages as clouds.
func (ld *loader) sky(i int, wm *world.Material, sh *q3shader.Shader, visible bool) {
	m := &ld.set.Materials[i]
	m.Sky = noSky()
	m.Unlit = true
	if sh.Sky != nil {
		m.Sky.Height = float64(sh.Sky.CloudHeight)
	}
	if m.Sky.Height <= 0 {
		m.Sky.Height = 512
	}
	if !visible {
		return
	}
	if sh.Sky != nil && sh.Sky.FarBox != "" {
		var missing []string
		for k, side := range sides {
			file := ld.find(sh.Sky.FarBox + side)
			if file == "" {
				missing = append(missing, sh.Sky.FarBox+side)
				continue
			}
			ld.use(file, false, user{to: target{i, -1}, set: func(m *Material, image int, _ *combined) { m.Sky.Box[k] = image }})
		}
		if len(missing) > 0 {
			ld.missing(wm, missing)
		}
	}
	if len(sh.Stages) == 0 {
		return
	}
	r, missing, cut := newRecipe(sh.Stages, world.Fullbright, true, ld.find)
	if len(missing) > 0 {
		ld.missing(wm, missing)
	}
	if len(r.layers) == 0 {
		return
	}
	ld.surface(target{i, -1}, &r, cut)
	if sh.Sky != nil && sh.Sky.NearBox != "" {
		ld.set.Issues = append(ld.set.Issues, world.Issue{Code: "sky-nearbox", Where: wm.Name, Detail: fmt.Sprintf("the near box %q is not shown", sh.Sky.NearBox)})
	}
}
