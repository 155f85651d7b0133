package valve

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// detail is a material's $detail.
type detail struct {
	file  string
	frame int
	mix   paint.Mix // from the surface's coordinates
}

// detailOf returns a material's detail texture; ok is false if it has none. base is the base texture's matrix.
func (vp *Planner) detailOf(v *vmt.Material, base [6]float64) (d detail, missing string, ok bool) {
	name := v.Texture("$detail")
	if name == "" {
		return d, "", false
	}
	if d.file = vp.Files.Texture(name); d.file == "" {
		return d, name, false
	}
	d.frame = v.Int("$detailframe")
	m := &d.mix
	m.Mode = paint.BlendMode(min(max(v.Float("$detailblendmode", 0), 0), float64(paint.BumpOfColor)))
	if m.Mode == paint.BumpOfBump && v.Texture("$bumpmap") == "" {
		m.Mode = paint.BumpOfColor // as in the engine when there are no normals to tilt
	}
	m.Factor = paint.Clamp01(v.Float("$detailblendfactor", 1))
	for k, c := range v.Color("$detailtint", paint.White) {
		m.Tint[k] = paint.Clamp01(c)
		if !paint.Mixes[m.Mode].Stored {
			m.Tint[k] = paint.Linear(m.Tint[k])
		}
	}
	// The detail's own transform is applied before the scale; without one, the base's is used.
	if matrix, ok := v.Matrix("$detailtexturetransform"); ok {
		base = matrix
	}
	m.UV = paint.Multiply(scaling(v, "$detailscale", 4), base)
	return d, "", true
}

// scaling returns the matrix of a parameter that scales coordinates: one number for both, or one for each.
func scaling(v *vmt.Material, name string, otherwise float64) [6]float64 {
	x := v.Float(name, otherwise)
	y := x
	if n := v.Vector(name); len(n) > 1 {
		y = n[1]
	}
	return [6]float64{x, 0, 0, 0, y, 0}
}

// drawDetail draws a material's detail texture into its base colour or emission, and returns which parts are not shown.
func (vp *Planner) drawDetail(to plan.Target, v *vmt.Material) (cut []string) {
	m := to.Of(vp.Into.Materials)
	d, missing, ok := vp.detailOf(v, m.Base.UV)
	if !ok {
		if missing != "" {
			cut = append(cut, "$detail")
		}
		return cut
	}
	inverse, ok := paint.Invert(m.Base.UV)
	if !ok {
		return []string{"$detail"}
	}
	d.mix.UV = paint.Multiply(d.mix.UV, inverse)
	switch d.mix.Mode {
	case paint.Shone, paint.ShoneAbove:
		if !vp.Options.Emissive || m.Draw.Unlit || m.Emission.Color != [3]float32{} {
			return []string{"$detail"}
		}
		vp.detailGlow(to, &d)
		return nil
	case paint.BumpOfBump:
		return []string{"$detail"}
	}
	d.mix.Finer = 4
	p := images.Overpaint{Over: d.file, Frame: d.frame, Mix: d.mix}
	if !vp.Options.CombineAll || !vp.Into.Repaint(to, p, "_detail", false) {
		return []string{"$detail"}
	}
	return nil
}

// detailGlow makes a detail texture the material's emission.
func (vp *Planner) detailGlow(to plan.Target, d *detail) {
	m, mix := to.Of(vp.Into.Materials), &d.mix
	m.Emission.Slot.UV = mix.UV
	plain := mix.Mode == paint.Shone || mix.Factor >= 1
	for k, c := range mix.Tint {
		switch {
		case !plain:
			m.Emission.Color[k] = 1 // the colour is in the picture
		case mix.Mode == paint.Shone:
			m.Emission.Color[k] = float32(c * mix.Factor)
		default:
			m.Emission.Color[k] = float32(c)
		}
	}
	if plain {
		vp.Into.UseTexture(d.file, images.Form{Frame: d.frame}, plan.User{To: to, Role: plan.AsGlow})
		return
	}
	bright := paint.Mix{Mode: paint.ShoneAbove, Factor: mix.Factor, Tint: mix.Tint, UV: pbr.Identity}
	p := images.Overpaint{Base: d.file, Form: images.Form{Frame: d.frame}, Mix: bright}
	vp.Into.Use(p, images.Name(d.file)+"_glow", plan.User{To: to, Role: plan.AsGlow})
}
