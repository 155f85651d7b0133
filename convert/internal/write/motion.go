package write

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// motion returns the extra that describes how a material moves (docs/internals/readers.md), or nil if it doesn't.
func (w *materialWriter) motion(m *scene.Material) map[string]any {
	x := map[string]any{}
	if m.Draw.Autosprite == pbr.FacesViewer {
		x["facing"] = "sprite"
	} else if m.Draw.Autosprite == pbr.TurnsToViewer {
		x["facing"] = "axis"
	}
	if o := m.Motion; !o.Still() {
		for key, list := range map[string][]pbr.Change{"base": o.Base, "glow": o.Glow, "mirror": o.Mirror} {
			if len(list) > 0 {
				x[key] = changes(list)
			}
		}
		if o.Rest != nil && *o.Rest != noTransform {
			x["rest"] = rounded(o.Rest[:]...)
		}
		if o.Color != nil {
			x["color"], x["color_rest"] = wave(o.Color), round6(o.ColorRest)
		}
		if o.GlowColor != nil {
			x["glow_color"], x["glow_color_rest"] = wave(o.GlowColor), round6(o.GlowColorRest)
		}
		if o.Frames != nil {
			frames := make([]int, len(o.Frames))
			for k, f := range o.Frames {
				frames[k] = w.sampled(f.Image, sampler{clamp: f.Clamp, nearest: m.Draw.Nearest})
			}
			x["frames"], x["fps"] = frames, o.FPS
		}
		if o.Clock != 0 {
			x["clock"] = round6(o.Clock)
		}
		if o.Deforms != nil {
			x["deform"] = deforms(o.Deforms, unitOf(w.scene))
		}
	}
	if len(x) == 0 {
		return nil
	}
	return x
}

func changes(list []pbr.Change) [][]any {
	out := make([][]any, len(list))
	for i, c := range list {
		out[i] = []any{c.Kind}
		if c.Wave != nil {
			out[i] = append(out[i], wave(c.Wave)...)
		}
		for _, v := range rounded(c.Numbers...) {
			out[i] = append(out[i], v)
		}
	}
	return out
}

func wave(w *pbr.Wave) []any {
	return []any{w.Func, round6(w.Base), round6(w.Amp), round6(w.Phase), round6(w.Freq)}
}

// deforms returns vertex deforms in metres, with Y up. unit is the metres of a map unit.
func deforms(list []pbr.Deform, unit float64) [][]any {
	out := make([][]any, len(list))
	for i, d := range list {
		v := d.Vector
		switch d.Kind {
		case pbr.DeformWave:
			in := d.Wave
			in.Base, in.Amp = in.Base*unit, in.Amp*unit
			out[i] = append(append([]any{"wave"}, wave(&in)...), round6(d.Spread/unit))
		case pbr.DeformMove:
			out[i] = append(append([]any{"move"}, wave(&d.Wave)...), round6(v[0]*unit), round6(v[2]*unit), round6(-v[1]*unit))
		case pbr.DeformBulge:
			out[i] = []any{"bulge", round6(v[0]), round6(v[1] * unit), round6(v[2])}
		case pbr.DeformSwell:
			out[i] = []any{"swell", round6(v[2] * unit)}
		}
	}
	return out
}

func rounded(list ...float64) []float64 {
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = round6(v)
	}
	return out
}

// round6 rounds to six decimals. Numbers of scripts are float32, which has no more.
func round6(v float64) float64 {
	if v = math.Round(v*1e6) / 1e6; v == 0 {
		return 0 // not -0
	}
	return v
}

// unitOf returns the length of a map unit in metres.
func unitOf(s *scene.Scene) float64 {
	if u, ok := s.Extras["bsp2gltf_unit"].(float64); ok && u > 0 {
		return u
	}
	return 1
}
