package materials

import (
	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// normalVMT gives a material its normal map.
func (ld *loader) normalVMT(to target, v *vmt.Material, n textureNames) {
	m := to.of(ld.set)
	if !ld.o.Normals || !ld.shaded(to) {
		return
	}
	file, bump := ld.normalFile(v, n)
	if file == "" {
		return
	}
	m.Normal.UV = beside(v, n.normalTransform, m.Base.UV)
	set := func(m *Material, image int, made *made) { m.Normal.Image, m.Normal.Clamp = image, made.clamp }
	f := form{frame: v.Int(n.normalFrame), pixels: normal, bump: bump}
	ld.useTexture(file, f, false, user{to: to, set: set, role: asNormal})
}

// shaded tells whether a viewer's light falls on a material: then what it does with it is loaded. Where all of its light
// is in the vertices' colours, it would not show.
func (ld *loader) shaded(to target) bool {
	return !to.of(ld.set).Unlit && !(to.material < len(ld.baked) && ld.baked[to.material])
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
func (ld *loader) normalFile(v *vmt.Material, n textureNames) (file string, bump bool) {
	name := v.Texture(n.normal)
	if name == "" && n == names[0] {
		name = v.Texture("$normalmap")
	}
	if name == "" {
		return "", false
	}
	if file = ld.texture(name); file == "" {
		ld.issue(world.Issue{Code: "normal-missing", Where: name, Detail: "the surfaces stay smooth"})
	}
	return file, v.Bool("$ssbump")
}

// bakedLight tells of the materials of w whether all of their surfaces have a chart: with the vertex carrier their light is
// in the vertices' colours.
func bakedLight(w *world.World) []bool {
	baked := make([]bool, len(w.Materials))
	for i := range baked {
		baked[i] = true
	}
	for i := range w.Models {
		surfaces := w.Models[i].Surfaces
		for k := range surfaces {
			s := &surfaces[k]
			chart := s.Chart
			if o, ok := s.Shape.(*world.Overlay); ok {
				chart = surfaces[o.Host].Chart
			}
			if chart == world.NoChart {
				baked[s.Material] = false
			}
		}
	}
	return baked
}
