package lightmap

import (
	"context"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Three charts of 4 by 4 luxels lie side by side on one page, although the page size is smaller than that.
func TestUnfoldedChartsDoNotOverlap(t *testing.T) {
	charts := []world.Chart{{Width: 4, Height: 4}, {Width: 4, Height: 4}, {}, {Width: 4, Height: 4}}
	a, err := Bake(context.Background(), Input{World: &world.World{Baked: world.BakedLight{Charts: charts}}},
		Options{Carrier: CarrierVertex, Unfold: true, PageSize: 8})
	if err != nil {
		t.Fatal(err)
	}
	u := a.Unfolded
	if u == nil || len(a.Pages) != 0 || len(a.Places) != 0 {
		t.Fatalf("unfolded %v, %d pages, %d places", u, len(a.Pages), len(a.Places))
	}
	type box struct{ lo, hi [2]float32 }
	var boxes []box
	for _, i := range []int{0, 1, 3} {
		boxes = append(boxes, box{u.UV(i, [2]float32{}), u.UV(i, [2]float32{4, 4})})
	}
	for i, a := range boxes {
		for _, b := range boxes[:i] {
			if a.lo[0] < b.hi[0] && b.lo[0] < a.hi[0] && a.lo[1] < b.hi[1] && b.lo[1] < a.hi[1] {
				t.Errorf("%v and %v overlap", a, b)
			}
		}
	}
	if got := u.UV(2, [2]float32{1, 1}); got != ([2]float32{}) {
		t.Errorf("a chart without luxels is at %v", got)
	}
	if a, err := Bake(context.Background(), Input{World: &world.World{Baked: world.BakedLight{Charts: charts}}},
		Options{Carrier: CarrierVertex}); err != nil || a.Unfolded != nil {
		t.Errorf("%v, %v: unfolded although not asked", a.Unfolded, err)
	}
}
