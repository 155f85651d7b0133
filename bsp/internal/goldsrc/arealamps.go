package goldsrc

import (
	"bytes"
	"context"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// areaLamps decodes the faces whose textures are emissive according to the compiler's lists and info_texlights, and gives their
// materials a glow. The models are those of the map, whose copies have the same faces. Their light is by their area.
func (d *lamps) areaLamps(ctx context.Context, emissive map[string][3]float64, models []world.Model, materials []world.Material) error {
	for i := range d.entities {
		e := &d.entities[i]
		if !strings.EqualFold(e.Class(), "info_texlights") {
			continue
		}
		if err := d.dc.Borrow(int64(len(e.Pairs)) * 96); err != nil {
			return err
		}
		for _, p := range e.Pairs {
			if c := lightValue(p.Value); max(c[0], c[1], c[2]) > 0 {
				emissive[entlump.Lower(p.Key)] = c
			}
		}
	}
	if len(emissive) == 0 {
		return nil
	}
	for m := range models {
		for i := range models[m].Surfaces {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			s := &models[m].Surfaces[i]
			c, ok := emissive[materials[s.Material].Name]
			if !ok {
				continue
			}
			l := world.Light{Kind: world.AreaLight, Entity: world.NoEntity, Outer: math.Pi / 2}
			var bright, area float64
			l.Color, bright = color(c)
			materials[s.Material].Glow = l.Color
			l.Origin, l.Direction, area = middle(s.Shape.(*world.Polygon).Corners)
			if l.Intensity = direct * perUnit * area * bright / 255; l.Intensity > 0 && l.Intensity < 1e15 {
				if err := d.add(l); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// longestLine is far above the length of a line in such a list.
const longestLine = 1 << 10

// emissive reads the lists of emissive textures beside a GoldSrc map: the common list, then the map's. A line has a texture's
// name and its light. Half-Life SDK, utils/qrad/qrad.c, ReadLightFile.
func (m *file) emissive(ctx context.Context) (map[string][3]float64, error) {
	emissive := map[string][3]float64{}
	if m.v.family != familyGoldSrc {
		return emissive, nil
	}
	for _, file := range []string{"lights.rad", m.o.Name + ".rad"} {
		data, _, err := m.beside(file, "maps/", "")
		if err != nil {
			return nil, err
		}
		lines := 0
		for b := range bytes.Lines(data) {
			if lines++; lines%100000 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if len(b) > longestLine {
				continue
			}
			line, _, _ := strings.Cut(string(b), "//")
			name, value, ok := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), " ")
			c := lightValue(value)
			if !ok || !(max(c[0], c[1], c[2]) > 0) {
				continue
			}
			if err := m.dc.Borrow(96 + int64(len(name))); err != nil {
				return nil, err
			}
			emissive[entlump.Lower(name)] = c
		}
	}
	return emissive, nil
}

// middle returns the mean of the corners of a face, its normal and its area.
func middle(corners []world.Vertex) (at, normal [3]float32, area float64) {
	var sum, n [3]float64
	first := corners[0].Position
	for i := range corners {
		a, b := corners[i].Position, corners[(i+1)%len(corners)].Position
		var u, v [3]float64
		for k := range 3 {
			sum[k] += float64(a[k])
			u[k], v[k] = float64(a[k])-float64(first[k]), float64(b[k])-float64(first[k])
		}
		for k := range 3 {
			x, y := (k+1)%3, (k+2)%3
			n[k] += float64(u[x]*v[y]) - float64(u[y]*v[x])
		}
	}
	l := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
	for k := range 3 {
		at[k] = float32(sum[k] / float64(len(corners)))
		if l > 0 {
			normal[k] = float32(n[k] / l)
		}
	}
	return at, normal, l / 2
}
