package assemble

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"
	"github.com/bsp2gltf/bsp2gltf/lightmap"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// boxWorld has a square in the map and one in its 3D skybox. The skybox also has a door, a prop, a lamp and a point
// entity.
func boxWorld() *world.World {
	at := func(x float32) world.Surface {
		s := square(0, world.NoChart, 1)
		for i := range s.Shape.(*world.Polygon).Corners {
			s.Shape.(*world.Polygon).Corners[i].Position[0] += x
		}
		return s
	}
	w := &world.World{
		Unit: 1.0 / 32, Materials: []world.Material{{Name: "m"}}, Models: []world.Model{
			{Name: "*0", Mins: [3]float32{0, 0, 0}, Maxs: [3]float32{1088, 64, 0}, Surfaces: []world.Surface{at(0)}},
			{Name: "*1", Surfaces: []world.Surface{at(0)}}, {Name: "*2", Surfaces: []world.Surface{at(1024), at(1024)}},
		},
		Entities: []world.Entity{
			entity(0, "classname", "worldspawn"), entity(world.NoModel, "classname", "sky_camera", "origin", "1024 0 0"),
			entity(1, "classname", "func_door", "origin", "1024 32 0"), entity(world.NoModel, "classname", "outside", "targetname", "far"),
			entity(world.NoModel, "classname", "inside", "origin", "1024 0 0", "parentname", "far"),
		},
		Props: []world.Prop{{Kind: world.StaticProp, Model: "a.mdl", Index: world.NoModel, Entity: world.NoEntity, Box: true, Scale: [3]float32{1, 1, 1}}},
		Lights: []world.Light{
			{Entity: world.NoEntity, Intensity: 1024, Range: 32, Color: [3]float32{1, 1, 1}, Box: true},
		},
		Sky: world.SkyBox{Box: &world.Box{Model: 2, Entity: 1, Origin: [3]float32{1024, 0, 0}, Scale: 16}},
	}
	for _, i := range []int{1, 2, 4} {
		w.Entities[i].Box = true
	}
	return w
}

func TestThe3DSkyboxIsAroundTheMap(t *testing.T) {
	s, r := literal(t, defaults(), boxWorld())
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
	if r.Surfaces.Kept != 4 || len(r.Surfaces.Dropped) != 0 {
		t.Errorf("%+v", r.Surfaces)
	}
}

func TestThe3DSkyboxCanBeLeftOut(t *testing.T) {
	s, r := literal(t, set(t, "sky.box=false"), boxWorld())
	if r.Surfaces.Kept != 1 || r.Surfaces.Dropped["skybox-3d"] != 3 || r.Entities.Skipped != 3 || r.Props.Dropped != 1 || r.Lights.Shown != 0 {
		t.Errorf("%+v %+v %+v %+v", r.Surfaces, r.Entities, r.Props, r.Lights)
	}
	if len(s.Nodes) != 3 || len(s.Meshes) != 1 || len(s.Lights) != 0 {
		t.Errorf("%d nodes, %d meshes", len(s.Nodes), len(s.Meshes))
	}
}

func TestTheMapEndsBeforeThe3DSkyboxAndTheSkyBehindIt(t *testing.T) {
	a := assembly{w: boxWorld(), p: defaults(), axes: axes.Axes{Unit: 1}, set: plainSet("m"), atlas: &lightmap.Atlas{}}
	for i := range a.w.Models {
		a.meshes = append(a.meshes, nil)
		for k := range a.w.Models[i].Surfaces {
			a.meshes[i] = append(a.meshes[i], *squareMesh(&a.w.Models[i].Surfaces[k]))
		}
	}
	a.surfaces = pick.Surfaces(a.w, a.meshes, a.set, a.atlas, a.p)
	// By its records the map reaches to 1088, where the skybox is.
	if a.lo, a.hi = a.bounds(); a.hi != [3]float32{64, 64, 0} {
		t.Errorf("it ends at %v", a.hi)
	}
	// The skybox's square ends 64 units from its origin, which is shown at 1024. The centre of the map is at 32.
	if got := a.reach(); got != 1024-32 {
		t.Errorf("the box reaches %g", got)
	}
}

func TestScalesOf3DSkyboxes(t *testing.T) {
	for scale, want := range map[float32]float64{16: 16, 0.5: 0.5, 0: 16, -3: 16, float32(math.NaN()): 16, float32(math.Inf(1)): 16} {
		if got := boxScale(&world.Box{Scale: scale}); got != want {
			t.Errorf("%g is %g, want %g", scale, got, want)
		}
	}
}
