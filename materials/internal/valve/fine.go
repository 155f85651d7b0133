package valve

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// drawFine plans the images that readers need to draw a detail texture over its base for each pixel: the base alone, and the detail. It
// does so if the combined image does not show all of the detail. p is the surface with the detail, uv the matrix from the base's
// coordinates to the detail's.
func drawFine(pl *plan.Plan, fl *lookup.Files, to plan.Target, p *images.Surface, uv [6]float64) {
	mix := &p.Paint.Detail
	if to.Layer >= 0 || !fineMode(mix, &p.Paint) || holds(fl, p) {
		return
	}
	m := to.Of(pl.Materials)
	m.Fine = &pbr.Fine{
		Base: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}, Over: pbr.Slot{Image: pbr.NoImage, UV: uv},
		Mode: int(mix.Mode), SRGB: !mix.Stored, Factor: mix.Factor, Tint: mix.Tint,
	}
	base := *p
	base.Over, base.Paint.Detail, base.Span, base.Paint.After = images.Source{}, paint.Mix{}, 0, false
	alpha := mix.Mode == paint.Under || mix.Mode == paint.TwoPatterns
	if tinted(&base.Paint) {
		pl.Use(base, surfaceName(&base), plan.User{To: to, Role: plan.AsFineBase, Alpha: alpha})
	} else {
		f := images.Form{Frame: base.Base.Frame}
		pl.UseTexture(base.Base.File, f, plan.User{To: to, Role: plan.AsFineBase, Alpha: alpha})
	}
	over := images.Form{Frame: p.Over.Frame}
	pl.UseTexture(p.Over.File, over, plan.User{To: to, Role: plan.AsFineOver, Alpha: mix.Mode.ReadsAlpha()})
}

// fineMode reports whether readers can draw a detail over a surface. They can't if the surface glows or is added to the background, which
// needs more than one image, or if a tint in the image is not the same before the detail and after it.
func fineMode(mix *paint.Mix, p *paint.Surface) bool {
	switch mix.Mode {
	case paint.Doubled, paint.TwoPatterns, paint.BumpOfColor:
		return p.Glow == 0 && p.Pixels == paint.AsStored && !(p.Places && p.Over > 0)
	case paint.MultipliedMix: // it changes the alpha, which may be the amount of a tint
		return p.Glow == 0 && p.Pixels == paint.AsStored && !p.Places
	case paint.AddedMix, paint.OverMix, paint.Faded, paint.Under:
		return p.Glow == 0 && p.Pixels == paint.AsStored && !tinted(p)
	}
	return false
}

// holds reports whether a surface's image, without the size limit of the options, shows its detail texture at full resolution.
func holds(fl *lookup.Files, p *images.Surface) bool {
	width, height, bad1 := fl.VTFSize(p.Base.File)
	overWidth, overHeight, bad2 := fl.VTFSize(p.Over.File)
	if bad1 != nil || bad2 != nil {
		return true
	}
	span := max(p.Span, 1)
	return p.Paint.Detail.Holds([2]int{span * width, span * height}, [2]int{overWidth, overHeight})
}
