package assemble

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/nodes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lit returns a world of one square with a chart of 8 x 8 luxels that gets brighter to the right.
func lit() *world.World {
	c := world.Chart{Width: 8, Height: 8, Layers: []world.Layer{{}}}
	for range 8 {
		for x := range 8 {
			v := float32(x) / 8
			c.Layers[0].Luxels = append(c.Layers[0].Luxels, world.NewRGB(v, v/2, 0))
		}
	}
	return &world.World{
		Materials: []world.Material{{Name: "m"}}, Baked: world.BakedLight{Charts: []world.Chart{c}},
		Models: []world.Model{{Name: "*0", Surfaces: []world.Surface{square(0, 0, 8)}}},
	}
}

func TestMozCarrier(t *testing.T) {
	s, _ := literal(t, defaults(), lit())
	p, m := s.Meshes[0].Primitives[0], s.Materials[0]
	if m.Lightmap == scene.None || m.Intensity != 1 || m.Unlit || m.Material.Draw.Unlit || p.Colors != nil {
		t.Errorf("%+v", m)
	}
	// The page is 12 x 12: 8 luxels and a padding of 2, so 0 is at 2/12 and 8 at 10/12.
	for i, uv := range p.UV {
		want := [2]float32{(2 + 8*uv[0]) / 12, (2 + 8*uv[1]) / 12}
		if p.UV2[i] != want {
			t.Errorf("the second set of %v is %v, want %v", uv, p.UV2[i], want)
		}
	}
	m2 := plainMaterial("bright")
	m2.Draw.LightGain = 2
	s, _ = literal(t, defaults(), lit(), m2)
	if got := s.Materials[0].Intensity; math.Abs(got-math.Pow(2, 2.2)) > 1e-9 {
		t.Errorf("with a gain of 2 the intensity is %g", got)
	}
}

// The gamma is the map's, and the fog by distance is in metres: 320 units of a 32nd are 10, and a quarter a unit is 8 a metre.
func TestTheExtrasHaveFogAndGamma(t *testing.T) {
	w := lit()
	w.Unit, w.Volumes.RangeFog = 1.0/32, &world.RangeFog{Start: 320, End: 640, Most: 1, Color: [3]float32{0.5, 0, 1},
		Thickness: 0.25, Power: 2, Sky: 0.5}
	want := scene.RangeFog{Color: [3]float64{0.5, 0, 1}, Start: 10, End: 20, Density: 1, Thickness: 8, Power: 2, Sky: 0.5}
	w.Baked.Gamma = 1.125
	s, _ := literal(t, defaults(), w)
	if s.Shown.Gamma != 1.125 || s.Extras["bsp2gltf_gamma"] != 1.125 {
		t.Errorf("gamma %g, %v", s.Shown.Gamma, s.Extras)
	}
	if s.Shown.Fog == nil || *s.Shown.Fog != want || s.Extras["bsp2gltf_range_fog"] != s.Shown.Fog {
		t.Errorf("%+v, %v", s.Shown.Fog, s.Extras)
	}
	if s, _ = literal(t, set(t, "sky.fog=false"), w); s.Shown.Fog != nil || s.Extras["bsp2gltf_range_fog"] != nil {
		t.Errorf("without fog: %+v", s.Shown.Fog)
	}
}

func TestNoCarrier(t *testing.T) {
	s, _ := literal(t, set(t, "lightmap.carrier=none"), lit())
	p, m := s.Meshes[0].Primitives[0], s.Materials[0]
	if m.Lightmap != scene.None || m.Material.Draw.Unlit || p.Colors != nil || p.UV2 != nil || len(s.Images) != 0 {
		t.Errorf("%+v", m)
	}
}

func TestVertexCarrier(t *testing.T) {
	for _, gain := range []float64{1, 1.5} {
		w := lit()
		m := plainMaterial("m")
		m.Vertex.Color, m.Vertex.Alpha, m.Draw.LightGain = true, true, gain
		for i := range w.Models[0].Surfaces[0].Shape.(*world.Polygon).Corners {
			w.Models[0].Surfaces[0].Shape.(*world.Polygon).Corners[i].Color = [4]float32{0.5, 1, 1, 0.25}
		}
		s, _ := literal(t, set(t, "lightmap.carrier=vertex", "lightmap.vertex_step=1"), w, m)
		p, out := s.Meshes[0].Primitives[0], s.Materials[0]
		if !out.Material.Draw.Unlit || out.Lightmap != scene.None || p.UV2 != nil || len(s.Images) != 0 || len(p.Positions) != 81 {
			t.Errorf("%d vertices, %+v", len(p.Positions), out)
		}
		// COLOR_0 is the vertex colour times the light times the gain. The gain applies to displayed brightness.
		factor := math.Pow(gain, 2.2)
		for i, c := range p.Colors {
			light := lightmap.Sample(&w.Baked.Charts[0], [2]float32{p.UV[i][0] * 8, p.UV[i][1] * 8})
			want := [4]float64{0.5 * float64(light[0]) * factor, float64(light[1]) * factor, 0, 0.25}
			for k, x := range c {
				if math.Abs(float64(x)/65535-min(want[k], 1)) > 1e-4 {
					t.Fatalf("vertex %d: %v, want %v", i, c, want)
				}
			}
		}
	}
}

func TestUnlitSurfacesHaveNoLightmap(t *testing.T) {
	for _, carrier := range []string{"moz", "vertex", "none"} {
		m := plainMaterial("sign")
		m.Draw.Unlit = true
		s, _ := literal(t, set(t, "lightmap.carrier="+carrier), lit(), m)
		if out, p := s.Materials[0], s.Meshes[0].Primitives[0]; out.Lightmap != scene.None || !out.Material.Draw.Unlit || p.UV2 != nil ||
			p.Colors != nil {
			t.Errorf("%s: %+v", carrier, out)
		}
	}
}

func TestAChartWithoutLuxelsIsNoLight(t *testing.T) {
	w := lit()
	w.Baked.Charts = []world.Chart{{}}
	s, _ := literal(t, defaults(), w)
	if s.Materials[0].Lightmap != scene.None || len(s.Images) != 0 {
		t.Errorf("%+v", s.Materials[0])
	}
}

func TestHiddenSurfaces(t *testing.T) {
	hidden, fog, clip := plainMaterial("hidden"), plainMaterial("fog"), plainMaterial("clip")
	hidden.Draw.Hidden, fog.Draw.Hidden, clip.Draw.Hidden = true, true, true
	fog.Fog = &pbr.Fog{}
	sky := plainMaterial("sky")
	sky.Sky = &pbr.Sky{Box: [6]int{-1, -1, -1, -1, -1, -1}}
	w := func() *world.World {
		w := &world.World{Materials: make([]world.Material, 5), Models: []world.Model{{Name: "*0"}}}
		add := func(material int, flags world.Flags) {
			s := square(material, world.NoChart, 1)
			s.Flags = flags
			w.Models[0].Surfaces = append(w.Models[0].Surfaces, s)
		}
		add(0, 0)
		add(1, 0)
		add(2, 0)
		add(3, world.Clip)
		add(4, 0)
		add(0, world.Hint)
		add(0, world.Trigger)
		add(0, world.NoDraw)
		return w
	}
	mats := []pbr.Material{plainMaterial("seen"), hidden, fog, clip, sky}
	s, r := literal(t, defaults(), w(), mats...)
	for _, why := range []string{"fog", "clip", "sky", "hint", "trigger"} {
		if r.Surfaces.Dropped[why] != 1 {
			t.Errorf("%s: %v", why, r.Surfaces.Dropped)
		}
	}
	if r.Surfaces.Kept != 1 || r.Surfaces.Dropped["nodraw"] != 2 || len(s.Meshes) != 1 {
		t.Errorf("%+v", r.Surfaces)
	}
	s, r = literal(t, set(t, "output.hidden=true"), w(), mats...)
	n := findNode(t, s, "worldspawn_hidden")
	if r.Surfaces.Kept != 7 || r.Surfaces.Dropped["sky"] != 1 || n.Mesh == scene.None || n.Extras["bsp2gltf_hidden"] != true {
		t.Errorf("%+v, %+v", r.Surfaces, n)
	}
}

// The names of materials are unique, also of those that only placing needs.
func TestNamesOfMaterials(t *testing.T) {
	s := join(meshes.Meshes{}, make([]scene.Material, 2), &nodes.Placed{Materials: make([]scene.Material, 1)},
		pipeline.OutputOptions{Extras: true})
	for i, want := range []string{"unnamed", "unnamed_2", "unnamed_3"} {
		if got := s.Materials[i].Name; got != want {
			t.Errorf("material %d is %s, want %s", i, got, want)
		}
	}
}

// With stable names a mesh is named as the first node that shows it, if its own name is a number or not unique.
func TestNamesOfMeshes(t *testing.T) {
	s := &scene.Scene{Meshes: []scene.Mesh{{Name: "*1"}, {Name: "box"}, {Name: "box"}, {Name: "tree"}}, Nodes: []scene.Node{
		{Name: "door", Mesh: 0}, {Name: "door_2", Mesh: 0}, {Name: "a", Mesh: 1}, {Name: "b", Mesh: 2}, {Name: "c", Mesh: 3},
		{Name: "d", Mesh: scene.None},
	}}
	nameMeshes(s)
	for i, want := range []string{"door", "a", "b", "tree"} {
		if got := s.Meshes[i].Name; got != want {
			t.Errorf("mesh %d is %s, want %s", i, got, want)
		}
	}
}
