package drawkey

import (
	"context"
	"errors"
	"image"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// A texture without headroom keeps its white, unless very few texels are white.
func TestSpare(t *testing.T) {
	var bright lights
	bright[10*lightStep] = 100 // a light of 4
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

// page returns a chart of one light, or of several by the column.
func page(size int, light func(x int) float32) world.Chart {
	c := world.Chart{Width: size, Height: size, Layers: []world.Layer{{Luxels: make([]world.RGB, size*size)}}}
	for i := range c.Layers[0].Luxels {
		v := light(i % size)
		c.Layers[0].Luxels[i] = world.NewRGB(v, v, v)
	}
	return c
}

// total returns the number of colour values that were read.
func (l *lights) total() (n float64) {
	for _, v := range l {
		n += v
	}
	return n
}

// A page of light that a thousand surfaces share is not read a thousand times.
func TestEachLuxelIsCountedOnce(t *testing.T) {
	const size = 64
	charts := []world.Chart{page(size, func(int) float32 { return 1 }), page(size, func(int) float32 { return 1 })}
	var many []LuxelRect
	for range 1000 {
		many = append(many, LuxelRect{Chart: 0, Luxels: image.Rect(0, 0, size, size)})
	}
	l, err := countLight(t.Context(), charts, many)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.total(); got != 3*size*size {
		t.Errorf("%g colour values were read, want %d", got, 3*size*size)
	}
	rapid.Check(t, func(t *rapid.T) {
		covered := map[[3]int]bool{}
		var list []LuxelRect
		for range rapid.IntRange(0, 12).Draw(t, "rects") {
			side := func() (a, b int) {
				a = rapid.IntRange(0, size-1).Draw(t, "from")
				return a, rapid.IntRange(a+1, size).Draw(t, "to")
			}
			s := LuxelRect{Chart: rapid.IntRange(0, 1).Draw(t, "chart")}
			s.Luxels.Min.X, s.Luxels.Max.X = side()
			s.Luxels.Min.Y, s.Luxels.Max.Y = side()
			list = append(list, s)
			for y := s.Luxels.Min.Y; y < s.Luxels.Max.Y; y++ {
				for x := s.Luxels.Min.X; x < s.Luxels.Max.X; x++ {
					covered[[3]int{s.Chart, x, y}] = true
				}
			}
		}
		l, err := countLight(context.Background(), charts, list)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := int(l.total()), 3*len(covered); got != want {
			t.Errorf("%v: %d colour values, want %d", list, got, want)
		}
	})
}

func TestCountingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	charts := []world.Chart{page(8, func(int) float32 { return 1 })}
	if l, err := countLight(ctx, charts, []LuxelRect{{Luxels: image.Rect(0, 0, 8, 8)}}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", l, err)
	}
}

// The steps of light are sixteenths of an octave from 2^-8; a factor of 4 is two octaves.
func TestLightSteps(t *testing.T) {
	charts := []world.Chart{page(1, func(int) float32 { return 2 })}
	for _, c := range []struct {
		octaves float64
		want    int
	}{{0, 9 * 16}, {2, 11 * 16}, {-20, 0}, {20, 255}} {
		l, err := countLight(t.Context(), charts, []LuxelRect{{Luxels: image.Rect(0, 0, 1, 1), Octaves: c.octaves}})
		if err != nil || l[c.want] != 3 {
			t.Errorf("%g Octaves: %v, %v, want step %d", c.octaves, l, err, c.want)
		}
	}
}
