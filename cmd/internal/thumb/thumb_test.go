package thumb

import (
	"bytes"
	"context"
	"image"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// converted returns the scene of a map of testdata.
func converted(t *testing.T, name string, sets ...string) (scene *convert.Scene) {
	t.Helper()
	layers := []convert.Layer{convert.SetLayer("sky.mode=mesh")}
	for _, set := range sets {
		layers = append(layers, convert.SetLayer(set))
	}
	config, err := convert.Load(layers...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = convert.Run(t.Context(), convert.Job{
		Pipeline: config.Pipeline, In: "../../../testdata/" + name, Unhashed: true,
		Show: func(_ context.Context, s *convert.Scene) error { scene = s; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return scene
}

// spread returns the mean distance of a picture's brightness from its mean, and the mean.
func spread(im *image.NRGBA) (mean, deviation float64) {
	n, sum, squares := 0.0, 0.0, 0.0
	for i := 0; i < len(im.Pix); i += 4 {
		v := float64(im.Pix[i])
		n, sum, squares = n+1, sum+v, squares+v*v
	}
	mean = sum / n
	return mean, math.Sqrt(squares/n - mean*mean)
}

func TestPicturesShowTheMap(t *testing.T) {
	for _, name := range []string{"demo/maps/demo.bsp", "source/maps/showcase.bsp", "goldsrc/maps/surfaces.bsp"} {
		s := converted(t, name)
		for _, plan := range []bool{false, true} {
			im, err := Draw(t.Context(), s, Options{Width: 160, Height: 90, Plan: plan})
			if err != nil {
				t.Fatal(err)
			}
			if mean, deviation := spread(im); mean < 10 || deviation < 10 {
				t.Errorf("%s, plan %v: mean %.1f, deviation %.1f: next to nothing is seen", name, plan, mean, deviation)
			}
		}
	}
}

// All of a model is in its picture: nothing of it is at the border.
func TestPicturesOfModels(t *testing.T) {
	config, err := convert.Load(convert.SetLayer("model.skeleton=false"))
	if err != nil {
		t.Fatal(err)
	}
	var im *image.NRGBA
	_, err = convert.Run(t.Context(), convert.Job{
		Pipeline: config.Pipeline, Model: true, In: "../../../testdata/goldsrc/models/signpost.mdl", Unhashed: true,
		Show: func(ctx context.Context, s *convert.Scene) (err error) {
			im, err = Draw(ctx, s, Options{Width: 96, Height: 96, Model: true})
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if mean, deviation := spread(im); mean < 2 || deviation < 10 {
		t.Errorf("mean %.1f, deviation %.1f: next to nothing is seen", mean, deviation)
	}
	for i := range 96 {
		for _, at := range []image.Point{{i, 0}, {i, 95}, {0, i}, {95, i}} {
			if r, g, b, _ := im.At(at.X, at.Y).RGBA(); r|g|b != 0 {
				t.Fatalf("the model is cut off at %v", at)
			}
		}
	}
}

// The sky around a map and its 3D skybox are not in its plan, and do not shrink it.
func TestPlansShowOnlyTheMap(t *testing.T) {
	for name, without := range map[string]string{
		"demo/maps/demo.bsp": "sky.mode=none", "source/maps/sky3d.bsp": "sky.box=false", "goldsrc/maps/surfaces.bsp": "sky.mode=none",
	} {
		var pictures [2]*image.NRGBA
		for i, s := range []*convert.Scene{converted(t, name, "output.extras=false"), converted(t, name, "output.extras=false", without)} {
			im, err := Draw(t.Context(), s, Options{Width: 96, Height: 54, Plan: true})
			if err != nil {
				t.Fatal(err)
			}
			pictures[i] = im
		}
		if !bytes.Equal(pictures[0].Pix, pictures[1].Pix) {
			t.Errorf("%s: the plan is another one with %s", name, without)
		}
	}
}

// room adds a room of 8 metres, seen from within, and a node of a class in its middle. Its brightness goes from low at the left to high
// at the right of each wall.
func room(s *convert.Scene, x float32, class string, low, high uint16) {
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
		s := &convert.Scene{Unit: 1, Materials: []scene.Material{m}, Nodes: []scene.Node{scene.NewNode("root", scene.None)}}
		room(s, 0, "info_player_start", c.start, c.start)
		room(s, 100, c.other, 500, 40000)
		o := Options{FovY: DefaultFov}
		e, err := find(t.Context(), s, newDrawing(s, &o), o)
		if err != nil {
			t.Fatal(err)
		}
		if e.Position[0] < 90 {
			t.Errorf("%s: the view is from %.1f", c.name, e.Position)
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
	want := Eye{Position: [3]float64{16, 48, -32}, Pitch: -10 * math.Pi / 180, Yaw: 0} // yaw 90 is the map's Y, the scene's -Z
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSpawnPoints(t *testing.T) {
	for class, want := range map[string]bool{
		"info_player_deathmatch": true, "info_player_start": true, "team_CTF_redspawn": true, "team_CTF_blueplayer": true,
		"info_ff_teamspawn": true, "worldspawn": false, "light": false, "func_despawn": false, "": false,
	} {
		if got := spawns(class); got != want {
			t.Errorf("%q: %v, want %v", class, got, want)
		}
	}
}
