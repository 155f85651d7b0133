package nodes

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A card that turns to the viewer is turned to the nearest place where a player starts, whatever its entity's angles, and says so;
// one that does not stands as its entity.
func TestCardsFacePlayers(t *testing.T) {
	sprite := func(origin [3]float32, facing world.Facing, entity int) world.Prop {
		return world.Prop{Model: "sprites/a.spr", Index: 1, Entity: entity, Origin: origin, Scale: [3]float32{1, 1, 1}, Facing: facing,
			Draw: world.PropDraw{Glow: facing == 1}}
	}
	w := &world.World{
		Models: []world.Model{{Name: "*0"}, {Name: "sprites/a.spr", Surfaces: shown()}},
		Entities: []world.Entity{entity(0, "classname", "worldspawn"),
			entity(world.NoModel, "classname", "info_player_start", "origin", "100 -50 0"),
			entity(world.NoModel, "classname", "env_glow", "origin", "100 100 0", "angles", "0 180 0"),
			entity(world.NoModel, "classname", "env_sprite", "angles", "0 180 0")},
		Props: []world.Prop{sprite([3]float32{100, 100, 0}, 1, 2), sprite([3]float32{}, 0, 3)},
	}
	w.Props[1].Angles = [3]float32{0, 180, 0}
	s, out := put(t, pipeline.Default(), w)
	for _, n := range s.Nodes {
		if n.Mesh == scene.None {
			continue
		}
		x := space.Multiply(s.Nodes[n.Parent].Rotation, n.Rotation)
		ahead := [3]float64{1 - 2*(x[1]*x[1]+x[2]*x[2]), 2 * (x[0]*x[1] + x[2]*x[3]), 2 * (x[0]*x[2] - x[1]*x[3])} // X, turned
		// The player is south of the glow and faces north to it: the player's X is the map's Y, which is the
		// scene's -Z.
		if glow := n.Extras["glow"] == true; glow && (!near(ahead, [3]float64{0, 0, -1}) || n.Extras["faces_viewer"] != true) || !glow &&
			!near(ahead, [3]float64{-1, 0, 0}) {
			t.Errorf("%s: its X is %v, %v", n.Name, ahead, n.Extras)
		}
	}
	if out.Props[0].As != AsMesh || out.Props[1].As != AsMesh {
		t.Error("nothing is shown")
	}
}
