package models

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var opaqueWhite = [4]uint8{255, 255, 255, 255}

// picture returns a prop of a sprite of material 0.
func picture(kind world.PropKind, s world.Sprite) world.Prop {
	s.UVMaxs = [2]float32{1, 1}
	return world.Prop{Kind: kind, Index: world.NoModel, Entity: world.NoEntity, Scale: [3]float32{1, 1, 1},
		Draw: world.PropDraw{Tint: opaqueWhite}, Sprite: &s}
}

// pictures returns a world of sprites with three materials, of which the last has no picture.
func pictures(props ...world.Prop) (*world.World, [][2]float64) {
	w := &world.World{Materials: []world.Material{{Name: "a"}, {Name: "b"}, {Name: "gone"}}, Models: []world.Model{{Name: "*0"}},
		Props: props}
	return w, [][2]float64{{16, 32}, {8, 8}, {}}
}

func shape(w *world.World, model int) *world.Triangles {
	return w.Models[model].Surfaces[0].Shape.(*world.Triangles)
}

// A sprite looks along +X from its picture: its right is -Y. One that turns to the viewer is two that cross.
func TestSpriteOfPixels(t *testing.T) {
	p := picture(world.EntityProp, world.Sprite{Kind: 1, Facing: 1, Mins: [2]float32{-0.5, 0}, Maxs: [2]float32{0.5, 1}, Pixels: true})
	p.Draw.Tint = [4]uint8{255, 188, 0, 51}
	w, sizes := pictures(p)
	if err := Sprites(context.Background(), w, sizes, "mesh", true); err != nil {
		t.Fatal(err)
	}
	got := shape(w, w.Props[0].Index)
	type corner struct {
		Position, Normal [3]float32
		UV               [2]float32
	}
	var corners []corner
	for _, v := range got.Vertices {
		corners = append(corners, corner{v.Position, v.Normal, v.UV})
		// 188 is 0.503 in linear light, 51 a fifth.
		if c := v.Color; c[0] != 1 || math.Abs(float64(c[1])-0.503) > 0.001 || c[2] != 0 || c[3] != 0.2 {
			t.Error(c)
		}
	}
	behind, right := [3]float32{-1, 0, 0}, [3]float32{0, -1, 0}
	want := []corner{
		{[3]float32{0, 8, 0}, behind, [2]float32{0, 1}}, {[3]float32{0, -8, 0}, behind, [2]float32{1, 1}},
		{[3]float32{0, -8, 32}, behind, [2]float32{1, 0}}, {[3]float32{0, 8, 32}, behind, [2]float32{0, 0}},
		{[3]float32{-8, 0, 0}, right, [2]float32{0, 1}}, {[3]float32{8, 0, 0}, right, [2]float32{1, 1}},
		{[3]float32{8, 0, 32}, right, [2]float32{1, 0}}, {[3]float32{-8, 0, 32}, right, [2]float32{0, 0}},
	}
	if diff := cmp.Diff(want, corners); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint32{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}, got.Indices); diff != "" {
		t.Error(diff)
	}
	if m := &w.Models[1]; m.Mins != [3]float32{-8, -8, 0} || m.Maxs != [3]float32{8, 8, 32} || m.Name != "sprite a" {
		t.Errorf("%+v", m)
	}
}

// The three of a triangle of 12 units face out, 12 / (2·√3) = 3.46 from its middle.
func TestSpriteKinds(t *testing.T) {
	rect := world.Sprite{Kind: 3, Mins: [2]float32{-6, 0}, Maxs: [2]float32{6, 4}}
	beam := world.Sprite{Kind: 4, Mins: [2]float32{0, -2}, Maxs: [2]float32{100, 2}}
	one := rect
	one.Kind = 1
	w, sizes := pictures(picture(world.EntityProp, rect), picture(world.EntityProp, beam), picture(world.EntityProp, one))
	if err := Sprites(context.Background(), w, sizes, "mesh", true); err != nil {
		t.Fatal(err)
	}
	triangle := shape(w, w.Props[0].Index)
	if len(triangle.Vertices) != 12 {
		t.Fatal(len(triangle.Vertices))
	}
	for i, v := range triangle.Vertices {
		out := float64(v.Position[0])*float64(v.Normal[0]) + float64(v.Position[1])*float64(v.Normal[1])
		if math.Abs(out-3.4641) > 0.001 {
			t.Errorf("corner %d at %v faces %v", i, v.Position, v.Normal)
		}
	}
	for i, v := range shape(w, w.Props[1].Index).Vertices {
		along := v.Position[0] == 100
		across := max(v.Position[1], v.Position[2], -v.Position[1], -v.Position[2])
		if (v.Color[3] == 0) != along || (v.UV[1] == 1) != along || across != 2 {
			t.Errorf("corner %d: %+v", i, v)
		}
	}
	if n := len(shape(w, w.Props[2].Index).Vertices); n != 4 {
		t.Error(n)
	}
}

func TestSpritesThatLookAlikeShareAModel(t *testing.T) {
	s := world.Sprite{Kind: 2, Mins: [2]float32{-1, -1}, Maxs: [2]float32{1, 1}}
	tinted, other, gone := picture(world.EntityProp, s), picture(world.EntityProp, s), picture(world.EntityProp, s)
	tinted.Draw.Tint[0] = 9
	other.Sprite.Material, gone.Sprite.Material = 1, 2
	w, sizes := pictures(picture(world.EntityProp, s), tinted, picture(world.EntityProp, s), other, gone, gone,
		world.Prop{Model: "a.mdl", Index: 7})
	if err := Sprites(context.Background(), w, sizes, "mesh", true); err != nil {
		t.Fatal(err)
	}
	var got []int
	for i := range w.Props {
		got = append(got, w.Props[i].Index)
	}
	if diff := cmp.Diff([]int{1, 2, 1, 3, -1, -1, 7}, got); diff != "" {
		t.Error(diff)
	}
	want := []world.Issue{{Code: "sprite-missing", Where: "gone", Detail: "the image is missing: 2 sprites are left out", Count: 2}}
	if diff := cmp.Diff(want, w.Issues); diff != "" {
		t.Error(diff)
	}
}

// grass is a strewn sprite at a place, of a light.
func grass(x, y float32, light float32) world.Prop {
	p := picture(world.DetailProp, world.Sprite{Kind: 1, Mins: [2]float32{-8, 0}, Maxs: [2]float32{8, 16}})
	p.Origin = [3]float32{x, y, 100}
	rgb := world.NewRGB(light, 0.5, 0)
	p.Light.Even = &rgb
	return p
}

// Sprites of a cell are one mesh, in the axes of the map; those of the 3D skybox are another's.
func TestDetailsAreMerged(t *testing.T) {
	turned, far, box := grass(10, 0, 2), grass(3000, 0, 1), grass(0, 0, 1)
	turned.Angles[1], turned.Scale = 90, [3]float32{2, 2, 2}
	box.InSkybox, box.Record = true, 9
	rock := world.Prop{Kind: world.DetailProp, Model: "rock.mdl", Index: 5}
	w, sizes := pictures(far, grass(0, 0, 0.25), rock, box, turned)
	if err := Sprites(context.Background(), w, sizes, "mesh", true); err != nil {
		t.Fatal(err)
	}
	if len(w.Props) != 4 || w.Props[0].Model != "rock.mdl" {
		t.Fatalf("%+v", w.Props)
	}
	near, away, inBox := &w.Props[1], &w.Props[2], &w.Props[3]
	if near.Count != 2 || away.Count != 1 || !inBox.InSkybox || inBox.Record != 9 || near.Kind != world.DetailProp || near.Sprite != nil {
		t.Errorf("%+v", w.Props)
	}
	// Turned to the left, its left, +Y, is -X.
	if v := shape(w, near.Index).Vertices; len(v) != 8 || v[0].Position != [3]float32{0, 8, 100} || v[4].Position[0] != -6 ||
		v[4].Position[2] != 100 || v[6].Position[0] != 26 || v[6].Position[2] != 132 {
		t.Errorf("%+v", v)
	}
	if c := near.Light.Colors; len(c) != 1 || len(c[0]) != 8 || c[0][0] != world.NewRGB(0.25, 0.5, 0) ||
		c[0][7] != world.NewRGB(2, 0.5, 0) {
		t.Errorf("%v", c)
	}
}

// With a node each, sprites share a model where their light is about the same: 0.25 and 0.26, but not 0.9.
func TestDetailsAsNodes(t *testing.T) {
	w, sizes := pictures(grass(0, 0, 0.25), grass(5, 0, 0.26), grass(9, 0, 0.9))
	if err := Sprites(context.Background(), w, sizes, "node", true); err != nil {
		t.Fatal(err)
	}
	if p := w.Props; len(p) != 3 || p[0].Index != 1 || p[1].Index != 1 || p[2].Index != 2 {
		t.Errorf("%+v", p)
	}
	// 0.25 is 137 in sRGB, of which 144 is the nearest of 0, 16, 32 ...: 0.279. 0.5 is 188: 192, 0.527.
	if c := shape(w, 1).Vertices[0].Color; math.Abs(float64(c[0])-0.279) > 0.001 || math.Abs(float64(c[1])-0.527) > 0.001 || c[3] != 1 {
		t.Error(c)
	}
	w, sizes = pictures(grass(0, 0, 1))
	if err := Sprites(context.Background(), w, sizes, "none", true); err != nil || w.Props[0].Index != world.NoModel ||
		len(w.Issues) != 0 {
		t.Error(err, w.Props, w.Issues)
	}
}

// No mesh has more corners than 16 bits can count.
func TestManyDetailsAreSeveralMeshes(t *testing.T) {
	var props []world.Prop
	for i := range 20000 {
		props = append(props, grass(float32(i%100), float32(i/100), 1))
	}
	w, sizes := pictures(props...)
	if err := Sprites(context.Background(), w, sizes, "mesh", false); err != nil {
		t.Fatal(err)
	}
	total := 0
	for i := range w.Props {
		n := len(shape(w, w.Props[i].Index).Vertices)
		if total += n; n > 1<<16-1 || w.Props[i].Light.Colors != nil {
			t.Error(n, w.Props[i].Light.Colors)
		}
	}
	if total != 20000*4 || len(w.Props) != 2 {
		t.Error(total, len(w.Props))
	}
}

func TestSpritesWithinLimits(t *testing.T) {
	w, sizes := pictures(grass(0, 0, 1), picture(world.EntityProp, world.Sprite{Kind: 2}))
	ctx := limit.With(context.Background(), limit.NewBudget(limit.Limits{MaxMemory: 100}))
	if err := Sprites(ctx, w, sizes, "mesh", true); err == nil {
		t.Error("there is no room")
	}
}

func BenchmarkDetails(b *testing.B) {
	for _, mode := range []Details{DetailsMesh, DetailsNode} {
		b.Run(string(mode), func(b *testing.B) {
			const n = 60000
			b.SetBytes(n * 52) // of the map
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				props := make([]world.Prop, n)
				for i := range props {
					props[i] = grass(float32(i%300)*30-4500, float32(i/300)*30-3000, float32(i%50)/50)
				}
				w, sizes := pictures(props...)
				b.StartTimer()
				if err := Sprites(context.Background(), w, sizes, mode, true); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(w.Models)), "models")
			}
		})
	}
}

// A rope of two units along X for 10 units, whose picture is 8 pixels high: 4 of them to a unit, it lies there 5 times.
func TestRopeIsATube(t *testing.T) {
	w, sizes := pictures()
	w.Entities = []world.Entity{{}, {Pairs: []world.Pair{{Key: "origin", Value: "0 0 50"}, {Key: "angles", Value: "0 90 0"}}, InSkybox: true}}
	w.Ropes = []world.Rope{{Entity: 1, Material: 1, Points: [][3]float32{{0, 0, 50}, {10, 0, 50}}, Width: 2, Texels: 4},
		{Points: [][3]float32{{1, 2, 3}}}}
	w.Ambient.Probes = []world.Probe{{Position: [3]float32{0, 0, 0},
		Cube: [6]world.RGB{2: world.NewRGB(1, 0, 0), 4: world.NewRGB(0, 1, 0)}}}
	if err := Ropes(context.Background(), w, sizes, true); err != nil {
		t.Fatal(err)
	}
	if len(w.Props) != 1 || w.Props[0].Entity != 1 || !w.Props[0].InSkybox || len(w.Models) != 2 {
		t.Fatalf("%+v", w.Props)
	}
	tube := shape(w, w.Props[0].Index)
	if len(tube.Vertices) != 12 || len(tube.Indices) != 36 {
		t.Fatalf("%+v", tube)
	}
	for i, v := range tube.Vertices {
		// Below its entity, which is turned to the left, the rope goes to the right: along -Y.
		at := [2]float64{float64(v.Position[0]), float64(v.Position[2])}
		if want := float32(-10 * (i / 6)); math.Abs(float64(v.Position[1]-want)) > 1e-4 || math.Abs(math.Hypot(at[0], at[1])-1) > 1e-5 ||
			v.UV[1] != float32(5*(i/6)) {
			t.Errorf("%d: %+v", i, v)
		}
	}
	var across []float32
	for _, v := range tube.Vertices[:6] {
		across = append(across, v.UV[0])
	}
	if diff := cmp.Diff(fmt.Sprintf("%.2f", across), "[0.00 0.33 0.67 1.00 0.67 0.33]"); diff != "" {
		t.Error(diff)
	}
	for i := 0; i < len(tube.Indices); i += 3 {
		a, b, c := tube.Vertices[tube.Indices[i]], tube.Vertices[tube.Indices[i+1]], tube.Vertices[tube.Indices[i+2]]
		n := space.Cross(space.Difference(b.Position, a.Position), space.Difference(c.Position, a.Position))
		if n[0]*a.Normal[0]+n[2]*a.Normal[2] <= 0 {
			t.Errorf("triangle %d faces in", i/3)
		}
	}
	// The first side faces +Y, from where the light is red; the second is turned by 60 degrees to +Z: a quarter, and three of green.
	if c := w.Props[0].Light.Colors[0]; len(c) != 12 || c[0] != world.NewRGB(1, 0, 0) ||
		math.Abs(float64(c[1].Float32()[0])-0.25) > 0.001 || math.Abs(float64(c[1].Float32()[1])-0.75) > 0.001 {
		t.Errorf("%v", c)
	}
}

// Straight up, and back on itself, a tube is as round as anywhere.
func TestRopeTurnsAnyWay(t *testing.T) {
	points := [][3]float32{{0, 0, 0}, {0, 0, 10}, {0, 0, 20}, {5, 0, 20}, {5, 0, 20}, {0, 0, 20}}
	for i, v := range tube(points, 1, 1).Vertices {
		d := space.Difference(v.Position, points[i/ropeSides])
		if l := space.Length(d); math.Abs(float64(l)-1) > 1e-3 {
			t.Errorf("ring %d: %v", i/ropeSides, d)
		}
	}
}

func BenchmarkRopes(b *testing.B) {
	w, sizes := pictures()
	w.Entities = []world.Entity{{}}
	w.Ambient.Probes = make([]world.Probe, 5000)
	for i := range 500 {
		r := world.Rope{Material: 1, Width: 2, Texels: 4}
		for k := range 28 {
			r.Points = append(r.Points, [3]float32{float32(k) * 10, float32(i), 0})
		}
		w.Ropes = append(w.Ropes, r)
	}
	b.SetBytes(500 * 28 * 12)
	b.ReportAllocs()
	for b.Loop() {
		w.Props, w.Models = nil, nil
		if err := Ropes(context.Background(), w, sizes, true); err != nil {
			b.Fatal(err)
		}
	}
}
