package quake3

import (
	"fmt"
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

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

// flare lifts a billboard: its position, colour and direction are in the lightmap's fields.
func (d *decoder) flare(s *surface, model, index int) (*lift.Dropped, error) {
	if !lift.Sane(s.Origin[:]...) {
		return lift.Drop("face-number", "a flare at %g", s.Origin), nil
	}
	if err := d.Reserve(limit.Bytes[world.Billboard](2)); err != nil {
		return nil, err
	}
	material, err := d.material(s.Shader, world.Fullbright)
	if err != nil {
		return nil, err
	}
	b := world.Billboard{Position: s.Origin, Normal: unitOrZero(s.Vectors[2]), Color: [3]float32{1, 1, 1},
		Material: material, Model: model, Record: index}
	if lift.Sane(s.Vectors[0][:]...) {
		for k, c := range s.Vectors[0] {
			b.Color[k] = d.curve.Linear(min(max(c, 0), 1))
		}
	}
	d.w.Billboards = append(d.w.Billboards, b)
	return nil, nil
}
