package valve

import (
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// glow makes a material emit light where the alpha of its texture, or another texture, is the mask: there the colour is shown as it is,
// whatever the map's light. It also applies to materials with light in their vertices' colours.
func (vp *Planner) glow(to plan.Target, wm *world.Material, v *vmt.Material, s *shader, n parameters, l *colors, p *images.Surface) {
	m := to.Of(vp.Into.Materials)
	if n != firstParameters || !vp.emits(to, wm, s) {
		return
	}
	var light [3]float64
	flows := v.Bool("$emissiveblendenabled") && v.Texture("$emissiveblendbasetexture") != ""
	switch {
	case l.Glow && l.pixels == paint.AsStored:
		angle := angleOf(v, s)
		if name := v.Texture("$selfillummask"); name != "" && s.vertex && !angle.counts && (!bumped(v) || v.Bool("$phong")) {
			if p.Mask.File = glowFile(vp, name); p.Mask.File == "" {
				return
			}
		}
		p.Paint.Glow = float32(angle.share)
		for k, c := range v.Color("$selfillumtint", paint.White) {
			if light[k] = c * angle.gain; shaderName(v.Shader) == "worldtwotextureblend" {
				light[k] = gamma.Decode(paint.Clamp01(c))
			}
			switch tint := p.Paint.Tint[k]; {
			case s.vertex && p.Paint.Tint == ones:
				light[k] *= float64(m.BaseColor[k])
			case !s.vertex && tint > 0: // the colour of a wall applies to lit parts, not to glowing ones
				p.Paint.Light[k] = 1 / tint
			}
		}
	case !l.Glow && flows:
		file := glowFile(vp, v.Texture("$emissiveblendbasetexture"))
		if file == "" {
			return
		}
		strength := max(v.Float("$emissiveblendstrength", 1), 0)
		for k, c := range v.Color("$emissiveblendtint", paint.White) {
			light[k] = strength * gamma.Decode(min(max(c, 0), brightest))
		}
		if emit(m, light) {
			vp.Into.UseTexture(file, images.Form{}, plan.User{To: to, Role: plan.AsGlow})
		}
		return
	default:
		return
	}
	emit(m, light)
}

// emits reports whether a material can emit light. Unlit materials, and those with all light in their vertices' colours, can't.
func (vp *Planner) emits(to plan.Target, wm *world.Material, s *shader) bool {
	vertex := wm.Lighting == world.PerVertex && !s.unlit
	return vp.shaded(to) || vertex && !vp.Options.Baked
}

// emit sets a material's emission, and reports whether there is any.
func emit(m *pbr.Material, light [3]float64) bool {
	e := &m.Emission
	e.Strength = 1
	for k, c := range light {
		e.Color[k] = float32(min(max(c, 0), brightest))
		e.Strength = max(e.Strength, e.Color[k])
	}
	for k := range e.Color {
		e.Color[k] /= e.Strength
	}
	return e.Color != [3]float32{}
}

// brightest is the maximum emission of a material, as a multiple of white.
const brightest = 16

// glowFile returns the file of a texture that masks a material's glow, or "".
func glowFile(vp *Planner, name string) string {
	file := vp.Files.Texture(name)
	if file == "" {
		vp.Into.Issue(world.Issue{Code: "glow-missing", Where: name, Detail: "the surfaces do not shine"})
	}
	return file
}

// fresnelGlow states how a glow depends on the angle of view.
type fresnelGlow struct {
	counts      bool
	share, gain float64 // the share of the masked colour that glows, and the factor on it
}

// angleOf returns the mean, over a ball, of a glow that depends on the view angle by $selfillumfresnel. The share of the mask is
// cos^exp·(1-b) + b, where b = min/max, and the glow is multiplied by max. Over the visible disc of a ball the mean of cos^exp is
// 2/(exp+2). Source SDK 2013, skin_ps20b.fxc and vertexlit_and_unlit_generic_bump_ps2x.fxc; without normals no shader does that.
func angleOf(v *vmt.Material, s *shader) fresnelGlow {
	if !v.Bool("$selfillumfresnel") || !s.vertex || !bumped(v) && !v.Bool("$phong") {
		return fresnelGlow{share: 1, gain: 1}
	}
	low, high, exponent := 0.0, 1.0, 1.0
	if r := v.Vector("$selfillumfresnelminmaxexp"); len(r) >= 3 {
		low, high, exponent = max(r[0], 0), max(r[1], 0), max(r[2], 0)
	}
	if high == 0 {
		return fresnelGlow{true, 2 / (exponent + 2), 0}
	}
	b := low / high
	return fresnelGlow{true, paint.Clamp01(b + float64((1-b)*2)/(exponent+2)), high}
}
