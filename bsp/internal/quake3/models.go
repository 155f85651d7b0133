package quake3

import (
	"context"
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decode decodes the models with their surfaces, and the billboards. Each surface belongs to the first model that contains it.
func (d *surfaces) decode(ctx context.Context) ([]world.Model, []world.Billboard, error) {
	records, all := d.records.models, int64(len(d.records.surfaces))
	if err := d.dc.Reserve(limit.Bytes[world.Model](len(records))); err != nil {
		return nil, nil, err
	}
	if err := d.shapes.allocate(d.records.surfaces); err != nil {
		return nil, nil, err
	}
	claims, done := newClaims(int(all)), 0
	models := make([]world.Model, len(records))
	for i, r := range records {
		m := &models[i]
		m.Name, m.Mins, m.Maxs = "*"+strconv.Itoa(i), r.Mins, r.Maxs
		first, end := int64(r.FirstSurface), int64(r.FirstSurface)+int64(r.Surfaces)
		if first < 0 || end < first || end > all {
			d.dc.Issue("model-range", "model "+m.Name, "%d surfaces from %d are outside the %d of the map", r.Surfaces,
				r.FirstSurface, all)
			if end = min(end, all); first < 0 || end < first {
				continue
			}
		}
		if i == 0 {
			m.Surfaces = make([]world.Surface, 0, end-first)
		}
		taken := int64(0)
		for s := claims.free(first); s < end; s = claims.free(s) {
			claims.take(s)
			taken++
			if done++; done%1024 == 0 && ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if err := d.surface(m, i, int(s)); err != nil {
				return nil, nil, err
			}
		}
		if n := end - first - taken; n > 0 {
			d.dc.Issue("model-overlap", "model "+m.Name, "models before it have %d of its %d surfaces", n, end-first)
		}
	}
	for s := range d.records.surfaces {
		if claims[s] == int32(s) {
			d.dc.Issue("face-unused", face(s), "no model has it")
		}
	}
	return models, d.billboards, nil
}

// surfaceOwners holds by surface the surface itself while no model has claimed it, else one after it that may be free. The last entry is
// behind all surfaces.
type surfaceOwners []int32

func newClaims(surfaces int) surfaceOwners {
	c := make(surfaceOwners, surfaces+1)
	for i := range c {
		c[i] = int32(i)
	}
	return c
}

// free returns the first surface from s on that no model has claimed, or the number of surfaces. It halves the paths
// it walks, so that many models with the same range cost only a few steps each.
func (c surfaceOwners) free(s int64) int64 {
	s = min(s, int64(len(c)-1))
	for c[s] != int32(s) {
		c[s] = c[c[s]]
		s = int64(c[s])
	}
	return s
}

// take claims a free surface.
func (c surfaceOwners) take(s int64) { c[s] = int32(s) + 1 }
