package valve

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// docs/materials.md explains how and why Valve's reflections are converted to glTF's.

// reflected is the reflection of a surface as the game computes it.
type reflected struct {
	ahead     [3]float64 // share of light from straight ahead, linear, 0 to 1
	along     [3]float64 // share of light along the surface
	roughness float64
	masks     []mask // these multiply it
	exponent  string // the file with the exponent in red, or ""
	scale     float64
	tinted    bool // the base texture's colour multiplies it
}

// envRoughness is the roughness of a reflected cubemap: at the default of 32 pixels a side each pixel is 2.8 degrees
// wide, and a GGX lobe of roughness 0.25 is about two pixels wide.
const envRoughness = 0.25

// mostAhead limits what a dielectric reflects from straight ahead: in glTF reflection reduces the texture's own light,
// and in the game it is added to it.
const mostAhead = 0.5

// reflect sets a material's reflection. base is its texture's file, or "".
func (vp *Planner) reflect(to plan.Target, v *vmt.Material, s *shader, n parameters, base string) {
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
	around, found := vp.surroundings(m, v, s, n, base)
	lamps, found2 := vp.highlight(m, v, n, base)
	if !found || !found2 {
		return
	}
	// glTF has one lobe: the stronger reflection decides where it is and how rough.
	r := around
	if greatest(lamps.ahead) > greatest(around.ahead) {
		r = lamps
	}
	for k := range r.ahead {
		r.ahead[k] = min(max(around.ahead[k], lamps.ahead[k]), mostAhead)
		r.along[k] = min(max(around.along[k], lamps.along[k], r.ahead[k]), 1)
	}
	most := greatest(r.along)
	if most < 1.0/255 {
		return
	}
	out := &pbr.Reflection{Roughness: float32(r.roughness), Specular: float32(most), Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}, Tinted: r.tinted}
	for k, c := range r.ahead {
		out.Color[k] = float32(c / most / dielectric)
	}
	if metal(v) {
		out.Metal = float32(min(greatest(around.ahead), 1) / 2)
	}
	m.Reflection = out
	if len(r.masks) == 0 && r.exponent == "" {
		return
	}
	if len(r.masks) > 0 {
		out.UV = r.masks[0].uv
	}
	g := images.Gloss{Exponent: r.exponent, Scale: r.scale, Roughness: r.roughness}
	for i, k := range r.masks {
		g.Masks[i] = k.Mask
	}
	vp.Into.Use(g, images.Name(g.Reads()[0])+"_gloss", plan.User{To: to, Role: plan.AsGloss})
}

// dielectric is glTF's default reflection of light from straight ahead.
const dielectric = 0.04

func greatest(c [3]float64) float64 { return max(c[0], c[1], c[2]) }

// waterIOR is the index of refraction of water.
const waterIOR = 1.33

// smooth returns the reflection of polished surfaces: water, glass.
func smooth(ior float32) *pbr.Reflection {
	return &pbr.Reflection{Roughness: 0.05, Specular: 1, Color: [3]float32{1, 1, 1}, IOR: ior, Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}
}

// metal reports whether a surface is made of metal, by its sound when hit ($surfaceprop).
func metal(v *vmt.Material) bool {
	prop, _ := v.Get("$surfaceprop")
	prop = strings.ToLower(prop)
	return strings.Contains(prop, "metal") || slices.Contains([]string{"chain", "chainlink", "canister", "paintcan", "popcan", "crowbar"}, prop)
}

// surroundings returns a material's reflection of its surroundings: $envmap, a cubemap, times a tint and masks. The
// game adds it to the lit surface, whatever that reflects. found is false if a mask is missing.
func (vp *Planner) surroundings(m *pbr.Material, v *vmt.Material, s *shader, n parameters, base string) (r reflected, found bool) {
	if name, _ := v.Get("$envmap"); name == "" || name == "0" {
		return r, true
	}
	phong := v.Bool("$phong")
	r.roughness = envRoughness
	tint := v.Color("$envmaptint", paint.White)
	ahead, along := paint.Clamp01(v.Float("$fresnelreflection", 1)), 1.0 // 1 is a mirror, 0 is water
	if s.vertex {
		low, high := fresnel(v)
		by := paint.Clamp01(v.Float("$envmapfresnel", 0))
		ahead, along = 1+float64((low-1)*by), 1+float64((high-1)*by)
	}
	// The contrast blends towards the square of the reflection, which halves a reflection of one half.
	keep := 1 - paint.Clamp01(v.Float("$envmapcontrast", 0))/2
	for k, c := range tint {
		if c = min(max(c, 0), 1); s.vertex && !phong {
			c = paint.Linear(c)
		}
		r.ahead[k], r.along[k] = c*keep*ahead, c*keep*along
	}
	if s.vertex && phong {
		k := baseMask(v, n, base)
		k.Inverted = v.Bool("$invertphongmask")
		if v.Bool("$normalmapalphaenvmapmask") {
			k, found = vp.phongMask(m, v, n, base)
			k.Inverted = v.Bool("$invertphongmask")
			if !found {
				return r, false
			}
		}
		r.masks = masked(k)
		return r, true
	}
	if v.Bool("$normalmapalphaenvmapmask") && v.Texture(n.normal) != "" {
		k, found := vp.normalMask(m, v, n)
		if !found {
			return r, false
		}
		r.masks = append(r.masks, k)
	}
	param, transform, frame := "$envmapmask", "$envmapmasktransform", "$envmapmaskframe"
	if n != firstParameters {
		param, transform, frame = "$envmapmask2", "$envmapmasktransform2", "$envmapmaskframe2"
	}
	if name := v.Texture(param); name != "" {
		file := vp.Files.Texture(name)
		if file == "" {
			vp.Into.Issue(world.Issue{Code: "reflection-missing", Where: name, Detail: "the surfaces do not reflect"})
			return r, false
		}
		r.masks = append(r.masks, mask{images.Mask{File: file, Frame: v.Int(frame), Color: true}, afterBase(v, transform, m.Base.UV)})
	}
	if v.Bool("$basealphaenvmapmask") {
		k := baseMask(v, n, base)
		k.Inverted = true
		r.masks = append(r.masks, masked(k)...)
	}
	return r, true
}

// highlight returns a material's reflection of lamps: $phong, (R·L)^n times a boost, a mask and a Fresnel term of three
// steps. A GGX lobe of α² = 1/(2n+1) has the same width (a Phong lobe of n is a Blinn-Phong lobe of 4n, and that has α²
// = 2/(4n+2)); its centre is as bright if the reflection is 4α² of the boost.
func (vp *Planner) highlight(m *pbr.Material, v *vmt.Material, n parameters, base string) (r reflected, found bool) {
	if !v.Bool("$phong") {
		return r, true
	}
	exponent := min(v.Float("$phongexponent", 0), mostExponent)
	texture := vp.Files.Texture(v.Texture("$phongexponenttexture"))
	tint := v.Color("$phongtint", [3]float64{})
	if tint == [3]float64{} {
		tint = paint.White
		r.tinted = v.Bool("$phongalbedotint") && texture != "" && base != ""
	}
	if exponent <= 0 {
		exponent = defaultExponent
		if texture != "" {
			exponent, r.exponent, r.scale = typicalExponent, texture, exponentScale
			if f := v.Float("$phongexponentfactor", 0); f > 0 {
				r.scale = min(f, mostExponent)
			}
		}
	}
	r.roughness = paint.PhongRoughness(exponent)
	gain := max(v.Float("$phongboost", 1), 0) * 4 / (float64(2*exponent) + 1)
	low, high := fresnel(v)
	rim := 0.0
	if v.Bool("$rimlight") { // light from behind, along the surface
		rim = paint.Clamp01(v.Float("$rimlightboost", 1))
	}
	for k, c := range tint {
		c = max(c, 0)
		r.ahead[k] = min(gain*low*c, 1)
		r.along[k] = min(max(gain*high*c, rim), 1)
	}
	k, found := vp.phongMask(m, v, n, base)
	r.masks = masked(k)
	return r, found
}

const (
	defaultExponent = 150 // without exponent and texture: 1 + 149 times white
	exponentScale   = 149 // a texture gives the exponent 1 + 149 times its red
	typicalExponent = 20  // replaces a texture where a single number is needed
	mostExponent    = 10000
)

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
	m.Reflection = &pbr.Reflection{Roughness: 1, Metal: 1, Specular: 1, Color: [3]float32{1, 1, 1}, Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}
	vp.Into.UseTexture(file, images.Form{Pixels: paint.Packed}, plan.User{To: to, Role: plan.AsPacked})
}
