// Package animation makes animations of the movements of a map's entities: one for each movement, and one of all that moves by
// itself when the map starts. It is the last step of the assembly: it moves nodes that were placed.
package animation

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Input holds what Animations makes animations of.
type Input struct {
	World     *world.World
	Placed    *nodes.Placed
	Motion    pipeline.Motion
	Plays     []Played // models that play when the map starts, whatever Motion is
	Axes      axes.Axes
	Pointers  bool             // also what changes in materials and lamps
	Materials []scene.Material // of the scene
}

// startName is the name of the animation of all that moves by itself.
const startName = "map start"

// Animations returns the animations that the options ask for; that of the start is the first. It fails if a limit is exceeded or ctx
// ends.
func Animations(ctx context.Context, in Input) ([]scene.Animation, error) {
	var out []scene.Animation
	unique := names.NewNamer()
	start, loops, err := atStart(ctx, &in)
	if err != nil {
		return nil, err
	}
	if len(start) > 0 {
		out = append(out, scene.Animation{Name: unique.Material(startName), Channels: start,
			Extras: map[string]any{"starts": true, "loops": loops}})
	}
	triggers, known := in.triggers(), teams{}
	for i := range in.World.Entities {
		e, node := &in.World.Entities[i], in.Placed.Entities[i]
		if e.Motion == nil || node == scene.None || in.Motion != pipeline.MotionAll {
			continue
		}
		for k := range e.Motion.Movements {
			a := &e.Motion.Movements[k]
			channels, err := in.channels(ctx, i, a.Keys)
			if err != nil {
				return nil, err
			}
			if len(channels) == 0 {
				continue
			}
			name := in.Placed.Nodes[node].Name
			extras := map[string]any{"node": name, "act": a.Name, "starts": a.Starts, "loops": a.Loops}
			if by := triggers.of(e); by != "" {
				extras["triggered_by"] = by
			}
			if team := known.of(&in, e.Motion, a.Name); team != "" {
				extras["team"] = team
			}
			if by := cmp.Or(a.Trigger, e.Motion.Trigger); by != "" {
				extras["trigger"] = by
			}
			if a.Wait > 0 {
				extras["wait"] = a.Wait
			}
			out = append(out, scene.Animation{Name: unique.Material(name + " " + a.Name), Channels: channels, Extras: extras})
		}
	}
	return out, nil
}

// maxTeam is how many nodes of a team are listed.
const maxTeam = 64

// teams are the nodes of teams as text, by the first of a team's list, which its members share, and the movement.
type teams map[teamKey]string

type teamKey struct {
	first    *int
	movement string
}

// of returns the nodes of those that have the same movement and move with an entity, itself among them, or "".
func (t teams) of(in *Input, m *world.Motion, movement string) string {
	if len(m.Team) == 0 {
		return ""
	}
	key := teamKey{&m.Team[0], movement}
	text, known := t[key]
	if known {
		return text
	}
	var list []string
	for _, i := range m.Team {
		node, other := in.Placed.Entities[i], in.World.Entities[i].Motion
		has := func(a world.Movement) bool { return a.Name == movement }
		if node != scene.None && other != nil && len(list) < maxTeam && slices.ContainsFunc(other.Movements, has) {
			list = append(list, in.Placed.Nodes[node].Name)
		}
	}
	if len(list) >= 2 {
		text = strings.Join(list, "; ")
	}
	t[key] = text
	return text
}

// channels returns the channels that move the node of entity i by keys: none if it stays.
func (in *Input) channels(ctx context.Context, i int, keys []world.Key) ([]scene.Channel, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := placementTrack{local: func(p world.Place) placement {
		at, turn := in.Placed.Local(i, p, in.Axes)
		return placement{at, turn}
	}}
	t.add(keys)
	n := len(t.times)
	if err := limit.From(ctx).Reserve(limit.Bytes[placement](n) + limit.Bytes[float32](8*n)); err != nil {
		return nil, err
	}
	return t.channels(in.Placed.Entities[i]), nil
}
