package quake3

import (
	"fmt"
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// surfaces decodes the models with their surfaces.
type surfaces struct {
	dc         *decoding.Context
	records    *records
	light      *lightmaps
	materials  *materials
	shapes     *shapes
	fogs       int // number of fogs of the map
	billboards []world.Billboard
	kept       int // surfaces of models
}

func face(s int) string { return "face " + strconv.Itoa(s) }

// surface decodes surface index into a model, or records why it is dropped. It fails only if a limit is exceeded.
func (d *surfaces) surface(m *world.Model, model, index int) error {
	s := &d.records.surfaces[index]
	var bad *decoding.Dropped
	var err error
	switch {
	case s.Shader < 0 || int(s.Shader) >= len(d.records.shaders):
		bad = decoding.Drop("face-material", "shader %d is outside the %d of the map", s.Shader, len(d.records.shaders))
	case s.Shape == shapeFlare:
		bad, err = d.flare(s, model, index)
	default:
		bad, err = d.drawn(m, s, index)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", face(index), err)
	}
	if bad != nil {
		d.dc.Issue(bad.Code, face(index), "%s", bad.Detail)
	}
	return nil
}

// drawn decodes a surface with its light and its material.
func (d *surfaces) drawn(m *world.Model, s *surface, index int) (bad *decoding.Dropped, err error) {
	if bad := d.shapes.known(s.Shape); bad != nil {
		return bad, nil
	}
	light := lighting{kind: world.PerVertex, chart: world.NoChart, styles: s.VertexStyles}
	if s.Shape != shapeFoliage {
		if light, err = d.light.of(s, index); err != nil {
			return nil, err
		}
	}
	out := world.Surface{Chart: light.chart, Fog: -1, Record: index}
	if out.Shape, bad, err = d.shapes.decode(s, &light); bad != nil || err != nil {
		return bad, err
	}
	if out.Material, err = d.materials.add(s.Shader, light.kind); err != nil {
		return nil, err
	}
	out.Flags = d.materials.list[out.Material].Flags
	if s.Fog >= 0 && int(s.Fog) < d.fogs {
		out.Fog = int(s.Fog)
	} else if s.Fog != -1 {
		d.dc.Issue("fog", face(index), "fog %d is outside the %d of the map", s.Fog, d.fogs)
	}
	m.Surfaces = append(m.Surfaces, out)
	d.kept++
	return nil, nil
}

// flare decodes a billboard: its position, colour and direction are in the lightmap's fields.
func (d *surfaces) flare(s *surface, model, index int) (*decoding.Dropped, error) {
	if !record.Sane(s.Origin[:]...) {
		return decoding.Drop("face-number", "a flare at %g", s.Origin), nil
	}
	if err := d.dc.Reserve(limit.Bytes[world.Billboard](2)); err != nil {
		return nil, err
	}
	material, err := d.materials.add(s.Shader, world.Fullbright)
	if err != nil {
		return nil, err
	}
	b := world.Billboard{Position: s.Origin, Normal: unitOrZero(s.Vectors[2]), Color: [3]float32{1, 1, 1},
		Material: material, Model: model, Record: index}
	if record.Sane(s.Vectors[0][:]...) {
		for k, c := range s.Vectors[0] {
			b.Color[k] = d.light.curve.gamma.Linear(min(max(c, 0), 1))
		}
	}
	d.billboards = append(d.billboards, b)
	return nil, nil
}
