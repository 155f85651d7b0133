package source_test

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/vbsp"
)

// The room's walls and a pillar of detail from 100 to 116 stop light, a pane of detail does not. From 20 to 236 the pillar begins
// at 80/216, the wall behind 256 at 236/296 of the way from 20 to 316.
func TestWhatStopsLight(t *testing.T) {
	m := room()
	m.Box(vbsp.Solid|vbsp.Detail, vec3{100, 90, 0}, vec3{116, 110, 128})
	m.Box(vbsp.Window|vbsp.Detail, vec3{100, 40, 0}, vec3{116, 60, 128})
	w := decode(t, m.Write(vbsp.Source2007))
	for _, c := range []struct {
		what string
		a, b vec3
		want float64
	}{
		{"nothing", vec3{20, 20, 50}, vec3{236, 20, 50}, 1},
		{"a pane", vec3{20, 50, 50}, vec3{236, 50, 50}, 1},
		{"a pillar", vec3{20, 100, 50}, vec3{236, 100, 50}, 80.0 / 216},
		{"a pillar, from inside", vec3{108, 100, 50}, vec3{236, 100, 50}, 1},
		{"a wall", vec3{20, 20, 50}, vec3{316, 20, 50}, 236.0 / 296},
	} {
		left := 1000
		if got := w.TraceFraction(c.a, c.b, 0, &left); !approximate(got, c.want) {
			t.Errorf("%s: %g, want %g", c.what, got, c.want)
		}
	}
	// No brush is taken of leafs that have too many.
	data := vbsp.Replace(m.Write(vbsp.Source2007), vbsp.LumpLeafBrushes, nil)
	left := 1000
	if got := decode(t, data).TraceFraction(vec3{20, 100, 50}, vec3{236, 100, 50}, 0, &left); got != 1 {
		t.Error(got)
	}
}
