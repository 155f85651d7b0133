package nodes

import (
	"math"
	"path"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// PlayerStarts returns the places of the entities at which players start, or the middle of the map if there are none.
func PlayerStarts(w *world.World) (starts [][3]float32) {
	for i := range w.Entities {
		e := &w.Entities[i]
		if scene.IsPlayerStart(e.Class()) {
			if at, ok := e.Vector("origin"); ok {
				starts = append(starts, at)
			}
		}
	}
	if len(starts) == 0 && len(w.Models) > 0 {
		m := &w.Models[0]
		starts = [][3]float32{{(m.Mins[0] + m.Maxs[0]) / 2, (m.Mins[1] + m.Maxs[1]) / 2, (m.Mins[2] + m.Maxs[2]) / 2}}
	}
	return starts
}

// toPlayers returns the yaw in degrees at which a card is seen best: from the nearest place where a player starts.
func toPlayers(at [3]float32, starts [][3]float32) float32 {
	best, far := [2]float64{1, 0}, math.Inf(1)
	for _, start := range starts {
		x, y := float64(at[0])-float64(start[0]), float64(at[1])-float64(start[1])
		z := float64(at[2]) - float64(start[2])
		if d := float64(x*x) + float64(y*y) + float64(z*z); d < far && (x != 0 || y != 0) {
			best, far = [2]float64{x, y}, d
		}
	}
	return float32(math.Atan2(best[1], best[0]) * 180 / math.Pi)
}

// upright returns the rotation of a prop below the node of its entity. A sprite that turns to the viewer is not turned with the entity;
// a card is turned to where players start. Another prop is turned by its own angles, which the game may read from the keys in another way.
func upright(p *world.Prop, e *world.Entity, starts [][3]float32) [4]float64 {
	fixed, angles := facingOf(p) == world.Fixed, e.Angles()
	if e.Start != nil {
		angles = e.Start.Angles
	}
	if fixed && p.Appearance.Hover == nil && (p.Angles == angles || e.Model != world.NoModel) {
		return [4]float64{0, 0, 0, 1}
	}
	q := axes.Quaternion(angles)
	back := [4]float64{-q[0], -q[1], -q[2], q[3]}
	if fixed {
		return space.Multiply(back, axes.Quaternion(p.Angles))
	}
	if p.Sprite == nil { // a card, which Source's crossed ones are not
		back = space.Multiply(back, axes.Quaternion([3]float32{0, toPlayers(p.Origin, starts), 0}))
	}
	return back
}

// spriteExtras returns what a viewer must know to turn a sprite to itself, or nil for another prop. The sprite's picture and colour are
// its mesh's.
func spriteExtras(p *world.Prop, mats []world.Material) map[string]any {
	if p.Sprite == nil && path.Ext(p.Model) != ".spr" {
		return nil
	}
	x := map[string]any{"bsp2gltf_sprite": true}
	if p.Sprite != nil {
		x["material"] = mats[p.Sprite.Material].Name
	}
	facing := facingOf(p)
	if facing != world.Fixed {
		x["faces_viewer"] = true
	}
	if facing == world.AboutUpright || facing == world.UprightToEye {
		x["upright"] = true
	}
	if facing == world.UprightToEye {
		x["toward_eye"] = true
	}
	if p.Draw.Glow {
		x["glow"] = true
	}
	return x
}

// facingOf returns how a prop turns to the viewer.
func facingOf(p *world.Prop) world.Facing {
	if p.Sprite != nil {
		return p.Sprite.Facing
	}
	return p.Facing
}
