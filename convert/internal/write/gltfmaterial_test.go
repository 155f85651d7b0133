package write

import (
	"math"
	"testing"
)

// KHR_texture_transform: u' = x·cos·u + y·sin·v + offset, v' = -x·sin·u + y·cos·v + offset.
func TestTextureTransformsTurn(t *testing.T) {
	for _, m := range [][6]float64{{2, 0, 0.5, 0, 3, 0}, {0, 1, 0, -1, 0, 1}, {0, -2, 0.25, 3, 0, 0}, {-1, 0, 0, 0, 1, 0},
		{0, 1, 0, 1, 0, 0}, {1, 1, 0, -1, 1, 0}} {
		x := textureTransform(m)
		var scale [2]float64
		switch s := x["scale"].(type) {
		case [2]float64:
			scale = s
		case []float64:
			scale = [2]float64(s)
		}
		angle, _ := x["rotation"].(float64)
		sin, cos := math.Sincos(angle)
		offset := x["offset"].([2]float64)
		got := [6]float64{scale[0] * cos, scale[1] * sin, offset[0], -scale[0] * sin, scale[1] * cos, offset[1]}
		for k := range got {
			if math.Abs(got[k]-m[k]) > 1e-5 {
				t.Errorf("%v: %v by %v", m, got, x)
				break
			}
		}
	}
}
