package quake3

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// brushes lifts the solids. Patches are solid too, and no brushes.
func (d *decoder) brushes(ctx context.Context) error {
	brushes := lift.List[brush]{Row: brushV46, Lump: d.lumps[lumpBrushes]}
	n, left := brushes.Count(), len(d.lumps[lumpBrushSides].Data)/d.v.side().Size
	b := d.Budget
	owners, err := limit.Make[int32](b, n, d.lumps[lumpBrushes].Name)
	if err != nil {
		return err
	}
	d.Owe(limit.Bytes[int32](n))
	claims := 0
	for m := 1; m < len(d.records) && claims <= 2*n; m++ { // each brush is of one model; those of none are the world's
		r := &d.records[m]
		for i := max(0, int64(r.FirstBrush)); i < min(int64(n), int64(r.FirstBrush)+int64(r.Brushes)); i++ {
			owners[i] = int32(m)
			claims++
		}
	}
	names := map[uint32]string{}
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := brushes.At(i)
		count, shader := r.sides, r.shader
		if count < 0 || int(count) > left { // each side is of one brush
			d.Issue("brush", fmt.Sprintf("brush %d", i), "%d sides, where the brushes before it leave %d: it is left out", count, left)
			continue
		}
		left -= int(count)
		planes, err := d.sidePlanes(int64(r.firstSide), int64(count))
		if err != nil {
			return err
		}
		if len(planes) < 4 {
			d.Issue("brush", fmt.Sprintf("brush %d", i), "it is not closed: %d of its %d sides are planes", len(planes), count)
			continue
		}
		brush := world.Brush{Model: int(owners[i]), Record: i, Planes: planes}
		if shader >= 0 && int(shader) < len(d.shaders) {
			brush.Contents = d.shaders[shader].Contents
		}
		name, ok := names[brush.Contents]
		if !ok {
			name = contents(brush.Contents, d.v.contents())
			names[brush.Contents] = name
		}
		brush.Names = name
		if d.w.Volumes.Brushes, err = limit.Append(b, d.w.Volumes.Brushes, d.lumps[lumpBrushes].Name, brush); err != nil {
			return err
		}
	}
	return nil
}
