package geometry_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// sticker returns an overlay that looks up, on surface 0. Its texture is upright: corner 0 is the lower left.
func sticker(x0, y0, x1, y1 float32) *world.Overlay {
	return &world.Overlay{Normal: [3]float32{0, 0, 1}, Corners: [4]world.Corner{
		{Position: [3]float32{x0, y0, 50}, UV: [2]float32{0, 1}},
		{Position: [3]float32{x1, y0, 50}, UV: [2]float32{1, 1}},
		{Position: [3]float32{x1, y1, 50}, UV: [2]float32{1, 0}},
		{Position: [3]float32{x0, y1, 50}, UV: [2]float32{0, 0}},
	}}
}

// floor returns a square of 64 units, four to the luxel.
func floor() *world.Polygon {
	p := &world.Polygon{Corners: corners([2]float32{0, 0}, [2]float32{64, 0}, [2]float32{64, 64}, [2]float32{0, 64})}
	for i := range p.Corners {
		p.Corners[i].Luxel = [2]float32{p.Corners[i].Position[0] / 4, p.Corners[i].Position[1] / 4}
		p.Corners[i].Color = [4]float32{0.5, 0.5, 0.5, 0.5}
	}
	return p
}

// areaOf returns the area of a mesh.
func areaOf(m geometry.Mesh) (sum float64) {
	for i := 0; i < len(m.Indices); i += 3 {
		sum += math.Sqrt(dot(front(m, i), front(m, i))) / 2
	}
	return sum
}

func TestOverlayLiesOnItsHost(t *testing.T) {
	m := build(t, bent, floor(), sticker(16, 24, 48, 40))[1]
	if a := areaOf(m); math.Abs(a-32*16) > 1e-3 || len(m.Issues) > 0 {
		t.Errorf("area %g of 512, %v", a, m.Issues)
	}
	// Its corners, and two where the diagonal of the host crosses its sides, at (24, 24) and (40, 40).
	if len(m.Vertices) != 6 || triangles(m) != 4 {
		t.Errorf("%d vertices, %d triangles", len(m.Vertices), triangles(m))
	}
	for i := range triangles(m) {
		if front(m, 3*i)[2] <= 0 {
			t.Errorf("triangle %d looks down", i)
		}
	}
	for _, v := range m.Vertices {
		p := v.Position
		uv, luxel := [2]float32{(p[0] - 16) / 32, (40 - p[1]) / 16}, [2]float32{p[0] / 4, p[1] / 4}
		near := math.Abs(float64(v.UV[0]-uv[0])) < 1e-6 && math.Abs(float64(v.UV[1]-uv[1])) < 1e-6
		if p[2] != 0.1 || !near || v.Luxel != luxel || v.Normal != [3]float32{0, 0, 1} || v.Color != [4]float32{1, 1, 1, 1} {
			t.Errorf("%+v, want UV %v and luxel %v", v, uv, luxel)
		}
	}
}

func TestOverlayIsCutByItsHost(t *testing.T) {
	for name, c := range map[string]struct {
		overlay *world.Overlay
		area    float64
	}{
		"over a side":           {sticker(-16, 16, 16, 48), 16 * 32},
		"over a corner":         {sticker(48, 48, 80, 80), 16 * 16},
		"around it":             {sticker(-100, -100, 100, 100), 64 * 64},
		"the same":              {sticker(0, 0, 64, 64), 64 * 64},
		"beside it":             {sticker(64, 0, 80, 64), 0},
		"far away":              {sticker(500, 0, 600, 64), 0},
		"a line":                {sticker(16, 16, 48, 16), 0},
		"a point":               {sticker(16, 16, 16, 16), 0},
		"clockwise":             {sticker(48, 16, 16, 48), 0},
		"thinner than is drawn": {sticker(16, 16, 48, 16.0001), 0},
		"without a normal":      {&world.Overlay{Corners: sticker(16, 16, 48, 48).Corners}, 0},
		"from behind":           {&world.Overlay{Corners: sticker(48, 16, 16, 48).Corners, Normal: [3]float32{0, 0, -1}}, 0},
		"edge-on":               {&world.Overlay{Corners: sticker(16, 16, 48, 48).Corners, Normal: [3]float32{1, 0, 0}}, 0},
	} {
		m := build(t, bent, floor(), c.overlay)[1]
		if a := areaOf(m); math.Abs(a-c.area) > 1e-3 || len(m.Issues) > 0 || c.area == 0 && len(m.Vertices) > 0 {
			t.Errorf("%s: area %g of %g, %d vertices, %v", name, a, c.area, len(m.Vertices), m.Issues)
		}
	}
}

// The overlay is thrown along its normal: on a slope of 3:4 it is 5/4 as long.
func TestOverlayOnASlope(t *testing.T) {
	p := floor()
	for i := range p.Corners {
		p.Corners[i].Position[2] = p.Corners[i].Position[0] * 0.75
		p.Corners[i].Normal = [3]float32{-0.6, 0, 0.8}
	}
	m := build(t, bent, p, sticker(16, 16, 48, 48))[1]
	if a := areaOf(m); math.Abs(a-32*32*1.25) > 1e-3 {
		t.Errorf("area %g of 1280", a)
	}
	for _, v := range m.Vertices { // 0.1 above the slope
		if h := dot(position(v), [3]float64{-0.6, 0, 0.8}); math.Abs(h-0.1) > 1e-5 {
			t.Errorf("%v is %g above", v.Position, h)
		}
	}
}

// A trapezoid: at the height t of it, s is the share of the line from its left side to its right.
func TestOverlayNeedNotBeAParallelogram(t *testing.T) {
	o := sticker(0, 0, 32, 16)
	o.Corners[2].Position[0], o.Corners[3].Position[0] = 24, 8
	// A vertex of the host at half the height and a quarter of the width: from 4 to 28 it is 10.
	host := &world.Triangles{Vertices: []world.Vertex{at(10, 8, 0), at(-99, -99, 0), at(99, -99, 0), at(99, 99, 0), at(-99, 99, 0)},
		Indices: []uint32{0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1}}
	m := build(t, bent, host, o)[1]
	if a := areaOf(m); math.Abs(a-(32+16)/2*16) > 1e-3 {
		t.Errorf("area %g of 384", a)
	}
	for place, want := range map[[2]float64][2]float32{
		{10, 8}: {0.25, 0.5}, {0, 0}: {0, 1}, {32, 0}: {1, 1}, {24, 16}: {1, 0}, {8, 16}: {0, 0},
	} {
		found := false
		for _, v := range m.Vertices {
			if distance(position(v), [3]float64{place[0], place[1], 0.1}) < 1e-4 {
				found = true
				if math.Abs(float64(v.UV[0]-want[0])) > 1e-5 || math.Abs(float64(v.UV[1]-want[1])) > 1e-5 {
					t.Errorf("at %v: %v, want %v", v.Position, v.UV, want)
				}
			}
		}
		if !found {
			t.Errorf("no vertex at %v", place)
		}
	}
}

func TestOverlaysOfHigherOrderLieAbove(t *testing.T) {
	a, b, c := sticker(0, 0, 8, 8), sticker(0, 0, 8, 8), sticker(0, 0, 8, 8)
	a.Order, c.Order = 192, 3
	m := build(t, bent, floor(), a, b, c)
	for i, want := range []float32{0.14, 0.1, 0.12} { // by rank: 192 is the third of the orders that there are
		if z := m[i+1].Vertices[0].Position[2]; math.Abs(float64(z-want)) > 1e-6 {
			t.Errorf("overlay %d is at %g, want %g", i, z, want)
		}
	}
}

// The pieces have the triangles of the displacement, and are one sheet as it is.
func TestOverlayFollowsADisplacement(t *testing.T) {
	roof := func(x, _ float32) float32 { return 24 - 0.75*float32(math.Abs(float64(x)-32)) }
	for power := 2; power <= 4; power++ {
		m := build(t, bent, land(0, 0, 64, 64, power, 0, roof), sticker(20, 10, 44, 30))[1]
		if a := areaOf(m); math.Abs(a-24*20*1.25) > 3 { // along the normals it is a little wider
			t.Errorf("power %d: area %g of 600", power, a)
		}
		around := 0.0
		for _, e := range edges(m) {
			around += math.Hypot(float64(e[0][0]-e[1][0]), float64(e[0][1]-e[1][1]))
		}
		if math.Abs(around-2*(24+20)) > 1 {
			t.Errorf("power %d: the border is %g long from above, want 88", power, around)
		}
		for _, v := range m.Vertices {
			if h := v.Position[2] - roof(v.Position[0], 0); h < 0.07 || h > 0.14 {
				t.Errorf("power %d: %v is %g above", power, v.Position, h)
			}
		}
	}
}

func TestOverlaysCanBeLeftOut(t *testing.T) {
	o := bent
	o.Overlays = false
	bad := sticker(0, 0, 8, 8)
	bad.Host = 99
	meshes := build(t, o, floor(), sticker(0, 0, 8, 8), bad)
	if len(meshes) != 3 {
		t.Fatalf("%d meshes of 3 shapes", len(meshes))
	}
	for _, m := range meshes[1:] {
		if len(m.Vertices) > 0 || len(m.Issues) > 0 {
			t.Error(m)
		}
	}
}

func TestOverlaysThatCantBeDrawn(t *testing.T) {
	for name, c := range map[string]struct {
		change func(o *world.Overlay)
		want   string
	}{
		"no host":         {func(o *world.Overlay) { o.Host = 2 }, "overlay-host"},
		"negative host":   {func(o *world.Overlay) { o.Host = -1 }, "overlay-host"},
		"on itself":       {func(o *world.Overlay) { o.Host = 1 }, "overlay-host"},
		"corner":          {func(o *world.Overlay) { o.Corners[1].Position[2] = float32(math.NaN()) }, "overlay-number"},
		"texture":         {func(o *world.Overlay) { o.Corners[3].UV[1] = float32(math.Inf(-1)) }, "overlay-number"},
		"normal":          {func(o *world.Overlay) { o.Normal[1] = float32(math.Inf(-1)) }, "overlay-number"},
		"far away corner": {func(o *world.Overlay) { o.Corners[1].Position[2] = 1 << 24 }, "overlay-number"},
	} {
		o := sticker(0, 0, 8, 8)
		c.change(o)
		m := build(t, bent, floor(), o)[1]
		if len(m.Vertices) != 0 || !reflect.DeepEqual(codes(m), []string{c.want}) || m.Issues[0].Where != "overlay 101" {
			t.Errorf("%s: %v, want %s", name, m, c.want)
		}
	}
	// The host that could not be drawn says so itself.
	m := build(t, bent, &world.Polygon{}, sticker(0, 0, 8, 8))
	if len(m[1].Vertices) != 0 || len(m[1].Issues) != 0 {
		t.Error(m[1])
	}
}

func TestOverlaysCountTowardsTheVertexLimit(t *testing.T) {
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxVertices: 9})) // 4 of the host, 6 of the overlay
	_, err := geometry.Build(ctx, worldOf(floor(), sticker(16, 24, 48, 40)), bent)
	if !errors.Is(err, limit.ErrLimit) || err.Error() != "overlay 101: 10 is over the limit of 9 (raise it with --limit MaxVertices=N)" {
		t.Error(err)
	}
}

// 512 overlays, each on a displacement of 512 triangles of which it covers a quarter.
func BenchmarkOverlays(b *testing.B) {
	w := fieldOf(16, 4)
	s := &w.Models[0].Surfaces
	for i := range 512 {
		x, y := float32(i%256%16*256+64), float32(i%256/16*256+64)
		o := sticker(x, y, x+128, y+128)
		o.Host, o.Order = i%256, i/256
		*s = append(*s, world.Surface{Shape: o, Chart: world.NoChart, Fog: -1})
	}
	total := func(o geometry.Options) (n int) {
		meshes, err := geometry.Build(b.Context(), w, o)
		if err != nil {
			b.Fatal(err)
		}
		for _, m := range meshes[0] {
			n += len(m.Vertices)
		}
		return n
	}
	without := bent
	without.Overlays = false
	for name, o := range map[string]geometry.Options{"with": bent, "without": without} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(total(o)) * 56)
			b.ReportAllocs()
			for b.Loop() {
				total(o)
			}
		})
	}
}

// wall returns a square of 64 units at an x, that looks to the positive x where front is set.
func wall(x float32, front bool) *world.Polygon {
	p := &world.Polygon{Corners: []world.Vertex{at(x, 0, 0), at(x, 64, 0), at(x, 64, 64), at(x, 0, 64)}}
	if !front {
		p.Corners[1], p.Corners[3] = p.Corners[3], p.Corners[1]
	}
	return p
}

// decals throws decals of 16 x 8 units at places and returns the overlays of each model, by surface.
func decals(t *testing.T, w *world.World, places ...[3]float32) (codes []string) {
	t.Helper()
	var sizes [][2]float64
	for i, p := range places {
		w.Decals = append(w.Decals, world.Decal{Material: 7, Position: p, Entity: 40 + i})
		sizes = append(sizes, [2]float64{16, 8})
	}
	for _, issue := range geometry.Decals(w, sizes) {
		codes = append(codes, issue.Code)
	}
	meshes, err := geometry.Build(t.Context(), w, bent)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range meshes {
		checkMeshes(t, m)
	}
	return codes
}

func TestDecalsAreUpright(t *testing.T) {
	// In the order of corners: lower left, lower right, upper right, upper left.
	uvs := [4][2]float32{{0, 1}, {1, 1}, {1, 0}, {0, 0}}
	for name, c := range map[string]struct {
		host    *world.Polygon
		place   [3]float32
		corners [4][3]float32
	}{
		// Looking at a wall toward -x, with Z up, +y is to the right.
		"wall": {wall(10, true), [3]float32{12, 32, 32}, [4][3]float32{{10, 24, 28}, {10, 40, 28}, {10, 40, 36}, {10, 24, 36}}},
		// From the other side it is to the left.
		"wall from behind": {wall(10, false), [3]float32{8, 32, 32}, [4][3]float32{{10, 40, 28}, {10, 24, 28}, {10, 24, 36}, {10, 40, 36}}},
		"inside the wall": {wall(10, true), [3]float32{9.5, 32, 32},
			[4][3]float32{{10, 24, 28}, {10, 40, 28}, {10, 40, 36}, {10, 24, 36}}},
		// On the floor +x is to the right and +y up.
		"floor": {floor(), [3]float32{32, 32, 0}, [4][3]float32{{24, 28, 0}, {40, 28, 0}, {40, 36, 0}, {24, 36, 0}}},
		// On the ceiling +x is to the right and -y up.
		"ceiling": {&world.Polygon{Corners: corners([2]float32{0, 0}, [2]float32{0, 64}, [2]float32{64, 64}, [2]float32{64, 0})},
			[3]float32{32, 32, 0}, [4][3]float32{{24, 36, 0}, {40, 36, 0}, {40, 28, 0}, {24, 28, 0}}},
	} {
		for i := range c.host.Corners {
			c.host.Corners[i].Normal = [3]float32{}
		}
		w := worldOf(c.host)
		w.Models[0].Surfaces[0].Chart, w.Models[0].Surfaces[0].Fog = 5, 3
		if codes := decals(t, w, c.place); codes != nil {
			t.Errorf("%s: %v", name, codes)
		}
		s := w.Models[0].Surfaces
		if len(s) != 2 || s[1].Material != 7 || s[1].Chart != 5 || s[1].Fog != 3 {
			t.Errorf("%s: %+v", name, s)
			continue
		}
		o := s[1].Shape.(*world.Overlay)
		for k, got := range o.Corners {
			if distance(wide(got.Position), wide(c.corners[k])) > 1e-5 || got.UV != uvs[k] {
				t.Errorf("%s: corner %d is %v, want %v %v", name, k, got, c.corners[k], uvs[k])
			}
		}
		meshes, err := geometry.Build(t.Context(), w, bent)
		if err != nil || math.Abs(areaOf(meshes[0][1])-16*8) > 1e-3 {
			t.Errorf("%s: %v, %v", name, meshes, err)
		}
	}
}

func TestDecalsLieOnAllSurfacesOfTheirPlane(t *testing.T) {
	beside := floor()
	for i := range beside.Corners {
		beside.Corners[i].Position[0] += 64
	}
	below, far := floor(), floor()
	for i := range below.Corners {
		below.Corners[i].Position[2] = -5
		far.Corners[i].Position[1] += 80
	}
	sky, upright := floor(), wall(60, true)
	w := worldOf(floor(), beside, below, far, sky, upright)
	w.Models[0].Surfaces[4].Flags = world.Sky
	if codes := decals(t, w, [3]float32{60, 32, 0}); codes != nil {
		t.Error(codes)
	}
	var hosts []int
	for _, s := range w.Models[0].Surfaces[6:] {
		hosts = append(hosts, s.Shape.(*world.Overlay).Host)
	}
	if !reflect.DeepEqual(hosts, []int{0, 1}) {
		t.Errorf("it lies on %v", hosts)
	}
}

func TestDecalsPreferWhatFacesThem(t *testing.T) {
	// A wall 4 units thick: the point is a unit nearer to its back.
	w := worldOf(wall(0, false), wall(1, true))
	decals(t, w, [3]float32{2, 32, 32})
	if s := w.Models[0].Surfaces; len(s) != 3 || s[2].Shape.(*world.Overlay).Host != 1 {
		t.Errorf("%+v", s)
	}
}

func TestDecalsLieOnModelsWhereTheseStand(t *testing.T) {
	w := worldOf()
	w.Models = append(w.Models, worldOf(floor()).Models[0], worldOf(floor()).Models[0])
	w.Entities = []world.Entity{{Model: world.NoModel},
		{Model: 1, Pairs: []world.Pair{{Key: "origin", Value: "1000 0 50"}}},
		{Model: 2, ModelAngles: [3]float32{0, 45, 0}, Pairs: []world.Pair{{Key: "origin", Value: "1000 0 50"}}},
		{Model: 99}, {Model: 1}}
	if codes := decals(t, w, [3]float32{1032, 32, 50}); codes != nil {
		t.Error(codes)
	}
	if len(w.Models[1].Surfaces) != 2 || len(w.Models[2].Surfaces) != 1 {
		t.Fatalf("%+v", w.Models)
	}
	if p := w.Models[1].Surfaces[1].Shape.(*world.Overlay).Corners[0].Position; p != [3]float32{24, 28, 0} {
		t.Errorf("corner 0 is at %v", p)
	}
}

func TestDecalsLieOnDisplacements(t *testing.T) {
	up := func(_, _ float32) float32 { return 100 }
	w := worldOf(land(0, 0, 64, 64, 3, 0, up), floor())
	if codes := decals(t, w, [3]float32{32, 32, 101}); codes != nil {
		t.Error(codes)
	}
	if s := w.Models[0].Surfaces; len(s) != 3 || s[2].Shape.(*world.Overlay).Host != 0 {
		t.Errorf("%+v", s)
	}
}

func TestDecalsThatLieNowhere(t *testing.T) {
	w := worldOf(floor())
	got := decals(t, w, [3]float32{32, 32, 9}, [3]float32{-10, 32, 0}, [3]float32{32, 32, 8}, [3]float32{float32(math.NaN()), 0, 0})
	if want := []string{"decal-nowhere", "decal-nowhere", "decal-nowhere"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if len(w.Models[0].Surfaces) != 2 {
		t.Errorf("%d surfaces", len(w.Models[0].Surfaces))
	}
	for _, sizes := range [][][2]float64{nil, {{0, 8}}, {{8, 0}}, {{-1, 8}}, {{math.NaN(), 8}}, {{8, math.Inf(1)}}} {
		w := worldOf(floor())
		w.Decals = []world.Decal{{Position: [3]float32{32, 32, 0}}}
		if issues := geometry.Decals(w, sizes); issues != nil || len(w.Models[0].Surfaces) != 1 {
			t.Errorf("%v: %v", sizes, issues)
		}
	}
	if issues := geometry.Decals(&world.World{}, nil); issues != nil {
		t.Error(issues)
	}
}

func TestDecalsHaveALimit(t *testing.T) {
	var shapes []world.Shape
	for range 100 {
		shapes = append(shapes, floor())
	}
	w := worldOf(shapes...)
	sizes := make([][2]float64, 6000)
	for i := range sizes {
		sizes[i] = [2]float64{4, 4}
		w.Decals = append(w.Decals, world.Decal{Position: [3]float32{32, 32, 0}})
	}
	issues := geometry.Decals(w, sizes)
	// 64 of the surfaces each, until there are more than 262,144: after 4097.
	if len(w.Models[0].Surfaces) != 100+4097*64 || len(issues) != 6000-4097 || issues[0].Code != "decal-limit" {
		t.Errorf("%d surfaces, %d issues", len(w.Models[0].Surfaces), len(issues))
	}
}

// 500 decals in a hall of 20,000 tiles.
func BenchmarkDecals(b *testing.B) {
	var shapes []world.Shape
	for i := range 20_000 {
		p := floor()
		for k := range p.Corners {
			p.Corners[k].Position[0] += float32(i % 200 * 64)
			p.Corners[k].Position[1] += float32(i / 200 * 64)
		}
		shapes = append(shapes, p)
	}
	w := worldOf(shapes...)
	sizes := make([][2]float64, 500)
	for i := range sizes {
		sizes[i] = [2]float64{32, 32}
		w.Decals = append(w.Decals, world.Decal{Position: [3]float32{float32(i) * 23, float32(i*i%6000) + 8, 1}})
	}
	bare := w.Models[0].Surfaces
	b.SetBytes(int64(len(shapes)) * 4 * 56)
	b.ReportAllocs()
	for b.Loop() {
		w.Models[0].Surfaces = bare[:len(bare):len(bare)]
		if issues := geometry.Decals(w, sizes); len(issues) > 0 {
			b.Fatal(issues[0])
		}
	}
}
