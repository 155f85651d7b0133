package liquid

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Boxes returns, for each body of water, the boxes of the leafs that it fills, of which those that make up a box are joined. of returns a
// leaf's body and box; a body outside of the list is none. A leaf's bounding box may include space outside a leaf that is not a box.
func Boxes(dc *decoding.Context, leafs, bodies int, of func(leaf int) (body int, lo, hi [3]float32)) ([][][2][3]float32, error) {
	out := make([][][2][3]float32, bodies)
	for i := range leafs {
		body, lo, hi := of(i)
		if body < 0 || body >= bodies || !record.Sane(lo[:]...) || !record.Sane(hi[:]...) ||
			!(lo[0] < hi[0] && lo[1] < hi[1] && lo[2] < hi[2]) {
			continue
		}
		var err error
		if out[body], err = limit.Append(dc.Budget, out[body], "", [2][3]float32{lo, hi}); err != nil {
			return nil, err
		}
	}
	for i := range out {
		for axis := range 3 {
			out[i] = joined(out[i], axis)
		}
	}
	return out, nil
}

// joined joins boxes that meet along an axis and are alike in the others.
func joined(boxes [][2][3]float32, axis int) (out [][2][3]float32) {
	others := [2]int{(axis + 1) % 3, (axis + 2) % 3}
	slices.SortFunc(boxes, func(a, b [2][3]float32) int {
		for _, k := range others {
			for side := range 2 {
				if d := a[side][k] - b[side][k]; d != 0 {
					return sign(d)
				}
			}
		}
		return sign(a[0][axis] - b[0][axis])
	})
	for _, b := range boxes {
		if n := len(out) - 1; n >= 0 && out[n][1][axis] >= b[0][axis] && alike(out[n], b, others) {
			out[n][1][axis] = max(out[n][1][axis], b[1][axis])
			continue
		}
		out = append(out, b)
	}
	return out
}

// alike reports whether boxes have the same sides along two axes.
func alike(a, b [2][3]float32, axes [2]int) bool {
	for _, k := range axes {
		if a[0][k] != b[0][k] || a[1][k] != b[1][k] {
			return false
		}
	}
	return true
}

func sign(d float32) int {
	if d < 0 {
		return -1
	}
	if d > 0 {
		return 1
	}
	return 0
}
