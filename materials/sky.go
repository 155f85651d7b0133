package materials

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// scriptSky makes the material of a sky that a script describes: its box, and its stages as clouds.
func (sp *stagePlanner) scriptSky(i int, wm *world.Material, sh *q3shader.Shader, visible bool) {
	m := &sp.plan.Materials[i]
	m.Sky, m.Unlit = newSky(), true
	if sh.Sky != nil && sh.Sky.CloudHeight > 0 {
		m.Sky.Height = float64(sh.Sky.CloudHeight)
	}
	if !visible {
		return
	}
	if sh.Sky != nil && sh.Sky.NearBox != "" {
		sp.plan.issue(world.Issue{Code: "sky-nearbox", Where: wm.Name, Detail: fmt.Sprintf("the near box %q is not shown", sh.Sky.NearBox)})
	}
	if sh.Sky != nil && sh.Sky.FarBox != "" {
		var missing []string
		for k, side := range sides {
			file := sp.files.find(sh.Sky.FarBox + side)
			if file == "" {
				missing = append(missing, sh.Sky.FarBox+side)
				continue
			}
			sp.plan.use(file, false, user{to: target{i, -1}, role: asSkySide, side: k})
		}
		if len(missing) == len(sides) && len(sh.Stages) > 0 {
			// "skyparms full 512 -" is common: a word of early versions, and not the name of images. The clouds cover all.
			sp.plan.issue(world.Issue{Code: "sky-box", Where: wm.Name, Detail: fmt.Sprintf("there are no images of the far box %q: the clouds are shown alone", sh.Sky.FarBox)})
			missing = nil
		}
		sp.plan.missing(wm, missing)
	}
	r, missing, cut := newRecipe(sh.Stages, world.Fullbright, true, sp.files.find)
	sp.plan.missing(wm, missing)
	if r.pictures() {
		cut = append(cut, sp.surface(target{i, -1}, &r)...)
	}
	m.Unlit, m.VertexColor = true, false
	sp.plan.notShown(i, cut)
}
