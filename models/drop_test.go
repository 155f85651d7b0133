package models

import (
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Things without a model stand on the floor by the depth of the box that the game drops.
func TestEntitiesFall(t *testing.T) {
	var corners []world.Vertex
	for _, c := range [4][2]float32{{-100, -100}, {100, -100}, {100, 100}, {-100, 100}} {
		corners = append(corners, world.Vertex{Position: [3]float32{c[0], c[1], 10}})
	}
	for _, c := range []struct {
		origin string
		want   *world.Place
	}{
		{"1 2 50", &world.Place{Origin: [3]float32{1, 2, 25}, Angles: [3]float32{0, 90, 0}}},
		{"1 2 20", nil},   // its box would be in the floor
		{"1 2 200", nil},  // too high
		{"200 2 50", nil}, // beside the floor
	} {
		w := &world.World{
			Models: []world.Model{{Surfaces: []world.Surface{{Shape: &world.Polygon{Corners: corners}, Chart: world.NoChart}}}},
			Entities: []world.Entity{{Pairs: []world.Pair{{Key: "origin", Value: c.origin}, {Key: "angle", Value: "90"}},
				Drop: &world.Drop{Rise: 15, Most: 128}}},
		}
		item := world.Prop{Entity: 0}
		dropProps(t.Context(), w, []placed{{prop: &item}})
		if got := w.Entities[0].Start; !reflect.DeepEqual(got, c.want) {
			t.Errorf("from %s: %+v, want %+v", c.origin, got, c.want)
		}
		if c.want != nil && item.Origin != c.want.Origin {
			t.Errorf("from %s: its model is at %v", c.origin, item.Origin)
		}
	}
}

// A square of 200 units at a height of 10 is the floor; what falls onto it stands there.
func TestPropsFall(t *testing.T) {
	flat := func(z float32, flags world.Flags) world.Surface {
		var corners []world.Vertex
		for _, c := range [4][2]float32{{-100, -100}, {100, -100}, {100, 100}, {-100, 100}} {
			corners = append(corners, world.Vertex{Position: [3]float32{c[0], c[1], z}})
		}
		return world.Surface{Shape: &world.Polygon{Corners: corners}, Flags: flags, Chart: world.NoChart}
	}
	bent := world.Surface{Shape: &world.Displacement{Corners: [4]world.Vertex{
		{Position: [3]float32{50, 50, 20}}, {Position: [3]float32{50, 60, 20}}, {Position: [3]float32{60, 60, 20}},
		{Position: [3]float32{60, 50, 20}},
	}}}
	for _, c := range []struct {
		what   string
		at     [3]float32
		falls  float32
		source bool
		want   float32
	}{
		{"falls", [3]float32{0, 0, 50}, 256, false, 10},
		{"through water", [3]float32{0, 0, 35}, 256, false, 10},
		{"on its lowest point", [3]float32{0, 0, 50}, 256, true, 13},
		{"stays where it is put", [3]float32{0, 0, 50}, 0, false, 50},
		{"too high", [3]float32{0, 0, 300}, 256, false, 300},
		{"tossed from any height", [3]float32{0, 0, 300}, 1 << 17, false, 10},
		{"in the floor", [3]float32{0, 0, 6}, 256, false, 6},
		{"beside the floor", [3]float32{150, 0, 50}, 256, false, 50},
		{"over a displacement", [3]float32{55, 55, 50}, 256, false, 50},
	} {
		w := &world.World{
			Models:   []world.Model{{Surfaces: []world.Surface{flat(10, 0), flat(30, world.Liquid), flat(40, world.Sky), bent}}},
			Entities: []world.Entity{{Pairs: []world.Pair{{Key: "angles", Value: "0 45 0"}}}},
			Props:    []world.Prop{{Origin: c.at, Drop: world.Drop{Most: c.falls}, Scale: [3]float32{1, 1, 1}}},
		}
		v := &boundModel{model: world.Model{Mins: [3]float32{0, 0, -3}}}
		if c.source {
			v.hardware = &hardware{}
		}
		dropProps(t.Context(), w, []placed{{&w.Props[0], v}})
		if got := w.Props[0].Origin; got != [3]float32{c.at[0], c.at[1], c.want} {
			t.Errorf("%s: it is at %v, want a height of %g", c.what, got, c.want)
		}
		e := w.Entities[0].Start
		if moved := c.want != c.at[2]; (e != nil) != moved || moved && (e.Origin != w.Props[0].Origin || e.Angles != [3]float32{0, 45, 0}) {
			t.Errorf("%s: its entity starts at %+v", c.what, e)
		}
	}
}

// A box rests on the highest floor below it: at the upper edge of a slope, on a step that it reaches over, and not on one that it only
// touches, nor on what it begins in.
func TestABoxRestsOnItsHighestFloor(t *testing.T) {
	quad := func(x0, x1, z0, z1 float32) world.Surface {
		var corners []world.Vertex
		for _, p := range [4][3]float32{{x0, -100, z0}, {x1, -100, z1}, {x1, 100, z1}, {x0, 100, z0}} {
			corners = append(corners, world.Vertex{Position: p})
		}
		return world.Surface{Shape: &world.Polygon{Corners: corners}, Chart: world.NoChart}
	}
	ground := []world.Surface{quad(-200, 0, 0, 0), quad(0, 100, 0, 50), quad(-200, -150, 20, 20)}
	for _, c := range []struct {
		what    string
		x, z    float32
		sides   [2]float32
		want    float32
		maxDiff float32
	}{
		{"a point on the slope", 50, 60, [2]float32{}, 25, 0.02},
		{"a box on the slope: 16 units on it is 8 higher", 50, 60, [2]float32{-16, 16}, 33, 0.02},
		{"a box beside the slope, which begins 6 units before its side", -10, 60, [2]float32{-16, 16}, 3, 0.02},
		{"a box that reaches over a step", -140, 60, [2]float32{-16, 16}, 20, 0},
		{"a box that touches a step", -134, 60, [2]float32{-16, 16}, 0, 0},
		{"a box that begins in a step", -140, 15, [2]float32{-16, 16}, 15, 0},
		{"a box whose middle is beyond the floor", -210, 60, [2]float32{-16, 16}, 20, 0},
	} {
		w := &world.World{
			Models:   []world.Model{{Surfaces: ground}},
			Entities: []world.Entity{{}},
			Props: []world.Prop{
				{Origin: [3]float32{c.x, 0, c.z}, Drop: world.Drop{Most: 256, Sides: c.sides}, Scale: [3]float32{1, 1, 1}},
			},
		}
		dropProps(t.Context(), w, []placed{{&w.Props[0], &boundModel{}}})
		if got := w.Props[0].Origin[2]; max(got-c.want, c.want-got) > c.maxDiff {
			t.Errorf("%s: it stands at %g, want %g", c.what, got, c.want)
		}
	}
}
