package images

import (
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
)

// half is black on the left and white on the right, in colour and in alpha; dim is a grey of 51, a fifth. A uniform gloss is one pixel:
// roughness, metalness and amount.
func TestGlosses(t *testing.T) {
	half := imagetest.Filled(8, 8, color.NRGBA{})
	for y := range 8 {
		for x := 4; x < 8; x++ {
			half.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 255})
		}
	}
	files := fstest.MapFS{
		"half.vtf": imagetest.VTF(0xc, half), "dim.vtf": imagetest.VTF(0, imagetest.Filled(4, 4, imagetest.Grey(51)),
			imagetest.Filled(4, 4, imagetest.Grey(102))),
	}
	for _, c := range []struct {
		name  string
		g     Gloss
		flat  *[4]uint8
		right color.NRGBA // of the picture, if it is not flat
	}{
		{"a mask", Gloss{Masks: [3]Mask{{File: "half.vtf"}}, Roughness: 0.25}, nil, color.NRGBA{0, 64, 255, 255}},
		{"a mask of one grey", Gloss{Masks: [3]Mask{{File: "dim.vtf", Color: true}}, Roughness: 0.25}, &[4]uint8{0, 64, 51, 51},
			color.NRGBA{}},
		{"its second frame", Gloss{Masks: [3]Mask{{File: "dim.vtf", Color: true, Frame: 1}}, Roughness: 0.25}, &[4]uint8{0, 64, 102, 102},
			color.NRGBA{}},
		{"two masks", Gloss{Masks: [3]Mask{{File: "half.vtf"}, {File: "dim.vtf", Color: true}}, Roughness: 0.25}, nil,
			color.NRGBA{0, 64, 51, 51}},
	} {
		m := made(t, files, plain, Task{Work: c.g, Name: "g", Numbers: true})[0]
		if (m.Flat != nil) != (c.flat != nil) || c.flat != nil && *m.Flat != *c.flat || m.Clamp != (c.g.Masks[0].File != "dim.vtf") {
			t.Errorf("%s: %v, clamped %t", c.name, m.Flat, m.Clamp)
			continue
		}
		if c.flat == nil {
			if got := decoded(t, &m.Images[0]).NRGBAAt(6, 4); got != c.right {
				t.Errorf("%s: %v, want %v", c.name, got, c.right)
			}
		}
	}
}
