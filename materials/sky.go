package materials

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// sides are the ends of the names of a sky's images, in the order of Sky.Box.
var sides = [6]string{"_rt", "_bk", "_lf", "_ft", "_up", "_dn"}

// newSky is a sky that shows nothing.
func newSky() *Sky {
	s := &Sky{Height: 512}
	for k := range s.Box {
		s.Box[k], s.UV[k] = NoImage, identity
	}
	return s
}

// scriptSky makes the material of a sky that a script describes: its box, and its stages as clouds.
func (ld *loader) scriptSky(i int, wm *world.Material, sh *q3shader.Shader, visible bool) {
	m := &ld.set.Materials[i]
	m.Sky, m.Unlit = newSky(), true
	if sh.Sky != nil && sh.Sky.CloudHeight > 0 {
		m.Sky.Height = float64(sh.Sky.CloudHeight)
	}
	if !visible {
		return
	}
	if sh.Sky != nil && sh.Sky.NearBox != "" {
		ld.issue(world.Issue{Code: "sky-nearbox", Where: wm.Name, Detail: fmt.Sprintf("the near box %q is not shown", sh.Sky.NearBox)})
	}
	if sh.Sky != nil && sh.Sky.FarBox != "" {
		var missing []string
		for k, side := range sides {
			file := ld.find(sh.Sky.FarBox + side)
			if file == "" {
				missing = append(missing, sh.Sky.FarBox+side)
				continue
			}
			ld.use(file, false, user{to: target{i, -1}, set: func(m *Material, image int, _ *made) { m.Sky.Box[k] = image }})
		}
		if len(missing) == len(sides) && len(sh.Stages) > 0 {
			// "skyparms full 512 -" is common: a word of early versions, and not the name of images. The clouds cover all.
			ld.issue(world.Issue{Code: "sky-box", Where: wm.Name, Detail: fmt.Sprintf("there are no images of the far box %q: the clouds are shown alone", sh.Sky.FarBox)})
			missing = nil
		}
		ld.missing(wm, missing)
	}
	r, missing, cut := newRecipe(sh.Stages, world.Fullbright, true, ld.find)
	ld.missing(wm, missing)
	if r.pictures() {
		cut = append(cut, ld.surface(target{i, -1}, &r)...)
	}
	m.Unlit, m.VertexColor = true, false
	ld.notShown(i, cut)
}
