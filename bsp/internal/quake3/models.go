package quake3

import (
	"context"
	"fmt"
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// models lifts the models with their surfaces. Each surface belongs to the first model that contains it.
func (d *decoder) models(ctx context.Context) error {
	if err := d.Reserve(limit.Bytes[world.Model](len(d.records))); err != nil {
		return err
	}
	if err := d.allocate(); err != nil {
		return err
	}
	d.w.Models = make([]world.Model, len(d.records))
	done := 0
	for i, r := range d.records {
		m := &d.w.Models[i]
		m.Name, m.Mins, m.Maxs = "*"+strconv.Itoa(i), r.Mins, r.Maxs
		first, end := int64(r.FirstSurface), int64(r.FirstSurface)+int64(r.Surfaces)
		if all := int64(len(d.surfaces)); first < 0 || end < first || end > all {
			d.Issue("model-range", "model "+m.Name, "%d surfaces from %d are outside the %d of the map", r.Surfaces, r.FirstSurface, all)
			if end = min(end, all); first < 0 || end < first {
				continue
			}
		}
		if i == 0 {
			m.Surfaces = make([]world.Surface, 0, end-first)
		}
		taken := int64(0)
		for s := d.free(first); s < end; s = d.free(s) {
			d.next[s] = int32(s) + 1
			taken++
			if done++; done%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := d.surface(m, i, int(s)); err != nil {
				return err
			}
		}
		if n := end - first - taken; n > 0 {
			d.Issue("model-overlap", "model "+m.Name, "models before it have %d of its %d surfaces", n, end-first)
		}
	}
	for style, n := range d.lights.leftOut {
		if n > 0 {
			d.Issue("light-style", fmt.Sprintf("light style %d", style), "left out of the vertex colours of %d faces", n)
		}
	}
	d.w.Baked.Charts = d.lights.charts
	d.w.Faces = len(d.surfaces)
	for s := range d.surfaces {
		if d.next[s] == int32(s) {
			d.Issue("face-unused", face(s), "no model has it")
		}
	}
	return nil
}

// allocate reserves the memory for all surfaces. If no surfaces share vertices, one allocation holds them all.
func (d *decoder) allocate() error {
	d.next = make([]int32, len(d.surfaces)+1)
	total := int64(0)
	for i := range d.next {
		d.next[i] = int32(i)
		if i < len(d.surfaces) && d.surfaces[i].Shape != shapeFlare {
			total += max(0, int64(d.surfaces[i].Vertices))
		}
	}
	if total > int64(d.vertices.count) {
		return nil // shared or wrong: each surface makes its own
	}
	return d.arena.Grow(d.Job, int(total))
}

// free returns the first surface from s on that no model has claimed, or the number of surfaces. It halves the paths
// it walks, so that many models with the same range cost only a few steps each.
func (d *decoder) free(s int64) int64 {
	s = min(s, int64(len(d.surfaces)))
	for d.next[s] != int32(s) {
		d.next[s] = d.next[d.next[s]]
		s = int64(d.next[s])
	}
	return s
}
