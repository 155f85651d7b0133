package valve

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// glow makes a material glow where the alpha of its texture, or another texture, says so. An unlit material whose
// light is in its vertices' colours glows too.
func (vp *Planner) glow(to plan.Target, wm *world.Material, v *vmt.Material, s *shader, file string, n parameters) {
	m := to.Of(vp.Into.Materials)
	vertex := wm.Lighting == world.PerVertex && !s.unlit
	if !vp.Options.Emissive || m.Draw.Unlit && !vertex || n != firstParameters {
		return
	}
	var f images.Form
	var factor float64
	color := v.Color("$selfillumtint", paint.White)
	switch {
	case v.Bool("$selfillum"):
		mask := file
		if name := v.Texture("$selfillummask"); name != "" {
			if mask = glowFile(vp, name); mask == "" {
				return
			}
		}
		f = images.Form{Frame: v.Int(n.frame), Pixels: paint.Glow, Mask: mask}
		factor = meanGlow(v)
	case v.Bool("$emissiveblendenabled") && v.Texture("$emissiveblendbasetexture") != "":
		if file = glowFile(vp, v.Texture("$emissiveblendbasetexture")); file == "" {
			return
		}
		color, factor = v.Color("$emissiveblendtint", paint.White), max(v.Float("$emissiveblendstrength", 1), 0)
	default:
		return
	}
	m.Emission.Strength = 1
	for k, c := range color {
		m.Emission.Color[k] = float32(factor * paint.Linear(min(max(c, 0), brightest)))
		m.Emission.Strength = max(m.Emission.Strength, m.Emission.Color[k])
	}
	m.Emission.Strength = min(m.Emission.Strength, brightest)
	for k := range m.Emission.Color {
		m.Emission.Color[k] = min(m.Emission.Color[k]/m.Emission.Strength, 1)
	}
	if m.Emission.Color == [3]float32{} || !vp.shaded(to) && (!vertex || vp.Options.Baked) {
		return
	}
	vp.Into.UseTexture(file, f, plan.User{To: to, Role: plan.AsGlow})
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

// meanGlow returns the mean share of a material's glow over a ball. With $selfillumfresnel the glow is
// max·(cos^exp·(1-b) + b), where b = min/max and the angle is from the view direction; over the disc that a ball shows,
// the mean of cos^exp is 2/(exp+2). Source SDK 2013, skin_ps20b.fxc.
func meanGlow(v *vmt.Material) float64 {
	if !v.Bool("$selfillumfresnel") {
		return 1
	}
	low, high, exponent := 0.0, 1.0, 1.0
	if r := v.Vector("$selfillumfresnelminmaxexp"); len(r) >= 3 {
		low, high, exponent = max(r[0], 0), max(r[1], 0), max(r[2], 0)
	}
	return low + float64((high-low)*2)/(exponent+2)
}
