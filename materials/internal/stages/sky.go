package stages

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// scriptSky makes the material of a sky that a script describes: its box, and its stages as clouds. Clouds over a box are a material and
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
		sp.Into.Miss(wm, missing)
	}
	sheets := [][]q3shader.Stage{sh.Stages}
	if sp.Options.Environment {
		sheets = cloudSheets(sh.Stages, box)
	}
	var cut []string
	for k, stages := range sheets {
		r, missing, more := newRecipe(stages, world.Fullbright, true, sp.Files.Find)
		sp.Into.Miss(wm, missing)
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
		sheet := to.Of(sp.Into.Materials)
		sheet.Draw.Unlit, sheet.Vertex.Color = true, false
	}
	m.Draw.Unlit, m.Vertex.Color = true, false
	sp.Into.NotShown(i, cut)
}

// cloudSheets divides the stages of clouds into groups, each of which moves as one and covers the background, only adds to it, only
// multiplies it, or blends with it. Without a box the first group covers, even if its stages don't, because there is nothing behind it.
func cloudSheets(stages []q3shader.Stage, box bool) [][]q3shader.Stage {
	var sheets [][]q3shader.Stage
	last := covers
	for i := range stages {
		e := effectOf(stages[i].Blend)
		if i == 0 && !box {
			e = covers
		}
		if e == covers && i > 0 { // nothing before it is visible
			sheets = nil
		}
		if len(sheets) == 0 || e != last && last != covers || !movesWith(&stages[i], sheets[len(sheets)-1]) {
			sheets, last = append(sheets, nil), e
		}
		group := &sheets[len(sheets)-1]
		*group = append(*group, stages[i])
	}
	return sheets
}

// movesWith reports whether a stage stays in place or moves as a group's does. White is the same wherever it moves.
func movesWith(a *q3shader.Stage, group []q3shader.Stage) bool {
	at := slices.IndexFunc(group, func(b q3shader.Stage) bool { return b.Kind != q3shader.White })
	return a.Kind == q3shader.White || at < 0 || reflect.DeepEqual(changes(a.TCMods), changes(group[at].TCMods))
}

// effect states what a stage does to the background.
type effect uint8

const (
	covers effect = iota
	adds
	multiplies
	blends
)

func effectOf(b *q3shader.Blend) effect {
	switch {
	case b == nil:
		return covers
	case b.Dst == q3shader.One && b.Src != q3shader.DstColor:
		return adds
	case *b == q3shader.BlendFilter, b.Src == q3shader.Zero && b.Dst == q3shader.SrcColor, b.Src == q3shader.DstColor &&
		b.Dst == q3shader.SrcColor:
		return multiplies
	}
	return blends
}
