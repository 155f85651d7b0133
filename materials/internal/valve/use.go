package valve

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
)

// parameterUse states what the alpha of a material's base texture is for, and how the material is blended, as the engine decides it. A
// material's parameters count only if its texture has an alpha by its flags. Source SDK 2013, materialsystem/stdshaders:
// lightmappedgeneric_dx9_helper.cpp, vertexlitgeneric_dx9_helper.cpp, skin_dx9_helper.cpp; BaseVSShader.cpp, EvaluateBlendRequirements.
type parameterUse struct {
	Glow    bool // $selfillum
	Reflect bool // $basealphaenvmapmask
	Tint    bool // $blendtintbybasealpha
	Test    bool // $alphatest
	Blend   bool // by opacity
	Opacity bool // the texture's alpha is part of the opacity
}

// useOf returns how a material uses the alpha of its base texture and, with some modes, of its detail texture.
func useOf(v *vmt.Material, s *shader, fl *lookup.Files, base, detail string) (u parameterUse) {
	flagged := func(file string) bool { return file != "" && hasAlpha(fl, file) }
	asked := func(names ...string) bool {
		for _, name := range names {
			if v.Bool(name) {
				return true
			}
		}
		return false
	}
	alpha := asked("$selfillum", "$basealphaenvmapmask", "$translucent", "$alphatest") && flagged(base)
	phong := s.vertex && v.Bool("$phong")
	switch {
	case s.unlit:
	case s.vertex: // a mask or the angle can say where it glows
		u.Glow = v.Bool("$selfillum") && (alpha || v.Bool("$selfillumfresnel") || v.Texture("$selfillummask") != "")
	default:
		u.Glow = v.Bool("$selfillum") && alpha
	}
	u.Reflect = v.Bool("$basealphaenvmapmask") && alpha && !(s.generic() && bumped(v) && v.Bool("$normalmapalphaenvmapmask"))
	u.Test = v.Bool("$alphatest") && !u.Glow && !u.Reflect
	u.Tint = v.Bool("$blendtintbybasealpha") && s.generic() && !(u.Glow && phong)
	u.Opacity = !u.Glow && !u.Reflect && !u.Tint && !(phong && v.Bool("$basemapalphaphongmask")) && !s.solid
	free := !u.Glow && !u.Reflect && !u.Test && v.Bool("$translucent") && !v.Bool("$opaquetexture")
	u.Blend = v.Float("$alpha", 1) < 1 || v.Bool("$vertexalpha") || alpha && free && !u.Tint
	byDetail := !u.Glow && !u.Reflect && asked("$translucent", "$alphatest") && !v.Bool("$opaquetexture")
	if mode := v.Int("$detailblendmode"); !u.Blend && s.generic() && byDetail && (mode == 3 || mode == 8 || mode == 9) {
		u.Blend = flagged(detail)
	}
	if s.solid {
		u.Test, u.Blend = false, false
	}
	return u
}

// hasAlpha reports whether a texture has an alpha by its flags. One whose header can't be read may have one; so may another image.
func hasAlpha(fl *lookup.Files, file string) bool {
	flags, ok := fl.VTFFlags(file)
	return !ok || flags&(vtf.OneBitAlpha|vtf.EightBit) != 0
}

// bumped reports whether a material has a normal map.
func bumped(v *vmt.Material) bool { return v.Texture("$bumpmap") != "" }
