package materials

import (
	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// normalVMT gives a material its normal map.
func (vp *valvePlanner) normalVMT(to target, v *vmt.Material, n textureNames) {
	m := to.of(vp.plan.Materials)
	if !vp.o.Normals || !vp.shaded(to) {
		return
	}
	file, bump := normalFile(vp.files, v, n)
	if file == "" {
		return
	}
	m.Normal.UV = beside(v, n.normalTransform, m.Base.UV)
	f := form{frame: v.Int(n.normalFrame), pixels: normal, bump: bump}
	vp.plan.useTexture(file, f, false, user{to: to, role: asNormal})
}

// shaded tells whether a viewer's light falls on a material: then what it does with it is loaded. Where all of its light
// is in the vertices' colours, it would not show.
func (vp *valvePlanner) shaded(to target) bool {
	return !to.of(vp.plan.Materials).Unlit && !(to.material < len(vp.facts.baked) && vp.facts.baked[to.material])
}

// beside is a texture's matrix for coordinates that have the base's in them already.
func beside(v *vmt.Material, transform string, base [6]float64) [6]float64 {
	matrix, ok := v.Matrix(transform)
	if !ok {
		matrix = identity
	}
	if inverse, ok := invert(base); ok {
		return multiply(matrix, inverse)
	}
	return identity
}

// normalFile returns the file of a normal map, or "", and whether the material says that it holds the light of three
// directions.
func normalFile(fl *finder, v *vmt.Material, n textureNames) (file string, bump bool) {
	name := v.Texture(n.normal)
	if name == "" && n == names[0] {
		name = v.Texture("$normalmap")
	}
	if name == "" {
		return "", false
	}
	if file = fl.texture(name); file == "" {
		fl.report(world.Issue{Code: "normal-missing", Where: name, Detail: "the surfaces stay smooth"})
	}
	return file, v.Bool("$ssbump")
}
