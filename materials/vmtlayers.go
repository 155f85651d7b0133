package materials

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// layerNames are the parameters of the textures that fade in over the first.
var layerNames = [3]textureNames{
	names[1],
	{"$basetexture3", "$basetexturetransform3", "$frame3", "", "", ""},
	{"$basetexture4", "$basetexturetransform4", "$frame4", "", "", ""},
}

// fourWay tells the shaders whose layers have weights of their own: the last three of a displacement's four.
func fourWay(v *vmt.Material) bool {
	name := shaderName(v.Shader)
	return name == "lightmapped_4wayblend" || name == "multiblend"
}

// shaderName is the name that lookOf knows a shader by.
func shaderName(shader string) string {
	name := strings.TrimPrefix(shader, "sdk_")
	if at := strings.LastIndex(name, "_dx"); at > 0 {
		name = name[:at]
	}
	return strings.TrimSuffix(name, "_hdr")
}

// overVMT puts over a material what lies over its first texture, and returns what is not shown.
func (vp *valvePlanner) overVMT(i int, wm *world.Material, e *vmtEntry, l *look) (cut []string) {
	v, base := e.material, target{i, -1}
	if l.second && !e.brush && v.Texture("$basetexture2") != "" {
		if vp.o.Blends == "baked" && vp.plan.Materials[i].Alpha == Opaque && !vp.plan.Materials[i].Placeholder {
			return vp.bakeVMT(i, wm, v)
		}
		cut = vp.layersVMT(i, wm, v, l)
	} else {
		cut = vp.twoVMT(base, v)
	}
	if shaderName(v.Shader) == "worldtwotextureblend" {
		return cut
	}
	return append(cut, vp.detailVMT(base, v)...)
}

// layersVMT makes the layers of a material whose textures fade into each other.
func (vp *valvePlanner) layersVMT(i int, wm *world.Material, v *vmt.Material, l *look) (cut []string) {
	count := 1
	if fourWay(v) {
		count = len(layerNames)
	} else {
		cut = unused(v, "$basetexture3", "$basetexture4")
	}
	for k, n := range layerNames[:count] {
		if v.Texture(n.base) == "" {
			continue
		}
		m := &vp.plan.Materials[i]
		layer := plain(wm.Name)
		layer.Name = fmt.Sprintf("%s layer %d", wm.Name, k+1)
		layer.stand = m.stand
		m.Layers = append(m.Layers, layer)
		to := target{i, len(m.Layers) - 1}
		vp.surfaceVMT(to, wm, v, l, n)
		lm := to.of(vp.plan.Materials)
		lm.Alpha, lm.VertexAlpha = Blend, true
		if fourWay(v) {
			lm.Weight = k + 1
			lm.Base.UV = layerMatrix(v, k+1)
			cut = append(cut, luminances(v, k+2)...)
			continue
		}
		if mask := v.Texture("$blendmodulatetexture"); mask != "" && !vp.maskLayer(to, v, mask) {
			cut = append(cut, "$blendmodulatetexture")
		}
	}
	return cut
}

// maskLayer makes the texels of a layer come in where a mask says: its green is the vertices' alpha at which one does.
func (vp *valvePlanner) maskLayer(to target, v *vmt.Material, mask string) bool {
	file, m := vp.files.texture(mask), to.of(vp.plan.Materials)
	inverse, ok := invert(m.Base.UV)
	if file == "" || !ok || vp.o.Combine == "none" {
		return false
	}
	uv := inverse
	if own, ok := v.Matrix("$blendmasktransform"); ok {
		uv = multiply(own, inverse)
	}
	p := overpaint{over: file, uv: uv, mode: covered, factor: 1, tint: white}
	return vp.plan.repaint(to, p, "_masked", true)
}

// luminances are the parameters that let the brightness of a layer's texture say where it comes in.
func luminances(v *vmt.Material, n int) []string {
	at := fmt.Sprintf("$texture%d_", n)
	for _, name := range []string{"blendstart", "blendend", "lumstart", "lumend"} {
		if _, ok := v.Get(at + name); ok {
			return []string{at + "lum"}
		}
	}
	return nil
}

// twoVMT draws the second of two textures over the first, where the shader always shows both.
func (vp *valvePlanner) twoVMT(base target, v *vmt.Material) (cut []string) {
	m := base.of(vp.plan.Materials)
	p := overpaint{factor: 1, tint: white}
	var name string
	switch shaderName(v.Shader) {
	case "unlittwotexture":
		name, p.mode, p.second, p.uv = "$texture2", multipliedMix, v.Int("$frame2"), identity
		if own, ok := v.Matrix("$texture2transform"); ok {
			p.uv = own
		}
	case "worldtwotextureblend":
		name, p.mode, p.second, p.uv, p.finer = "$detail", overMix, v.Int("$detailframe"), multiply(scaling(v, "$detailscale", 4), m.Base.UV), 4
	default:
		return unused(v, "$basetexture3", "$basetexture4", "$texture2", "$blendmodulatetexture")
	}
	texture := v.Texture(name)
	if texture == "" {
		return nil
	}
	inverse, ok := invert(m.Base.UV)
	if p.over = vp.files.texture(texture); p.over == "" || !ok || vp.o.Combine == "none" {
		return []string{name}
	}
	p.uv = multiply(p.uv, inverse)
	if !vp.plan.repaint(base, p, "_two", false) {
		return []string{name}
	}
	return nil
}

// unused are those of a material's textures that are not shown.
func unused(v *vmt.Material, list ...string) (cut []string) {
	for _, name := range list {
		if v.Texture(name) != "" {
			cut = append(cut, name)
		}
	}
	return cut
}
