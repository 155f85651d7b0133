package nodes

import (
	"maps"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A fog of 64 units with its surface at the height of 96 has it 96 / 32 = 3 metres above the origin, and up is Y. Its own surface is fogged
// if the map has it in the fog; the copy that faces the other side is in none.
func TestSurfacesOfFogs(t *testing.T) {
	box := world.Fog{Mins: [3]float32{0, 0, 32}, Maxs: [3]float32{64, 64, 96}, Normal: [3]float32{0, 0, 1}, Distance: 96}
	plain := box
	plain.Normal, plain.Distance = [3]float32{}, 0
	fog := scenetest.PlainMaterial("fog")
	fog.Fog = &pbr.Fog{Opaque: 320}
	for _, c := range []struct {
		name string
		fog  world.Fog
		own  int // the fog that the fog's own surface is in
		want map[string]any
	}{
		{"seen from inside", box, 0, map[string]any{"surface_x": 0.0, "surface_y": 1.0, "surface_z": 0.0, "surface_metres": 3.0,
			"surface_fogged": true}},
		{"seen from outside alone", box, -1, map[string]any{"surface_x": 0.0, "surface_y": 1.0, "surface_z": 0.0, "surface_metres": 3.0,
			"surface_fogged": false}},
		{"without a side", plain, 0, map[string]any{}},
	} {
		w := &world.World{Materials: []world.Material{{Name: "floor"}, {Name: "fog"}, {Name: "fog"}},
			Volumes: world.Volumes{Fogs: []world.Fog{c.fog}},
			Models:  []world.Model{{Name: "*0", Surfaces: []world.Surface{{Material: 0, Fog: 0}, {Material: 1, Fog: c.own}}}}}
		w.Volumes.Fogs[0].Material = 2
		s, _ := put(t, pipeline.Default(), w, func(in *Input) {
			in.Axes.Unit, in.Meshes.Meshes = 1.0/32, nil
			in.Set.Materials = []pbr.Material{scenetest.PlainMaterial("floor"), fog, fog}
		})
		got := map[string]any{}
		for key, v := range findNode(t, s, "fog_0").Extras {
			if len(key) > 7 && key[:7] == "surface" {
				got[key] = v
			}
		}
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
