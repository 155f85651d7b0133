package raster

import (
	"image"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// A square at a distance of 1, of (128, 128, 128): with the eye ahead of its middle, at (x, 0, 0), its corners see
// s = 0.5 - 0.5·n, n = 1/√(1 + d²), where d is their distance from the foot of the eye. The picture is black, then white from
// s = 0.25 on, and the share is a half; a vertex' tint is 0.8.
func TestMirrorFollowsTheEye(t *testing.T) {
	m := plain(float32(gamma.Decode(128/255.0)), float32(gamma.Decode(128/255.0)), float32(gamma.Decode(128/255.0)), 1)
	m.Mirror = &Mirror{Picture: Texture{Image: 0, Clamp: true}, Share: Texture{Image: None}, Factor: [3]float32{0.5, 0.5, 0.5},
		Color: [3]float32{1, 1, 1}, Mean: [3]float32{0.2, 0.2, 0.2}}
	quad := quad(0.5, 1, 0)
	quad.Normals = [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}
	quad.Mirrors = [][4]uint16{{52428, 52428, 52428}, {52428, 52428, 52428}, {52428, 52428, 52428}, {52428, 52428, 52428}}
	steps := func() (*image.NRGBA, error) {
		im := image.NewNRGBA(image.Rect(0, 0, 64, 1))
		for i := range im.Pix {
			if i%4 == 3 || i >= 4*16 {
				im.Pix[i] = 255
			}
		}
		return im, nil
	}
	for _, c := range []struct {
		x    float64
		want uint8
	}{
		{0, 102},  // d = 0.71, n = 0.82, s = 0.09: 128 - 0.5·0.2·255
		{3, 204},  // d is 2.5 to 3.5, n under 0.37, s over 0.3: 128 + 0.5·(0.8 - 0.2)·255
		{-3, 204}, // from the other side
	} {
		look := Camera{Eye: [3]float64{c.x, 0, 0}, Forward: [3]float64{-c.x, 0, -1}, Up: [3]float64{0, 1, 0}, FovY: math.Pi / 4, Near: 0.01}
		s := &Scene{Materials: []Material{m}, Meshes: []Mesh{quad}, Images: []func() (*image.NRGBA, error){steps},
			Instances: []Instance{{Matrix: still}}}
		im, err := Draw(t.Context(), s, look, 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(im, 8, 8); got[0] < c.want-1 || got[0] > c.want+1 {
			t.Errorf("from %g: %v, want %d", c.x, got, c.want)
		}
	}
}

func TestBlendsAsTheGameDoes(t *testing.T) {
	// Half of 150; half of 200 more; 1 + 0.5·(2·0.1 - 1) times.
	for behind, want := range map[Behind]uint8{Mixes: 125, Adds: 200, Multiplies: 60} {
		ground, glass := plain(1, 1, 1, 1), plain(1, 1, 1, 0.5)
		value := map[Behind]float64{Mixes: 150, Adds: 200, Multiplies: 25.5}[behind] / 255
		for k := range 3 {
			ground.Factor[k], glass.Factor[k] = float32(gamma.Decode(100/255.0)), float32(gamma.Decode(value))
		}
		glass.Alpha, glass.Behind = Blend, behind
		s := &Scene{Materials: []Material{ground, glass}, Meshes: []Mesh{quad(9, 2, 0), quad(1, 1, 1)}}
		if got := at(draw(t, s, 4), 1, 1); got[0] < want-1 || got[0] > want+1 {
			t.Errorf("%d: %v, want %d", behind, got, want)
		}
	}
}

// A reflection adds more to the background than alpha lets through.
func TestMirrorOfGlass(t *testing.T) {
	m := plain(0, 0, 0, 0.25)
	m.Alpha, m.Behind = Blend, Adds
	m.Mirror = &Mirror{Picture: Texture{Image: 0}, Share: Texture{Image: None}, Factor: [3]float32{4, 4, 4}, Color: [3]float32{1, 1, 1}}
	s := &Scene{Materials: []Material{m}, Meshes: []Mesh{quad(1, 1, 0)},
		Images: []func() (*image.NRGBA, error){pixels(1, 1, 200, 200, 200, 255)}}
	s.Meshes[0].Normals = [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}
	if got := at(draw(t, s, 4), 1, 1); got[0] < 199 || got[0] > 201 {
		t.Errorf("%v, want 200", got)
	}
}

// A mesh that is turned and twice as large reflects by its own axes: its corner at (1, 0, 0) with its normal along its +Z sees an eye at
// (1, 1, 1) of those axes, which is √2 away: the normal and the way are at 45 degrees, so that the way, reflected, is (0, -√½, √½).
func TestReflectionsTurnWithTheMesh(t *testing.T) {
	// Columns: +X is taken to -Z, +Z to +X, and all is at (5, 6, 7).
	place := space.Matrix{{0, 0, 2, 5}, {0, 2, 0, 6}, {-2, 0, 0, 7}}
	v := view{eye: [3]float64{5 + 2, 6 + 2, 7 - 2}}
	m := &Mesh{Positions: [][3]float32{{1, 0, 0}}, Normals: [][3]float32{{0, 0, 1}}}
	var c corner
	v.mirror(m, 0, &place, &Mirror{}, &c)
	half := math.Sqrt2 / 4
	if s, down := c.at[mirrorS], c.at[mirrorT]; math.Abs(s-(0.5-half)) > 1e-9 || math.Abs(down-(0.5+half)) > 1e-9 {
		t.Errorf("%g, %g", s, down)
	}
}
