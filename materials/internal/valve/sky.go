package valve

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// skySides are the suffixes of the names of a sky's materials, in the order of Sky.Box.
var skySides = [6]string{"rt", "bk", "lf", "ft", "up", "dn"}

// skyReported marks that the missing sides of the map's sky have been reported.
const skyReported = "sky sides"

// skySide returns the image of a sky's side for games without materials, or "". DarkPlaces also finds it behind a low line, in another
// folder, and where the sky's name is a whole path (r_sky.c, R_LoadSkyBox).
func (vp *Planner) skySide(side string) string {
	const usual = "gfx/"
	if file := vp.Files.Find(vp.Facts.Sky + side); file != "" {
		return file
	}
	inner, ok := strings.CutPrefix(vp.Facts.Sky, usual)
	if !ok {
		return ""
	}
	whole := strings.TrimPrefix(inner, "env/")
	for _, name := range []string{usual + inner + "_", inner + "_", inner, whole + "_", whole} {
		if file := vp.Files.Find(name + side); file != "" {
			return file
		}
	}
	return ""
}

// sky plans the material of a sky made of six materials. It returns true if none of them exists and the map has
// clouds.
func (vp *Planner) sky(i int, wm *world.Material, visible bool) (clouds bool) {
	m := &vp.Into.Materials[i]
	m.Sky, m.Draw.Unlit = pbr.NewSky(), true
	if e := vp.Files.VMT(wm.Name); e.Material != nil {
		describe(m, e, vp.Options.Bare)
	}
	if !visible {
		return false
	}
	if vp.Into.SkyLight == nil {
		vp.Into.SkyLight = &plan.SkyLight{}
	}
	vp.Into.SkyLight.Materials = append(vp.Into.SkyLight.Materials, i)
	var missing []string
	for k, side := range skySides {
		name := vp.Facts.Sky + side
		e := vp.Files.VMT(name)
		var file string
		if e.Material == nil {
			if file = vp.Files.Texture("materials/" + name); file == "" {
				file = vp.skySide(side)
			}
		} else {
			if matrix, ok := e.Material.Matrix("$basetexturetransform"); ok {
				m.Sky.UV[k] = matrix
			}
			file = vp.Files.Texture(e.Material.Texture("$basetexture"))
			if light := sideOf(vp, k, e, file == ""); file == "" && light {
				continue
			}
		}
		if file == "" {
			missing = append(missing, name)
			continue
		}
		f := images.Form{}
		if e.Material != nil {
			f.Frame = e.Material.Int("$frame")
		}
		user := plan.User{To: plan.Alone(i), Role: plan.AsSkySide, Side: k}
		if tint := skyTint(e); tint != ones {
			p := images.Surface{Base: images.Source{File: file, Frame: f.Frame}, Paint: paint.Surface{Tint: tint, Light: ones, Opacity: 1}}
			vp.Into.Use(p, surfaceName(&p), user)
			continue
		}
		vp.Into.UseTexture(file, f, user)
	}
	if t := wm.Texture; len(missing) == len(skySides) && t != nil && plan.TwoLayers(t) {
		vp.Into.Issue(world.Issue{Code: "sky-box", Where: wm.Name,
			Detail: fmt.Sprintf("there are no images of %q: the map's own sky is shown", vp.Facts.Sky)})
		return true
	}
	if vp.Into.Once(skyReported) && !vp.Facts.Painted { // one sky can have several materials
		vp.Into.MissSky(vp.Facts.Sky, missing)
	}
	return false
}

// skyTint returns the linear colour by which the engine multiplies a side. Source SDK 2013, sky_dx9.cpp and sky_hdr_dx9.cpp.
func skyTint(e *lookup.Entry) [3]float32 {
	tint := ones
	if e.Material != nil {
		for k, c := range e.Material.Color("$color", paint.White) {
			tint[k] = float32(min(max(c, 0), brightest))
		}
	}
	return tint
}

// sideOf records the texture of a side with light beyond white; alone means that the side has no other texture. It
// reports whether there is one and it is needed.
func sideOf(vp *Planner, k int, e *lookup.Entry, alone bool) bool {
	if !alone && !vp.Options.SkyLight {
		return false
	}
	for _, t := range lightTextures {
		if file := vp.Files.Texture(e.Material.Texture(t.param)); lookup.IsVTF(file) {
			vp.Into.SkyLight.Sides[k] = images.SkySide{File: file, Kind: t.kind, Toned: alone, Tint: skyTint(e)}
			return true
		}
	}
	return false
}

// lightTextures are a side's textures with light beyond white.
var lightTextures = []struct {
	param string
	kind  vtf.Kind
}{{"$hdrcompressedtexture", vtf.RGBS}, {"$hdrbasetexture", vtf.ByFormat}}
