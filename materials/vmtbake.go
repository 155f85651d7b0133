package materials

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// bake draws the images of all displacements that were planned, material by material: their textures are read once.
func (ld *loader) bake(ctx context.Context, w *world.World) error {
	for i := range ld.fading {
		if err := ld.bakeMaterial(ctx, &ld.fading[i]); err != nil {
			return fmt.Errorf("blend of %.100q: %w", w.Materials[ld.fading[i].material].Name, err)
		}
	}
	slices.SortFunc(ld.set.Baked, func(a, b Baked) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Surface, b.Surface))
	})
	return nil
}

func (ld *loader) bakeMaterial(ctx context.Context, f *fading) error {
	if len(f.places) == 0 {
		return nil
	}
	bl, m, err := ld.blend(ctx, f)
	defer func() { ld.budget.Release(bl.reserved) }()
	ld.set.Files = append(ld.set.Files, m.files...)
	for _, is := range m.issues {
		ld.issue(is)
	}
	if err != nil {
		return err
	}
	results, err := par.Map(ctx, len(f.places), func(i int) (made, error) { return ld.makeBaked(ctx, bl, f, &f.places[i]) })
	if err != nil {
		return err
	}
	from := &ld.set.Materials[f.material]
	for i, p := range f.places {
		mat := plain(from.Name)
		mat.Name = fmt.Sprintf("%s face %d", from.Name, p.record)
		mat.BaseColor, mat.Unlit, mat.VertexColor, mat.DoubleSided = from.BaseColor, from.Unlit, from.VertexColor, from.DoubleSided
		mat.LightGain, mat.Offset, mat.Sort, mat.stand = from.LightGain, from.Offset, from.Sort, from.stand
		mat.Extras = maps.Clone(from.Extras)
		if f.gloss {
			mat.Reflection = from.Reflection
		}
		images := results[i].images
		for _, is := range results[i].issues {
			ld.issue(is)
		}
		if len(images) == 0 {
			mat.placeholder()
		} else {
			mat.Base = Slot{Image: len(ld.set.Images), UV: p.uv(), Clamp: true}
		}
		if len(images) > 1 {
			mat.Normal = Slot{Image: len(ld.set.Images) + 1, UV: identity, Clamp: true}
		}
		ld.set.Images = append(ld.set.Images, images...)
		ld.set.Baked = append(ld.set.Baked, Baked{Model: p.model, Surface: p.surface, Material: mat})
	}
	return nil
}

// uv brings places on the grid to the image: its outermost pixels' centres are on the border, which neighbours share.
func (p *place) uv() [6]float64 {
	w, h := float64(p.width), float64(p.height)
	return [6]float64{(w - 1) / w, 0, 0.5 / w, 0, -(h - 1) / h, (h - 0.5) / h}
}

// makeBaked makes the image of a displacement, and that of its normals.
func (ld *loader) makeBaked(ctx context.Context, bl *blend, f *fading, p *place) (m made, err error) {
	if len(bl.layers) == 0 {
		return m, nil
	}
	name := fmt.Sprintf("%s_face%d", ld.set.Materials[f.material].Name, p.record)
	size := 4 * int64(p.width) * int64(p.height)
	if bl.normals[0] != nil {
		size *= 2
		if err := ld.budget.Pixels(p.width, p.height); err != nil {
			return m, m.broken(name, err)
		}
	}
	if err := ld.budget.Pixels(p.width, p.height); err != nil {
		return m, m.broken(name, err)
	}
	if err := ld.budget.Reserve(size); err != nil {
		return m, err
	}
	defer ld.budget.Release(size)
	base, normals, err := bl.draw(ctx, p)
	if err != nil {
		return m, err
	}
	if err := ld.encode(&m, name, base, false); err != nil {
		return m, err
	}
	if normals != nil {
		if err := ld.encode(&m, name+"_normal", normals, false); err != nil {
			return m, err
		}
	}
	for i := range m.images {
		if err := ld.budget.Reserve(int64(len(m.images[i].Data))); err != nil {
			return m, err
		}
	}
	return m, nil
}
