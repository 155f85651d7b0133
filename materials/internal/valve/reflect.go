package valve

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// docs/internals/materials.md explains how and why Valve's reflections are converted to glTF's.

// reflection is the reflection of a surface as the game computes it.
type reflection struct {
	ahead [3]float64 // share of white light from straight ahead, linear, 0 to 1
	along [3]float64 // share of white light along the surface
	masks []mask     // these multiply it
}

// envRoughness is the roughness of a reflected cubemap: at the default of 32 pixels a side each pixel is 2.8 degrees
// wide, and a GGX lobe of roughness 0.25 is about two pixels wide.
const envRoughness = 0.25

// metalBase is a typical brightness of a texture, by which a metal's reflection is multiplied.
const metalBase = 0.18

// reflect sets a material's reflection. base is its texture's file, or "". A material with $phong and without $envmap reflects only lamps;
// glTF can't separate these from the environment, so it reflects nothing.
func (vp *Planner) reflect(to plan.Target, v *vmt.Material, s *shader, u *parameterUse, n parameters, base string) {
	m := to.Of(vp.Into.Materials)
	if !vp.Options.Reflections || !vp.shaded(to) {
		return
	}
	switch {
	case s.packed:
		vp.packed(to, v)
		return
	case s.water && base == "":
		m.Reflection = smooth(waterIOR)
		return
	case m.Transmission != nil: // a mirror as strong as the game's would let no light through
		return
	}
	if name, _ := v.Get("$envmap"); name == "" || name == "0" {
		if s.vertex && v.Bool("$phong") {
			m.Reflection = &pbr.Reflection{Roughness: 1, Color: [3]float32{1, 1, 1}, Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}
		}
		return
	}
	r, found := vp.surroundings(m, v, s, u, n, base)
	if !found || greatest(r.along) < 1.0/255 {
		return
	}
	m.Reflection = r.material(v)
	if len(r.masks) == 0 {
		return
	}
	m.Reflection.UV = r.masks[0].uv
	g := images.Gloss{Roughness: envRoughness}
	for i, k := range r.masks {
		g.Masks[i] = k.Mask
	}
	vp.Into.Use(g, images.Name(g.Reads()[0])+"_gloss", plan.User{To: to, Role: plan.AsGloss})
}

// material returns the reflection in glTF's terms.
func (r *reflection) material(v *vmt.Material) *pbr.Reflection {
	out := &pbr.Reflection{Roughness: envRoughness, Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}
	ahead, along := r.ahead, r.along
	if metal(v) {
		share := greatest(ahead) / 2
		for k := range ahead {
			ahead[k] = paint.Clamp01((ahead[k] - float64(share*metalBase)) / (1 - share))
		}
		out.Metal = float32(share)
	}
	factor := min(max(greatest(along), greatest(ahead)), 1)
	out.Specular = float32(factor)
	for k, c := range ahead {
		out.Color[k] = float32(c / factor / dielectric)
	}
	return out
}

// dielectric is glTF's default reflection of light from straight ahead.
const dielectric = 0.04

func greatest(c [3]float64) float64 { return max(c[0], c[1], c[2]) }

// waterIOR is the index of refraction of water.
const waterIOR = 1.33

// smooth returns the reflection of polished surfaces: water, glass.
func smooth(ior float32) *pbr.Reflection {
	return &pbr.Reflection{Roughness: 0.05, Specular: 1, Color: [3]float32{1, 1, 1}, IOR: ior,
		Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}
}

// metal reports whether a surface is made of metal, by its sound when hit ($surfaceprop).
func metal(v *vmt.Material) bool {
	prop, _ := v.Get("$surfaceprop")
	prop = strings.ToLower(prop)
	return strings.Contains(prop, "metal") || slices.Contains([]string{"chain", "chainlink", "canister", "paintcan", "popcan", "crowbar"},
		prop)
}

// surroundings returns a material's reflection of its environment: $envmap, a cubemap, times a tint and masks. The
// game adds it to the lit surface. found is false if a mask is missing.
func (vp *Planner) surroundings(m *pbr.Material, v *vmt.Material, s *shader, u *parameterUse, n parameters, base string,
) (r reflection, found bool) {
	phong := s.vertex && v.Bool("$phong")
	tint := v.Color("$envmaptint", paint.White)
	for k, c := range tint {
		if c = max(c, 0); s.generic() && !phong && c <= 1 {
			c = gamma.Decode(c)
		}
		tint[k] = min(c, 1)
	}
	if phong {
		low, high := fresnel(v)
		by := paint.Clamp01(v.Float("$envmapfresnel", 0))
		r.scale(tint, 1+float64((low-1)*by), 1+float64((high-1)*by))
		k := baseMask(v, n, base)
		if v.Bool("$normalmapalphaenvmapmask") && bumped(v) {
			if k, found = vp.phongMask(m, v, n, base); !found {
				return r, false
			}
		}
		k.Inverted = v.Bool("$invertphongmask")
		r.masks = masked(k)
		return r, true
	}
	tint = contrasted(tint, v, s, u)
	ahead := 1.0
	if !s.generic() {
		ahead = paint.Clamp01(v.Float("$fresnelreflection", 1)) // 1 is a mirror, 0 is water
	}
	r.scale(tint, ahead, 1)
	return r, vp.envmapMasks(&r, m, v, s, u, n, base)
}

// scale sets what is reflected straight ahead and along the surface.
func (r *reflection) scale(tint [3]float64, ahead, along float64) {
	for k, c := range tint {
		r.ahead[k], r.along[k] = c*ahead, c*along
	}
}

// contrasted returns a reflection of white surroundings with $envmapcontrast, which blends from it to its square, and
// $envmapsaturation. LightmappedGeneric ignores both unless the contrast is 1, the saturation is not and the contrast is between 0 and 1,
// or something else makes it use its slower program. Source SDK 2013, lightmappedgeneric_dx9_helper.cpp, bUsingContrast.
func contrasted(c [3]float64, v *vmt.Material, s *shader, u *parameterUse) [3]float64 {
	contrast, saturation := v.Float("$envmapcontrast", 0), v.Float("$envmapsaturation", 1)
	slow := s.generic() || contrast != 0 && contrast != 1 && saturation != 1 || v.Float("$fresnelreflection", 1) != 1 ||
		u.Glow && v.Color("$selfillumtint", paint.White) != paint.White
	if !slow {
		saturation = 1
		if contrast != 1 {
			contrast = 0
		}
	}
	for k := range c {
		c[k] += float64((float64(c[k]*c[k]) - c[k]) * contrast)
	}
	grey := float64(c[0]*luminance[0]) + float64(c[1]*luminance[1]) + float64(c[2]*luminance[2])
	for k := range c {
		c[k] = paint.Clamp01(grey + float64((c[k]-grey)*saturation))
	}
	return c
}

// luminance is the part that each channel has in the brightness of a colour, in the engine's shaders.
var luminance = [3]float64{0.299, 0.587, 0.114}

// envmapMasks adds the masks of an $envmap, and reports whether none is missing. LightmappedGeneric with normals reads no $envmapmask;
// the other shaders with normals read their alpha or nothing: any other mask makes them drop the $envmap.
func (vp *Planner) envmapMasks(r *reflection, m *pbr.Material, v *vmt.Material, s *shader, u *parameterUse, n parameters, base string,
) (found bool) {
	normals := v.Bool("$normalmapalphaenvmapmask") && v.Texture(n.normal) != ""
	if normals {
		k, found := vp.normalMask(m, v, n)
		if !found {
			return false
		}
		r.masks = append(r.masks, k)
	}
	param, transform, frame := "$envmapmask", "$envmapmasktransform", "$envmapmaskframe"
	if n != firstParameters {
		param, transform, frame = "$envmapmask2", "$envmapmasktransform2", "$envmapmaskframe2"
	}
	name := v.Texture(param)
	if bumped(v) {
		if s.generic() && !normals && (name != "" || v.Bool("$basealphaenvmapmask")) {
			return false
		}
		name = ""
	}
	if name != "" {
		file := vp.Files.Texture(name)
		if file == "" {
			vp.Into.Issue(world.Issue{Code: "reflection-missing", Where: name, Detail: "the surfaces do not reflect"})
			return false
		}
		uv := pbr.Identity // LightmappedGeneric alone transforms it
		if !s.generic() {
			uv = afterBase(v, transform, m.Base.UV)
		}
		r.masks = append(r.masks, mask{images.Mask{File: file, Frame: v.Int(frame), Color: true}, uv})
	}
	if u.Reflect {
		k := baseMask(v, n, base)
		k.Inverted = true
		r.masks = append(r.masks, masked(k)...)
	}
	return true
}

// fresnel returns how much of a highlight is seen straight ahead, and along the surface. $phongfresnelranges are the
// values at (1-cos)² of 0, a half and 1; over the disc that a ball shows the mean of (1-cos)² is a sixth, which is a
// third of the way from the first value to the second.
func fresnel(v *vmt.Material) (ahead, along float64) {
	low, middle, high := 0.0, 0.5, 1.0
	if r := v.Vector("$phongfresnelranges"); len(r) >= 3 {
		low, middle, high = max(r[0], 0), max(r[1], 0), max(r[2], 0)
	}
	return low + (middle-low)/3, high
}

// phongMask returns the mask of a material's highlights: the normal map's alpha, or the base texture's.
func (vp *Planner) phongMask(m *pbr.Material, v *vmt.Material, n parameters, base string) (k mask, found bool) {
	if v.Bool("$basemapalphaphongmask") || v.Texture(n.normal) == "" {
		return baseMask(v, n, base), true
	}
	return vp.normalMask(m, v, n)
}

// normalMask returns the alpha of a material's normal map as a mask.
func (vp *Planner) normalMask(m *pbr.Material, v *vmt.Material, n parameters) (k mask, found bool) {
	nm := normalOf(vp.Files, v, n)
	return mask{images.Mask{File: nm.File, Frame: nm.Frame}, afterBase(v, n.normalTransform, m.Base.UV)}, nm.File != ""
}

// mask is a mask of a reflection with its matrix, from the base's coordinates.
type mask struct {
	images.Mask
	uv [6]float64
}

// baseMask returns the alpha of a material's base texture as a mask; base is its file, or "".
func baseMask(v *vmt.Material, n parameters, base string) mask {
	return mask{images.Mask{File: base, Frame: v.Int(n.frame)}, pbr.Identity}
}

// masked returns a list of the mask, or nil if it has no file.
func masked(k mask) []mask {
	if k.File == "" {
		return nil
	}
	return []mask{k}
}

// packed sets a material from the "PBR" shader of mods: metalness, roughness and occlusion in one texture.
func (vp *Planner) packed(to plan.Target, v *vmt.Material) {
	m := to.Of(vp.Into.Materials)
	file := vp.Files.Texture(v.Texture("$mraotexture"))
	if file == "" {
		return
	}
	m.Reflection = &pbr.Reflection{Roughness: 1, Metal: 1, Specular: 1, Color: [3]float32{1, 1, 1},
		Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}
	vp.Into.UseTexture(file, images.Form{Pixels: paint.Packed}, plan.User{To: to, Role: plan.AsPacked})
}
