package valve

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Plan plans the material of a Valve material file for its place in the map. known is false if there is no such file. clouds means that
// it is a sky without images, and that the map has a sky texture to replace them.
func (vp *Planner) Plan(i int, wm *world.Material, visible bool) (known, clouds bool) {
	if wm.Colored && visible {
		if e := vp.Files.VMT(wm.Name); e.Material != nil && (wm.Blend != world.BlendNone || e.Material.Shader == "sprite") {
			vp.sprite(i, wm, e)
			return true, false
		}
	}
	if known, clouds = vp.load(i, wm, visible); !known {
		return false, false
	}
	if m, v := &vp.Into.Materials[i], vp.Files.VMT(wm.Name).Material; v != nil && m.Sky == nil && !m.Draw.Hidden {
		asPlaced(m, wm, v)
	}
	return true, clouds
}

// asPlaced applies the map's properties to a material. Additive blending would need other pixels, so a model that the map
// adds to the background is blended by its opacity instead.
func asPlaced(m *pbr.Material, wm *world.Material, v *vmt.Material) {
	m.Draw.DoubleSided = m.Draw.DoubleSided || wm.TwoSided
	m.Vertex.Color = m.Vertex.Color || wm.Colored
	if !v.Bool("$blendtintbybasealpha") { // otherwise it is in the texture
		for k, c := range placedTint(wm, v) {
			m.BaseColor[k] *= c
		}
	}
	if !m.Placeholder && (wm.Blend == world.BlendAlpha || wm.Blend == world.BlendAdd) { // a placeholder already has it
		if m.BaseColor[3] *= wm.Opacity; m.Alpha == pbr.Opaque {
			m.Alpha = pbr.Blend
		}
	}
}

// placedTint returns the linear colour by which a place in the map multiplies a material's colour, unless the material
// says that it takes none. The engine puts it in the place of $color: shaders with a lightmap take the displayed value as linear light.
// Source SDK 2013, BaseVSShader.cpp, and C_BaseEntity::DrawBrushModel.
func placedTint(wm *world.Material, v *vmt.Material) [3]float32 {
	if wm.Tint == [3]float32{} || v.Bool("$notint") || v.Float("$allowdiffusemodulation", 1) == 0 {
		return [3]float32{1, 1, 1}
	}
	tint := wm.Tint
	if s, _ := shaderOf(v.Shader); !s.generic() {
		for k, c := range tint {
			tint[k] = float32(gamma.Encode(float64(c)))
		}
	}
	return tint
}

// sprite plans the material of a sprite. It is blended as the map or as the material states; its shader decides which.
// The vertices have its colour and opacity, which the sprite's shader ignores if the map does not blend it. Source SDK 2013,
// materialsystem/stdshaders/sprite_dx9.cpp.
func (vp *Planner) sprite(i int, wm *world.Material, e *lookup.Entry) {
	v := e.Material
	m := &vp.Into.Materials[i]
	describe(m, e, vp.Options.Bare)
	m.Draw.Unlit, m.Draw.DoubleSided, m.Vertex.Color, m.Vertex.Alpha = true, true, true, true
	m.Alpha = pbr.Blend
	pixels := paint.AsStored
	switch {
	case wm.Blend == world.BlendNone:
		m.Alpha, m.Vertex.Color, m.Vertex.Alpha = pbr.Opaque, false, false
	case spriteShader(v):
		if wm.Blend == world.BlendAdd {
			pixels = paint.AddedByAlpha
		}
	case v.Bool("$additive") && v.Bool("$translucent"):
		pixels = paint.AddedByAlpha
	case v.Bool("$additive"), !v.Bool("$translucent") && wm.Blend == world.BlendAdd:
		pixels = paint.Added
	}
	if pixels != paint.AsStored {
		m.Extras["vmt_blend"] = pixels.String()
	}
	if wm.Blend != world.BlendNone {
		for k, c := range v.Color("$color", paint.White) {
			m.BaseColor[k] = float32(gamma.Decode(paint.Clamp01(c)))
		}
		m.BaseColor[3] = float32(paint.Clamp01(v.Float("$alpha", 1)))
	}
	name := v.Texture("$basetexture")
	file := vp.Files.Texture(name)
	if file == "" {
		vp.Into.MarkMissing(wm, []string{name + ".vtf"})
		m.PlaceholderLook.Opacity = 1 // the vertices have it
		plan.MakePlaceholder(m)
		return
	}
	f, alpha := images.Form{Frame: v.Int("$frame"), Pixels: pixels}, m.Alpha != pbr.Opaque
	vp.Into.UseTexture(file, f, plan.User{To: plan.Alone(i), Role: plan.AsTexture, Alpha: alpha})
	vp.turn(plan.Alone(i), wm.FPS, file, alpha, func(frame int) (images.Work, string) {
		f.Frame = frame
		return images.TextureOf(file, f), images.NameOf(file, f)
	})
}

// spriteShader reports whether the entity that shows a material decides how it is drawn.
func spriteShader(v *vmt.Material) bool { return strings.HasPrefix(v.Shader, "sprite") }
