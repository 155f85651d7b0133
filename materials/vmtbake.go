package materials

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// displacements draws the images of a material's displacements, whose textures are read once. It returns those of each place, and what
// reading the textures found.
func (mk *maker) displacements(ctx context.Context, f *fading) (list []made, m made, err error) {
	if len(f.places) == 0 {
		return nil, m, nil
	}
	bl, m, err := mk.blend(ctx, f)
	defer func() { mk.budget.Release(bl.reserved) }()
	if err != nil {
		return nil, m, err
	}
	list, err = par.Map(ctx, len(f.places), func(i int) (made, error) { return mk.makeBaked(ctx, bl, f, &f.places[i]) })
	return list, m, err
}

// uvOf brings places on the grid to the image: its outermost pixels' centres are on the border, which neighbours share.
func uvOf(p *place) [6]float64 {
	w, h := float64(p.width), float64(p.height)
	return [6]float64{(w - 1) / w, 0, 0.5 / w, 0, -(h - 1) / h, (h - 0.5) / h}
}

// makeBaked makes the image of a displacement, and that of its normals.
func (mk *maker) makeBaked(ctx context.Context, bl *blend, f *fading, p *place) (m made, err error) {
	if len(bl.layers) == 0 {
		return m, nil
	}
	name := fmt.Sprintf("%s_face%d", f.name, p.record)
	size := 4 * int64(p.width) * int64(p.height)
	if bl.normals[0] != nil {
		size *= 2
		if err := mk.budget.Pixels(p.width, p.height); err != nil {
			return m, m.broken(name, err)
		}
	}
	if err := mk.budget.Pixels(p.width, p.height); err != nil {
		return m, m.broken(name, err)
	}
	if err := mk.budget.Reserve(size); err != nil {
		return m, err
	}
	defer mk.budget.Release(size)
	base, normals, err := bl.draw(ctx, p)
	if err != nil {
		return m, err
	}
	if err := mk.encode(&m, name, base, false); err != nil {
		return m, err
	}
	if normals != nil {
		if err := mk.encode(&m, name+"_normal", normals, false); err != nil {
			return m, err
		}
	}
	for i := range m.images {
		if err := mk.budget.Reserve(int64(len(m.images[i].Data))); err != nil {
			return m, err
		}
	}
	return m, nil
}
