package raster

import (
	"image"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// Light of 0.4, of which 0.1 has no direction, comes from (0.6, 0, 0.8) on a square that faces the eye: o = (0.4 - 0.1) / 0.8. It falls on
// slopes, makes highlights, and turns with the mesh.
func TestLightWithADirection(t *testing.T) {
	byteOf := func(v float64) uint8 { return uint8(255*(1+v)/2 + 0.5) }
	slope := func(x, z float64) []uint8 { return []uint8{byteOf(x), byteOf(0), byteOf(z), 255} }
	turned := still
	turned[0][0], turned[1][1], turned[2][3] = -2, -2, 0.5 // half a turn about Z, twice as large
	turned[2][2] = 2
	for _, c := range []struct {
		name          string
		slopes, gloss []uint8
		place         space.Matrix
		want          uint8
	}{
		{"flat", nil, nil, still, 102},                                               // 0.1 + o · 0.8
		{"toward the light", slope(0.6, 0.8), nil, still, 121},                       // 0.1 + o · 1
		{"from the light", slope(-0.6, 0.8), nil, still, 52},                         // 0.1 + o · 0.28
		{"turned", slope(-0.6, 0.8), nil, turned, 52},                                // the same
		{"from behind", slope(-0.9, 0.44), nil, still, 26},                           // 0.1 alone
		{"a highlight", nil, []uint8{128, 0, 255, 0}, still, 147},                    // 0.4 + 0.5 · 0.949 · o
		{"a sharp one", slope(-0.6, 0.8), []uint8{255, 0, 255, 255}, still, 52},      // 0.57^32 is nothing
		{"toward the eye", slope(0.316, 0.949), []uint8{255, 0, 0, 255}, still, 213}, // 0.1 + o · 0.949 + o, the slope is halfway
	} {
		none := Texture{Image: None}
		m := plain(1, 1, 1, 1)
		m.Display = &Display{Albedo: 1, Exponent: 1, Emission: [3]float32{1, 1, 1}}
		m.Light, m.Intensity = Texture{Image: 0, Clamp: true}, float32(gamma.Decode(0.4))
		m.Directed = &Directed{Toward: Texture{Image: 1, Clamp: true, Numbers: true}, Slopes: none, Gloss: none, Ambient: 0.1}
		s := &Scene{Materials: []Material{m}, Meshes: []Mesh{quad(0.02, 1, 0)}, Stored: true, Images: []func() (*image.NRGBA, error){
			pixels(1, 1, 255, 255, 255, 255), pixels(1, 1, byteOf(0.6), byteOf(-0.8), byteOf(0), 255)}}
		for _, p := range []struct {
			of []uint8
			to *Texture
		}{{c.slopes, &m.Directed.Slopes}, {c.gloss, &m.Directed.Gloss}} {
			if p.of != nil {
				*p.to = Texture{Image: len(s.Images), Numbers: true}
				s.Images = append(s.Images, pixels(2, 2, p.of...))
			}
		}
		s.Meshes[0].Normals = [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}
		s.Meshes[0].UV2 = s.Meshes[0].UV
		s.Instances = []Instance{{Matrix: c.place}}
		im, err := Draw(t.Context(), s, Camera{Forward: eye.Forward, Up: eye.Up, FovY: 0.01, Near: 0.01}, 4, 4)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(im, 2, 2)[0]; got < c.want-1 || got > c.want+1 {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
