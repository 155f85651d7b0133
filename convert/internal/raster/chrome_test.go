package raster

import (
	"image"
	"math"
	"testing"
)

// A square at a distance of 1, whose bone is in its middle and whose normal looks to the eye at (0, 0, 0). From (x, 0, 0), f is
// (-x, 0, -1) / √(1 + x²), and n·r is -x / √(1 + x²): of four columns x = 1 shows the first, at 0.5 · (1 - 0.71), and x = -1 the
// last.
func TestChromeFollowsTheEye(t *testing.T) {
	m := plain(1, 1, 1, 1)
	m.Base = Texture{Image: 0}
	q := quad(0.5, 1, 0)
	q.Normals = [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}
	q.Pivots, q.Chrome = [][3]float32{{0, 0, -1}, {0, 0, -1}, {0, 0, -1}, {0, 0, -1}}, [2]float32{0.5, 0.5}
	columns := func() (*image.NRGBA, error) {
		im := image.NewNRGBA(image.Rect(0, 0, 64, 1))
		for i := range 64 {
			im.Pix[4*i], im.Pix[4*i+3] = uint8(60*(i/16)+20), 255
		}
		return im, nil
	}
	for x, want := range map[float64]uint8{1: 20, -1: 200, 0.4: 80, -0.4: 140} { // 0.5·(1 - 0.37) is 0.31
		look := Camera{Eye: [3]float64{x, 0, 0}, Forward: [3]float64{-x, 0, -1}, Up: [3]float64{0, 1, 0}, FovY: math.Pi / 4, Near: 0.01}
		s := &Scene{Materials: []Material{m}, Meshes: []Mesh{q}, Images: []func() (*image.NRGBA, error){columns},
			Instances: []Instance{{Matrix: still}}}
		im, err := Draw(t.Context(), s, look, 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(im, 8, 8); got[0] < want-2 || got[0] > want+2 {
			t.Errorf("from %g: %v, want %d", x, got, want)
		}
	}
}
