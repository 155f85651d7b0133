package materials

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// vmtSides are the ends of the names of a sky's materials, in the order of Sky.Box.
var vmtSides = [6]string{"rt", "bk", "lf", "ft", "up", "dn"}

// skyReported says that the missing sides of the map's sky are listed.
const skyReported = "sky sides"

// vmtSky makes the material of a sky of six materials.
func (ld *loader) vmtSky(i int, wm *world.Material, visible bool) {
	m := &ld.set.Materials[i]
	m.Sky, m.Unlit = newSky(), true
	if e := ld.vmt(wm.Name); e.material != nil {
		describeVMT(m, e)
	}
	if !visible {
		return
	}
	if ld.skyLight == nil {
		ld.skyLight = &skyLight{}
	}
	ld.skyLight.materials = append(ld.skyLight.materials, i)
	var missing []string
	for k, side := range vmtSides {
		name := ld.sky + side
		e := ld.vmt(name)
		var file string
		if e.material == nil {
			if file = ld.texture("materials/" + name); file == "" {
				file = ld.find(name) // of Half-Life and Quake II: images alone
			}
		} else {
			if matrix, ok := e.material.Matrix("$basetexturetransform"); ok {
				m.Sky.UV[k] = matrix
			}
			file = ld.texture(e.material.Texture("$basetexture"))
			if light := ld.sideOf(k, e, file == ""); file == "" && light {
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
		ld.useTexture(file, f, false, user{to: target{i, -1}, set: func(m *Material, image int, _ *made) { m.Sky.Box[k] = image }})
	}
	if t := wm.Texture; len(missing) == len(vmtSides) && t != nil && twoLayers(t) {
		ld.issue(world.Issue{Code: "sky-box", Where: wm.Name, Detail: fmt.Sprintf("there are no images of %q: the map's own sky is shown", ld.sky)})
		ld.clouds(i, fold(wm.Name), t)
		return
	}
	if !ld.told[skyReported] { // one sky has several materials
		ld.told[skyReported] = true
		ld.missing(wm, missing)
	}
}

// sideOf keeps the texture of a side with more light than white can show; alone says that there is no other. It tells whether
// there is one and it is needed.
func (ld *loader) sideOf(k int, e *vmtEntry, alone bool) bool {
	if !alone && !ld.o.SkyLight {
		return false
	}
	for _, t := range lightTextures {
		if file := ld.texture(e.material.Texture(t.param)); isVTF(file) {
			ld.skyLight.sides[k] = skySide{file, t.kind, alone}
			return true
		}
	}
	return false
}
