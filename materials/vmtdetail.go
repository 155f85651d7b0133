package materials

import (
	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
)

// detail returns a material's detail texture; ok is false where it has none. base is the base texture's matrix.
func (vp *valvePlanner) detail(v *vmt.Material, base [6]float64) (d detail, missing string, ok bool) {
	name := v.Texture("$detail")
	if name == "" {
		return d, "", false
	}
	if d.file = vp.files.texture(name); d.file == "" {
		return d, name, false
	}
	d.frame = v.Int("$detailframe")
	d.mode = blendMode(min(max(v.Float("$detailblendmode", 0), 0), float64(bumpOfColor)))
	if d.mode == bumpOfBump && v.Texture("$bumpmap") == "" {
		d.mode = bumpOfColor // as the engine has it where there are no normals to tilt
	}
	d.factor = clamp01(v.Float("$detailblendfactor", 1))
	for k, c := range v.Color("$detailtint", white) {
		d.tint[k] = clamp01(c)
		if !mixes[d.mode].stored {
			d.tint[k] = srgbToLinear(d.tint[k])
		}
	}
	// A transform of its own is before the scale, else the base's is.
	if own, ok := v.Matrix("$detailtexturetransform"); ok {
		base = own
	}
	d.uv = multiply(scaling(v, "$detailscale", 4), base)
	return d, "", true
}

// scaling is the matrix of a parameter that scales coordinates: one number, or one for each.
func scaling(v *vmt.Material, name string, otherwise float64) [6]float64 {
	x := v.Float(name, otherwise)
	y := x
	if n := v.Vector(name); len(n) > 1 {
		y = n[1]
	}
	return [6]float64{x, 0, 0, 0, y, 0}
}

// detailVMT draws a material's detail texture into its base, or lets it shine, and returns what is not shown.
func (vp *valvePlanner) detailVMT(to target, v *vmt.Material) (cut []string) {
	m := to.of(vp.plan.Materials)
	d, missing, ok := vp.detail(v, m.Base.UV)
	if !ok {
		if missing != "" {
			cut = append(cut, "$detail")
		}
		return cut
	}
	inverse, ok := invert(m.Base.UV)
	if !ok {
		return []string{"$detail"}
	}
	uv := multiply(d.uv, inverse)
	switch d.mode {
	case shone, shoneAbove:
		if !vp.o.Emissive || m.Unlit || m.Emission != [3]float32{} {
			return []string{"$detail"}
		}
		vp.detailGlow(to, &d, uv)
		return nil
	case bumpOfBump:
		return []string{"$detail"}
	}
	p := overpaint{over: d.file, second: d.frame, uv: uv, mode: d.mode, factor: d.factor, tint: d.tint, finer: 4}
	if vp.o.Combine != "all" || !vp.plan.repaint(to, p, "_detail", false) {
		return []string{"$detail"}
	}
	return nil
}

// detailGlow makes a detail texture the material's emission.
func (vp *valvePlanner) detailGlow(to target, d *detail, uv [6]float64) {
	m := to.of(vp.plan.Materials)
	m.Emissive.UV = uv
	plain := d.mode == shone || d.factor >= 1
	for k, c := range d.tint {
		switch {
		case !plain:
			m.Emission[k] = 1 // it is in the picture
		case d.mode == shone:
			m.Emission[k] = float32(c * d.factor)
		default:
			m.Emission[k] = float32(c)
		}
	}
	if plain {
		vp.plan.useTexture(d.file, form{frame: d.frame}, false, user{to: to, role: asGlow})
		return
	}
	vp.plan.useGlow(overpaint{base: d.file, form: form{frame: d.frame}, mode: shoneAbove, factor: d.factor, tint: d.tint, uv: identity}, to)
}
