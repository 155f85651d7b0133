package stages

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// scriptSky makes the material of a script's sky: its box, and its stages as clouds. Clouds over a box are a material and
// its Layers if one blending can't express them.
func (sp *Planner) scriptSky(i int, wm *world.Material, sh *q3shader.Shader, visible bool) {
	m := &sp.Into.Materials[i]
	m.Sky, m.Draw.Unlit = pbr.NewSky(), true
	if sh.Sky != nil && sh.Sky.CloudHeight > 0 {
		m.Sky.Height = float64(sh.Sky.CloudHeight)
	}
	if !visible {
		return
	}
	if sh.Sky != nil && sh.Sky.NearBox != "" {
		sp.Into.Issue(world.Issue{Code: "sky-nearbox", Where: wm.Name, Detail: fmt.Sprintf("the near box %q is not shown", sh.Sky.NearBox)})
	}
	box := false
	if sh.Sky != nil && sh.Sky.FarBox != "" {
		var missing []string
		for k, side := range plan.Sides {
			file := sp.Files.Find(sh.Sky.FarBox + side)
			if file == "" {
				missing = append(missing, sh.Sky.FarBox+side)
				continue
			}
			sp.Into.UseFile(file, plan.User{To: plan.Alone(i), Role: plan.AsSkySide, Side: k})
		}
		if len(missing) == len(plan.Sides) && len(sh.Stages) > 0 {
			// "skyparms full 512 -" is common: "full" is a keyword of early versions, not the name of images. The
			// clouds cover everything.
			sp.Into.Issue(world.Issue{Code: "sky-box", Where: wm.Name,
				Detail: fmt.Sprintf("there are no images of the far box %q: the clouds are shown alone", sh.Sky.FarBox)})
			missing = nil
		} else {
			box = true
		}
		sp.Into.MarkMissing(wm, missing)
	}
	groups := [][]q3shader.Stage{sh.Stages}
	if sp.Options.Motion {
		groups = groupByMotion(sh.Stages, box, movesWith)
	}
	var cut []string
	for k, stages := range groups {
		r, missing, more := newRecipe(stages, world.Fullbright, true, sp.Files.Find)
		sp.Into.MarkMissing(wm, missing)
		cut = append(cut, more...)
		if !r.pictures() {
			continue
		}
		to := plan.Alone(i)
		if k > 0 {
			l := pbr.New(fmt.Sprintf("%s layer %d", wm.Name, len(m.Layers)+1))
			l.Sky = m.Sky
			m.Layers = append(m.Layers, l)
			to.Layer = len(m.Layers) - 1
		}
		cut = append(cut, sp.surface(to, &r)...)
		layer := to.Of(sp.Into.Materials)
		layer.Draw.Unlit, layer.Vertex.Color = true, false
	}
	m.Draw.Unlit, m.Vertex.Color = true, false
	sp.Into.NotShown(i, cut)
}
