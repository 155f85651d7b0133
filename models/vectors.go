package models

import "math"

// Products are rounded before they are added, so results are the same on all machines.

// less returns a - b.
func less(a, b [3]float32) [3]float32 { return [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func length(v [3]float32) float32 {
	return float32(math.Sqrt(float64(float32(v[0]*v[0]) + float32(v[1]*v[1]) + float32(v[2]*v[2]))))
}

// unit returns v scaled to length 1, or v if its length is 0.
func unit(v [3]float32) [3]float32 {
	l := math.Sqrt(float64(v[0])*float64(v[0]) + float64(v[1])*float64(v[1]) + float64(v[2])*float64(v[2])) // products are exact in float64
	if l == 0 {
		return v
	}
	for k := range v {
		v[k] = float32(float64(v[k]) / l)
	}
	return v
}
