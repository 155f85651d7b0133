package movers

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// boxesAt returns n entities with a box of so many units on each side, at places.
func boxesAt(n int, size float32, at func(i int) [3]float32) (w *world.World, all []int) {
	w = &world.World{}
	for i := range n {
		p := at(i)
		w.Models = append(w.Models, world.Model{Mins: p, Maxs: [3]float32{p[0] + size, p[1] + size, p[2] + size}})
		w.Entities = append(w.Entities, world.Entity{Pairs: []world.Pair{{Key: "classname", Value: "func_door"}}, Model: i})
		all = append(all, i)
	}
	return w, all
}

// The tree gives away what touches, once.
func TestBoxTree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w, all := boxesAt(300, 8, func(int) [3]float32 { return [3]float32{90 * r.Float32(), 90 * r.Float32(), 90 * r.Float32()} })
	tree, taken := newBoxTree(w, all), map[int]bool{}
	for i := range w.Models {
		m := &w.Models[i]
		var want []int
		for k := range w.Models {
			if o := &w.Models[k]; !taken[k] && near(&o.Mins, &o.Maxs, &m.Mins, &m.Maxs, 2) {
				want = append(want, k)
				taken[k] = true
			}
		}
		if got := tree.take(&m.Mins, &m.Maxs, 2); !slices.Equal(got, want) {
			t.Fatalf("box %d touches %v, want %v", i, got, want)
		}
	}
	if got := newBoxTree(w, nil).take(&w.Models[0].Mins, &w.Models[0].Maxs, 2); got != nil {
		t.Errorf("a tree of nothing: %v", got)
	}
}

// Twice the doors take about twice the steps, however they stand.
func TestTouchingDoorsAreNotComparedWithAllOthers(t *testing.T) {
	for name, at := range map[string]func(i int) [3]float32{
		"in a row":      func(i int) [3]float32 { return [3]float32{8 * float32(i)} },
		"apart":         func(i int) [3]float32 { return [3]float32{20 * float32(i)} },
		"at one place":  func(int) [3]float32 { return [3]float32{} },
		"in a grid":     func(i int) [3]float32 { return [3]float32{20 * float32(i%64), 20 * float32(i/64)} },
		"in a block":    func(i int) [3]float32 { return [3]float32{9 * float32(i%16), 9 * float32(i/16%16), 9 * float32(i/256)} },
		"in two places": func(i int) [3]float32 { return [3]float32{100 * float32(i%2)} },
	} {
		steps := func(n int) float64 {
			w, all := boxesAt(n, 8, at)
			tree := newBoxTree(w, all)
			for _, i := range all {
				m := &w.Models[i]
				tree.take(&m.Mins, &m.Maxs, 2)
			}
			return float64(tree.steps)
		}
		if a, b := steps(8192), steps(16384); b > 2.3*a {
			t.Errorf("%s: %g steps, and %g for twice the doors", name, a, b)
		}
	}
}
