package write

import (
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/unlit"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// materialWriter appends materials to a document, and their textures, each once.
type materialWriter struct {
	scene    *scene.Scene
	doc      *gltf.Document
	samplers map[sampler]int
	textures map[texture]int
	pointed  map[string]bool // JSON pointers of the textures whose transform an animation changes
}

func newMaterialWriter(s *scene.Scene, doc *gltf.Document) *materialWriter {
	return &materialWriter{scene: s, doc: doc, samplers: map[sampler]int{}, textures: map[texture]int{}, pointed: pointed(s)}
}

// texture is an image with a sampler.
type texture struct {
	image          int
	clamp, nearest bool
}

// sampler is how an image is sampled: clamp or repeat; flat means without mipmaps, for lightmaps and skies; nearest means that
// enlarged texels stay squares.
type sampler struct{ clamp, flat, nearest bool }

func (w *materialWriter) add(m *scene.Material) {
	out := &gltf.Material{
		Name: m.Name, DoubleSided: m.Draw.DoubleSided, Extensions: gltf.Extensions{},
		PBRMetallicRoughness: &gltf.PBRMetallicRoughness{MetallicFactor: gltf.Float(0), RoughnessFactor: gltf.Float(1)},
	}
	metal := out.PBRMetallicRoughness
	if c := m.BaseColor; c != [4]float32{1, 1, 1, 1} {
		metal.BaseColorFactor = &[4]float64{unitRange(c[0]), unitRange(c[1]), unitRange(c[2]), unitRange(c[3])}
	}
	if m.Base.Image >= 0 {
		metal.BaseColorTexture = &gltf.TextureInfo{Index: w.sampled(m.Base.Image,
			sampler{clamp: m.Base.Clamp || w.scene.Images[m.Base.Image].Clamp, nearest: m.Draw.Nearest})}
		metal.BaseColorTexture.Extensions = w.transform(pbr.Spanned(m.Base.Span))
	}
	plain := m.Unlit || m.Material.Draw.Unlit
	if m.Normal.Image >= 0 && !plain {
		out.NormalTexture = &gltf.NormalTexture{Index: gltf.Index(w.texture(m.Normal.Image, m.Normal.Clamp))}
		out.NormalTexture.Extensions = w.transform(m.Normal.UV)
	}
	switch m.Alpha {
	case pbr.Mask:
		out.AlphaMode = gltf.AlphaMask
		out.AlphaCutoff = gltf.Float(float64(m.Cutoff))
	case pbr.Blend:
		out.AlphaMode = gltf.AlphaBlend
	}
	if e := m.Emission.Color; e != [3]float32{} && !plain {
		out.EmissiveFactor = [3]float64{unitRange(e[0]), unitRange(e[1]), unitRange(e[2])}
		if m.Emission.Slot.Image >= 0 {
			s := &m.Emission.Slot
			out.EmissiveTexture = &gltf.TextureInfo{Index: w.sampled(s.Image, sampler{clamp: s.Clamp, nearest: m.Draw.Nearest}),
				Extensions: w.transform(s.UV)}
		}
		if m.Emission.Strength > 1 {
			w.extend(out, "KHR_materials_emissive_strength", map[string]any{"emissiveStrength": m.Emission.Strength})
		}
	}
	w.addTransforms(out)
	if !plain {
		w.reflection(out, m)
	}
	if m.Lightmap != scene.None {
		w.extend(out, "MOZ_lightmap", withDisplay(m.Display,
			map[string]any{"index": w.texture(m.Lightmap, true), "texCoord": 1, "intensity": m.Intensity}))
	}
	if plain {
		w.extend(out, unlit.ExtensionName, unlit.Unlit(withDisplay(m.Display, map[string]any{})))
	}
	if len(out.Extensions) == 0 {
		out.Extensions = nil
	}
	if extras := w.extras(m); len(extras) > 0 {
		out.Extras = extras
	}
	w.doc.Materials = append(w.doc.Materials, out)
}

// extras returns a material's extras with those that our readers use (docs/internals/readers.md), or nil if there are
// none.
func (w *materialWriter) extras(m *scene.Material) map[string]any {
	if w.scene.Plain {
		return nil
	}
	more := map[string]any{}
	if x := w.motion(m); x != nil {
		more["motion"] = x
	}
	if x := w.details(m); x != nil {
		more["details"] = x
	}
	if m.Bright {
		more["over_alpha"] = true
	}
	if m.Chrome != [2]float32{} {
		more["chrome"] = rounded(float64(m.Chrome[0]), float64(m.Chrome[1]))
	}
	if x := w.environment(m); x != nil {
		more["environment"] = x
	}
	if x := w.directed(m); x != nil {
		more["directed"] = x
	}
	if x := w.mix(m); x != nil {
		more["mix"] = x
	}
	if b := m.Behind; b != nil {
		more["behind"] = map[string]any{"texture": w.texture(b.Image, b.Clamp), "factor": rounded(b.Factor[:]...)}
	}
	maps.Copy(more, m.Extras)
	return more
}

// reflection adds a material's reflection and transmission. Viewers without these extensions show only roughness and
// metalness.
func (w *materialWriter) reflection(out *gltf.Material, m *scene.Material) {
	if r := m.Reflection; r != nil {
		metal := out.PBRMetallicRoughness
		metal.MetallicFactor, metal.RoughnessFactor = gltf.Float(unitRange(r.Metal)), gltf.Float(unitRange(r.Roughness))
		if r.Image >= 0 {
			metal.MetallicRoughnessTexture = w.textureInfo(&r.Slot)
		}
		specular := map[string]any{}
		if r.Specular != 1 {
			specular["specularFactor"] = r.Specular
		}
		if r.Image >= 0 && r.Masked {
			specular["specularTexture"] = w.textureInfo(&r.Slot)
		}
		if r.Color != [3]float32{1, 1, 1} {
			specular["specularColorFactor"] = r.Color
		}
		if r.Tinted && m.Base.Image >= 0 {
			specular["specularColorTexture"] = out.PBRMetallicRoughness.BaseColorTexture
		}
		if len(specular) > 0 {
			w.extend(out, "KHR_materials_specular", specular)
		}
		if r.IOR != 0 {
			w.extend(out, "KHR_materials_ior", map[string]any{"ior": r.IOR})
		}
	}
	if t := m.Transmission; t != nil {
		x := map[string]any{"transmissionFactor": t.Factor}
		if t.Image >= 0 {
			x["transmissionTexture"] = w.textureInfo(&t.Slot)
		}
		w.extend(out, "KHR_materials_transmission", x)
	}
}

// withDisplay adds to an extension how the viewer must multiply its light.
func withDisplay(d *scene.Display, extension map[string]any) map[string]any {
	if d != nil {
		extension["extras"] = map[string]any{"display": d}
	}
	return extension
}

// extend adds an optional extension to a material.
func (w *materialWriter) extend(out *gltf.Material, name string, value any) {
	out.Extensions[name] = value
	use(w.doc, name, false)
}

// textureInfo returns the reference to the texture of a slot, which must have an image.
func (w *materialWriter) textureInfo(s *pbr.Slot) *gltf.TextureInfo {
	return &gltf.TextureInfo{Index: w.texture(s.Image, s.Clamp), Extensions: w.transform(s.UV)}
}

// transform returns KHR_texture_transform, or nil if the slot's transform is the identity.
func (w *materialWriter) transform(uv [6]float64) gltf.Extensions {
	if uv == noTransform || uv == [6]float64{} {
		return nil
	}
	use(w.doc, "KHR_texture_transform", false)
	return gltf.Extensions{"KHR_texture_transform": textureTransform(uv)}
}

// textureTransform returns the members of KHR_texture_transform for a 2 x 3 matrix: scale, then rotation, then
// offset. They can't express shear, which is dropped.
func textureTransform(uv [6]float64) map[string]any {
	if uv[1] == 0 && uv[3] == 0 {
		return map[string]any{"scale": [2]float64{uv[0], uv[4]}, "offset": [2]float64{uv[2], uv[5]}}
	}
	// u' = x·cos·u + y·sin·v, v' = -x·sin·u + y·cos·v
	x, y := math.Hypot(uv[0], uv[3]), math.Hypot(uv[1], uv[4])
	if float64(uv[0]*uv[4])-float64(uv[1]*uv[3]) < 0 {
		y = -y
	}
	return map[string]any{
		"scale": rounded(x, y), "offset": [2]float64{uv[2], uv[5]}, "rotation": rounded(math.Atan2(-uv[3], uv[0]))[0],
	}
}

func unitRange(v float32) float64 { return float64(min(max(v, 0), 1)) }

// noTransform is the identity transform of texture coordinates.
var noTransform = [6]float64{1, 0, 0, 0, 1, 0}

// texture returns the index of an image's texture.
func (w *materialWriter) texture(image int, clamp bool) int {
	return w.sampled(image, sampler{clamp: clamp})
}

// sampled returns the index of an image's texture with a sampler. Clamped images get no mipmaps: the padding of a lightmap
// suffices only for linear filtering.
func (w *materialWriter) sampled(image int, kind sampler) int {
	key := texture{image, kind.clamp, kind.nearest}
	if i, ok := w.textures[key]; ok {
		return i
	}
	kind.flat = kind.clamp && w.scene.Images[image].Clamp
	if _, ok := w.samplers[kind]; !ok {
		w.samplers[kind] = len(w.doc.Samplers)
		s := &gltf.Sampler{MagFilter: gltf.MagLinear, MinFilter: gltf.MinLinearMipMapLinear}
		if kind.nearest {
			s.MagFilter = gltf.MagNearest
		}
		if kind.clamp {
			s.WrapS, s.WrapT = gltf.WrapClampToEdge, gltf.WrapClampToEdge
		}
		if kind.flat {
			s.MinFilter = gltf.MinLinear
		}
		w.doc.Samplers = append(w.doc.Samplers, s)
	}
	i := len(w.doc.Textures)
	w.textures[key] = i
	t := &gltf.Texture{Sampler: gltf.Index(w.samplers[kind])}
	if w.scene.Images[image].MIME == picture.WebP.MIME() {
		t.Extensions = gltf.Extensions{"EXT_texture_webp": map[string]any{"source": image}}
		use(w.doc, "EXT_texture_webp", true)
	} else {
		t.Source = gltf.Index(image)
	}
	w.doc.Textures = append(w.doc.Textures, t)
	return i
}

// addTransforms gives the textures whose transform an animation changes an explicit one, if they have none: the
// animation's pointer must exist.
func (w *materialWriter) addTransforms(m *gltf.Material) {
	at := "/materials/" + strconv.Itoa(len(w.doc.Materials))
	for end, info := range map[string]*gltf.TextureInfo{
		"/pbrMetallicRoughness/baseColorTexture": m.PBRMetallicRoughness.BaseColorTexture, "/emissiveTexture": m.EmissiveTexture,
	} {
		if info != nil && w.pointed[at+end] && info.Extensions == nil {
			use(w.doc, "KHR_texture_transform", false)
			still := map[string]any{"offset": [2]float64{}, "rotation": 0.0, "scale": [2]float64{1, 1}}
			info.Extensions = gltf.Extensions{"KHR_texture_transform": still}
		}
	}
}

// pointed returns the textures of materials whose transform an animation changes, by JSON pointer.
func pointed(s *scene.Scene) map[string]bool {
	out := map[string]bool{}
	for i := range s.Animations {
		for k := range s.Animations[i].Channels {
			if at, _, ok := strings.Cut(s.Animations[i].Channels[k].Pointer, "/extensions/KHR_texture_transform/"); ok {
				out[at] = true
			}
		}
	}
	return out
}
