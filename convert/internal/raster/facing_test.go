package raster

import (
	"image"
	"math"
	"testing"
)

// edgewise returns a red rectangle at a distance that is seen from its edge: across the view it has no width.
func edgewise(half, high, distance float32) Mesh {
	return Mesh{
		Positions: [][3]float32{
			{0, -high, half - distance}, {0, -high, -half - distance}, {0, high, -half - distance}, {0, high, half - distance},
		},
		Normals: [][3]float32{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}},
		UV:      [][2]float32{{0, 1}, {1, 1}, {1, 0}, {0, 0}},
		Indices: []uint32{0, 1, 2, 0, 2, 3},
	}
}

// A square of half a metre, 2 metres away, reaches a quarter of the half picture: 64 pixels wide, from 24 to 40.
func TestSquaresTurnToTheEye(t *testing.T) {
	for _, how := range []Facing{ToEye, AboutOwn} {
		m := plain(1, 0, 0, 1)
		m.Facing, m.TwoSided = how, true
		im := draw(t, &Scene{Materials: []Material{m}, Meshes: []Mesh{edgewise(0.5, 1, 2)}}, 64)
		for x, want := range map[int]uint8{22: 0, 26: 255, 32: 255, 37: 255, 42: 0} {
			if got := at(im, x, 32)[0]; got != want {
				t.Errorf("way %d, pixel %d: %d, want %d", how, x, got, want)
			}
		}
		if at(im, 32, 18)[0] != 255 || at(im, 32, 12)[0] != 0 {
			t.Errorf("way %d: not as high as it is: %v %v", how, at(im, 32, 18), at(im, 32, 12))
		}
	}
	m := plain(1, 0, 0, 1)
	m.TwoSided = true
	if im := draw(t, &Scene{Materials: []Material{m}, Meshes: []Mesh{edgewise(0.5, 1, 2)}}, 64); at(im, 26, 32)[0] != 0 {
		t.Error("without Facing it has a width")
	}
}

// What moves does so once squares face the eye: half a metre up at 2 metres is 8 of 64 pixels.
func TestVerticesMoveOnceSquaresFaceTheEye(t *testing.T) {
	m := plain(1, 0, 0, 1)
	m.Facing, m.TwoSided = ToEye, true
	mesh := edgewise(0.5, 0.5, 2)
	mesh.Moves = [][3]float32{{0, 0.5, 0}, {0, 0.5, 0}, {0, 0.5, 0}, {0, 0.5, 0}}
	im := draw(t, &Scene{Materials: []Material{m}, Meshes: []Mesh{mesh}}, 64)
	if at(im, 26, 18)[0] != 255 || at(im, 26, 38)[0] != 0 {
		t.Error(at(im, 26, 18), at(im, 26, 38))
	}
}

// A sprite is seen from its own -X; a glow 100 units away is half as large as it is, with min(19000 / 100², 1) / 0.11875 of its light.
func TestSpritesFaceTheEye(t *testing.T) {
	s := &Scene{Materials: []Material{plain(1, 0, 0, 0.05)}, Meshes: []Mesh{edgewise(0.5, 0.5, 0)}}
	s.Materials[0].Alpha, s.Materials[0].TwoSided = Blend, true
	for _, unit := range []float64{0, 0.02} { // 2 metres are 100 units
		place := still
		place[2][3] = -2
		s.Instances = []Instance{{Matrix: place, Sprite: &Sprite{Unit: unit}}}
		im, err := Draw(t.Context(), s, eye, 64, 64)
		if err != nil {
			t.Fatal(err)
		}
		edge, alpha := 39, 0.05 // 16 pixels wide
		if unit > 0 {
			edge, alpha = 35, 0.05/0.11875
		}
		if got := at(im, 32, 32)[0]; math.Abs(float64(got)-255*alpha) > 1 {
			t.Errorf("unit %v: %d, want %.0f", unit, got, 255*alpha)
		}
		if at(im, edge, 32)[0] == 0 || at(im, edge+2, 32)[0] != 0 {
			t.Errorf("unit %v: its edge is not at %d", unit, edge)
		}
	}
}

// From 45 degrees above, an upright sprite of 1 metre is sin 45 as high as one that is parallel to the screen: 2 metres away, 11 of 64
// pixels instead of 16, of which its upper half is larger.
func TestUprightSpritesTurnAboutTheVertical(t *testing.T) {
	s := &Scene{Materials: []Material{plain(1, 0, 0, 1)}, Meshes: []Mesh{edgewise(0.5, 0.5, 0)}}
	s.Materials[0].TwoSided = true
	above, far := eye, math.Sqrt2
	above.Eye, above.Forward, above.Up = [3]float64{far, far, 0}, [3]float64{-1, -1, 0}, [3]float64{0, 1, 0}
	for _, upright := range []bool{false, true} {
		s.Instances = []Instance{{Matrix: still, Sprite: &Sprite{Upright: upright}}}
		im, err := Draw(t.Context(), s, above, 64, 64)
		if err != nil {
			t.Fatal(err)
		}
		high := 0
		for y := range 64 {
			high += int(at(im, 32, y)[0]) / 255
		}
		if want := map[bool]int{false: 16, true: 11}[upright]; high < want-1 || high > want+1 {
			t.Errorf("upright %v: %d pixels high, want %d", upright, high, want)
		}
		if at(im, 32-6, 32)[0] == 0 || at(im, 32+6, 32)[0] == 0 {
			t.Errorf("upright %v: it is not as wide", upright)
		}
	}
}

// A sprite of 1 metre beside the middle of the view, 0.3 aside and 1 ahead. Beside the screen it ends at -0.2 and 0.8 of the 32 pixels to
// a side; toward the eye, along (0.958, 0, 0.287), at -0.179/1.144 and 0.779/0.856.
func TestUprightSpritesTurnTowardTheEye(t *testing.T) {
	s := &Scene{Materials: []Material{plain(1, 0, 0, 1)}, Meshes: []Mesh{edgewise(0.5, 0.5, 0)}}
	s.Materials[0].TwoSided = true
	ahead, place := eye, still
	ahead.Eye, place[0][3] = [3]float64{0, 0, 1}, 0.3
	for toward, want := range map[bool][2]int{false: {26, 57}, true: {27, 60}} {
		s.Instances = []Instance{{Matrix: place, Sprite: &Sprite{Upright: true, TowardEye: toward}}}
		im, err := Draw(t.Context(), s, ahead, 64, 64)
		if err != nil {
			t.Fatal(err)
		}
		ends := [2]int{64, -1}
		for x := range 64 {
			if at(im, x, 32)[0] > 127 {
				ends = [2]int{min(ends[0], x), x}
			}
		}
		if max(ends[0]-want[0], want[0]-ends[0], ends[1]-want[1], want[1]-ends[1]) > 1 {
			t.Errorf("toward %v: from %d, want %d", toward, ends, want)
		}
	}
}

func TestDetailsMultiplyWhatIsShown(t *testing.T) {
	s := &Scene{Images: []func() (*image.NRGBA, error){pixels(1, 1, 64, 128, 255, 255), pixels(1, 1, 255, 255, 255, 255)}, Stored: true}
	m := plain(1, 1, 1, 1)
	m.Light, m.Intensity = Texture{Image: 1, Clamp: true}, 1
	m.Display = &Display{Albedo: 1, Exponent: 1, Gain: 1}
	m.Details = []Texture{{Image: 0}}
	quad := quad(1, 1, 0)
	quad.UV2 = quad.UV
	s.Materials, s.Meshes = []Material{m}, []Mesh{quad}
	if got, want := at(draw(t, s, 16), 8, 8), [3]uint8{128, 255, 255}; got != want { // 2 · 64, and white at most
		t.Error(got, want)
	}
}

func TestCoordinatesAreWarped(t *testing.T) {
	s := &Scene{Images: []func() (*image.NRGBA, error){func() (*image.NRGBA, error) {
		im := image.NewNRGBA(image.Rect(0, 0, 8, 1))
		for x := range 8 {
			copy(im.Pix[4*x:], []uint8{uint8(255 * (x / 4)), 0, 0, 255})
		}
		return im, nil
	}}}
	m := plain(1, 1, 1, 1)
	m.Base = Texture{Image: 0, Warp: [3]float64{0.5, 0, math.Pi / 2}} // by a half, everywhere
	s.Materials, s.Meshes = []Material{m}, []Mesh{quad(1, 1, 0)}
	im := draw(t, s, 64)
	if at(im, 16, 32)[0] < 250 || at(im, 48, 32)[0] > 5 {
		t.Error(at(im, 16, 32), at(im, 48, 32))
	}
}

func TestSortComesBeforeDistance(t *testing.T) {
	near, far := plain(1, 0, 0, 1), plain(0, 1, 0, 1)
	near.Alpha, far.Alpha = Blend, Blend
	far.Sort = 1 // drawn last, over what is nearer
	s := &Scene{Materials: []Material{near, far}, Meshes: []Mesh{quad(1, 1, 0), quad(2, 2, 1)}}
	if got := at(draw(t, s, 16), 8, 8); got != [3]uint8{0, 255, 0} {
		t.Error(got)
	}
}
