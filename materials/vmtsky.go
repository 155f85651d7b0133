package materials

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// vmtSides are the ends of the names of a sky's materials, in the order of Sky.Box.
var vmtSides = [6]string{"rt", "bk", "lf", "ft", "up", "dn"}

// skyTextures are the textures of a side. What has more light than white can show comes last.
var skyTextures = []struct {
	param  string
	pixels pixels
}{
	{"$basetexture", asStored},
	{"$hdrcompressedtexture", compressedLight},
	{"$hdrbasetexture", asStored},
}

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
	var missing []string
	for k, side := range vmtSides {
		name := ld.sky + side
		e := ld.vmt(name)
		file, f := "", form{}
		if e.material == nil {
			if file = ld.texture("materials/" + name); file == "" {
				file = ld.find(name) // of Half-Life and Quake II: images alone
			}
		} else {
			for _, t := range skyTextures {
				if file = ld.texture(e.material.Texture(t.param)); file != "" {
					f.pixels, f.frame = t.pixels, e.material.Int("$frame")
					break
				}
			}
			if matrix, ok := e.material.Matrix("$basetexturetransform"); ok {
				m.Sky.UV[k] = matrix
			}
		}
		if file == "" {
			missing = append(missing, name)
			continue
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
