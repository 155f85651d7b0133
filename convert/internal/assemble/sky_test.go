package assemble

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// skyWorld is a world with a sky surface that has six images and clouds.
func skyWorld(t *testing.T, p pipeline.Pipeline) *scene.Scene {
	t.Helper()
	m := plainMaterial("textures/sky")
	m.Sky = &pbr.Sky{Box: [6]int{0, 1, 2, 3, 4, 5}, Height: 512}
	m.Base.Image = 6
	images := make([]materials.Image, 7)
	for i := range images {
		images[i] = materials.Image{Name: string(rune('a' + i)), MIME: "image/png", Data: []byte{1}}
	}
	w := &world.World{
		Unit: 1, Materials: []world.Material{{Name: "sky"}, {Name: "unused"}},
		Models: []world.Model{{Name: "*0", Mins: [3]float32{-100, -100, 0}, Maxs: [3]float32{300, 100, 200}, Surfaces: []world.Surface{square(0, world.NoChart, 1)}}},
	}
	unused := m
	unused.Name = "unused"
	a := skyOf(assembly{
		p: p, w: w, set: &materials.Set{Materials: []pbr.Material{m, unused}, Images: images}, axes: axes.Axes{Unit: 1},
		scene: &scene.Scene{}, report: report.New("test", 10),
		meshes: [][]geometry.Mesh{{*squareMesh(&w.Models[0].Surfaces[0])}},
	})
	a.lo, a.hi = a.bounds()
	a.sky()
	return a.scene
}

// stToVec is the engine's table (Quake III Arena, tr_sky.c, MakeSkyVec) with the images of its texorder.
var stToVec = []struct {
	image int // of rt, bk, lf, ft, up, dn
	vec   [3]int
}{{0, [3]int{3, -1, 2}}, {2, [3]int{-3, 1, 2}}, {1, [3]int{1, 3, 2}}, {3, [3]int{-1, -3, 2}}, {4, [3]int{-2, -1, 3}}, {5, [3]int{2, -1, -3}}}

func TestSkyBoxIsTheEngines(t *testing.T) {
	s := skyWorld(t, set(t, "sky.mode=mesh", "sky.size=1000"))
	n := findNode(t, s, "sky")
	if len(s.Nodes) != 1 || n.Mesh != 0 || n.Translation != [3]float64{100, 100, 0} || n.Extras["bsp2gltf_sky"] != true || n.Extras["sky_rt"] != "a" || n.Extras["sky_clouds"] != "g" {
		t.Fatalf("%d nodes, %+v", len(s.Nodes), n)
	}
	for _, side := range stToVec {
		p := s.Meshes[0].Primitives[side.image]
		m := s.Materials[p.Material]
		if m.Base.Image != side.image || !m.Base.Clamp || !m.Material.Draw.Unlit || m.Draw.DoubleSided || m.Extras["bsp2gltf_sky"] != true {
			t.Errorf("image %d: %+v", side.image, m)
		}
		for i, uv := range p.UV {
			b := [3]float32{2*uv[0] - 1, 1 - 2*uv[1], 1} // the engine's t grows upwards
			var d [3]float32
			for k, j := range side.vec {
				if j < 0 {
					d[k] = -b[-j-1] * 1000
				} else {
					d[k] = b[j-1] * 1000
				}
			}
			if want := axes.Turn(d); !near(space.Vector64(p.Positions[i]), space.Vector64(want)) {
				t.Errorf("image %d at %v is at %v, want %v", side.image, uv, p.Positions[i], want)
			}
		}
		inward(t, p)
	}
	clouds := s.Meshes[0].Primitives[6:]
	if len(clouds) != 1 || len(clouds[0].Positions) != 5*81 || s.Materials[clouds[0].Material].Base.Image != 6 {
		t.Errorf("%d primitives of clouds", len(clouds))
	}
	for _, p := range clouds {
		inward(t, p)
	}
}

// inward checks that the front sides and the normals of triangles point to the centre.
func inward(t *testing.T, p scene.Primitive) {
	t.Helper()
	for i := 0; i < len(p.Indices); i += 3 {
		a, b, c := space.Vector64(p.Positions[p.Indices[i]]), space.Vector64(p.Positions[p.Indices[i+1]]), space.Vector64(p.Positions[p.Indices[i+2]])
		var ab, ac [3]float64
		for k := range 3 {
			ab[k], ac[k] = b[k]-a[k], c[k]-a[k]
		}
		front, normal := space.Cross(ab, ac), space.Vector64(p.Normals[p.Indices[i]])
		if dot := space.Sum(front[0]*a[0], front[1]*a[1], front[2]*a[2], 0); dot >= 0 {
			t.Errorf("triangle %d shows its back to the middle", i/3)
		}
		if dot := space.Sum(front[0]*normal[0], front[1]*normal[1], front[2]*normal[2], 0); dot <= 0 {
			t.Errorf("triangle %d is lit from behind", i/3)
		}
	}
}

func TestSkyModes(t *testing.T) {
	s := skyWorld(t, set(t, "sky.mode=node"))
	if n := findNode(t, s, "sky"); n.Mesh != scene.None || n.Extras["sky_dn"] != "f" || len(s.Meshes) != 0 {
		t.Errorf("%+v", n)
	}
	// By default the box is beyond every corner of the map: half of the map's diagonal of 489.9 is 244.9, and 0.6
	// of the diagonal is 294.
	s = skyWorld(t, set(t, "sky.mode=mesh"))
	if got := s.Meshes[0].Primitives[0].Positions[0]; got[0] != 294 {
		t.Errorf("a side is at %v", got)
	}
	s = skyWorld(t, set(t, "sky.mode=mesh", "output.extras=false"))
	if n := findNode(t, s, "sky"); n.Extras != nil || s.Materials[0].Extras != nil {
		t.Errorf("%+v", n)
	}
}

func TestOnlyTheLargestSkyHasAMesh(t *testing.T) {
	small, large := plainMaterial("small"), plainMaterial("large")
	small.Sky = &pbr.Sky{Box: [6]int{0, 0, 0, 0, 0, 0}}
	large.Sky = &pbr.Sky{Box: [6]int{1, 1, 1, 1, 1, 1}}
	large.Extras = map[string]any{"q3map_sun": "1 1 1 100 45 60"}
	one, two := square(0, world.NoChart, 1), square(1, world.NoChart, 1)
	first, second := squareMesh(&one), squareMesh(&two)
	for i := range second.Vertices {
		second.Vertices[i].Position[0] *= 2
	}
	a := skyOf(assembly{
		p: set(t, "sky.mode=mesh"), axes: axes.Axes{Unit: 1}, scene: &scene.Scene{}, report: report.New("test", 10),
		w:      &world.World{Unit: 1, Models: []world.Model{{Name: "*0", Maxs: [3]float32{9, 9, 9}, Surfaces: []world.Surface{one, two}}}},
		set:    &materials.Set{Materials: []pbr.Material{small, large}, Images: []materials.Image{{Name: "a"}, {Name: "b"}}},
		meshes: [][]geometry.Mesh{{*first, *second}},
	})
	// The small one is 64 x 64 units, the large one twice that.
	if got := a.skyAreas(); got[0] != 4096 || got[1] != 8192 {
		t.Errorf("areas %v", got)
	}
	a.sky()
	if n := a.scene.Nodes; len(n) != 2 || n[0].Mesh != scene.None || n[1].Mesh != 0 || n[1].Extras["q3map_sun"] != "1 1 1 100 45 60" {
		t.Errorf("%+v", n)
	}
	if a.report.IssueCounts["sky-second"] != 1 || a.report.Complaints() != 0 {
		t.Errorf("%v", a.report.IssueCounts)
	}
}

func TestCloudsWorkedOut(t *testing.T) {
	// The upward ray leaves the sphere of radius 4096 + h at its highest point: its angles to X and Y are 90
	// degrees.
	if got := cloud([3]float32{0, 0, 1}, 512); math.Abs(float64(got[0])-math.Pi/2) > 1e-6 || math.Abs(float64(got[1])-math.Pi/2) > 1e-6 {
		t.Errorf("above: %v", got)
	}
	// With h = 512 the level ray along X leaves where r² + d² = (r+h)²: d = √(2 * 4096 * 512 + 512²) = 2111, acos(2111 / 4608) =
	// 1.0949.
	if got := cloud([3]float32{7, 0, 0}, 512); math.Abs(float64(got[0])-1.0949) > 1e-4 || math.Abs(float64(got[1])-math.Pi/2) > 1e-6 {
		t.Errorf("level: %v", got)
	}
}

func TestSkiesThatLookTheSameAreOne(t *testing.T) {
	sky := func(image int) pbr.Material {
		m := pbr.New("sky")
		m.Sky = &pbr.Sky{Box: [6]int{image, image, image, image, image, image}}
		return m
	}
	for name, test := range map[string]struct {
		second pbr.Material
		skies  int
	}{"the same": {sky(0), 1}, "another": {sky(1), 2}, "no images": {sky(pbr.NoImage), 2}} {
		w := &world.World{Unit: 1, Materials: []world.Material{{Name: "a"}, {Name: "b"}},
			Models: []world.Model{{Name: "*0", Surfaces: []world.Surface{square(0, world.NoChart, 1), square(1, world.NoChart, 1)}}}}
		a := skyOf(assembly{
			p: defaults(), w: w, scene: &scene.Scene{}, report: report.New("test", 10),
			set:    &materials.Set{Materials: []pbr.Material{sky(0), test.second}, Images: make([]materials.Image, 2)},
			meshes: [][]geometry.Mesh{{*squareMesh(&w.Models[0].Surfaces[0]), *squareMesh(&w.Models[0].Surfaces[1])}},
		})
		if a.sky(); len(a.scene.Nodes) != test.skies {
			t.Errorf("%s: %d skies, want %d", name, len(a.scene.Nodes), test.skies)
		}
	}
}
