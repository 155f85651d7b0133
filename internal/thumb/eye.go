package thumb

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/raster"
)

// eyeLevel is the height of the eye above a spawn point in metres. It is a compromise between games whose player
// origin is at the feet and those where it is at the waist.
const eyeLevel = 1.1

// The size of the grid in which a view is rated, and how many triangles may be projected for rating all views.
const (
	gridWidth, gridHeight = 48, 27
	worthJudging          = 4_000_000
)

// find returns the eye with the best view, among the map's cameras and its spawn points in several directions, or
// else the corners of the map.
func find(ctx context.Context, s *convert.Scene, r *raster.Scene, o Options) (Eye, error) {
	eyes := candidates(s)
	lo, hi := bounds(s, r)
	if len(eyes) == 0 {
		eyes = corners(lo, hi)
	}
	triangles := 1
	for i := range r.Instances {
		triangles += len(r.Meshes[r.Instances[i].Mesh].Indices) / 3
	}
	eyes = some(eyes, min(max(worthJudging/triangles, 4), 48))
	best, most := eyes[0], math.Inf(-1)
	for _, e := range eyes {
		hits, err := raster.Look(ctx, r, e.camera(o.FovY), gridWidth, gridHeight)
		if err != nil {
			return Eye{}, err
		}
		if score := worth(s, hits); score > most {
			best, most = e, score
		}
	}
	return best, nil
}

// some returns at most n of the eyes, evenly chosen.
func some(eyes []Eye, n int) []Eye {
	if len(eyes) <= n {
		return eyes
	}
	out := make([]Eye, n)
	for i := range out {
		out[i] = eyes[i*len(eyes)/n]
	}
	return out
}

// candidates returns the eyes that a map offers. A spawn point offers its own direction and three others.
func candidates(s *convert.Scene) (eyes []Eye) {
	places := matrices(s.Nodes)
	for i := range s.Nodes {
		n, m := &s.Nodes[i], &places[i]
		class, _ := n.Extras["classname"].(string)
		position := [3]float64{m[12], m[13], m[14]}
		switch {
		case n.Camera != scene.None:
			eyes = append(eyes, looking(position, [3]float64{-m[8], -m[9], -m[10]}))
		case spawns(class):
			position[1] += eyeLevel
			e := looking(position, [3]float64{m[0], 0, m[2]}) // entities face along their X axis
			for k := range 4 {
				eyes = append(eyes, Eye{position, 0, e.Yaw + float64(k)*math.Pi/2})
			}
		}
	}
	return eyes
}

// spawns reports whether players spawn at entities of a class.
func spawns(class string) bool {
	class = strings.ToLower(class)
	return strings.HasPrefix(class, "info_player") || strings.Contains(class, "spawn") && !strings.Contains(class, "despawn") && class != "worldspawn" ||
		strings.HasPrefix(class, "team_ctf_") && strings.HasSuffix(class, "player") || class == "info_survivor_position"
}

func looking(from, toward [3]float64) Eye {
	return Eye{from, math.Atan2(toward[1], math.Hypot(toward[0], toward[2])), math.Atan2(-toward[0], -toward[2])}
}

// corners returns eyes above the corners of a box that look at its centre.
func corners(lo, hi [3]float64) (eyes []Eye) {
	for i := range 4 {
		at := [3]float64{lo[0], float64(0.25*lo[1]) + float64(0.75*hi[1]), lo[2]}
		for k, axis := range [2]int{0, 2} {
			if i>>k&1 == 1 {
				at[axis] = hi[axis]
			}
			at[axis] += float64(((lo[axis]+hi[axis])/2 - at[axis]) * 0.2)
		}
		var way [3]float64
		for k := range way {
			way[k] = (lo[k]+hi[k])/2 - at[k]
		}
		eyes = append(eyes, looking(at, way))
	}
	return eyes
}

// worth rates how much a view shows. It prefers depth, many materials, little sky and nothing close to the eye.
func worth(s *convert.Scene, hits []raster.Hit) float64 {
	var materials []int
	score := 0.0
	for _, h := range hits {
		switch {
		case h.Material == raster.None:
			score -= 0.5
		case s.Materials[h.Material].Sky != nil:
			score += 0.5
		case h.Distance < 0.5:
			score -= 2
		default:
			score += math.Log2(1 + math.Min(h.Distance, 60))
			materials = append(materials, h.Material)
		}
	}
	slices.Sort(materials)
	return score/float64(len(hits)) + 0.15*float64(min(len(slices.Compact(materials)), 20))
}

// bounds returns the bounds of everything that is drawn except the sky.
func bounds(s *convert.Scene, r *raster.Scene) (lo, hi [3]float64) {
	for k := range lo {
		lo[k], hi[k] = math.Inf(1), math.Inf(-1)
	}
	for i := range r.Instances {
		in := &r.Instances[i]
		mesh := &r.Meshes[in.Mesh]
		if s.Materials[mesh.Material].Sky != nil {
			continue
		}
		for _, p := range mesh.Positions {
			for k := range lo {
				x := float64(in.Matrix[k]*float64(p[0])) + float64(in.Matrix[4+k]*float64(p[1])) + float64(in.Matrix[8+k]*float64(p[2])) + in.Matrix[12+k]
				lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
			}
		}
	}
	if lo[0] > hi[0] {
		return [3]float64{-1, -1, -1}, [3]float64{1, 1, 1}
	}
	return lo, hi
}

// plan returns a camera that shows the whole map from above, and removes the sky from r. Ceilings are seen from the
// back and so are not drawn.
func plan(s *convert.Scene, r *raster.Scene, o Options) raster.Camera {
	lo, hi := bounds(s, r)
	r.Instances = slices.DeleteFunc(r.Instances, func(in raster.Instance) bool {
		return s.Materials[r.Meshes[in.Mesh].Material].Sky != nil
	})
	wide, deep := hi[0]-lo[0], hi[2]-lo[2]
	up := [3]float64{0, 0, -1}
	if deep > wide != (o.Height > o.Width) { // align the longer side of the map with the longer side of the picture
		up, wide, deep = [3]float64{-1, 0, 0}, deep, wide
	}
	const margin = 1.04
	return raster.Camera{
		Eye: [3]float64{(lo[0] + hi[0]) / 2, hi[1] + 1, (lo[2] + hi[2]) / 2}, Forward: [3]float64{0, -1, 0}, Up: up, Near: near,
		Height: margin * max(deep, wide*float64(o.Height)/float64(o.Width), 1),
	}
}
