package valve

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// normalVMT sets a material's normal map.
func (vp *Planner) normalVMT(to plan.Target, v *vmt.Material, n textureNames) {
	m := to.Of(vp.Into.Materials)
	if !vp.Options.Normals || !vp.shaded(to) {
		return
	}
	file, bump := NormalFile(vp.Files, v, n)
	if file == "" {
		return
	}
	m.Normal.UV = beside(v, n.normalTransform, m.Base.UV)
	f := images.Form{Frame: v.Int(n.NormalFrame), Pixels: paint.Normal, Bump: bump}
	vp.Into.UseTexture(file, f, plan.User{To: to, Role: plan.AsNormal})
}

// shaded reports whether a viewer's lights affect a material: only then are the textures for them loaded. They would
// have no effect if all of its light is in the vertices' colours.
func (vp *Planner) shaded(to plan.Target) bool {
	return !to.Of(vp.Into.Materials).Draw.Unlit && !(to.Material < len(vp.Facts.Baked) && vp.Facts.Baked[to.Material])
}

// beside returns the matrix of a texture for coordinates to which the base's matrix was already applied.
func beside(v *vmt.Material, transform string, base [6]float64) [6]float64 {
	matrix, ok := v.Matrix(transform)
	if !ok {
		matrix = pbr.Identity
	}
	if inverse, ok := paint.Invert(base); ok {
		return paint.Multiply(matrix, inverse)
	}
	return pbr.Identity
}

// NormalFile returns the file of a normal map, or "", and whether the material says that it holds the light of three
// directions.
func NormalFile(fl *lookup.Files, v *vmt.Material, n textureNames) (file string, bump bool) {
	name := v.Texture(n.normal)
	if name == "" && n == Names[0] {
		name = v.Texture("$normalmap")
	}
	if name == "" {
		return "", false
	}
	if file = fl.Texture(name); file == "" {
		fl.Report(world.Issue{Code: "normal-missing", Where: name, Detail: "the surfaces stay smooth"})
	}
	return file, v.Bool("$ssbump")
}
