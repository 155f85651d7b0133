package nodes

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// extent is the size of the visible scene.
type extent struct {
	lo, hi   [3]float32 // map units; the least and the greatest coordinates of the map, without the 3D skybox
	diagonal float64    // metres; of the map
	reach    float64    // metres; the greatest distance along an axis from the map's centre to the 3D skybox, or 0: the sky is farther away
}

// extentOf returns the size of a map. The bounds that a map with a 3D skybox states include that.
func extentOf(in *Input) extent {
	var e extent
	w := in.World
	if len(w.Models) > 0 {
		e.lo, e.hi = w.Models[0].Mins, w.Models[0].Maxs
	}
	if b := w.Sky.Skybox3D; b != nil && len(w.Models) > 0 {
		if lo, hi, ok := bounds(in.Geometry[0], nil); ok {
			e.lo, e.hi = lo, hi
		}
		if !drawkey.WithoutBox(w, in.Options.Sky) {
			e.reach = reach(b, in.Geometry[b.Model], in.Surfaces[b.Model], middle(e.lo, e.hi), in.Axes.Unit)
		}
	}
	e.diagonal = diagonal(e.lo, e.hi, in.Axes.Unit)
	return e
}

// bounds returns the box around the meshes of a model, in map units; ok is false if it is empty. If surfaces are given, only those that
// are drawn count.
func bounds(meshes []geometry.Mesh, surfaces []drawkey.Surface) (lo, hi [3]float32, ok bool) {
	for i := range meshes {
		if surfaces != nil && (surfaces[i].Drop != "" || surfaces[i].Hidden) {
			continue
		}
		for k := range meshes[i].Vertices {
			p := meshes[i].Vertices[k].Position
			if !ok {
				lo, hi, ok = p, p, true
			}
			space.Extend(&lo, &hi, p)
		}
	}
	return lo, hi, ok
}

// diagonal returns the diagonal of a box in metres, or 1000 if it is unusable.
func diagonal(lo, hi [3]float32, unit float64) float64 {
	var sum float64
	for k := range 3 {
		d := float64(hi[k]) - float64(lo[k])
		sum += float64(d * d)
	}
	d := math.Sqrt(sum) * unit
	if !(d > 1 && d < 1e6) {
		return 1000
	}
	return d
}

// reach returns the largest distance in metres along an axis from a point in the map to the drawn 3D skybox.
func reach(b *world.Skybox3D, meshes []geometry.Mesh, surfaces []drawkey.Surface, from [3]float64, unit float64) float64 {
	lo, hi, ok := bounds(meshes, surfaces)
	if !ok {
		return 0
	}
	far, scale := 0.0, boxScale(b)
	for k := range 3 {
		for _, x := range [2]float32{lo[k], hi[k]} {
			shown := float64((float64(x) - float64(b.Origin[k])) * scale)
			far = max(far, math.Abs(shown-from[k]))
		}
	}
	return min(far*unit, 1e6)
}

// middle returns the middle of a box.
func middle(lo, hi [3]float32) (at [3]float64) {
	for k := range at {
		at[k] = (float64(lo[k]) + float64(hi[k])) / 2
	}
	return at
}
