package quake3

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/solid"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decodeBrushes decodes the solids that are brushes.
func decodeBrushes(ctx context.Context, dc *decoding.Context, s *solids, r *records, names []solid.Contents) (
	out []world.Brush, err error) {
	n, left := s.brushes.Count(), s.sides.Count()
	owners, err := brushOwners(dc, r.models, n, s.brushes.Lump.Name)
	if err != nil {
		return nil, err
	}
	known := map[uint32]string{} // the names of bits
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b := s.brushes.At(i)
		if b.sides < 0 || int(b.sides) > left { // each side is of one brush
			dc.Issue("brush", fmt.Sprintf("brush %d", i), "%d sides, where the brushes before it leave %d: it is left out", b.sides, left)
			continue
		}
		left -= int(b.sides)
		planes, err := s.planesOf(dc.Budget, int64(b.firstSide), int64(b.sides))
		if err != nil {
			return nil, err
		}
		if len(planes) < 4 {
			dc.Issue("brush", fmt.Sprintf("brush %d", i), "it is not closed: %d of its %d sides are planes", len(planes), b.sides)
			continue
		}
		brush := world.Brush{Model: int(owners[i]), Record: i, Planes: planes}
		if b.shader >= 0 && int(b.shader) < len(r.shaders) {
			brush.Contents = r.shaders[b.shader].Contents
		}
		name, ok := known[brush.Contents]
		if !ok {
			name = solid.ContentsNames(brush.Contents, names)
			known[brush.Contents] = name
		}
		brush.Names = name
		if out, err = limit.Append(dc.Budget, out, s.brushes.Lump.Name, brush); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// brushOwners returns the model of each of n brushes; those of no other model are the world's.
func brushOwners(dc *decoding.Context, models []modelRecord, n int, where string) ([]int32, error) {
	owners, err := limit.Make[int32](dc.Budget, n, where)
	if err != nil {
		return nil, err
	}
	dc.Adopt(limit.Bytes[int32](n))
	claims := 0
	for m := 1; m < len(models) && claims <= 2*n; m++ { // each brush is of one model, so more claims are a hostile map's
		r := &models[m]
		for i := max(0, int64(r.FirstBrush)); i < min(int64(n), int64(r.FirstBrush)+int64(r.Brushes)); i++ {
			owners[i] = int32(m)
			claims++
		}
	}
	return owners, nil
}

// solidPatches returns the patches that have contents.
func solidPatches(dc *decoding.Context, models []world.Model, materials []world.Material, names []solid.Contents) (
	[]world.CollisionSurface, error) {
	return solid.CollisionSurfaces(dc, models, names, func(s *world.Surface) uint32 {
		if _, ok := s.Shape.(*world.Patch); !ok {
			return 0
		}
		return materials[s.Material].Contents
	})
}
