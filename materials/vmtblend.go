package materials

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/vmt"
)

// blend is the textures of a material that fade into each other, as they are drawn on displacements.
type blend struct {
	layers  []blendLayer // the first is below all others
	mask    *blendTexture
	masked  bool // the mask alone says where the second layer is
	normals [2]*blendTexture
	detail  *blendTexture
	mixer   mixer
	fourWay bool

	reserved int64 // bytes of the textures
}

// blendLayer is one of up to four textures.
type blendLayer struct {
	texture *blendTexture
	weight  int // which of a displacement's weights is its opacity
	height  heights
}

// blendTexture is a texture with its smaller sizes, each half of the one before.
type blendTexture struct {
	sizes []*image.NRGBA
	clamp bool
	uv    [6]float64 // from the surface's coordinates
}

// blend reads the textures of a material. Without its first texture there is nothing to draw; any other is left out.
func (ld *loader) blend(ctx context.Context, f *fading) (bl *blend, m made, err error) {
	bl = &blend{fourWay: fourWay(f.v), masked: f.v.Bool("$maskedblending")}
	var list []wanted
	v := f.v
	for k, n := range f.layers() {
		want := wanted{file: ld.texture(v.Texture(n.base)), frame: v.Int(n.frame), uv: layerMatrix(v, k)}
		h := heightsOf(v, k+1)
		want.put = func(t *blendTexture) { bl.layers = append(bl.layers, blendLayer{texture: t, weight: k, height: h}) }
		list = append(list, want)
		if k < len(bl.normals) && ld.o.Normals && !ld.set.Materials[f.material].Unlit {
			if file, bump := ld.normalFile(v, n); file != "" {
				list = append(list, wanted{file: file, frame: v.Int(n.normalFrame), uv: matrixOf(v, n.normalTransform), normal: true, bump: bump,
					put: func(t *blendTexture) { bl.normals[k] = t }})
			}
		}
	}
	if name := v.Texture("$blendmodulatetexture"); name != "" && !bl.fourWay {
		list = append(list, wanted{file: ld.texture(name), uv: matrixOf(v, "$blendmasktransform"), put: func(t *blendTexture) { bl.mask = t }})
	}
	if d, _, ok := ld.detail(v, matrixOf(v, names[0].transform)); ok && ld.o.Combine == "all" && bakes(d.mode) {
		bl.mixer = newMixer(d.mode, d.factor, d.tint)
		list = append(list, wanted{file: d.file, frame: d.frame, uv: d.uv, alpha: true, put: func(t *blendTexture) { bl.detail = t }})
	}
	type result struct {
		texture *blendTexture
		made    made
		size    int64
	}
	results, err := par.Map(ctx, len(list), func(i int) (r result, err error) {
		if list[i].file != "" {
			r.texture, r.size, err = ld.blendTexture(&list[i])
			if err != nil {
				err = r.made.broken(list[i].file, err)
			} else {
				r.made.files = []string{list[i].file}
			}
		}
		return r, err
	})
	for i, r := range results {
		bl.reserved += r.size
		m.files, m.issues = append(m.files, r.made.files...), append(m.issues, r.made.issues...)
		if r.texture != nil {
			list[i].put(r.texture)
		}
	}
	if len(results) == 0 || results[0].texture == nil {
		bl.layers = nil
	}
	if bl.normals[0] == nil {
		bl.normals[1] = nil
	}
	return bl, m, err
}

// wanted is a texture to read.
type wanted struct {
	file   string // or "" where there is none
	frame  int
	uv     [6]float64
	normal bool // a normal map
	bump   bool // of light from three directions
	alpha  bool // its alpha counts
	put    func(*blendTexture)
}

// blendTexture reads a texture and halves it. What it returns is reserved.
func (ld *loader) blendTexture(want *wanted) (t *blendTexture, size int64, err error) {
	data, err := ld.text(want.file)
	if err != nil {
		return nil, 0, err
	}
	var x *texels
	if isVTF(want.file) {
		x, err = decodeVTF(data, want.frame, 0, ld.budget)
	} else {
		var im *image.NRGBA
		if im, _, err = picture.Decode(data, want.file, ld.budget); err == nil {
			x, err = reserved(&texels{im: im}, len(im.Pix), ld.budget)
		}
	}
	if err != nil {
		return nil, 0, err
	}
	size = int64(len(x.im.Pix))
	if err := ld.budget.Reserve(size); err != nil { // a third is enough for the halves, but a copy without alpha is made too
		x.release()
		return nil, 0, err
	}
	im := x.im
	switch {
	case want.normal:
		toNormals(im, want.bump || x.bump, true)
	case !want.alpha:
		im = opaque(im)
	}
	t = &blendTexture{sizes: []*image.NRGBA{im}, clamp: x.clamp, uv: want.uv}
	for im.Rect.Dx() > 1 || im.Rect.Dy() > 1 {
		im = picture.Resize(im, max(1, im.Rect.Dx()/2), max(1, im.Rect.Dy()/2))
		t.sizes = append(t.sizes, im)
	}
	return t, 2 * size, nil
}

func matrixOf(v *vmt.Material, name string) [6]float64 {
	if m, ok := v.Matrix(name); ok {
		return m
	}
	return identity
}
