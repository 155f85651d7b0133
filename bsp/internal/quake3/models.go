package quake3

import (
	"context"
	"fmt"
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// materialKey identifies a material: a name that is lit in two ways is two materials.
type materialKey struct {
	shader   int32
	lighting world.Lighting
}

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

func face(s int) string { return "face " + strconv.Itoa(s) }

// surface lifts surface index into a model, or records why it is dropped. It fails only if a limit is exceeded.
func (d *decoder) surface(m *world.Model, model, index int) error {
	s := &d.surfaces[index]
	bad, err := d.lift(s, m, model, index)
	if err != nil {
		return fmt.Errorf("%s: %w", face(index), err)
	}
	if bad != nil {
		d.Issue(bad.Code, face(index), "%s", bad.Detail)
	}
	return nil
}

func (d *decoder) lift(s *surface, m *world.Model, model, index int) (*lift.Dropped, error) {
	if s.Shader < 0 || int(s.Shader) >= len(d.shaders) {
		return lift.Drop("face-material", "shader %d is outside the %d of the map", s.Shader, len(d.shaders)), nil
	}
	if s.Shape == shapeFlare {
		return d.flare(s, model, index)
	}
	light, shape, bad, err := d.shape(s, index)
	if bad != nil || err != nil {
		return bad, err
	}
	out := world.Surface{Shape: shape, Chart: light.chart, Fog: -1, Record: index}
	if out.Material, err = d.material(s.Shader, light.kind); err != nil {
		return nil, err
	}
	out.Flags = d.w.Materials[out.Material].Flags
	if s.Fog >= 0 && int(s.Fog) < len(d.w.Volumes.Fogs) {
		out.Fog = int(s.Fog)
	} else if s.Fog != -1 {
		d.Issue("fog", face(index), "fog %d is outside the %d of the map", s.Fog, len(d.w.Volumes.Fogs))
	}
	m.Surfaces = append(m.Surfaces, out)
	d.kept++
	return nil, nil
}

// material returns the index of the material for a shader and a lighting.
func (d *decoder) material(shader int32, kind world.Lighting) (int, error) {
	key := materialKey{shader, kind}
	i, ok := d.materials[key]
	if !ok {
		if err := d.Reserve(limit.Bytes[world.Material](2)); err != nil {
			return 0, err
		}
		r := &d.shaders[shader]
		i = len(d.w.Materials)
		d.w.Materials = append(d.w.Materials, world.Material{
			Name: materialName(le.String(r.Name[:])), Lighting: kind, Flags: d.v.flags.lift(r.Surface, r.Contents),
			Contents: r.Contents, Surface: r.Surface,
		})
		d.materials[key] = i
	}
	return i, nil
}
