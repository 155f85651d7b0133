package images

import (
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
)

// makeGloss makes the picture of a gloss, as large as its largest texture. If it is uniform, only its pixel is
// returned.
func (mk *Maker) makeGloss(m *Made, j *plan.Job, b *limit.Budget) error {
	g := j.Gloss
	pictures := map[string]*image.NRGBA{}
	var decoded []*Texels
	defer func() {
		for _, t := range decoded {
			t.Release()
		}
	}()
	w, h := 0, 0
	for i, file := range g.Reads() {
		frame := 0
		if i < len(g.Masks) {
			frame = g.Masks[i].Frame
		}
		t, err := mk.decode(file, frame, mk.o.MaxSize, b)
		if err != nil {
			return m.broken(file, err)
		}
		decoded = append(decoded, t)
		m.Files = append(m.Files, file)
		m.Clamp = m.Clamp || i == 0 && t.clamp
		pictures[file] = t.Im
		if size := t.Im.Rect; size.Dx()*size.Dy() > w*h {
			w, h = size.Dx(), size.Dy()
		}
	}
	size := int64(4*w*h) * int64(len(pictures)+1) // including all resized textures
	if err := b.Reserve(size); err != nil {
		return err
	}
	defer b.Release(size)
	for file, im := range pictures {
		pictures[file] = picture.Resize(im, w, h)
	}
	out := paint.DrawGloss(g, pictures, w, h)
	if px, ok := paint.Uniform(out); ok {
		m.Flat = &px
		return nil
	}
	return mk.encode(m, j.Name, out, !out.Opaque())
}
