package animation

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Shapes returns the animations of the props whose models have frames of vertices, and those that play when the map starts. It fails if a
// limit is exceeded or ctx ends.
func Shapes(ctx context.Context, w *world.World, placed *nodes.Placed) (out []scene.Animation, plays []Played, err error) {
	unique, made := names.NewNamer(), map[*world.MorphTargets]*clip{}
	finest := map[string]int{} // the animations of the last finest level of detail, by the names of its sequences
	for i := range w.Props {
		p := &w.Props[i]
		if p.Index == world.NoModel || placed.Props[i].As != nodes.AsMesh || w.Models[p.Index].MorphTargets == nil {
			continue
		}
		s, node := w.Models[p.Index].MorphTargets, placed.Props[i].Node
		if p.Level == 0 {
			clear(finest)
		}
		if c, ok := made[s]; ok {
			plays = append(plays, Played{c, node})
			continue
		}
		for k := range s.Sequences {
			q := &s.Sequences[k]
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if s.Frames < 2 {
				continue
			}
			if err := limit.From(ctx).Reserve(4 * int64(s.Frames+1) * int64(len(q.Frames))); err != nil {
				return nil, nil, err
			}
			c := shown(q)
			if p.Kind != world.FileProp {
				made[s] = &clip{
					channels: []scene.Channel{c}, seconds: float64(len(q.Frames)-1) / q.FPS / rateOf(p),
					once: p.Appearance.Plays == world.Once,
				}
				made[s].slow(rateOf(p))
				plays = append(plays, Played{made[s], node})
				break
			}
			c.Node = node
			if at, ok := finest[q.Name]; ok && p.Level > 0 {
				out[at].Channels = append(out[at].Channels, c)
				continue
			}
			finest[q.Name] = len(out)
			extras := map[string]any{"fps": q.FPS, "frames": float64(len(q.Frames))}
			if q.Loops {
				extras["loops"] = true
			}
			out = append(out, scene.Animation{Name: unique.Material(q.Name), Channels: []scene.Channel{c}, Extras: extras})
		}
	}
	return out, plays, nil
}

// shown returns the channel of a sequence of frames, of node 0.
func shown(q *world.MorphSequence) (c scene.Channel) {
	for k, frame := range q.Frames {
		c.Times = append(c.Times, float32(float64(k)/q.FPS))
		c.Targets = append(c.Targets, frame-1) // frame 0 is none
	}
	return c
}
