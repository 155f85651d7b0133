package stages

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// blendGroups divides the stages of a surface without a lightmap (lava, a teleporter, a shiny item) into groups, for readers that blend
// as the game does: one still image can't show lava whose stages scroll in three directions, or a lamp that shines under a reflection in
// the light of the vertices. The stages of a group move together, and the vertices' colours light all of them or none. It returns nil if
// one image shows the stages, or if one of them has an alpha test, because readers draw that with the opaque surfaces.
func (sp *Planner) blendGroups(stages []q3shader.Stage, r *recipe) [][]q3shader.Stage {
	lit, rest := r.shares()
	split := r.light == paint.ByVertex && lit && rest
	if !sp.Options.Motion || sp.Facts.Filtered || r.light != paint.Unlit && !split ||
		slices.ContainsFunc(r.stages, func(l stage) bool {
			return l.Test != q3shader.AlphaAll && (l.Test == q3shader.LT128 || !l.solid())
		}) {
		return nil
	}
	stages = slices.DeleteFunc(slices.Clone(stages), func(st q3shader.Stage) bool { return idle(&st) })
	alive := 0 // stages that move, or turn with the eye
	for i := range stages {
		if st := &stages[i]; changes(st.TCMods) != nil || pulses(st) || st.TCGen.Kind == q3shader.TCEnvironment {
			alive++
		}
	}
	groups := groupByMotion(stages, true, func(st *q3shader.Stage, group []q3shader.Stage) bool {
		return movesWith(st, group) && st.TCGen.Kind == group[0].TCGen.Kind && st.TCGen.Kind != q3shader.TCEnvironment &&
			!pulses(st) && !slices.ContainsFunc(group, func(g q3shader.Stage) bool { return pulses(&g) }) &&
			(effectOf(st.Blend) == multiplies || byVertex(st) == anyByVertex(group))
	})
	if alive == 0 && !split || len(groups) < 2 || slices.ContainsFunc(groups, darkens) {
		return nil
	}
	return groups
}

// byVertex reports whether the vertices' colours light a stage of a surface without a lightmap.
func byVertex(st *q3shader.Stage) bool {
	k := st.RGBGen.Kind
	return k == q3shader.GenVertex || k == q3shader.GenExactVertex || k == q3shader.GenLightingDiffuse
}

func anyByVertex(list []q3shader.Stage) bool {
	return slices.ContainsFunc(list, func(st q3shader.Stage) bool { return byVertex(&st) })
}

// darkens reports whether a group multiplies the background by the vertices' light, which a separate material can't do.
func darkens(group []q3shader.Stage) bool {
	return effectOf(group[0].Blend) == multiplies && anyByVertex(group)
}

// shares reports whether light falls on a part of the stages' result, and whether there is a part without light.
func (r *recipe) shares() (lit, rest bool) {
	for i := range r.stages {
		switch l := &r.stages[i]; {
		case i == 0 || l.Blend == nil && l.Test == q3shader.AlphaAll:
			lit, rest = l.Lit, !l.Lit
		case effectOf(l.Blend) == multiplies:
			if l.Lit {
				lit, rest = true, false
			}
		case l.Lit:
			lit = true
		case l.Blend == nil || l.Blend.Src != q3shader.DstColor:
			rest = true
		}
	}
	return lit, rest
}

// useTypicalLight leaves the vertices' colours out of an image whose stages they would darken wrongly: all of it, or all except what is
// added, which gets the typical light.
func (r *recipe) useTypicalLight() {
	lit, rest := r.shares()
	if r.light != paint.ByVertex || lit && (!rest || r.stages[0].Lit ||
		slices.ContainsFunc(r.stages, func(l stage) bool { return l.Lit && !addsTo(l.Blend) })) {
		return
	}
	r.light = paint.Unlit
	for i := range r.stages {
		l := &r.stages[i]
		for k := range l.Color {
			if l.Lit {
				l.Color[k] *= paint.TypicalLight
			}
		}
		l.Lit = false
	}
}

// idle reports whether a stage of an unlit surface changes nothing: it multiplies by a lightmap, which is white there.
func idle(st *q3shader.Stage) bool {
	return st.Kind == q3shader.Lightmap && st.RGBGen.Kind != q3shader.GenWave && !byVertex(st) && st.Blend != nil &&
		st.Blend.Src == q3shader.DstColor && (st.Blend.Dst == q3shader.Zero || st.Blend.Dst == q3shader.OneMinusSrcAlpha)
}

// pulses reports whether a wave changes a stage's colour.
func pulses(st *q3shader.Stage) bool {
	return st.RGBGen.Kind == q3shader.GenWave && st.RGBGen.Wave.Freq != 0
}

// addGroup adds a layer that shows a group of stages on all of a material's surfaces, and returns what it does not show.
func (sp *Planner) addGroup(i int, wm *world.Material, stages []q3shader.Stage) (cut []string) {
	r, missing, cut := newRecipe(stages, wm.Lighting, sp.Options.CombineAll, sp.Files.Find)
	sp.Into.MarkMissing(wm, missing)
	if !r.pictures() {
		return cut
	}
	m := &sp.Into.Materials[i]
	k := len(m.Layers) + 1
	l := pbr.New(wm.Name)
	l.Name = fmt.Sprintf("%s layer %d", wm.Name, k)
	l.Draw, l.Layer.Whole = m.Draw, true
	setSort(&l, m.Draw.Sort+float32(k)/1024)
	if m.Motion != nil && m.Motion.Deforms != nil {
		l.Move().Deforms = m.Motion.Deforms
	}
	m.Layers = append(m.Layers, l)
	return append(cut, sp.surface(plan.Target{Material: i, Layer: k - 1}, &r)...)
}

// groupByMotion divides the stages of clouds into groups. The stages of a group move together, and have one effect on the background:
// they cover it, add to it, multiply it, or blend with it. Without a box the first group covers, even if its stages don't, because there
// is nothing behind it. together reports whether a stage may join a group with the same effect.
func groupByMotion(stages []q3shader.Stage, box bool, together func(*q3shader.Stage, []q3shader.Stage) bool) [][]q3shader.Stage {
	var groups [][]q3shader.Stage
	last := covers
	for i := range stages {
		e := effectOf(stages[i].Blend)
		if i == 0 && !box {
			e = covers
		}
		if e == covers && i > 0 { // nothing before it is visible
			groups = nil
		}
		if len(groups) == 0 || e != last && last != covers || !together(&stages[i], groups[len(groups)-1]) {
			groups, last = append(groups, nil), e
		}
		group := &groups[len(groups)-1]
		*group = append(*group, stages[i])
	}
	return groups
}

// movesWith reports whether a stage does not move or moves like a group. Movement does not matter for white.
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
	case addsTo(b):
		return adds
	case *b == q3shader.BlendFilter, b.Src == q3shader.Zero && b.Dst == q3shader.SrcColor, b.Src == q3shader.DstColor &&
		b.Dst == q3shader.SrcColor:
		return multiplies
	}
	return blends
}
