package materials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// loadVMT makes the material of a Valve material file.
func (vp *valvePlanner) loadVMT(i int, wm *world.Material, visible bool) (known, clouds bool) {
	m := &vp.plan.Materials[i]
	if wm.Flags&world.Sky != 0 && vp.facts.sky != "" {
		return true, vp.vmtSky(i, wm, visible)
	}
	e := vp.files.vmt(wm.Name)
	if e.material == nil {
		return false, false
	}
	v := e.material
	describeVMT(m, e)
	l, known := lookOf(v.Shader)
	water, set := v.Get("$abovewater")
	switch {
	case wm.Flags&world.Sky != 0:
		m.Sky, m.Unlit = newSky(), true
	case !visible || l.nothing || slices.ContainsFunc(hints, v.Bool):
		m.Hidden = true
	case l.water && set && water != "" && !v.Bool("$abovewater"):
		m.Hidden = true // the same surface from below
	default:
		vp.knownShader(v, known)
		vp.surfaceVMT(target{i, -1}, wm, v, &l, names[0])
		vp.plan.notShown(i, append(vp.overVMT(i, wm, e, &l), unseenVMT(v, &l)...))
	}
	return true, false
}

// textureNames are the parameters of one of the textures that lie over each other.
type textureNames struct{ base, transform, frame, normal, normalTransform, normalFrame string }

var names = [2]textureNames{
	{"$basetexture", "$basetexturetransform", "$frame", "$bumpmap", "$bumptransform", "$bumpframe"},
	{"$basetexture2", "$basetexturetransform2", "$frame2", "$bumpmap2", "$bumptransform2", "$bumpframe2"},
}

// surfaceVMT makes a material, or a layer of one, of a shader's parameters.
func (vp *valvePlanner) surfaceVMT(to target, wm *world.Material, v *vmt.Material, l *look, n textureNames) {
	m := to.of(vp.plan.Materials)
	m.Unlit = wm.Lighting != world.Lightmap || l.unlit
	if wm.Lighting == world.Fullbright && vp.o.Transmission && (l.water || l.glass) {
		m.Unlit = false // without a lightmap, because it shows others' light
	}
	m.VertexColor = wm.Lighting == world.PerVertex && !l.unlit || v.Bool("$vertexcolor")
	m.DoubleSided = v.Bool("$nocull")
	tintVMT(m, v, l)
	f := form{frame: v.Int(n.frame), pixels: blendVMT(m, v, l)}
	m.Offset = (v.Bool("$decal") || l.blend == modulated || l.blend == multiplied) && !vp.facts.shapes[to.material].modelsAlone
	if matrix, ok := v.Matrix(n.transform); ok {
		m.Base.UV = matrix
	}
	vp.normalVMT(to, v, n)
	name := v.Texture(n.base)
	if name == "" && n == names[0] && l.base != "" {
		name = v.Texture(l.base)
	}
	if name == "" {
		vp.bareVMT(m, wm, v, l)
		vp.reflectVMT(to, v, l, n, "")
		return
	}
	file := vp.files.texture(name)
	if file == "" {
		vp.plan.missing(wm, []string{name + ".vtf"})
		m.placeholder()
		return
	}
	if f.pixels == asStored {
		vp.partTint(&f, m, wm, v, l)
	}
	alpha := m.Alpha != Opaque && (f.pixels != asStored || !alphaTaken(v, m.Alpha))
	if alpha && vp.transmitVMT(to, v, file, &f) {
		alpha = false
	}
	vp.plan.useTexture(file, f, alpha, user{to: to, role: asTexture})
	vp.glowVMT(to, wm, v, l, file, n)
	vp.reflectVMT(to, v, l, n, file)
}

var white = [3]float64{1, 1, 1}

// tintVMT gives a material the colour that multiplies its texture.
func tintVMT(m *Material, v *vmt.Material, l *look) {
	tint := v.Color("$color", white)
	if (m.Unlit || l.vertex) && !v.Bool("$blendtintbybasealpha") { // shaders with a lightmap do not know it
		for k, c := range v.Color("$color2", white) {
			tint[k] *= c
		}
	}
	for k, c := range tint {
		m.BaseColor[k] = float32(srgbToLinear(clamp01(c)))
		if l.black {
			m.BaseColor[k] = 0
		}
	}
}

// blendVMT sets how a material is drawn over what is behind it, and returns what that makes of its pixels.
func blendVMT(m *Material, v *vmt.Material, l *look) (p pixels) {
	opacity := clamp01(v.Float("$alpha", 1))
	m.BaseColor[3] = float32(opacity)
	switch {
	case l.blend != asStored:
		m.Alpha, p = Blend, l.blend
	case v.Bool("$additive"):
		m.Alpha, p = Blend, added
		if v.Bool("$translucent") && !alphaTaken(v, Blend) {
			p = addedByAlpha
		}
	case v.Bool("$distancealpha"):
		m.Alpha, m.Cutoff = Mask, 0.5 // of a distance to an edge, the edge
	case v.Bool("$alphatest"):
		// 0.7 is the state of the engine's Direct3D layer; a shader changes it only where the material says more than 0.
		m.Alpha, m.Cutoff = Mask, 0.7
		if ref := clamp01(v.Float("$alphatestreference", 0)); ref > 0 {
			m.Cutoff = float32(ref)
		}
	case l.clear || v.Bool("$translucent") || v.Bool("$vertexalpha") || opacity < 1:
		m.Alpha = Blend
	}
	if p != asStored {
		m.Extras["vmt_blend"] = p.String()
	}
	m.VertexAlpha = m.Alpha == Blend && v.Bool("$vertexalpha")
	return p
}

// alphaTaken tells whether the alpha of a blended material's texture says something else: where it shines, reflects or
// takes a colour.
func alphaTaken(v *vmt.Material, a Alpha) bool {
	return a == Blend && (v.Bool("$selfillum") || v.Bool("$basealphaenvmapmask") || v.Bool("$blendtintbybasealpha") ||
		v.Bool("$phong") && v.Bool("$basemapalphaphongmask"))
}

// partTint has the pixels of a material's texture take its $color2, and the colour of its place in the map, where their alpha
// says so: times their own colour, or in its place as far as $blendtintcoloroverbase says.
func (vp *valvePlanner) partTint(f *form, m *Material, wm *world.Material, v *vmt.Material, l *look) {
	if !v.Bool("$blendtintbybasealpha") || vp.o.Combine == "none" || !m.Unlit && !l.vertex {
		return
	}
	f.pixels, f.over = tinted, float32(clamp01(v.Float("$blendtintcoloroverbase", 0)))
	placed := placedTint(wm, v)
	for k, x := range v.Color("$color2", white) {
		f.tint[k] = float32(srgbToLinear(clamp01(x))) * placed[k]
	}
}

// describeVMT puts a material's parameters into its extras.
func describeVMT(m *Material, e *vmtEntry) {
	x := m.Extras
	x["vmt_file"], x["vmt_shader"] = e.file, e.material.Shader
	for _, p := range e.material.Params {
		if _, taken := x[p.Name]; !taken && !ours[p.Name] {
			x[p.Name] = p.Value
		}
	}
	var proxies []string
	for _, p := range e.material.Proxies {
		words := []string{p.Name}
		for _, q := range p.Params {
			words = append(words, fmt.Sprintf("%s=%s", q.Name, q.Value))
		}
		proxies = append(proxies, strings.Join(words, " "))
	}
	if len(proxies) > 0 {
		x["vmt_proxies"] = strings.Join(proxies, "; ")
	}
}
