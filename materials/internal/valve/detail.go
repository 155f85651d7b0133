package valve

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// detail returns a material's detail texture; ok is false if it has none. base is the base texture's matrix.
func (vp *Planner) detail(v *vmt.Material, base [6]float64) (d plan.Detail, missing string, ok bool) {
	name := v.Texture("$detail")
	if name == "" {
		return d, "", false
	}
	if d.File = vp.Files.Texture(name); d.File == "" {
		return d, name, false
	}
	d.Frame = v.Int("$detailframe")
	d.Mode = plan.BlendMode(min(max(v.Float("$detailblendmode", 0), 0), float64(plan.BumpOfColor)))
	if d.Mode == plan.BumpOfBump && v.Texture("$bumpmap") == "" {
		d.Mode = plan.BumpOfColor // as in the engine when there are no normals to tilt
	}
	d.Factor = plan.Clamp01(v.Float("$detailblendfactor", 1))
	for k, c := range v.Color("$detailtint", plan.White) {
		d.Tint[k] = plan.Clamp01(c)
		if !plan.Mixes[d.Mode].Stored {
			d.Tint[k] = plan.Linear(d.Tint[k])
		}
	}
	// The detail's own transform is applied before the scale; without one, the base's is used.
	if own, ok := v.Matrix("$detailtexturetransform"); ok {
		base = own
	}
	d.UV = plan.Multiply(scaling(v, "$detailscale", 4), base)
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

// detailVMT draws a material's detail texture into its base colour or emission, and returns which parts are not shown.
func (vp *Planner) detailVMT(to plan.Target, v *vmt.Material) (cut []string) {
	m := to.Of(vp.Into.Materials)
	d, missing, ok := vp.detail(v, m.Base.UV)
	if !ok {
		if missing != "" {
			cut = append(cut, "$detail")
		}
		return cut
	}
	inverse, ok := plan.Invert(m.Base.UV)
	if !ok {
		return []string{"$detail"}
	}
	uv := plan.Multiply(d.UV, inverse)
	switch d.Mode {
	case plan.Shone, plan.ShoneAbove:
		if !vp.Options.Emissive || m.Draw.Unlit || m.Emission.Color != [3]float32{} {
			return []string{"$detail"}
		}
		vp.detailGlow(to, &d, uv)
		return nil
	case plan.BumpOfBump:
		return []string{"$detail"}
	}
	p := plan.Overpaint{Over: d.File, Second: d.Frame, UV: uv, Mode: d.Mode, Factor: d.Factor, Tint: d.Tint, Finer: 4}
	if !vp.Options.CombineAll || !vp.Into.Repaint(to, p, "_detail", false) {
		return []string{"$detail"}
	}
	return nil
}

// detailGlow makes a detail texture the material's emission.
func (vp *Planner) detailGlow(to plan.Target, d *plan.Detail, uv [6]float64) {
	m := to.Of(vp.Into.Materials)
	m.Emission.Slot.UV = uv
	plain := d.Mode == plan.Shone || d.Factor >= 1
	for k, c := range d.Tint {
		switch {
		case !plain:
			m.Emission.Color[k] = 1 // the colour is in the picture
		case d.Mode == plan.Shone:
			m.Emission.Color[k] = float32(c * d.Factor)
		default:
			m.Emission.Color[k] = float32(c)
		}
	}
	if plain {
		vp.Into.UseTexture(d.File, plan.Form{Frame: d.Frame}, false, plan.User{To: to, Role: plan.AsGlow})
		return
	}
	vp.Into.UseGlow(plan.Overpaint{Base: d.File, Form: plan.Form{Frame: d.Frame}, Mode: plan.ShoneAbove, Factor: d.Factor, Tint: d.Tint, UV: pbr.Identity}, to)
}
