package animation

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

const (
	quarters = 4  // keys of a turn
	swells   = 12 // keys of a rise and a fall: the way between them is at most 4 % of the height off
)

// hoverKey identifies hovering props whose nodes move alike.
type hoverKey struct {
	hover world.Hover
	at    [3]float64
	turn  [4]float64
}

// hovers returns the clips of the props that hover, which turn and float from the place of their nodes.
func (in *Input) hovers() (list []Played) {
	if in.Motion != pipeline.MotionStart && in.Motion != pipeline.MotionAll {
		return nil
	}
	made := map[hoverKey][]*clip{}
	for i := range in.World.Props {
		h, node := in.World.Props[i].Appearance.Hover, in.Placed.Props[i].Hovers
		if h == nil || node == scene.None {
			continue
		}
		n := &in.Placed.Nodes[node]
		key := hoverKey{*h, n.Translation, n.Rotation}
		clips, ok := made[key]
		if !ok {
			clips = key.clips(in.Axes.Unit)
			made[key] = clips
		}
		for _, c := range clips {
			list = append(list, Played{c, node})
		}
	}
	return list
}

// clips returns the turning and the floating of a node, at metres for a map unit. A turn takes whole tenths of a second and a beat whole
// halves, so that the loops of a map end together; readers that know the extra "hover" show the game's own.
func (b *hoverKey) clips(unit float64) (list []*clip) {
	if h := &b.hover; h.TurnPeriod > 0 {
		var c scene.Channel
		seconds := max(math.Round(10*float64(h.TurnPeriod)), 1) / 10
		for i := range quarters + 1 {
			c.Times = append(c.Times, float32(seconds*float64(i)/quarters))
			// The turn is about the map's vertical, so it comes after the node's rotation below its parent is undone.
			q := space.Multiply(b.turn, axes.Quaternion([3]float32{0, float32(360 * i / quarters), 0}))
			c.Rotations = append(c.Rotations, space.Quaternion32(q))
		}
		list = append(list, &clip{channels: []scene.Channel{c}, seconds: seconds})
	}
	if h := &b.hover; h.BobPeriod > 0 && h.Bob != 0 {
		var c scene.Channel
		upright := scene.NewTransform([3]float64{}, b.turn, [3]float64{1, 1, 1})
		seconds, from := max(math.Round(2*float64(h.BobPeriod)), 1)/2, h.Height(0)
		for i := range swells + 1 {
			c.Times = append(c.Times, float32(seconds*float64(i)/swells))
			way := upright.Direction([3]float64{0, (h.Height(float64(i%swells)*float64(h.BobPeriod)/swells) - from) * unit, 0})
			var at [3]float32
			for k := range at {
				at[k] = float32(b.at[k] + way[k])
			}
			c.Translations = append(c.Translations, at)
		}
		list = append(list, &clip{channels: []scene.Channel{c}, seconds: seconds})
	}
	return list
}
