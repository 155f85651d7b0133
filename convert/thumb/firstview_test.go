package thumb

import (
	"image"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// room adds a room of 8 metres, seen from within, and a node of a class in its middle. Its brightness goes from low at the left to high
// at the right of each wall.
func room(s *scene.Scene, x float32, class string, low, high uint16) {
	mesh := scene.Mesh{}
	p := scene.Primitive{}
	for k := range 6 {
		axis, side := k/2, float32(k%2*2-1)
		for _, corner := range [4][2]float32{{-4, -4}, {4, -4}, {4, 4}, {-4, 4}} {
			var at [3]float32
			at[axis], at[(axis+1)%3], at[(axis+2)%3] = 4*side, -corner[0]*side, corner[1]
			p.Positions = append(p.Positions, [3]float32{at[0] + x, at[1], at[2]})
			p.UV = append(p.UV, [2]float32{})
			v := low
			if corner[0] > 0 {
				v = high
			}
			p.Colors = append(p.Colors, [4]uint16{v, v, v, 65535})
		}
		i := uint32(4 * k)
		p.Indices = append(p.Indices, i, i+1, i+2, i, i+2, i+3)
	}
	mesh.Primitives = append(mesh.Primitives, p)
	n := scene.NewNode("room", 0)
	n.Mesh = len(s.Meshes)
	s.Meshes = append(s.Meshes, mesh)
	e := scene.NewNode(class, 0)
	e.Translation, e.Extras = [3]float64{float64(x), -1, 0}, map[string]any{"classname": class}
	s.Nodes = append(s.Nodes, n, e)
}

// A start in a dark or a uniform room is left for a room in which something is seen, also for one where nobody starts.
func TestViewsThatShowNothingAreNotTaken(t *testing.T) {
	for _, c := range []struct {
		name  string
		start uint16
		other string // class of the entity in the lit room
	}{
		{"a dark start", 0, "info_player_start"}, {"a dark start, and no other", 0, "light"},
		{"a grey start", 9000, "info_player_start"}, {"a white start", 65535, "item_health"},
	} {
		m := scene.Material{Lightmap: scene.None, Unlit: true}
		m.BaseColor, m.Base.Image, m.Emission.Slot.Image = [4]float32{1, 1, 1, 1}, pbr.NoImage, pbr.NoImage
		s := &scene.Scene{Unit: 1, Materials: []scene.Material{m}, Nodes: []scene.Node{scene.NewNode("root", scene.None)}}
		room(s, 0, "info_player_start", c.start, c.start)
		room(s, 100, c.other, 500, 40000)
		o := Options{FovY: DefaultFov}
		e, _, err := find(t.Context(), s, newDrawing(s, &o), o)
		if err != nil {
			t.Fatal(err)
		}
		if e.Position[0] < 90 {
			t.Errorf("%s: the view is from %.1f", c.name, e.Position)
		}
	}
}

// What the game never draws is not in the way: a dark box around a start that is only in the file.
func TestUnseenMeshesHideNothing(t *testing.T) {
	m := scene.Material{Lightmap: scene.None, Unlit: true}
	m.BaseColor, m.Base.Image, m.Emission.Slot.Image = [4]float32{1, 1, 1, 1}, pbr.NoImage, pbr.NoImage
	s := &scene.Scene{Unit: 1, Materials: []scene.Material{m}, Nodes: []scene.Node{scene.NewNode("root", scene.None)}}
	room(s, 0, "info_player_start", 500, 40000)
	room(s, 0.001, "box", 0, 0)
	room(s, 100, "light", 3000, 9000)
	box := &s.Nodes[3]
	box.Scale = [3]float64{0.3, 0.3, 0.3}
	for _, unseen := range []bool{true, false} {
		box.Unseen = unseen
		e, err := Find(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		inBox := math.Abs(e.Position[0]) < 1.2 && math.Abs(e.Position[2]) < 1.2 // as the start is
		if unseen && math.Abs(e.Position[0]) > 4 || !unseen && inBox {
			t.Errorf("unseen %v: the view is from %.1f", unseen, e.Position)
		}
	}
}

// A picture is easy to read from a mean of 0.15 on and with a deviation of 0.1: 2 points each.
func TestClear(t *testing.T) {
	for _, c := range []struct {
		name       string
		brightness []float64
		want       float64
	}{
		{"black", []float64{0, 0}, 0}, {"white", []float64{1, 1}, 0}, {"grey", []float64{0.5, 0.5}, 2},
		{"half", []float64{0.075, 0.075}, 1}, {"contrast", []float64{0.4, 0.6}, 4}, {"weak contrast", []float64{0.45, 0.55}, 3},
	} {
		if got := clear(c.brightness); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

func TestEyeIsInMapUnits(t *testing.T) {
	e := MapEye{Position: [3]float64{32, 64, 96}, Pitch: 10, Yaw: 90}
	got := e.in(0.5)
	want := scene.Eye{Position: [3]float64{16, 48, -32}, Pitch: -10 * math.Pi / 180, Yaw: 0} // yaw 90 is the map's Y, the scene's -Z
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A map without light is shown by which way its surfaces face, a dim one with more of its light; what an eye sees that is given stays.
func TestDarkMapsAreReadable(t *testing.T) {
	m := scene.Material{Lightmap: scene.None, Unlit: true}
	m.BaseColor, m.Base.Image, m.Emission.Slot.Image = [4]float32{1, 1, 1, 1}, pbr.NoImage, pbr.NoImage
	for _, c := range []struct {
		name      string
		low, high uint16
		want      func(factor float64) bool
	}{
		{"no light", 0, 0, func(f float64) bool { return f == 0 }},
		{"dim", 100, 2000, func(f float64) bool { return f > 1.5 }},
		{"lit", 3000, 40000, func(f float64) bool { return f == 1 }},
	} {
		s := &scene.Scene{Unit: 1, Materials: []scene.Material{m}, Nodes: []scene.Node{scene.NewNode("root", scene.None)}}
		room(s, 0, "info_player_start", c.low, c.high)
		p := &s.Meshes[0].Primitives[0]
		for k := range 6 {
			for range 4 {
				n := [3]float32{}
				n[k/2] = float32(1 - k%2*2)
				p.Normals = append(p.Normals, n)
			}
		}
		factor := 1.0
		o := Options{Width: 64, Height: 36, Brightened: func(f float64) { factor = f }}
		im, err := Draw(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		if !c.want(factor) || dull(im) > poor {
			t.Errorf("%s: a factor of %g, dullness %.1f", c.name, factor, dull(im))
		}
		o.Eye = &MapEye{}
		if factor = 1; c.high < 3000 {
			if im, err = Draw(t.Context(), s, o); err != nil || dull(im) < 1 && c.high == 0 || factor != 1 {
				t.Errorf("%s: an eye that is given sees other light: %g, %v", c.name, factor, err)
			}
		}
	}
}

// Where nobody starts, an eye stands on a floor.
func TestEyesStandOnFloors(t *testing.T) {
	m := scene.Material{Lightmap: scene.None, Unlit: true}
	m.BaseColor, m.Base.Image, m.Emission.Slot.Image = [4]float32{1, 1, 1, 1}, pbr.NoImage, pbr.NoImage
	s := &scene.Scene{Unit: 1, Materials: []scene.Material{m}, Nodes: []scene.Node{scene.NewNode("root", scene.None)}}
	room(s, 0, "worldspawn", 500, 40000) // from -4 to 4
	eyes := floors(newDrawing(s, &Options{}), 16)
	if len(eyes) != 16 {
		t.Fatalf("%d eyes", len(eyes))
	}
	for _, e := range eyes {
		if p := e.Position; math.Abs(p[0]) > 4 || math.Abs(p[1]+4-standingEye) > 1e-6 || math.Abs(p[2]) > 4 {
			t.Errorf("an eye at %.2f", p)
		}
	}
}

// A corner of a room has edges, though all of it is one material; a wall has none, from whatever side it is seen.
func TestEdgesAreWhereASurfaceIsBent(t *testing.T) {
	view := func(inverse func(x, y float64) float64) []raster.Hit {
		hits := make([]raster.Hit, gridWidth*gridHeight)
		for i := range hits {
			hits[i].Distance = 1 / inverse(float64(i%gridWidth)/gridWidth-0.5, float64(i/gridWidth)/gridHeight-0.5)
		}
		return hits
	}
	if got := edges(view(func(x, y float64) float64 { return 0.2 + 0.1*x + 0.05*y })); got != 0 {
		t.Errorf("a wall: %v", got)
	}
	// The inverse distance of two walls that meet in the middle: a column of the grid is at the bend, of 48 columns.
	if got := edges(view(func(x, _ float64) float64 { return 0.1 + 0.3*math.Abs(x) })); got < 0.9/gridWidth || got > 3.0/gridWidth {
		t.Errorf("a corner: %v", got)
	}
}

// From within a wall the backs of the walls around hide everything: they are not drawn, but an eye there is no place of a person.
func TestEyesInWallsAreFound(t *testing.T) {
	m := scene.Material{Lightmap: scene.None, Unlit: true}
	m.BaseColor, m.Base.Image, m.Emission.Slot.Image = [4]float32{1, 1, 1, 1}, pbr.NoImage, pbr.NoImage
	s := &scene.Scene{Unit: 1, Materials: []scene.Material{m}, Nodes: []scene.Node{scene.NewNode("root", scene.None)}}
	room(s, 0, "worldspawn", 500, 40000) // from -4 to 4
	o := Options{FovY: DefaultFov}
	d := newDrawing(s, &o)
	for _, c := range []struct{ x, want float64 }{{0, 0}, {4.5, 1}} {
		v := ratedView{Eye: scene.Eye{Position: [3]float64{c.x, 0, 0}, Yaw: math.Pi / 2}} // looks along -X
		var err error
		if v.hits, err = raster.NewLooker(d.scene).Look(t.Context(), camera(&v.Eye, o.FovY), gridWidth, gridHeight); err != nil {
			t.Fatal(err)
		}
		if got, err := veil(t.Context(), raster.NewLooker(d.bothSides()), &v, o); err != nil || got != c.want {
			t.Errorf("at %g: %g is veiled, %v; want %g", c.x, got, err, c.want)
		}
	}
}

// Where there is little but one large floor, eyes also look at the small things, from near if they are small.
func TestEyesLookAtThings(t *testing.T) {
	m := scene.Material{Lightmap: scene.None, Unlit: true}
	m.BaseColor, m.Base.Image, m.Emission.Slot.Image = [4]float32{1, 1, 1, 1}, pbr.NoImage, pbr.NoImage
	s := &scene.Scene{Unit: 1, Materials: []scene.Material{m}, Nodes: []scene.Node{scene.NewNode("root", scene.None)}}
	room(s, 0, "worldspawn", 500, 40000)
	room(s, 0, "crate", 500, 40000)
	s.Nodes[3].Translation, s.Nodes[3].Scale = [3]float64{1000, 0, 0}, [3]float64{0.1, 0.1, 0.1} // 0.8 metres wide
	eyes, near := things(newDrawing(s, &Options{}), 32), 0
	for _, e := range eyes {
		if e.Pitch >= 0 {
			t.Errorf("an eye at %.1f looks up", e.Position)
		}
		if math.Abs(e.Position[0]-1000) < 6 {
			near++
		}
	}
	if len(eyes) != 32 || near != 16 {
		t.Errorf("%d eyes, %d of them near the crate; want 32 and 16", len(eyes), near)
	}
}

// Dark surfaces before a bright sky are brightened: the sky is not measured. If nearly all is sky, all is measured.
func TestSkyIsNotMeasured(t *testing.T) {
	for _, c := range []struct {
		name string
		rows int // of the grid, that show surfaces
		more bool
	}{{"half", 13, true}, {"a strip", 4, false}} {
		im := image.NewNRGBA(image.Rect(0, 0, 2*gridWidth, 2*gridHeight))
		surfaces := make([]bool, gridWidth*gridHeight)
		for i := range im.Pix {
			im.Pix[i] = 200
			if y := i / im.Stride / 2; y < c.rows {
				im.Pix[i], surfaces[y*gridWidth+i%im.Stride/8] = 30, true
			}
		}
		if factor := brighten(im, surfaces); factor > 1 != c.more {
			t.Errorf("%s of surfaces: a factor of %g", c.name, factor)
		}
	}
}

// Edges between near and far rate higher than the corners of a plain room.
func TestDepthCounts(t *testing.T) {
	s := &scene.Scene{Materials: make([]scene.Material, 1)}
	view := func(far float64) []raster.Hit {
		hits := make([]raster.Hit, gridWidth*gridHeight)
		for i := range hits {
			if hits[i].Distance = 5; i%gridWidth/4%2 == 0 {
				hits[i].Distance = far
			}
		}
		return hits
	}
	near, deep := structure(s, view(6.5)), structure(s, view(40))
	if perDepth := (math.Log2(41) - math.Log2(7.5)) / 2; deep-near < perDepth+0.5 {
		t.Errorf("a room is rated %.1f, one with a view into the distance %.1f", near, deep)
	}
}
