package assemble

import (
	"math"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
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

// standsFor is how many of the map's props a prop is.
func standsFor(p *world.Prop) int { return max(p.Count, 1) }

// upright is how a sprite that turns to the viewer is turned below the node of its entity: in the end not at all, or a card to
// where players start.
func (ps *props) upright(p *world.Prop) [4]float64 {
	if facingOf(p) == 0 {
		return [4]float64{0, 0, 0, 1}
	}
	q := axes.Quaternion(ps.w.Entities[p.Entity].Angles())
	back := [4]float64{-q[0], -q[1], -q[2], q[3]}
	if p.Sprite == nil { // a card, which Source's crossed ones are not
		back = space.Multiply(back, axes.Quaternion([3]float32{0, ps.toPlayers(p.Origin), 0}))
	}
	return back
}

// toPlayers is the yaw in degrees at which a card is seen best: from the nearest place where a player starts.
func (ps *props) toPlayers(at [3]float32) float32 {
	if ps.eyes == nil {
		ps.eyes = playerStarts(ps.w)
	}
	best, far := [2]float64{1, 0}, math.Inf(1)
	for _, eye := range ps.eyes {
		x, y := float64(at[0])-float64(eye[0]), float64(at[1])-float64(eye[1])
		z := float64(at[2]) - float64(eye[2])
		if d := float64(x*x) + float64(y*y) + float64(z*z); d < far && (x != 0 || y != 0) {
			best, far = [2]float64{x, y}, d
		}
	}
	return float32(math.Atan2(best[1], best[0]) * 180 / math.Pi)
}

// spriteExtras are what a viewer must know to turn a sprite to itself: its picture and its colour are its mesh's.
func (ps *props) spriteExtras(p *world.Prop) map[string]any {
	if !isSprite(p) || !ps.p.Output.Extras {
		return nil
	}
	x := map[string]any{"bsp2gltf_sprite": true}
	if p.Sprite != nil {
		x["material"] = ps.w.Materials[p.Sprite.Material].Name
	}
	facing := facingOf(p)
	if facing != world.Fixed {
		x["faces_viewer"] = true
	}
	if facing == world.AboutUpright {
		x["upright"] = true
	}
	if p.Draw.Glow {
		x["glow"] = true
	}
	return x
}

// isSprite reports whether a prop is a sprite of the map or of a file.
func isSprite(p *world.Prop) bool { return p.Sprite != nil || path.Ext(p.Model) == ".spr" }

// facingOf is how a prop turns to the viewer.
func facingOf(p *world.Prop) world.Facing {
	if p.Sprite != nil {
		return p.Sprite.Facing
	}
	return p.Facing
}

// playerStarts are the places of the entities at which players start, or the middle of the map where there is none.
func playerStarts(w *world.World) (eyes [][3]float32) {
	for i := range w.Entities {
		e := &w.Entities[i]
		if class := strings.ToLower(e.Class()); strings.HasPrefix(class, "info_player_") || strings.HasPrefix(class, "team_ctf_") {
			if at, ok := e.Vector("origin"); ok {
				eyes = append(eyes, at)
			}
		}
	}
	if len(eyes) == 0 && len(w.Models) > 0 {
		m := &w.Models[0]
		eyes = [][3]float32{{(m.Mins[0] + m.Maxs[0]) / 2, (m.Mins[1] + m.Maxs[1]) / 2, (m.Mins[2] + m.Maxs[2]) / 2}}
	}
	return eyes
}
