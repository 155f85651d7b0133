package images

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
)

// Displacements draws the images of a material's displacements and reads their textures once. It returns the images by
// place, and the findings of reading the textures.
func (mk *Maker) Displacements(ctx context.Context, f *Terrain) (list []Made, m Made, err error) {
	if len(f.Places) == 0 {
		return nil, m, nil
	}
	bl, m, err := mk.blend(ctx, f)
	defer func() { mk.budget.Release(bl.Reserved) }()
	if err != nil {
		return nil, m, err
	}
	list, err = par.Map(ctx, len(f.Places), func(i int) (Made, error) { return mk.makeBaked(ctx, bl, f, &f.Places[i]) })
	return list, m, err
}

// UVOf maps the grid's coordinates to the image: the centres of its outermost pixels are on the border, which
// neighbours share.
func UVOf(p *paint.DisplacementPicture) [6]float64 {
	w, h := float64(p.Width), float64(p.Height)
	return [6]float64{(w - 1) / w, 0, 0.5 / w, 0, -(h - 1) / h, (h - 0.5) / h}
}

// makeBaked makes the image of a displacement and the image of its normals.
func (mk *Maker) makeBaked(ctx context.Context, bl *paint.Blend, f *Terrain, p *Place) (m Made, err error) {
	if len(bl.Layers) == 0 {
		return m, nil
	}
	name := fmt.Sprintf("%s_face%d", f.Name, p.Record)
	width, height := p.Picture.Width, p.Picture.Height
	size := 4 * int64(width) * int64(height)
	if bl.Normals[0] != nil {
		size *= 2
		if err := mk.budget.Pixels(width, height); err != nil {
			return m, m.broken(name, err)
		}
	}
	if err := mk.budget.Pixels(width, height); err != nil {
		return m, m.broken(name, err)
	}
	if err := mk.budget.Reserve(size); err != nil {
		return m, err
	}
	defer mk.budget.Release(size)
	base, normals, err := bl.Draw(ctx, &p.Picture)
	if err != nil {
		return m, err
	}
	if err := mk.encode(&m, name, base, false); err != nil {
		return m, err
	}
	if normals != nil {
		m.numbers = true
		if err := mk.encode(&m, name+"_normal", normals, false); err != nil {
			return m, err
		}
	}
	for i := range m.Images {
		if err := mk.budget.Reserve(int64(len(m.Images[i].Data))); err != nil {
			return m, err
		}
	}
	return m, nil
}
