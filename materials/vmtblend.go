package materials

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// blend reads the textures of a material. Without its first texture there is nothing to draw; any other is left out.
func (mk *maker) blend(ctx context.Context, f *fading) (bl *blend, m made, err error) {
	bl = &blend{fourWay: f.fourWay, masked: f.masked}
	type result struct {
		texture *blendTexture
		made    made
		size    int64
	}
	results, err := par.Map(ctx, len(f.textures), func(i int) (r result, err error) {
		if want := &f.textures[i]; want.file != "" {
			r.texture, r.size, err = mk.blendTexture(want)
			if err != nil {
				err = r.made.broken(want.file, err)
			} else {
				r.made.files = []string{want.file}
			}
		}
		return r, err
	})
	for i, r := range results {
		bl.reserved += r.size
		m.files, m.issues = append(m.files, r.made.files...), append(m.issues, r.made.issues...)
		if r.texture != nil {
			bl.put(&f.textures[i], r.texture)
		}
	}
	if bl.detail != nil {
		bl.mixer = newMixer(f.detail.mode, f.detail.factor, f.detail.tint)
	}
	if len(results) == 0 || results[0].texture == nil {
		bl.layers = nil
	}
	if bl.normals[0] == nil {
		bl.normals[1] = nil
	}
	return bl, m, err
}

// blendTexture reads a texture and halves it. What it returns is reserved.
func (mk *maker) blendTexture(want *wanted) (t *blendTexture, size int64, err error) {
	data, err := mk.files.text(want.file)
	if err != nil {
		return nil, 0, err
	}
	var x *texels
	if isVTF(want.file) {
		x, err = decodeVTF(data, want.frame, 0, mk.budget)
	} else {
		var im *image.NRGBA
		if im, _, err = picture.Decode(data, want.file, mk.budget); err == nil {
			x, err = reserved(&texels{im: im}, len(im.Pix), mk.budget)
		}
	}
	if err != nil {
		return nil, 0, err
	}
	size = int64(len(x.im.Pix))
	if err := mk.budget.Reserve(size); err != nil { // a third is enough for the halves, but a copy without alpha is made too
		x.release()
		return nil, 0, err
	}
	im := x.im
	switch {
	case want.part == asTilt:
		toNormals(im, want.bump || x.bump, true)
	case want.part != asDetail:
		im = opaque(im)
	}
	t = &blendTexture{sizes: []*image.NRGBA{im}, clamp: x.clamp, uv: want.uv}
	for im.Rect.Dx() > 1 || im.Rect.Dy() > 1 {
		im = picture.Resize(im, max(1, im.Rect.Dx()/2), max(1, im.Rect.Dy()/2))
		t.sizes = append(t.sizes, im)
	}
	return t, 2 * size, nil
}
