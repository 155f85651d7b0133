package assemble

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/animation"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addSkeletons adds the joints and the skins of models, and returns their sequences, also of those without bones, and those that play
// when the map starts.
func addSkeletons(ctx context.Context, s *scene.Scene, w *world.World, placed *nodes.Placed, to axes.Axes) ([]scene.Animation,
	[]animation.Played, error) {
	bones, err := animation.Skeletons(ctx, w, placed, to)
	if err != nil {
		return nil, nil, err
	}
	s.Nodes, s.Skins = append(s.Nodes, bones.Nodes...), bones.Skins
	for node, skin := range bones.NodeSkins {
		s.Nodes[node].Skin = skin
	}
	shapes, plays, err := animation.Shapes(ctx, w, placed)
	return append(bones.Animations, shapes...), append(bones.Plays, plays...), err
}
