package assemble

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// boxless tells whether there is a 3D skybox that the options leave out.
func (a *assembler) boxless() bool { return a.w.Sky.Box != nil && !a.p.Sky.Box }

// frame is the node that what stands on nothing else hangs on: the 3D skybox or the root.
func (a *assembler) frame(box bool) int {
	if box && a.box != scene.None {
		return a.box
	}
	return 0
}

// addBox makes the node of the 3D skybox. What is below it has the place in the map that the map gives it; the node
// makes it large and moves it around the map.
func (a *assembler) addBox(b built) {
	n := scene.NewNode("skybox_3d", 0)
	scale := boxScale(a.w.Sky.Box)
	var at [3]float64
	for k, x := range a.w.Sky.Box.Origin {
		at[k] = -float64(x) * scale
	}
	n.Translation, n.Scale = a.axes.point64(at), [3]float64{scale, scale, scale}
	n.Extras = map[string]any{"bsp2gltf_skybox_3d": true, "scale": scale}
	a.box = a.node(n)
	a.place(a.box, b)
}

// boxScale is how much larger a 3D skybox is shown: 16 where the map says nothing of use, as the editor has it.
func boxScale(b *world.Box) float64 {
	if s := float64(b.Scale); s > 0 && s <= 1e6 {
		return s
	}
	return 16
}

// reach is how far what is drawn of the 3D skybox reaches from the middle of the map along an axis, in metres: the sky
// must be beyond it.
func (a *assembler) reach() float64 {
	if a.w.Sky.Box == nil || a.boxless() {
		return 0
	}
	lo, hi, ok := a.extent(a.w.Sky.Box.Model, true)
	if !ok {
		return 0
	}
	far := 0.0
	scale := boxScale(a.w.Sky.Box)
	for k := range 3 {
		middle := (float64(a.lo[k]) + float64(a.hi[k])) / 2
		origin := float64(a.w.Sky.Box.Origin[k])
		for _, x := range [2]float32{lo[k], hi[k]} {
			shown := float64((float64(x) - origin) * scale)
			far = max(far, math.Abs(shown-middle))
		}
	}
	return min(far*a.axes.unit, 1e6)
}
