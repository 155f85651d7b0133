package stages

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// screen draws the stages as OpenGL does, stage by stage, on one pixel, under the light l. Where a channel leaves the
// range before the last stage, it says so: only the screen can know where that happens for a light between 0 and 1.
func screen(layers []paint.Stage, images []color.NRGBA, l float64) (dst [3]float64, full bool) {
	for i := range layers {
		ly := &layers[i]
		src, a := [3]float64{1, 1, 1}, 1.0
		if ly.Image != "" {
			c := images[i]
			src, a = [3]float64{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255}, float64(c.A)/255
		}
		a *= ly.Alpha
		switch ly.Test {
		case q3shader.GT0:
			if a <= 0 {
				continue
			}
		case q3shader.LT128:
			if a >= 127.5/255 {
				continue
			}
		case q3shader.GE128:
			if a < 127.5/255 {
				continue
			}
		case q3shader.GE192:
			if a < 191.5/255 {
				continue
			}
		}
		for k := range dst {
			s := src[k] * ly.Color[k]
			if ly.Lit {
				s *= l
			}
			if ly.Blend == nil {
				dst[k] = s
				continue
			}
			factor := func(f q3shader.Factor) float64 {
				switch f {
				case q3shader.One, q3shader.DstAlpha:
					return 1
				case q3shader.SrcColor:
					return s
				case q3shader.OneMinusSrcColor:
					return 1 - s
				case q3shader.DstColor:
					return dst[k]
				case q3shader.OneMinusDstColor:
					return 1 - dst[k]
				case q3shader.SrcAlpha:
					return a
				case q3shader.OneMinusSrcAlpha:
					return 1 - a
				}
				return 0 // zero, 1 - the screen's alpha, and what saturates it
			}
			v := s*factor(ly.Blend.Src) + dst[k]*factor(ly.Blend.Dst)
			full = full || v > 1.0001 && i < len(layers)-1
			dst[k] = min(v, 1)
		}
	}
	return dst, full
}

var (
	srcs = []q3shader.Factor{q3shader.One, q3shader.Zero, q3shader.DstColor, q3shader.OneMinusDstColor, q3shader.SrcAlpha,
		q3shader.OneMinusSrcAlpha, q3shader.DstAlpha, q3shader.OneMinusDstAlpha, q3shader.SrcAlphaSaturate}
	dsts = []q3shader.Factor{q3shader.One, q3shader.Zero, q3shader.SrcAlpha, q3shader.OneMinusSrcAlpha, q3shader.DstAlpha,
		q3shader.OneMinusDstAlpha, q3shader.SrcColor, q3shader.OneMinusSrcColor}
	usual = []*q3shader.Blend{nil, &q3shader.BlendAdd, &q3shader.BlendFilter, &q3shader.BlendAlpha,
		{Src: q3shader.DstColor, Dst: q3shader.SrcColor}, {Src: q3shader.Zero, Dst: q3shader.SrcColor},
		{Src: q3shader.SrcAlpha, Dst: q3shader.One}}
)

// drawnStages draws a random shader that starts opaque and never multiplies light by light nor makes light darken, for
// which lit·L + glow is no more than near.
func drawnStages(t *rapid.T) (r paint.Recipe, images []color.NRGBA) {
	r.Light = paint.ByMap
	isLit := false // what was drawn so far
	for i := range rapid.IntRange(1, 6).Draw(t, "stages") {
		l := paint.Stage{UV: pbr.Identity, Alpha: 1, Color: [3]float64{1, 1, 1}}
		switch rapid.IntRange(0, 3).Draw(t, "what") {
		case 0:
			l.Lit = true // the lightmap
		case 1:
			for k := range l.Color {
				l.Color[k] = rapid.Float64Range(0, 1).Draw(t, "color")
			}
			l.Lit = rapid.Bool().Draw(t, "lit")
			fallthrough
		default:
			l.Image = fmt.Sprintf("%d%s", i, rapid.SampledFrom([]string{".tga", ".jpg"}).Draw(t, "ext"))
			l.Alpha = rapid.SampledFrom([]float64{1, 1, 1, 0.6, 0}).Draw(t, "alpha")
		}
		c := color.NRGBA{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b"), rapid.Byte().Draw(t, "a")}
		if opaqueImage(l.Image) {
			c.A = 255
		}
		if i > 0 {
			l.Blend = rapid.SampledFrom(usual).Draw(t, "usual")
			if rapid.IntRange(0, 3).Draw(t, "odd") == 0 {
				l.Blend = &q3shader.Blend{Src: rapid.SampledFrom(srcs).Draw(t, "src"), Dst: rapid.SampledFrom(dsts).Draw(t, "dst")}
				if *l.Blend == (q3shader.Blend{Src: q3shader.One, Dst: q3shader.Zero}) {
					l.Blend = nil
				}
			}
			l.Test = rapid.SampledFrom([]q3shader.AlphaFunc{q3shader.AlphaAll, q3shader.AlphaAll, q3shader.AlphaAll,
				q3shader.GT0, q3shader.LT128, q3shader.GE128, q3shader.GE192}).Draw(t, "test")
		}
		if b := l.Blend; b != nil {
			ofDst := b.Src == q3shader.DstColor || b.Src == q3shader.OneMinusDstColor
			ofSrc := b.Dst == q3shader.SrcColor || b.Dst == q3shader.OneMinusSrcColor
			if isLit && (ofDst || ofSrc) || b.Dst == q3shader.OneMinusSrcColor {
				l.Lit = false // else light by light, or less for more light
			}
			if isLit && b.Src == q3shader.OneMinusDstColor {
				b = &q3shader.Blend{Src: b.Src, Dst: q3shader.One}
				l.Blend = b
			}
		}
		isLit = isLit || l.Lit
		r.Stages, images = append(r.Stages, l), append(images, c)
	}
	return r, images
}

// The picture of a recipe and, where there is one, its simple form show what OpenGL draws.
func TestRecipesShowWhatTheEngineDraws(t *testing.T) {
	simples, pictures := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r, colors := drawnStages(t)
		images := make([]*image.NRGBA, len(colors))
		for i, c := range colors {
			if r.Stages[i].Image != "" {
				images[i] = filled(1, 1, c)
			}
		}
		lit, glow := evaluate(&r, images)
		c := paint.LayOut(&r, images)
		parts := map[paint.Part]*image.NRGBA{}
		err := c.Draw(t.Context(), &r, func(part paint.Part, im *image.NRGBA) error {
			parts[part] = im
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if c.Alpha != pbr.Opaque {
			t.Fatalf("alpha %v", c.Alpha)
		}
		s, simple := simplify(recipeOf(&r))
		for _, l := range []float64{0, 0.5, 1} {
			want, full := screen(r.Stages, colors, l)
			if full && l > 0 {
				continue
			}
			pictures++
			for k := range want {
				if got := min(lit[k]*l+glow[k], 1); math.Abs(got-want[k]) > 1e-4 {
					t.Fatalf("light %g, channel %d: %g, the screen %g", l, k, got, want[k])
				}
				if !simple {
					continue
				}
				simples++
				at := func(layer int) float64 {
					if layer < 0 {
						return 1
					}
					c := colors[layer]
					return float64([3]uint8{c.R, c.G, c.B}[k]) / 255
				}
				got := s.baseColor[k] * at(s.base)
				if !s.unlit {
					got *= l * s.gain
				}
				if s.glows {
					got += s.glowColor[k] * at(s.glow)
				}
				if got = min(got, 1); math.Abs(got-want[k]) > 1e-4 {
					t.Fatalf("light %g, channel %d: simple %g, the screen %g", l, k, got, want[k])
				}
			}
		}
		// The written stages are the evaluated ones.
		if _, full := screen(r.Stages, colors, 1); full {
			return
		}
		for k := range 3 {
			base := float64(parts[paint.BasePart].Pix[k]) / 255 * c.Gain
			want := lit[k]
			if c.Unlit {
				want = min(lit[k]+glow[k], 1)
			}
			if math.Abs(base-min(want, c.Gain)) > 2.0/255*c.Gain {
				t.Fatalf("channel %d: written %g, evaluated %g", k, base, want)
			}
			if im := parts[paint.GlowPart]; im != nil && im.Pix[k] != paint.Value(float32(glow[k])) {
				t.Fatalf("channel %d: emission %d of %g over %g", k, im.Pix[k], glow[k], lit[k])
			}
		}
	})
	if simples == 0 || pictures == 0 {
		t.Error("nothing was compared")
	}
	t.Logf("%d pictures, %d simple", pictures, simples)
}

// recipeOf returns the recipe whose picture has the recipe r.
func recipeOf(r *paint.Recipe) *recipe {
	out := &recipe{light: r.Light}
	for _, l := range r.Stages {
		out.stages = append(out.stages, stage{Stage: l})
	}
	return out
}

// filled returns an image of one colour.
func filled(w, h int, c color.NRGBA) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(im.Pix); i += 4 {
		copy(im.Pix[i:], []byte{c.R, c.G, c.B, c.A})
	}
	return im
}

// evaluate returns the planes of a recipe of images of one pixel.
func evaluate(r *paint.Recipe, images []*image.NRGBA) (lit, glow [3]float64) {
	c := paint.LayOut(r, images)
	cv := paint.NewCanvas(c.Width)
	rgb, alpha := make([]float32, 3*c.Width), make([]float32, c.Width)
	cv.Clear()
	for i := range r.Stages {
		s := c.Samplers[i]()
		rgb, alpha := s.Row(0, rgb, alpha)
		cv.Over(&r.Stages[i], rgb, alpha)
	}
	for k := range 3 {
		if p := &cv.Planes[paint.LitPlane]; p.Set {
			lit[k] = float64(p.Values[k])
		}
		if p := &cv.Planes[paint.GlowPlane]; p.Set {
			glow[k] = float64(p.Values[k])
		}
	}
	return lit, glow
}
