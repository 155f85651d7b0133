package valve

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// The largest side in pixels of the images of the bands between the first texture and the second: by default, and if all images
// are drawn as finely as they can be.
const (
	bandMost       = 512
	finestBandMost = 1024
)

// pairOf returns the image that mixes a material's two textures: the first, as it is planned, with the second. It returns false if they
// can't be drawn into one picture.
func pairOf(pl *plan.Plan, fl *lookup.Files, i int, v *vmt.Material, u *parameterUse) (s images.Surface, ok bool) {
	base := plan.Alone(i)
	m := base.Of(pl.Materials)
	inverse, ok := space.InvertTexture(m.Base.UV)
	work, _ := pl.Shown(base)
	if !ok || work == nil || m.Placeholder || m.Alpha != pbr.Opaque || m.Motion != nil {
		return s, false
	}
	if s, ok = images.SurfaceOf(work); !ok {
		return s, false
	}
	s.Second = images.Source{File: fl.Texture(v.Texture("$basetexture2")), Frame: v.Int("$frame2")}
	if mask := v.Texture("$blendmodulatetexture"); mask != "" && !u.Glow { // a glow makes the engine ignore the mask
		s.Among.File, s.Pair.Place = fl.Texture(mask), space.MultiplyTexture(maskMatrix(v), inverse)
		k := paint.SpanOf(s.Pair.Place)
		if ok = s.Among.File != "" && k > 0 && (k == 1 || s.Span <= 1); ok && k > 1 {
			s.Span, s.Pair.Place, s.Paint.Detail.UV = k, paint.Scaled(s.Pair.Place, k), paint.Scaled(s.Paint.Detail.UV, k)
		}
	}
	return s, ok && s.Second.File != ""
}

// maskMatrix returns the matrix of $blendmodulatetexture. The engine reads $blendmasktransform only with $maskedblending, and if
// $bumptransform is set too. Source SDK 2013, lightmappedgeneric_dx9_helper.cpp, bHasBlendMaskTransform.
func maskMatrix(v *vmt.Material) [6]float64 {
	if v.Bool("$maskedblending") && matrixOf(v, "$bumptransform") != pbr.Identity {
		return matrixOf(v, "$blendmasktransform")
	}
	return pbr.Identity
}

// masked draws the second texture into the first if the mask alone is its opacity, which is one half without a mask. It returns false
// if the vertices' alpha blends the second texture, or if it can't be drawn.
func (vp *Planner) masked(i int, v *vmt.Material, u *parameterUse) bool {
	if !v.Bool("$maskedblending") || !vp.Options.Combine {
		return false
	}
	s, ok := pairOf(vp.Into, vp.Files, i, v, u)
	if !ok {
		return false
	}
	_, name := vp.Into.Shown(plan.Alone(i))
	s.Pair.Masked, s.Pair.Weight = true, 0.5
	vp.Into.Replace(plan.Alone(i), s, name+"_masked")
	m := plan.Alone(i).Of(vp.Into.Materials)
	m.Base.Span, m.Emission.Slot.UV = s.Span, pbr.Spanned(s.Span)
	return true
}

// bands plans the images of a layer's bands, because glTF's viewers would blend in display space and without the mask. u is the use of the
// first texture's alpha. It returns false if the layer is blended with what is below.
func (vp *Planner) bands(to plan.Target, v *vmt.Material, u *parameterUse) bool {
	s, ok := pairOf(vp.Into, vp.Files, to.Material, v, u)
	if !ok || !vp.Options.Combine {
		return false
	}
	base, m := plan.Alone(to.Material).Of(vp.Into.Materials), to.Of(vp.Into.Materials)
	_, name := vp.Into.Shown(plan.Alone(to.Material))
	m.Emission, m.BaseColor = base.Emission, base.BaseColor
	if vp.Options.Details {
		m.Layer.Mask = &pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}
		if s.Among.File != "" {
			inverse, _ := space.InvertTexture(base.Base.UV)
			m.Layer.Mask.UV = space.MultiplyTexture(maskMatrix(v), inverse)
			vp.Into.UseTexture(s.Among.File, images.Form{}, plan.User{To: to, Role: plan.AsMask})
		}
	}
	m.Layer.Bands = make([]pbr.Band, pbr.Bands)
	for k := range m.Layer.Bands {
		m.Layer.Bands[k] = pbr.Band{Base: pbr.NoImage, Glow: pbr.NoImage, Span: s.Span}
		s.Pair.Weight, s.Pair.Most = float32(k+1)/pbr.Bands, bandMost
		switch last := k == pbr.Bands-1; {
		case last && s.Among.File == "" && s.Paint.Glow == 0:
			continue // the layer's own picture
		case last:
			s.Pair.Most = 0
		case vp.Options.CombineAll:
			s.Pair.Most = finestBandMost
		}
		vp.Into.Use(s, fmt.Sprintf("%s_band%d", name, k+1), plan.User{To: to, Role: plan.AsBand, Side: k})
	}
	return true
}
