package nodes

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// cloudy returns a sky that has six images, from a, and clouds.
func cloudy() (pbr.Material, []materials.Image) {
	m := scenetest.PlainMaterial("textures/sky")
	m.Sky = &pbr.Sky{Box: [6]int{0, 1, 2, 3, 4, 5}, Height: 512}
	m.Base.Image = 6
	images := make([]materials.Image, 7)
	for i := range images {
		images[i] = materials.Image{Name: string(rune('a' + i))}
	}
	return m, images
}

// stToVec is the engine's table (Quake III Arena, tr_sky.c, MakeSkyVec) with the images of its texorder.
var stToVec = []struct {
	image int // of rt, bk, lf, ft, up, dn
	vec   [3]int
}{{0, [3]int{3, -1, 2}}, {2, [3]int{-3, 1, 2}}, {1, [3]int{1, 3, 2}}, {3, [3]int{-1, -3, 2}}, {4, [3]int{-2, -1, 3}},
	{5, [3]int{2, -1, -3}}}

func TestSkyBoxIsTheEngines(t *testing.T) {
	sky, _ := cloudy()
	s := shapes{firstMesh: 5, firstMaterial: 7}
	if got := skyMesh(&sky, &s, 1000, axes.Axes{Unit: 1}); got != 5 || len(s.meshes) != 1 {
		t.Fatalf("mesh %d of %d", got, len(s.meshes))
	}
	for _, side := range stToVec {
		p := s.meshes[0].Primitives[side.image]
		m := s.materials[p.Material-7]
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
		slender(t, p)
	}
	clouds := s.meshes[0].Primitives[6:]
	if len(clouds) != 1 || len(clouds[0].Positions) != 5*81 || s.materials[clouds[0].Material-7].Base.Image != 6 {
		t.Errorf("%d primitives of clouds", len(clouds))
	}
	for _, p := range clouds {
		inward(t, p)
	}
}

// Each cloud layer is nearer than what it changes, and says how; nothing else of its material's extras stays.
func TestSheetsOfClouds(t *testing.T) {
	sky, _ := cloudy()
	sky.Extras = map[string]any{"blend": "add", "cull": "none"}
	above := scenetest.PlainMaterial("textures/sky layer 1")
	above.Base.Image, above.Extras = 3, map[string]any{"blend": "multiply"}
	sky.Layers = []pbr.Material{above, scenetest.PlainMaterial("a sheet without its picture")}
	s := shapes{}
	skyMesh(&sky, &s, 1000, axes.Axes{Unit: 1})
	clouds := s.meshes[0].Primitives[6:]
	if len(clouds) != 2 {
		t.Fatalf("%d sheets", len(clouds))
	}
	for i, want := range []struct {
		image int
		blend string
		sort  any
		reach float32
	}{{6, "add", nil, 980}, {3, "multiply", 1.0, 960.4}} {
		m := s.materials[clouds[i].Material]
		if m.Base.Image != want.image || m.Extras["blend"] != want.blend || m.Extras["bsp2gltf_sky"] != true ||
			m.Extras["sort"] != want.sort || !m.Material.Draw.Unlit {
			t.Errorf("layer %d: %+v", i, m.Material)
		}
		reach := float32(0)
		for _, p := range clouds[i].Positions {
			reach = max(reach, p[0])
		}
		if reach != want.reach {
			t.Errorf("layer %d reaches %g, want %g", i, reach, want.reach)
		}
	}
}

// slender checks that the corners of a triangle are less than 40 degrees apart, seen from the middle: those of one that is in a view of 100
// degrees from corner to corner are ahead of the eye.
func slender(t *testing.T, p scene.Primitive) {
	t.Helper()
	dot := func(a, b [3]float64) float64 { return space.Sum(a[0]*b[0], a[1]*b[1], a[2]*b[2], 0) }
	for i := 0; i < len(p.Indices); i += 3 {
		for k := range 3 {
			a, b := space.Vector64(p.Positions[p.Indices[i+k]]), space.Vector64(p.Positions[p.Indices[i+(k+1)%3]])
			if between := dot(a, b) / math.Sqrt(dot(a, a)*dot(b, b)); between < math.Cos(40*math.Pi/180) {
				t.Errorf("triangle %d: corners %v and %v are too far apart", i/3, a, b)
			}
		}
	}
}

// inward checks that the front sides and the normals of triangles point to the centre.
func inward(t *testing.T, p scene.Primitive) {
	t.Helper()
	for i := 0; i < len(p.Indices); i += 3 {
		a, b, c := space.Vector64(p.Positions[p.Indices[i]]), space.Vector64(p.Positions[p.Indices[i+1]]),
			space.Vector64(p.Positions[p.Indices[i+2]])
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

func TestSkyNodes(t *testing.T) {
	m, images := cloudy()
	m.Extras = map[string]any{"q3map_sun": "1 1 1 100 45 60", "cull": "none"}
	m.Sky.Light[1], m.Sky.Scale = "sky_bk.exr", 2
	want := `{"bsp2gltf_sky":true,"material":"textures/sky","q3map_sun":"1 1 1 100 45 60","sky_bk":"b","sky_cloud_height":256,"sky_clouds":"g","sky_dn":"f",` +
		`"sky_ft":"d","sky_lf":"c","sky_light_bk":"sky_bk.exr","sky_rt":"a","sky_scale":2,"sky_up":"e"}`
	if got := text(skyExtras(&m, images, 0.5)); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// By default the box is beyond every corner of the map and the 3D skybox: half of a diagonal of 490 is 245, and 0.6 of it is 294.
func TestSizesOfTheSky(t *testing.T) {
	for _, c := range []struct {
		size     float64
		ends     extent
		unit     float64
		expected float32
	}{{0, extent{diagonal: 489.9}, 1, 294}, {0, extent{diagonal: 489.9, reach: 500}, 1, 505}, {0, extent{diagonal: 489.9}, 0.5, 588},
		{1000, extent{diagonal: 489.9}, 1, 1000}} {
		if got := skySize(pipeline.SkyOptions{Size: c.size}, c.ends, c.unit); got != c.expected {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// skies places a world of squares, the second of which is twice as large, that are windows to skies.
func skies(t *testing.T, p pipeline.Pipeline, mats ...pbr.Material) *Placed {
	t.Helper()
	w := &world.World{Models: []world.Model{{Name: "*0", Mins: [3]float32{-100, -100, 0}, Maxs: [3]float32{300, 100, 200},
		Surfaces: make([]world.Surface, 2)}}}
	_, out := put(t, p, w, func(in *Input) {
		_, images := cloudy()
		in.Set, in.Geometry, in.Meshes.Models[0].Mesh = &materials.Set{Materials: mats, Images: images},
			make([][]geometry.Mesh, 1), scene.None
		for i := range w.Models[0].Surfaces {
			w.Models[0].Surfaces[i].Material = i
			s := scenetest.Square(i, world.NoChart, 1)
			for k := range s.Shape.(*world.Polygon).Corners {
				s.Shape.(*world.Polygon).Corners[k].Position[0] *= float32(i + 1)
			}
			in.Geometry[0] = append(in.Geometry[0], *scenetest.Mesh(&s))
		}
		// The first window has 64 x 64 units, the second twice that.
		if got := skyAreas(w.Models, in.Geometry, mats); got[0] != 4096 || got[1] != 8192 && mats[1].Sky != nil {
			t.Errorf("areas %v", got)
		}
	})
	return out
}

func skyOf(image int) pbr.Material {
	m := scenetest.PlainMaterial("sky")
	m.Sky = &pbr.Sky{Box: [6]int{image, image, image, image, image, image}}
	return m
}

func TestOnlyTheLargestSkyHasAMesh(t *testing.T) {
	out := skies(t, set(t, "sky.mode=mesh"), skyOf(0), skyOf(1))
	if n := out.Nodes[1:]; len(n) != 2 || n[0].Mesh != scene.None || n[1].Mesh != 1 ||
		n[1].Translation != [3]float64{100.0 / 32, 100.0 / 32, 0} {
		t.Errorf("%+v", n)
	}
	if len(out.Issues) != 1 || out.Issues[0].Code != "sky-second" {
		t.Errorf("%v", out.Issues)
	}
	if out := skies(t, set(t, "sky.mode=mesh"), skyOf(pbr.NoImage), skyOf(pbr.NoImage)); len(out.Nodes) != 3 || len(out.Issues) != 0 {
		t.Errorf("without images: %+v", out)
	}
	if out := skies(t, set(t, "sky.mode=node"), skyOf(0), skyOf(1)); len(out.Nodes) != 3 || len(out.Meshes) != 0 || len(out.Issues) != 0 {
		t.Errorf("as nodes: %+v", out)
	}
	if out := skies(t, set(t, "sky.mode=none"), skyOf(0), skyOf(1)); len(out.Nodes) != 1 {
		t.Errorf("none: %+v", out.Nodes)
	}
}

func TestSkiesThatLookTheSameAreOne(t *testing.T) {
	for name, c := range map[string]struct {
		second pbr.Material
		want   int
	}{"the same": {skyOf(0), 1}, "another": {skyOf(1), 2}, "no images": {skyOf(pbr.NoImage), 2},
		"no sky": {scenetest.PlainMaterial("wall"), 1}} {
		if got := len(skies(t, set(t, "sky.mode=node"), skyOf(0), c.second).Nodes) - 1; got != c.want {
			t.Errorf("%s: %d skies, want %d", name, got, c.want)
		}
	}
}

// 378 texels of 128 are 2.953125. Up and to the right by 3: 3/sqrt(9 + 9) = 0.7071 of that.
func TestQuakesCloudsAreFlattened(t *testing.T) {
	for dir, want := range map[[3]float32][2]float64{{0, 0, 1}: {0, 0}, {1, 0, 0}: {2.953125, 0}, {0, -2, 0}: {0, -2.953125},
		{3, 0, 1}: {2.0882, 0}, {3, 0, -1}: {2.0882, 0}} {
		if got := flattened(dir); math.Abs(float64(got[0])-want[0]) > 1e-4 || math.Abs(float64(got[1])-want[1]) > 1e-4 {
			t.Errorf("%v: %v, want %v", dir, got, want)
		}
	}
	m := scenetest.PlainMaterial("sky1")
	m.Sky, m.Base.Image = &pbr.Sky{Box: pbr.NewSky().Box, Flat: true}, 0
	out := skies(t, set(t, "sky.mode=mesh"), m, scenetest.PlainMaterial("wall"))
	// 9 x 13 corners on four sides, 9 x 9 above and below.
	if p := out.Meshes[0].Primitives; len(p) != 1 || len(p[0].Positions) != 4*9*13+2*81 {
		t.Errorf("%d primitives, %d corners", len(p), len(p[0].Positions))
	}
	if x := out.Nodes[1].Extras; x["sky_clouds_flat"] != true || x["sky_cloud_height"] != nil {
		t.Errorf("%v", x)
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
