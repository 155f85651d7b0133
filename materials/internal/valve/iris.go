package valve

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// outerEye transforms UVs of the iris to those of EyeRefract's image, which shows the whole front of the eye with the iris in its middle
// half. Source SDK 2013, eye_refract_ps2x.fxc.
var outerEye = [6]float64{0.5, 0, 0.25, 0, 0.5, 0.25}

// iris plans the image of an eye's iris, which is drawn over the white: blended by its alpha, or for EyeRefract instead of the white.
// Shaders without an iris, or without its image, show nothing. Source SDK 2013, eyes_ps2x.fxc.
func iris(vp *Planner, i int, wm *world.Material, v *vmt.Material) {
	m := &vp.Into.Materials[i]
	m.Name += " iris"
	whole := v != nil && shaderName(v.Shader) == "eyerefract"
	name := ""
	if whole || v != nil && shaderName(v.Shader) == "eyes" {
		name = v.Texture("$iris")
	}
	if name == "" {
		m.Draw.Hidden = true
		return
	}
	file := vp.Files.Texture(name)
	if file == "" {
		vp.Into.MarkMissing(wm, []string{name + ".vtf"})
		m.Draw.Hidden = true
		return
	}
	m.Draw.Unlit, m.Vertex.Color = wm.Lighting != world.Lightmap, wm.Lighting == world.PerVertex
	if whole {
		m.Base.UV = outerEye
	} else {
		m.Alpha = pbr.Blend
	}
	vp.Into.UseTexture(file, images.Form{Frame: v.Int("$irisframe")}, plan.User{To: plan.Alone(i), Role: plan.AsTexture, Alpha: !whole})
}
