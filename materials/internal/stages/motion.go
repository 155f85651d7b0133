package stages

import (
	"reflect"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

func waveOf(w q3shader.Wave) *pbr.Wave {
	return &pbr.Wave{Func: w.Func.String(), Base: float64(w.Base), Amp: float64(w.Amp), Phase: float64(w.Phase), Freq: float64(w.Freq)}
}

// changes converts tcMods, in order; it returns nil if none of them moves.
func changes(mods []q3shader.TCMod) (list []pbr.Change) {
	moves := false
	for _, m := range mods {
		c := pbr.Change{}
		arg := func(indices ...int) {
			for _, i := range indices {
				c.Numbers = append(c.Numbers, float64(m.Args[i]))
			}
		}
		switch m.Kind {
		case q3shader.TCScale:
			c.Kind = "scale"
			arg(0, 1)
		case q3shader.TCScroll:
			c.Kind, moves = "scroll", true
			arg(0, 1)
		case q3shader.TCRotate:
			c.Kind, moves = "rotate", true
			arg(0)
		case q3shader.TCStretch:
			c.Kind, c.Wave, moves = "stretch", waveOf(m.Wave), true
		case q3shader.TCTransform: // in the order of a matrix's rows
			c.Kind = "transform"
			arg(0, 2, 4, 1, 3, 5)
		case q3shader.TCTurb:
			c.Kind, moves = "turb", true
			c.Numbers = []float64{float64(m.Wave.Amp), float64(m.Wave.Phase), float64(m.Wave.Freq)}
		default:
			continue
		}
		list = append(list, c)
	}
	if !moves {
		return nil
	}
	return list
}

// moveSimple sets a material's motion to that of the stages that it shows unchanged.
func (sp *Planner) moveSimple(to plan.Target, r *recipe, s *simple) {
	m := to.Of(sp.Into.Materials)
	if s.base >= 0 && r.stages[s.base].Gen == q3shader.TCBase {
		l := &r.stages[s.base]
		if list := changes(l.mods); list != nil {
			rest := l.UV
			m.Move().Base, m.Move().Rest = list, &rest
		}
		if l.wave != nil {
			m.Move().Color, m.Move().ColorRest = waveOf(*l.wave), l.rest
		}
		sp.animate(to, l)
	}
	if s.glow < 0 || !s.glows || m.Draw.Unlit && !r.emits {
		return
	}
	l := &r.stages[s.glow]
	if list := changes(l.mods); list != nil && l.Gen == q3shader.TCBase {
		m.Move().Glow = list
		if s.base >= 0 && m.Motion.Rest == nil {
			rest := r.stages[s.base].UV
			m.Motion.Rest = &rest
		}
	}
	if l.wave != nil {
		m.Move().GlowColor, m.Move().GlowColorRest = waveOf(*l.wave), l.rest
	}
}

// movePicture gives a material the motion that all stages of its picture share, and the wave of one that is alone; for a sky, the motion
// of the first stage.
func movePicture(m *pbr.Material, r *recipe) {
	var first *stage
	for i := range r.stages {
		l := &r.stages[i]
		switch {
		case l.Image == "" || l.Mean():
		case first == nil:
			first = l
		case !reflect.DeepEqual(first.mods, l.mods) && m.Sky == nil:
			return
		}
	}
	if first == nil {
		return
	}
	if list := changes(first.mods); list != nil {
		rest := first.UV
		m.Move().Base, m.Move().Rest = list, &rest
	}
	if len(r.stages) == 1 && first.wave != nil && addsTo(first.Blend) { // what is added is in proportion to the colour
		m.Move().Color, m.Move().ColorRest = waveOf(*first.wave), first.rest
	}
}

// addsTo reports whether a stage with a blend only adds to the background.
func addsTo(b *q3shader.Blend) bool {
	return b != nil && b.Dst == q3shader.One && b.Src != q3shader.DstColor
}

// animate requests the frames of an animated stage.
func (sp *Planner) animate(to plan.Target, l *stage) {
	if !sp.Options.Frames || len(l.frames) < 2 || !(l.fps > 0) {
		return
	}
	m := to.Of(sp.Into.Materials).Move()
	m.FPS = l.fps
	m.Frames = make([]pbr.Slot, len(l.frames))
	for k, file := range l.frames {
		m.Frames[k] = pbr.Slot{Image: pbr.NoImage, Clamp: l.Clamp, UV: pbr.Identity}
		sp.Into.UseFile(file, plan.User{To: to, Role: plan.AsFrame, Side: k, Alpha: l.UsesAlpha()})
	}
}

// deforms sets the deformations that move a material's vertices.
func deforms(m *pbr.Material, list []q3shader.Deform) {
	for i := range list {
		d := &list[i]
		out := pbr.Deform{Wave: *waveOf(d.Wave)}
		vector := func(v [3]float32) {
			for k, x := range v {
				out.Vector[k] = float64(x)
			}
		}
		switch d.Kind {
		case q3shader.DeformWave:
			out.Kind, out.Spread = pbr.DeformWave, float64(d.Spread)
		case q3shader.DeformMove:
			out.Kind = pbr.DeformMove
			vector(d.Move)
		case q3shader.DeformBulge:
			out.Kind = pbr.DeformBulge
			vector(d.Bulge)
		default:
			continue
		}
		m.Move().Deforms = append(m.Move().Deforms, out)
	}
}
