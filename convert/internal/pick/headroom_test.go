package pick

import "testing"

// A texture without headroom keeps its white, unless very few texels are white.
func TestSpare(t *testing.T) {
	var bright lights
	for range 100 {
		bright.add(4)
	}
	for _, c := range []struct {
		name        string
		white, grey float64 // how many texels are white and 0.133
		least, most float32
	}{{"white", 100, 0, 1, 1}, {"grey", 0, 100, 3.9, 4.8}, {"a white dot", 1, 99, 2, 4.8}} {
		var h texels
		h[255], h[102] = c.white, c.grey
		if got := spare(&h, &bright, 0.00002); got < c.least || got > c.most {
			t.Errorf("%s: %g, want %g to %g", c.name, got, c.least, c.most)
		}
	}
}
