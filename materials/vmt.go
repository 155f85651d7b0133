package materials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// look is what tells a shader's materials from those of the common ones.
type look struct {
	unlit  bool   // light does not touch it
	second bool   // a second texture shows by the vertices' alpha
	blend  pixels // how its pixels change what is behind, where that is not a plain blend
	water  bool
	glass  bool // without a texture it is nearly clear
}

// looks are the shaders that are not just a texture in the surface's light.
var looks = map[string]look{
	"unlitgeneric":          {unlit: true},
	"unlittwotexture":       {unlit: true},
	"sprite":                {unlit: true},
	"sky":                   {unlit: true},
	"monitorscreen":         {unlit: true},
	"modulate":              {unlit: true, blend: multiplied},
	"decalmodulate":         {unlit: true, blend: modulated},
	"worldvertextransition": {second: true},
	"lightmapped_4wayblend": {second: true},
	"multiblend":            {second: true},
	"water":                 {water: true},
	"refract":               {glass: true},
}

// lookOf is the look of a shader: mods have copies called SDK_Water, and materials name versions, like Water_DX90.
func lookOf(shader string) look {
	name := strings.TrimPrefix(shader, "sdk_")
	if at := strings.LastIndex(name, "_dx"); at > 0 {
		name = name[:at]
	}
	return looks[name]
}

// hints are keys of what the compilers take out of a map, or should.
var hints = []string{
	"%compilenodraw", "%compilesky", "%compile2dsky", "%compilehint", "%compileskip", "%compileorigin", "%compiletrigger",
	"%compileclip", "%compilenpcclip", "%compileplayerclip", "%playerclip", "%compileplayercontrolclip",
	"%compilegrenadeclip", "%compiledroneclip", "%compileinvisible",
}

// parts are textures that change a surface in ways that are not shown.
var parts = []string{"$basetexture3", "$basetexture4", "$texture2", "$blendmodulatetexture", "$detail"}

// loadVMT makes the material of a Valve material file.
func (ld *loader) loadVMT(i int, wm *world.Material, visible bool) bool {
	m := &ld.set.Materials[i]
	if wm.Flags&world.Sky != 0 && ld.sky != "" {
		ld.vmtSky(i, wm, visible)
		return true
	}
	e := ld.vmt(wm.Name)
	if e.material == nil {
		return false
	}
	v := e.material
	describeVMT(m, e)
	l := lookOf(v.Shader)
	water, set := v.Get("$abovewater")
	switch {
	case wm.Flags&world.Sky != 0:
		m.Sky, m.Unlit = newSky(), true
	case !visible || slices.ContainsFunc(hints, v.Bool):
		m.Hidden = true
	case l.water && set && water != "" && !v.Bool("$abovewater"):
		m.Hidden = true // the same surface from below
	default:
		ld.surfaceVMT(target{i, -1}, wm, v, &l, names[0])
		if l.second && !e.brush && v.Texture("$basetexture2") != "" {
			layer := plain(wm.Name)
			layer.Name = wm.Name + " layer 1"
			layer.mean = m.mean
			m.Layers = append(m.Layers, layer)
			to := target{i, 0}
			ld.surfaceVMT(to, wm, v, &l, names[1])
			to.of(ld.set).Alpha, to.of(ld.set).VertexAlpha = Blend, true
		}
		var cut []string
		for _, name := range parts {
			if v.Texture(name) != "" {
				cut = append(cut, name)
			}
		}
		ld.notShown(i, cut)
	}
	return true
}

// textureNames are the parameters of one of the textures that lie over each other.
type textureNames struct{ base, transform, frame, normal, normalTransform, normalFrame string }

var names = [2]textureNames{
	{"$basetexture", "$basetexturetransform", "$frame", "$bumpmap", "$bumptransform", "$bumpframe"},
	{"$basetexture2", "$basetexturetransform2", "$frame2", "$bumpmap2", "$bumptransform2", "$bumpframe2"},
}

// surfaceVMT makes a material, or a layer of one, of a shader's parameters.
func (ld *loader) surfaceVMT(to target, wm *world.Material, v *vmt.Material, l *look, n textureNames) {
	m := to.of(ld.set)
	m.Unlit = wm.Lighting != world.Lightmap || l.unlit
	m.VertexColor = wm.Lighting == world.PerVertex && !l.unlit || v.Bool("$vertexcolor")
	m.DoubleSided = v.Bool("$nocull")
	m.Offset = v.Bool("$decal") || l.blend != asStored
	white := [3]float64{1, 1, 1}
	tint := v.Color("$color", white)
	if wm.Lighting != world.Lightmap || l.unlit { // shaders with a lightmap do not know it
		for k, c := range v.Color("$color2", white) {
			tint[k] *= c
		}
	}
	for k, c := range tint {
		m.BaseColor[k] = float32(srgbToLinear(clamp01(c)))
	}
	opacity := clamp01(v.Float("$alpha", 1))
	m.BaseColor[3] = float32(opacity)
	blend := l.blend
	switch {
	case blend != asStored:
		m.Alpha = Blend
	case v.Bool("$additive"):
		m.Alpha, blend = Blend, added
		if v.Bool("$translucent") {
			blend = addedByAlpha
		}
	case v.Bool("$alphatest"):
		// 0.7 is the state of the engine's Direct3D layer; a shader changes it only where the material says more than 0.
		m.Alpha, m.Cutoff = Mask, 0.7
		if ref := clamp01(v.Float("$alphatestreference", 0)); ref > 0 {
			m.Cutoff = float32(ref)
		}
	case v.Bool("$translucent") || v.Bool("$vertexalpha") || opacity < 1:
		m.Alpha = Blend
	}
	if blend != asStored {
		m.Extras["vmt_blend"] = blend.String()
	}
	m.VertexAlpha = m.Alpha == Blend && v.Bool("$vertexalpha")
	if matrix, ok := v.Matrix(n.transform); ok {
		m.Base.UV = matrix
	}
	ld.normalVMT(to, v, n)
	name := v.Texture(n.base)
	if name == "" {
		m.bare(wm, v, l)
		return
	}
	file := ld.texture(name)
	if file == "" {
		ld.missing(wm, []string{name + ".vtf"})
		m.placeholder()
		return
	}
	set := func(m *Material, image int, made *made) { m.Base.Image, m.Base.Clamp = image, made.clamp }
	// The alpha of what shines or reflects may say where it does.
	alpha := m.Alpha == Mask || m.Alpha == Blend && !v.Bool("$selfillum") && !v.Bool("$basealphaenvmapmask")
	ld.useTexture(file, form{frame: v.Int(n.frame), pixels: blend}, alpha, user{to: to, set: set})
	ld.glowVMT(to, v, file, n)
}

// bare is the look of a material without a texture.
func (m *Material) bare(wm *world.Material, v *vmt.Material, l *look) {
	switch {
	case l.water:
		m.Alpha, m.Cutoff, m.Offset = Blend, 0, false
		color := [3]float32{0.05, 0.1, 0.1}
		if wm.Color != [3]float32{} {
			color = wm.Color
		}
		if v.Vector("$fogcolor") != nil {
			for k, c := range v.Color("$fogcolor", [3]float64{}) {
				color[k] = float32(srgbToLinear(clamp01(c)))
			}
		}
		copy(m.BaseColor[:], color[:])
		m.BaseColor[3] = waterOpacity
	case l.glass:
		m.Alpha, m.Cutoff = Blend, 0
		for k, c := range v.Color("$refracttint", [3]float64{1, 1, 1}) {
			m.BaseColor[k] = float32(srgbToLinear(clamp01(c)))
		}
		m.BaseColor[3] = glassOpacity
	case wm.Color != [3]float32{}:
		copy(m.BaseColor[:], wm.Color[:])
	}
	for k, c := range m.BaseColor {
		m.BaseColor[k] = float32(clamp01(float64(c)))
	}
}

// The engine bends what is behind water and glass; we let it through.
const (
	waterOpacity = 0.8
	glassOpacity = 0.15
)

// normalVMT gives a material its normal map.
func (ld *loader) normalVMT(to target, v *vmt.Material, n textureNames) {
	m := to.of(ld.set)
	if !ld.o.Normals || m.Unlit {
		return
	}
	file, bump := ld.normalFile(v, n)
	if file == "" {
		return
	}
	matrix, ok := v.Matrix(n.normalTransform)
	if !ok {
		matrix = identity
	}
	if inv, ok := invert(m.Base.UV); ok {
		m.Normal.UV = multiply(matrix, inv) // the base's is in the coordinates already
	}
	set := func(m *Material, image int, made *made) { m.Normal.Image, m.Normal.Clamp = image, made.clamp }
	f := form{frame: v.Int(n.normalFrame), pixels: normal, bump: bump}
	ld.useTexture(file, f, false, user{to: to, set: set, role: asNormal})
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

// glowVMT makes a material shine where its texture's alpha says so, or another texture.
func (ld *loader) glowVMT(to target, v *vmt.Material, file string, n textureNames) {
	m := to.of(ld.set)
	if !ld.o.Emissive || m.Unlit || !v.Bool("$selfillum") || n != names[0] {
		return
	}
	mask := file
	if name := v.Texture("$selfillummask"); name != "" {
		if mask = ld.texture(name); mask == "" {
			ld.issue(world.Issue{Code: "glow-missing", Where: name, Detail: "the surfaces do not shine"})
			return
		}
	}
	lit := false
	for k, c := range v.Color("$selfillumtint", [3]float64{1, 1, 1}) {
		m.Emission[k] = float32(srgbToLinear(clamp01(c)))
		lit = lit || m.Emission[k] > 0
	}
	if !lit {
		return
	}
	set := func(m *Material, image int, made *made) { m.Emissive.Image, m.Emissive.Clamp = image, made.clamp }
	ld.useTexture(file, form{frame: v.Int(n.frame), pixels: glow, mask: mask}, false, user{to: to, set: set, role: asEmission})
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
