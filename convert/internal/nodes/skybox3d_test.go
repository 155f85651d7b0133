package nodes

import (
	"math"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// boxWorld has a square in the map and one in its 3D skybox. The skybox also has a door, a prop, a lamp and a point
// entity.
func boxWorld() *world.World {
	w := &world.World{
		Models: []world.Model{{Name: "*0", Maxs: [3]float32{1088, 64, 0}, Surfaces: shown()}, {Name: "*1", Surfaces: shown()},
			{Name: "*2", Surfaces: make([]world.Surface, 2)}},
		Entities: []world.Entity{
			entity(0, "classname", "worldspawn"), entity(world.NoModel, "classname", "sky_camera", "origin", "1024 0 0"),
			entity(1, "classname", "func_door", "origin", "1024 32 0"), entity(world.NoModel, "classname", "outside", "targetname", "far"),
			entity(world.NoModel, "classname", "inside", "origin", "1024 0 0", "parentname", "far"),
		},
		Props: []world.Prop{{Kind: world.StaticProp, Model: "a.mdl", Index: world.NoModel, Entity: world.NoEntity, InSkybox: true,
			Scale: [3]float32{1, 1, 1}}},
		Lights: []world.Light{
			{Entity: world.NoEntity, Intensity: 1024, Range: 32, Color: [3]float32{1, 1, 1}, InSkybox: true},
		},
		Sky: world.SkyBox{Skybox3D: &world.Skybox3D{Model: 2, Entity: 1, Origin: [3]float32{1024, 0, 0}, Scale: 16}},
	}
	for _, i := range []int{1, 2, 4} {
		w.Entities[i].InSkybox = true
	}
	return w
}

// boxGeometry sets the meshes of boxWorld: a square of 64 units at the origin for each of the first models, and two at x = 1024.
func boxGeometry(in *Input) {
	square, far := scenetest.Square(0, world.NoChart, 1), scenetest.Moved(scenetest.Square(0, world.NoChart, 1), 1024, 0, 0)
	a, b := *scenetest.Mesh(&square), *scenetest.Mesh(&far)
	in.Geometry, in.Surfaces = [][]geometry.Mesh{{a}, {a}, {b, b}},
		[][]drawkey.Surface{make([]drawkey.Surface, 1), make([]drawkey.Surface, 1), make([]drawkey.Surface, 2)}
}

func TestThe3DSkyboxIsAroundTheMap(t *testing.T) {
	s, _ := put(t, pipeline.Default(), boxWorld(), boxGeometry)
	n := findNode(t, s, "skybox_3d")
	// 1024 units are 32 m, which become 512 m at the scale of 16.
	if n.Translation != [3]float64{-512, 0, 0} || n.Scale != [3]float64{16, 16, 16} || n.Mesh == scene.None || n.Parent != 0 {
		t.Errorf("%+v", n)
	}
	for _, name := range []string{"func_door", "sky_camera", "inside", "static_props", "light_0"} {
		if got := parentOf(t, s, name); got != "skybox_3d" {
			t.Errorf("%s hangs on %s", name, got)
		}
	}
	places := scene.Places(s)
	for i := range s.Nodes {
		if s.Nodes[i].Name == "func_door" && !near(places[i].At, [3]float64{0, 0, -16}) { // 32 units are 1 m, times 16
			t.Errorf("the door is at %v", places[i].At)
		}
	}
	// A node's scale does not apply to lights: a lamp that is 16 times as far away must be 16² times as bright.
	if l := s.Lights[0]; math.Abs(l.Intensity-256*math.Pi) > 1e-9 || l.Range != 16 {
		t.Errorf("%+v", l)
	}
}

// The fog of the 3D skybox is in the metres of the map, not of the box.
func TestThe3DSkyboxHasItsOwnFog(t *testing.T) {
	w, p := boxWorld(), pipeline.Default()
	w.Sky.Skybox3D.Fog = &world.RangeFog{Start: 320, End: 640, Most: 0.5, Color: [3]float32{1, 0, 0.5}, Radial: true}
	s, _ := put(t, p, w, boxGeometry)
	n := findNode(t, s, "skybox_3d")
	want := scene.RangeFog{Start: 10, End: 20, Density: 0.5, Color: [3]float64{1, 0, 0.5}, Radial: true}
	if n.Fog == nil || *n.Fog != want || n.Extras["bsp2gltf_range_fog"] != n.Fog {
		t.Errorf("%+v, want %+v", n.Fog, want)
	}
	p.Sky.Fog = false
	s, _ = put(t, p, w, boxGeometry)
	if n := findNode(t, s, "skybox_3d"); n.Fog != nil || n.Extras["bsp2gltf_range_fog"] != nil {
		t.Errorf("without fog: %+v", n)
	}
}

func TestThe3DSkyboxCanBeLeftOut(t *testing.T) {
	s, out := put(t, set(t, "sky.box=false"), boxWorld(), boxGeometry, func(in *Input) { // as the mesh step leaves them
		in.Meshes.Models[1].Mesh, in.Meshes.Models[2].Mesh = scene.None, scene.None
	})
	if got := out.Entities; !slices.Equal(got, []int{1, scene.None, scene.None, 2, scene.None}) || out.Props[0].As != Dropped ||
		out.Lamps[0] != scene.None {
		t.Errorf("%+v", out)
	}
	if len(s.Nodes) != 3 || len(s.Lights) != 0 {
		t.Errorf("%d nodes", len(s.Nodes))
	}
}

func TestTheMapEndsBeforeThe3DSkyboxAndTheSkyBehindIt(t *testing.T) {
	in := Input{World: boxWorld(), Options: optionsOf(pipeline.Default()), Axes: axes.Axes{Unit: 1}}
	boxGeometry(&in)
	// The map's records reach to 1088, where the skybox is. The skybox's squares end 64 units from its origin, which is shown at 1024.
	// The centre of the map is at 32.
	if e := extentOf(&in); e.hi != [3]float32{64, 64, 0} || e.reach != 1024-32 {
		t.Errorf("%+v", e)
	}
	in.Surfaces[2] = []drawkey.Surface{{Drop: "nodraw"}, {Hidden: true}}
	if e := extentOf(&in); e.reach != 0 {
		t.Errorf("what is not drawn reaches %g", e.reach)
	}
	in.World.Sky.Skybox3D = nil
	if e := extentOf(&in); e.hi != [3]float32{1088, 64, 0} || e.reach != 0 {
		t.Errorf("without a skybox: %+v", e)
	}
}

func TestScalesOf3DSkyboxes(t *testing.T) {
	for scale, want := range map[float32]float64{16: 16, 0.5: 0.5, 0: 16, -3: 16, float32(math.NaN()): 16, float32(math.Inf(1)): 16} {
		if got := boxScale(&world.Skybox3D{Scale: scale}); got != want {
			t.Errorf("%g is %g, want %g", scale, got, want)
		}
	}
}
