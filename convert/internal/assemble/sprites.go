package assemble

import (
	"path"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// propName is what the node of a prop is called: as its file, else as its model.
func (ps *props) propName(p *world.Prop) string {
	switch {
	case p.Model != "":
		return path.Base(p.Model)
	case p.Index != world.NoModel:
		return ps.w.Models[p.Index].Name
	}
	return "sprite"
}

// strewn tells whether a prop is one of many sprites whose picture is not there.
func strewn(p *world.Prop) bool { return p.Sprite != nil && p.Index == world.NoModel }

// standsFor is how many of the map's props a prop is.
func standsFor(p *world.Prop) int { return max(p.Count, 1) }

// upright is how a sprite that turns to the viewer is turned below the node of its entity: not at all in the end.
func (ps *props) upright(p *world.Prop) [4]float64 {
	if p.Sprite == nil || p.Sprite.Facing == 0 {
		return [4]float64{0, 0, 0, 1}
	}
	q := quaternion(ps.w.Entities[p.Entity].Angles())
	return [4]float64{-q[0], -q[1], -q[2], q[3]}
}

// spriteExtras are what a viewer must know to turn a sprite to itself: its picture and its colour are its mesh's.
func (ps *props) spriteExtras(p *world.Prop) map[string]any {
	if p.Sprite == nil || !ps.p.Output.Extras {
		return nil
	}
	x := map[string]any{"bsp2gltf_sprite": true, "material": ps.w.Materials[p.Sprite.Material].Name}
	if p.Sprite.Facing != 0 {
		x["faces_viewer"] = true
	}
	return x
}
