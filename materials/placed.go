package materials

import (
	"context"
	"io/fs"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// loadValve makes the material of a Valve material file as its place in the map shows it.
func (ld *loader) loadValve(i int, wm *world.Material, visible bool) bool {
	if wm.Colored && wm.Blend != world.BlendNone && visible {
		if e := ld.vmt(wm.Name); e.material != nil {
			ld.sprite(i, wm, e)
			return true
		}
	}
	if !ld.loadVMT(i, wm, visible) {
		return false
	}
	if m, v := &ld.set.Materials[i], ld.vmt(wm.Name).material; v != nil && m.Sky == nil && !m.Hidden {
		m.asPlaced(wm, v)
	}
	return true
}

// asPlaced changes a material by what the map says of it. What is added to the surface behind needs other pixels: a model that
// the map adds is seen through as much as its opacity says.
func (m *Material) asPlaced(wm *world.Material, v *vmt.Material) {
	m.DoubleSided = m.DoubleSided || wm.TwoSided
	m.VertexColor = m.VertexColor || wm.Colored
	if !v.Bool("$blendtintbybasealpha") { // else it is in the texture
		for k, c := range placedTint(wm, v) {
			m.BaseColor[k] *= c
		}
	}
	if !m.Placeholder && (wm.Blend == world.BlendAlpha || wm.Blend == world.BlendAdd) { // a placeholder has it already
		if m.BaseColor[3] *= wm.Opacity; m.Alpha == Opaque {
			m.Alpha = Blend
		}
	}
}

// placedTint is the colour, linear, by which a place in the map multiplies a material's, unless that says that it takes none.
func placedTint(wm *world.Material, v *vmt.Material) [3]float32 {
	if wm.Tint == [3]float32{} || v.Bool("$notint") || v.Float("$allowdiffusemodulation", 1) == 0 {
		return [3]float32{1, 1, 1}
	}
	return wm.Tint
}

// sprite makes the material of a sprite: blended as the map says, or as the material does, whose shader says which counts.
// The vertices have its colour and opacity. Source SDK 2013, materialsystem/stdshaders/sprite_dx9.cpp.
func (ld *loader) sprite(i int, wm *world.Material, e *vmtEntry) {
	v := e.material
	m := &ld.set.Materials[i]
	describeVMT(m, e)
	m.Unlit, m.DoubleSided, m.VertexColor, m.VertexAlpha = true, true, true, true
	m.Alpha = Blend
	pixels := asStored
	switch {
	case wm.Blend == world.BlendMask && spriteShader(v):
		m.Alpha, m.Cutoff, m.VertexAlpha = Mask, 0.5, false
	case spriteShader(v):
		if wm.Blend == world.BlendAdd {
			pixels = addedByAlpha
		}
	case v.Bool("$additive") && v.Bool("$translucent"):
		pixels = addedByAlpha
	case v.Bool("$additive"), !v.Bool("$translucent") && wm.Blend == world.BlendAdd:
		pixels = added
	}
	if pixels != asStored {
		m.Extras["vmt_blend"] = pixels.String()
	}
	for k, c := range v.Color("$color", white) {
		m.BaseColor[k] = float32(srgbToLinear(clamp01(c)))
	}
	m.BaseColor[3] = float32(clamp01(v.Float("$alpha", 1)))
	name := v.Texture("$basetexture")
	file := ld.texture(name)
	if file == "" {
		ld.missing(wm, []string{name + ".vtf"})
		m.stand.opacity = 1 // the vertices have it
		m.placeholder()
		return
	}
	set := func(m *Material, image int, made *made) { m.Base.Image, m.Base.Clamp = image, made.clamp }
	ld.useTexture(file, form{frame: v.Int("$frame"), pixels: pixels}, true, user{to: target{i, -1}, set: set})
}

// spriteShader tells whether a material is drawn as the entity says that shows it.
func spriteShader(v *vmt.Material) bool { return strings.HasPrefix(v.Shader, "sprite") }

// PictureSizes returns how many pixels wide and high the pictures of the map's materials are on which sprites and ropes lie;
// 0 x 0 where there is none, and for all other materials.
func PictureSizes(ctx context.Context, files fs.FS, w *world.World) [][2]float64 {
	ld := bareLoader(ctx, files)
	sizes, asked := make([][2]float64, len(w.Materials)), make([]bool, len(w.Materials))
	ask := func(i int) {
		if !asked[i] {
			asked[i], sizes[i] = true, ld.pictureSize(&w.Materials[i])
		}
	}
	for i := range w.Props {
		if s := w.Props[i].Sprite; s != nil {
			ask(s.Material)
		}
	}
	for i := range w.Ropes {
		ask(w.Ropes[i].Material)
	}
	return sizes
}

// pictureSize is the size of a material's picture.
func (ld *loader) pictureSize(wm *world.Material) (size [2]float64) {
	file := ld.texture("materials/" + fold(wm.Name))
	if v := ld.vmt(wm.Name).material; v != nil {
		file = ld.texture(v.Texture("$basetexture"))
	}
	if file == "" {
		return size
	}
	if isVTF(file) {
		if width, height, err := vtfSize(ld.files, file); err == nil {
			size = [2]float64{float64(width), float64(height)}
		}
		return size
	}
	data, err := ld.text(file)
	if err != nil {
		return size
	}
	if p, err := picture.Sniff(data, file); err == nil {
		size = [2]float64{float64(p.Width), float64(p.Height)}
	}
	return size
}
