package valve

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// over adds the layers that lie over a material's first texture, and returns which parts are not shown.
func (vp *Planner) over(i int, wm *world.Material, e *lookup.Entry, s *shader) (cut []string) {
	v, base := e.Material, plan.Alone(i)
	u := useOf(v, s, vp.Files, vp.Files.Texture(v.Texture("$basetexture")), "")
	if s.second && !s.fourWay && vp.masked(i, v, &u) {
		return unused(v, "$basetexture3", "$basetexture4")
	}
	if s.second && !e.Brush && v.Texture("$basetexture2") != "" {
		if vp.Options.BakeBlends && vp.Into.Materials[i].Alpha == pbr.Opaque && !vp.Into.Materials[i].Placeholder {
			return vp.bake(i, wm, v)
		}
		cut = vp.layers(i, wm, v, s, &u)
	} else {
		cut = vp.second(base, v)
	}
	return cut
}

// layers makes the layers of a material whose textures are blended. u is how the alpha of its first texture is used.
func (vp *Planner) layers(i int, wm *world.Material, v *vmt.Material, s *shader, u *parameterUse) (cut []string) {
	if !fourWay(v) {
		cut = unused(v, "$basetexture3", "$basetexture4")
	}
	for k, n := range upperLayers(v) {
		if v.Texture(n.base) == "" {
			continue
		}
		m := &vp.Into.Materials[i]
		layer := pbr.New(wm.Name)
		layer.Name = fmt.Sprintf("%s layer %d", wm.Name, k+1)
		layer.PlaceholderLook = m.PlaceholderLook
		m.Layers = append(m.Layers, layer)
		to := plan.Target{Material: i, Layer: len(m.Layers) - 1}
		mixed := !fourWay(v) && vp.bands(to, v, u)
		if missing := vp.surface(to, wm, v, s, n); !mixed { // else the material itself reports it
			cut = append(cut, missing...)
		}
		lm := to.Of(vp.Into.Materials)
		lm.Alpha, lm.Vertex.Alpha = pbr.Blend, true
		if fourWay(v) {
			lm.Layer.Weight = k + 1
			lm.Base.UV = layerMatrix(v, k+1)
			cut = append(cut, luminances(v, k+2)...)
			continue
		}
		if mask := v.Texture("$blendmodulatetexture"); mask != "" && !mixed && !vp.maskLayer(to, v, mask) {
			cut = append(cut, "$blendmodulatetexture")
		}
	}
	return cut
}

// upperLayers returns the parameters of the textures that are blended over a material's first.
func upperLayers(v *vmt.Material) []parameters {
	if fourWay(v) {
		return layerParameters[:]
	}
	return []parameters{secondParameters}
}

// maskLayer masks a layer: a texel shows from the vertex alpha that the mask's green gives.
func (vp *Planner) maskLayer(to plan.Target, v *vmt.Material, mask string) bool {
	file, m := vp.Files.Texture(mask), to.Of(vp.Into.Materials)
	inverse, ok := space.InvertTexture(m.Base.UV)
	if file == "" || !ok || !vp.Options.Combine {
		return false
	}
	uv := space.MultiplyTexture(maskMatrix(v), inverse)
	p := images.Overpaint{Over: file, Mix: paint.Mix{UV: uv, Mode: paint.Covered, Stored: true, Factor: 1, Tint: paint.White}}
	return vp.Into.Repaint(to, p, "_masked", true)
}

// luminances returns the parameters by which the brightness of a layer's texture affects the layer's opacity.
func luminances(v *vmt.Material, n int) []string {
	at := fmt.Sprintf("$texture%d_", n)
	for _, name := range []string{"blendstart", "blendend", "lumstart", "lumend"} {
		if _, ok := v.Get(at + name); ok {
			return []string{at + "lum"}
		}
	}
	return nil
}

// second draws the second of two textures over the first, for shaders that always show both.
func (vp *Planner) second(base plan.Target, v *vmt.Material) (cut []string) {
	m := base.Of(vp.Into.Materials)
	p := images.Overpaint{Mix: paint.Mix{Factor: 1, Tint: paint.White}}
	x := &p.Mix
	var name string
	switch shaderName(v.Shader) {
	case "unlittwotexture":
		name, p.Frame, x.Mode, x.UV = "$texture2", v.Int("$frame2"), paint.MultipliedMix, pbr.Identity
		if matrix, ok := v.Matrix("$texture2transform"); ok {
			x.UV = matrix
		}
	case "cable": // lit by half-Lambert from straight ahead, so the normal map becomes a factor on the texture
		name, p.Frame, x.Mode, x.UV, x.Stored = "$bumpmap", v.Int("$bumpframe"), paint.Ribbed, pbr.Identity, true
	default:
		return unused(v, "$basetexture3", "$basetexture4", "$texture2", "$blendmodulatetexture")
	}
	texture := v.Texture(name)
	if texture == "" {
		return nil
	}
	inverse, ok := space.InvertTexture(m.Base.UV)
	if p.Over = vp.Files.Texture(texture); p.Over == "" || !ok || !vp.Options.Combine {
		return []string{name}
	}
	x.UV = space.MultiplyTexture(x.UV, inverse)
	if k := paint.SpanOf(x.UV); k > 1 && m.Motion == nil {
		p.Span, x.UV = k, paint.Scaled(x.UV, k)
	}
	if !vp.Into.Repaint(base, p, "_two", false) {
		return []string{name}
	}
	m.Base.Span = p.Span
	return nil
}

// unused returns the parameters of a list that name a texture; these textures are not shown.
func unused(v *vmt.Material, list ...string) (cut []string) {
	for _, name := range list {
		if v.Texture(name) != "" {
			cut = append(cut, name)
		}
	}
	return cut
}
