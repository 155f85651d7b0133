package images

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
)

// blend reads the textures of a material. It draws nothing without the first texture; any other that is missing is left
// out.
func (mk *Maker) blend(ctx context.Context, f *Terrain) (bl *paint.Blend, m Made, err error) {
	bl = &paint.Blend{FourWay: f.FourWay, Masked: f.Masked}
	type result struct {
		texture *paint.BlendTexture
		Made    Made
		size    int64
	}
	results, err := par.Map(ctx, len(f.Textures), func(i int) (r result, err error) {
		if want := &f.Textures[i]; want.File != "" {
			r.texture, r.size, err = mk.blendTexture(want)
			if err != nil {
				err = r.Made.broken(want.File, err)
			} else {
				r.Made.Files = []string{want.File}
			}
		}
		return r, err
	})
	for i, r := range results {
		bl.Reserved += r.size
		m.Files, m.Issues = append(m.Files, r.Made.Files...), append(m.Issues, r.Made.Issues...)
		if r.texture != nil {
			put(bl, &f.Textures[i], r.texture)
		}
	}
	if bl.Detail != nil {
		bl.Mixer = paint.NewMixer(&f.Detail)
	}
	if len(results) == 0 || results[0].texture == nil {
		bl.Layers = nil
	}
	if bl.Normals[0] == nil {
		bl.Normals[1] = nil
	}
	return bl, m, err
}

// blendTexture reads a texture and computes its mipmaps. The caller releases the reserved size.
func (mk *Maker) blendTexture(want *Wanted) (t *paint.BlendTexture, size int64, err error) {
	data, err := mk.files.Text(want.File)
	if err != nil {
		return nil, 0, err
	}
	var x *Texels
	if lookup.IsVTF(want.File) {
		x, err = DecodeVTF(data, want.Frame, 0, mk.budget)
	} else {
		var im *image.NRGBA
		if im, _, err = picture.Decode(data, want.File, mk.budget); err == nil {
			x, err = Reserved(&Texels{Im: im}, len(im.Pix), mk.budget)
		}
	}
	if err != nil {
		return nil, 0, err
	}
	size = int64(len(x.Im.Pix))
	if err := mk.budget.Reserve(size); err != nil { // a third is enough for the mipmaps, but a copy without alpha is made too
		x.Release()
		return nil, 0, err
	}
	im := x.Im
	switch {
	case want.Part == AsTilt:
		paint.ToNormals(im, want.Bump || x.Bump, true)
	case want.Part != AsDetail:
		im = paint.Opaque(im)
	}
	t = &paint.BlendTexture{Sizes: []*image.NRGBA{im}, Clamp: x.clamp, UV: want.UV}
	for im.Rect.Dx() > 1 || im.Rect.Dy() > 1 {
		im = picture.Resize(im, max(1, im.Rect.Dx()/2), max(1, im.Rect.Dy()/2))
		t.Sizes = append(t.Sizes, im)
	}
	return t, 2 * size, nil
}

// put adds a texture to a blend.
func put(bl *paint.Blend, want *Wanted, t *paint.BlendTexture) {
	switch want.Part {
	case AsLayer:
		bl.Layers = append(bl.Layers, paint.BlendLayer{Texture: t, Weight: want.Layer, Height: want.Height})
	case AsTilt:
		bl.Normals[want.Layer] = t
	case AsMask:
		bl.Mask = t
	case AsDetail:
		bl.Detail = t
	}
}
