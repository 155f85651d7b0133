package models

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// The numbers are what the pixel shader of Source SDK 2013 draws on white in an ambient cube and two lamps
// (vertexlit_and_unlit_generic_bump_ps2x.fxc with AMBIENT_LIGHT and NUM_LIGHTS=2, compiled for WebGL), for a flat normal map: so light by
// vertex is that of the shader wherever the normal map is flat.
func TestLightOfPropsIsThatOfTheShader(t *testing.T) {
	surroundings := cube{{0.9, 0.1, 0.2}, {0.1, 0.3, 0.6}, {0.4, 0.4, 0.1}, {0.05, 0.2, 0.5}, {0.7, 0.8, 1}, {0.15, 0.1, 0.05}}
	var list []*lamp
	for _, l := range []world.Light{
		{Origin: [3]float32{30, 0, 40}, Color: [3]float32{1, 0.8, 0.5}, Intensity: 2500},
		{Origin: [3]float32{-20, 60, -10}, Color: [3]float32{0.2, 0.5, 1}, Intensity: 4100},
	} {
		lamp, ok := newLamp(&l)
		if !ok {
			t.Fatal("no lamp")
		}
		list = append(list, &lamp)
	}
	here, there := [3]float32{}, [3]float32{4, -3, 12}
	for _, c := range []struct{ place, normal, want [3]float32 }{
		{here, [3]float32{0, 0, 1}, [3]float32{1.5, 1.44, 1.4}},
		{here, [3]float32{1, 0, 0}, [3]float32{1.5, 0.58, 0.5}},
		{here, [3]float32{0, -1, 0}, [3]float32{0.05, 0.2, 0.5}},
		{here, [3]float32{0.6, 0, 0.8}, [3]float32{1.772, 1.348, 1.212}},
		{here, [3]float32{-0.6, 0.8, 0}, [3]float32{0.47941, 0.83252, 1.21704}},
		{here, [3]float32{-0.48, -0.6, -0.64}, [3]float32{0.10248, 0.18208, 0.33872}},
		{there, [3]float32{0, 0, 1}, [3]float32{1.94327, 1.79462, 1.62163}},
		{there, [3]float32{1, 0, 0}, [3]float32{2.05446, 1.02357, 0.77723}},
		{there, [3]float32{0.6, 0, 0.8}, [3]float32{2.45929, 1.89784, 1.55565}},
		{there, [3]float32{-0.6, 0.8, 0}, [3]float32{0.44099, 0.73648, 1.02497}},
	} {
		got := surroundings.light(c.normal)
		addLamps(&got, list, c.place, c.normal)
		for k := range got {
			if math.Abs(float64(got[k]-c.want[k])) > 0.0001 {
				t.Errorf("at %v, normal %v: %v, want %v", c.place, c.normal, got, c.want)
				break
			}
		}
	}
}
