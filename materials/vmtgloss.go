package materials

import (
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// makeGloss makes the picture of a gloss, as large as its largest texture, or its pixel.
func (mk *maker) makeGloss(m *made, j *job, b *limit.Budget) error {
	g := j.gloss
	pictures := map[string]*image.NRGBA{}
	var decoded []*texels
	defer func() {
		for _, t := range decoded {
			t.release()
		}
	}()
	w, h := 0, 0
	for i, file := range g.reads() {
		frame := 0
		if i < len(g.masks) {
			frame = g.masks[i].frame
		}
		t, err := mk.decode(file, frame, mk.o.MaxSize, b)
		if err != nil {
			return m.broken(file, err)
		}
		decoded = append(decoded, t)
		m.files = append(m.files, file)
		m.clamp = m.clamp || i == 0 && t.clamp
		pictures[file] = t.im
		if size := t.im.Rect; size.Dx()*size.Dy() > w*h {
			w, h = size.Dx(), size.Dy()
		}
	}
	size := int64(4*w*h) * int64(len(pictures)+1) // with all textures resized
	if err := b.Reserve(size); err != nil {
		return err
	}
	defer b.Release(size)
	for file, im := range pictures {
		pictures[file] = picture.Resize(im, w, h)
	}
	out := drawGloss(g, pictures, w, h)
	if px, ok := uniform(out); ok {
		m.flat = &px
		return nil
	}
	return mk.encode(m, j.name, out, !out.Opaque())
}
