package models

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// someLamps returns n lamps of all kinds in a room of 8192 units, the same for each call. Many have the light of others.
func someLamps(n int) []lamp {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]lamp, 0, n)
	for i := range n {
		l := white(float32(r.IntN(64)*128), float32(r.IntN(64)*128), float32(r.IntN(8)*128), float64(1+r.IntN(3))*1e3)
		switch i % 4 {
		case 1:
			l.Kind, l.Direction, l.Inner, l.Outer = world.SpotLight, [3]float32{0, 0, -1}, 0.5, 1
		case 2:
			l.Falloff = [3]float64{1, 2, 0}
		case 3:
			l.Range = float64(r.IntN(2048))
		}
		made, ok := newLamp(&l)
		if !ok {
			continue
		}
		made.index = i
		list = append(list, made)
	}
	return list
}

// TestStrongestAreAllThatCount compares the tree with a look at every lamp.
func TestStrongestAreAllThatCount(t *testing.T) {
	list := someLamps(700)
	tree := newLampTree(list)
	for i := range 200 {
		place := [3]float32{float32(i * 41), float32(i * 37 % 8192), float32(i % 1024)}
		var want []ratedLamp
		for k := range list {
			l := &list[k]
			if light, _ := l.at(place); light >= leastLamp && square(l.origin, place) <= float64(l.reach*l.reach) {
				want = append(want, ratedLamp{l, light})
			}
		}
		slices.SortFunc(want, stronger)
		for _, n := range []int{1000, 32} {
			left := math.MaxInt
			got := tree.strongest(place, n, &left)
			want := want[:min(n, len(want))]
			same := func(a, b ratedLamp) bool { return a.light == b.light && (n == 32 || a.lamp.index == b.lamp.index) }
			if !slices.EqualFunc(got, want, same) {
				t.Fatalf("at %v: %d of at most %d lamps, want %d", place, len(got), n, len(want))
			}
		}
	}
	left := math.MaxInt
	if got := newLampTree(nil).strongest([3]float32{}, 9, &left); len(got) != 0 {
		t.Error(got)
	}
}

// TestLampsOfAPropDontGrowWithTheMap counts what is examined for a prop where all lamps reach it: 16 times as many lamps take
// at most 4 times the steps.
func TestLampsOfAPropDontGrowWithTheMap(t *testing.T) {
	steps := func(n int, falls [3]float64) int {
		var list []lamp
		for i := range n {
			l := white(float32(i%128)*32, float32(i/128)*32, 0, 1e9+float64(i))
			l.Falloff = falls
			made, _ := newLamp(&l)
			made.index = i
			list = append(list, made)
		}
		left := math.MaxInt
		if got := newLampTree(list).strongest([3]float32{2000, 100, 50}, maxTraced, &left); len(got) != maxTraced {
			t.Fatalf("%d lamps", len(got))
		}
		return math.MaxInt - left
	}
	for name, falls := range map[string][3]float64{"quadratic": {}, "constant": {1, 0, 0}} {
		if few, many := steps(1<<10, falls), steps(1<<14, falls); many > 4*few {
			t.Errorf("%s: %d steps for 1,024 lamps, %d for 16,384", name, few, many)
		} else {
			t.Logf("%s: %d steps for 1,024 lamps, %d for 16,384", name, few, many)
		}
	}
}
