package materials

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/materials/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// vmtSides are the ends of the names of a sky's materials, in the order of Sky.Box.
var vmtSides = [6]string{"rt", "bk", "lf", "ft", "up", "dn"}

// skyReported says that the missing sides of the map's sky are listed.
const skyReported = "sky sides"

// vmtSky makes the material of a sky of six materials. It returns true where none of them is there, and the map has clouds.
func (vp *valvePlanner) vmtSky(i int, wm *world.Material, visible bool) (clouds bool) {
	m := &vp.plan.Materials[i]
	m.Sky, m.Unlit = newSky(), true
	if e := vp.files.vmt(wm.Name); e.material != nil {
		describeVMT(m, e)
	}
	if !visible {
		return false
	}
	if vp.plan.skyLight == nil {
		vp.plan.skyLight = &skyLight{}
	}
	vp.plan.skyLight.materials = append(vp.plan.skyLight.materials, i)
	var missing []string
	for k, side := range vmtSides {
		name := vp.facts.sky + side
		e := vp.files.vmt(name)
		var file string
		if e.material == nil {
			if file = vp.files.texture("materials/" + name); file == "" {
				file = vp.files.find(name) // of Half-Life and Quake II: images alone
			}
		} else {
			if matrix, ok := e.material.Matrix("$basetexturetransform"); ok {
				m.Sky.UV[k] = matrix
			}
			file = vp.files.texture(e.material.Texture("$basetexture"))
			if light := vp.sideOf(k, e, file == ""); file == "" && light {
				continue
			}
		}
		if file == "" {
			missing = append(missing, name)
			continue
		}
		f := form{}
		if e.material != nil {
			f.frame = e.material.Int("$frame")
		}
		vp.plan.useTexture(file, f, false, user{to: target{i, -1}, role: asSkySide, side: k})
	}
	if t := wm.Texture; len(missing) == len(vmtSides) && t != nil && twoLayers(t) {
		vp.plan.issue(world.Issue{Code: "sky-box", Where: wm.Name, Detail: fmt.Sprintf("there are no images of %q: the map's own sky is shown", vp.facts.sky)})
		return true
	}
	if vp.plan.once(skyReported) { // one sky has several materials
		vp.plan.missing(wm, missing)
	}
	return false
}

// sideOf keeps the texture of a side with more light than white can show; alone says that there is no other. It tells whether
// there is one and it is needed.
func (vp *valvePlanner) sideOf(k int, e *vmtEntry, alone bool) bool {
	if !alone && !vp.o.SkyLight {
		return false
	}
	for _, t := range lightTextures {
		if file := vp.files.texture(e.material.Texture(t.param)); isVTF(file) {
			vp.plan.skyLight.sides[k] = skySide{file, t.kind, alone}
			return true
		}
	}
	return false
}

// lightTextures are the textures of a side that have more light than white can show.
var lightTextures = []struct {
	param string
	kind  vtf.Kind
}{{"$hdrcompressedtexture", vtf.RGBS}, {"$hdrbasetexture", vtf.ByFormat}}
