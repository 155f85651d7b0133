package valve

import (
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// normal sets a material's normal map.
func (vp *Planner) normal(to plan.Target, v *vmt.Material, n parameters) {
	m := to.Of(vp.Into.Materials)
	if !vp.Options.Normals || !vp.shaded(to) {
		return
	}
	nm := normalOf(vp.Files, v, n)
	if nm.File == "" {
		return
	}
	m.Normal.UV = afterBase(v, n.normalTransform, m.Base.UV)
	f := images.Form{Frame: nm.Frame, Pixels: paint.Normal, Bump: nm.Bump}
	vp.Into.UseTexture(nm.File, f, plan.User{To: to, Role: plan.AsNormal})
}

// shaded reports whether a viewer's lights affect a material: only then are the textures for them loaded. They would
// have no effect if all of its light is in the vertices' colours.
func (vp *Planner) shaded(to plan.Target) bool {
	return !to.Of(vp.Into.Materials).Draw.Unlit && !(to.Material < len(vp.Facts.Baked) && vp.Facts.Baked[to.Material])
}

// afterBase returns the matrix of a texture for coordinates to which the base's matrix was already applied.
func afterBase(v *vmt.Material, transform string, base [6]float64) [6]float64 {
	matrix, ok := v.Matrix(transform)
	if !ok {
		matrix = pbr.Identity
	}
	if inverse, ok := space.InvertTexture(base); ok {
		return space.MultiplyTexture(matrix, inverse)
	}
	return pbr.Identity
}

// NormalMap is a material's normal map.
type NormalMap struct {
	File  string // "" if there is none
	Frame int
	Bump  bool // it holds the light of three directions, as the material says
}

// NormalOf returns the normal map of a material's first texture.
func NormalOf(fl *lookup.Files, v *vmt.Material) NormalMap { return normalOf(fl, v, firstParameters) }

// normalOf returns the normal map of one of a material's textures. A missing file is an issue.
func normalOf(fl *lookup.Files, v *vmt.Material, n parameters) NormalMap {
	name := v.Texture(n.normal)
	if name == "" && n == firstParameters {
		name = v.Texture("$normalmap")
	}
	if name == "" {
		return NormalMap{}
	}
	m := NormalMap{File: fl.Texture(name), Frame: v.Int(n.normalFrame), Bump: v.Bool("$ssbump")}
	if m.File == "" {
		fl.Report(world.Issue{Code: "normal-missing", Where: name, Detail: "the surfaces stay smooth"})
	}
	return m
}
