package assemble

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/move"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/place"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addSkeletons adds the joints, the skins and the sequences of models, also of those without bones.
func addSkeletons(ctx context.Context, s *scene.Scene, w *world.World, placed *place.Placed, to axes.Axes) error {
	bones, err := move.Skeletons(ctx, w, placed, to)
	if err != nil {
		return err
	}
	s.Nodes, s.Skins = append(s.Nodes, bones.Nodes...), bones.Skins
	for node, skin := range bones.Worn {
		s.Nodes[node].Skin = skin
	}
	shapes, err := move.Shapes(ctx, w, placed)
	s.Animations = append(append(s.Animations, bones.Animations...), shapes...)
	return err
}
