package source

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// tinted is a material in the colour, with alpha, of an entity.
type tinted struct {
	material int
	tint     [4]uint8
}

// brushLooks gives brush models the colour and opacity of their entities, and hides those that the game does not draw. Of two
// entities of one model the first counts.
func (d *decoder) brushLooks(ctx context.Context) error {
	if err := d.borrow(int64(len(d.w.Models))); err != nil {
		return err
	}
	known := make([]bool, len(d.w.Models))
	made := map[tinted]int{}
	for i := range d.w.Entities {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e := &d.w.Entities[i]
		if e.Model <= 0 || known[e.Model] {
			continue
		}
		known[e.Model] = true
		_, tint, seen := rendering(e)
		seen = seen && !startsHidden(e)
		surfaces := d.w.Models[e.Model].Surfaces
		for k := range surfaces {
			s := &surfaces[k]
			switch {
			case !seen:
				s.Flags |= world.NoDraw
			case tint != [4]uint8{255, 255, 255, 255}:
				var err error
				if s.Material, err = d.tint(made, tinted{s.Material, tint}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tint returns the index of a material in a colour.
func (d *decoder) tint(made map[tinted]int, t tinted) (int, error) {
	if i, ok := made[t]; ok {
		return i, nil
	}
	if err := d.reserve(256); err != nil { // with its place in made
		return 0, err
	}
	m := d.w.Materials[t.material]
	for k := range m.Tint {
		m.Tint[k] = float32(gamma.Decode(float64(max(t.tint[k], 1)) / 255)) // of a material black is no tint
	}
	if a := t.tint[3]; a < 255 {
		m.Blend, m.Opacity = world.BlendAlpha, float32(a)/255
	}
	made[t] = len(d.w.Materials)
	d.w.Materials = append(d.w.Materials, m)
	return made[t], nil
}
