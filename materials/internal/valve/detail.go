package valve

import (
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// detail is a material's $detail.
type detail struct {
	file  string
	frame int
	mix   paint.Mix // from the surface's coordinates
}

// detailModes is the number of modes of $detailblendmode.
const detailModes = paint.BumpOfColor + 1

// detailOf returns a material's detail texture; ok is false if it has no effective one. base is the base texture's matrix. Shaders
// differ in the modes that they know, in those that read the texture as colour, and in whether the tint is decoded. Source SDK 2013,
// lightmappedgeneric_dx9_helper.cpp, vertexlitgeneric_dx9_helper.cpp, skin_dx9_helper.cpp.
func (vp *Planner) detailOf(v *vmt.Material, s *shader, base [6]float64) (d detail, missing string, ok bool) {
	name := v.Texture("$detail")
	if name == "" {
		return d, "", false
	}
	if d.file = vp.Files.Texture(name); d.file == "" {
		return d, name, false
	}
	d.frame = v.Int("$detailframe")
	m := &d.mix
	mode := v.Float("$detailblendmode", 0)
	if mode < 0 || mode >= float64(detailModes) {
		return d, "", false
	}
	m.Mode, m.Factor = paint.BlendMode(mode), v.Float("$detailblendfactor", 1)
	tinted := true
	switch phong := s.vertex && v.Bool("$phong"); {
	case shaderName(v.Shader) == "worldtwotextureblend":
		m.Mode, m.Factor, m.Stored, tinted = paint.OverMix, 1, true, false
		if v.Bool("$detail_alpha_mask_base_texture") {
			m.Mode = paint.Reduced
		}
	case s.generic():
		m.Stored = m.Mode == paint.Doubled
		tinted = !phong && !(bumped(v) && s.vertex)
		if m.Mode == paint.BumpOfBump || m.Mode.Late() && bumped(v) && !phong {
			return d, "", false
		}
	default:
		if flags, ok := vp.Files.VTFFlags(d.file); ok && flags&vtf.SSBump != 0 {
			m.Mode = paint.BumpOfColor
			if bumped(v) {
				m.Mode = paint.BumpOfBump
			}
		}
		if m.Mode == paint.BumpOfBump && !bumped(v) || m.Mode.Late() {
			return d, "", false // there are no normals to tilt; or the shader does not know the mode
		}
		m.Stored = m.Mode != paint.AddedMix
	}
	for k, c := range v.Color("$detailtint", paint.White) {
		if m.Tint[k] = 1; tinted {
			if m.Tint[k] = min(max(c, 0), brightest); s.generic() && c <= 1 {
				m.Tint[k] = gamma.Decode(max(c, 0))
			}
		}
	}
	// The detail's own transform is applied before the scale; without one, the base's is used.
	if matrix, ok := v.Matrix("$detailtexturetransform"); ok && s.generic() {
		base = matrix
	}
	m.UV = scaledBy(base, v, "$detailscale", 4)
	return d, "", true
}

// scaledBy returns a matrix scaled by a parameter: one number for both coordinates, or one for each, which is applied before a rotation.
// Source SDK 2013, BaseVSShader.cpp, SetVertexShaderTextureScaledTransform.
func scaledBy(m [6]float64, v *vmt.Material, name string, otherwise float64) [6]float64 {
	x := v.Float(name, otherwise)
	y := x
	if n := v.Vector(name); len(n) > 1 {
		y = n[1]
	}
	return [6]float64{m[0] * x, m[1] * y, m[2] * x, m[3] * x, m[4] * y, m[5] * y}
}

// The largest side in pixels of a picture that is finer than its base because of a detail texture: of the pictures that are drawn
// by default, and of those with all details.
const (
	detailMost = 512
	finestMost = 1024
)

// drawDetail plans a material's detail texture as a part of its base colour or emission, and returns the parts that are not shown.
func (vp *Planner) drawDetail(to plan.Target, wm *world.Material, v *vmt.Material, s *shader, l *colors, p *images.Surface) (cut []string) {
	m := to.Of(vp.Into.Materials)
	d, missing, ok := vp.detailOf(v, s, m.Base.UV)
	if !ok {
		if missing != "" {
			cut = append(cut, "$detail")
		}
		return cut
	}
	inverse, ok := space.InvertTexture(m.Base.UV)
	if !ok || d.mix.Mode == paint.BumpOfBump {
		return []string{"$detail"}
	}
	d.mix.UV = space.MultiplyTexture(d.mix.UV, inverse)
	if d.mix.Mode.Late() {
		switch lit := vp.emits(to, wm, s); {
		case s.unlit && vp.Options.Combine:
			p.Paint.Unlit = true
			l.intoPicture(&p.Paint, m)
		case lit && p.Paint.Glow == 0 && to.Layer < 0:
			vp.detailGlow(to, &d)
			return nil
		case lit && p.Paint.Glow > 0 && vp.Options.Combine:
			for k, c := range m.Emission.Color {
				p.Paint.Light[k] *= c * m.Emission.Strength
			}
			m.Emission.Color, m.Emission.Strength = [3]float32{1, 1, 1}, 1
			p.Paint.Last = v.Bool("$phong")
		default:
			return []string{"$detail"}
		}
	}
	if !vp.Options.Combine {
		return []string{"$detail"}
	}
	alone := d.mix.UV
	d.mix.Finer, d.mix.Most = 4, detailMost
	if vp.Options.CombineAll {
		d.mix.Most = finestMost
	}
	if k := detailSpan(vp.Files, v, p.Base.File, d.mix.UV); k > 1 {
		p.Span, m.Base.Span, d.mix.UV, d.mix.Most = k, k, paint.Scaled(d.mix.UV, k), d.mix.Most*float64(k)
		m.Emission.Slot.UV = pbr.Spanned(k)
	}
	p.Over, p.Paint.Detail, p.Paint.After = images.Source{File: d.file, Frame: d.frame}, d.mix, s.generic()
	if vp.Options.Details && !s.second && len(v.Proxies) == 0 { // the base is always one texture
		drawFine(vp.Into, vp.Files, to, p, alone)
	}
	return nil
}

// detailSpan returns the number of periods of its base that an image with a detail covers, so that the detail's matrix, uv, need not be
// adjusted. It is 1 if the image would exceed the size of a combined one, or if the material moves.
func detailSpan(fl *lookup.Files, v *vmt.Material, base string, uv [6]float64) int {
	width, height, err := fl.VTFSize(base)
	k := paint.SpanOf(uv)
	if err != nil || k == 0 || max(width, height)*k > finestMost || len(v.Proxies) > 0 {
		return 1
	}
	return k
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
