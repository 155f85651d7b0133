package liquid

import (
	"math"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Four boxes of an L in body 0: three of them are one box of 3 x 1 x 1. Boxes of other bodies, and those without volume, are none.
func TestBoxesAreJoined(t *testing.T) {
	type entry struct {
		body   int
		lo, hi [3]float32
	}
	list := []entry{
		{0, [3]float32{2, 0, 0}, [3]float32{3, 1, 1}}, {0, [3]float32{0, 0, 0}, [3]float32{1, 1, 1}},
		{0, [3]float32{1, 0, 0}, [3]float32{2, 1, 1}}, {0, [3]float32{0, 1, 0}, [3]float32{1, 2, 2}},
		{1, [3]float32{5, 0, 0}, [3]float32{6, 1, 1}}, {1, [3]float32{7, 0, 0}, [3]float32{8, 1, 1}},
		{2, [3]float32{}, [3]float32{1, 1, 1}}, {-1, [3]float32{}, [3]float32{1, 1, 1}}, {0, [3]float32{4, 4, 4}, [3]float32{4, 5, 5}},
		{0, [3]float32{4, 4, 4}, [3]float32{float32(math.NaN()), 5, 5}},
	}
	got, err := Boxes(&decoding.Context{Budget: limit.NewBudget(limit.Limits{})}, len(list), 2, func(i int) (int, [3]float32, [3]float32) {
		return list[i].body, list[i].lo, list[i].hi
	})
	want := [][][2][3]float32{
		{{{0, 1, 0}, {1, 2, 2}}, {{0, 0, 0}, {3, 1, 1}}}, {{{5, 0, 0}, {6, 1, 1}}, {{7, 0, 0}, {8, 1, 1}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %v", got, err)
	}
}
