package move

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/place"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Shapes returns the animations of the props whose models have frames of vertices. It fails if a limit is exceeded or ctx ends.
func Shapes(ctx context.Context, w *world.World, placed *place.Placed) (out []scene.Animation, err error) {
	unique := names.NewNamer()
	for i := range w.Props {
		p := &w.Props[i]
		if p.Index == world.NoModel || placed.Props[i].As != place.AsMesh || w.Models[p.Index].Shapes == nil {
			continue
		}
		s := w.Models[p.Index].Shapes
		for _, q := range s.Sequences {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if s.Frames < 2 {
				continue
			}
			if err := limit.From(ctx).Reserve(4 * int64(s.Frames+1) * int64(len(q.Frames))); err != nil {
				return nil, err
			}
			c := scene.Channel{Node: placed.Props[i].Node}
			for k, frame := range q.Frames {
				c.Times = append(c.Times, float32(float64(k)/q.FPS))
				c.Targets = append(c.Targets, frame-1) // frame 0 is none
			}
			out = append(out, scene.Animation{
				Name: unique.Material(q.Name), Channels: []scene.Channel{c}, Extras: map[string]any{"fps": q.FPS, "frames": float64(len(q.Frames))},
			})
		}
	}
	return out, nil
}
