package images

import (
	"image/color"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vtf"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

// 200 · 128 · 8 / 255² is 3.15; the other has a light of 4 in red, which its tint halves. 2 becomes white: 1, 0.5 and 0 are 255, 188 and 0
// in sRGB.
func TestLitSky(t *testing.T) {
	half := build.File{Minor: 2, Width: 4, Height: 4, Mips: 1, Format: build.RGBA16161616F, Slice: func(_, _, _, _ int) []byte {
		return slices.Repeat([]byte{0, 0x44, 0, 0x3c, 0, 0, 0, 0x3c}, 16) // 4, 1, 0
	}}
	files := fstest.MapFS{"half.vtf": {Data: half.Write()},
		"t.vtf": imagetest.VTF(0x2000, imagetest.Filled(8, 8, color.NRGBA{200, 100, 50, 128})), "broken.vtf": {Data: []byte("VTF")}}
	sides := &Sky{0: {File: "t.vtf", Kind: vtf.RGBS, Tint: [3]float32{1, 1, 1}},
		1: {File: "half.vtf", Kind: vtf.ByFormat, Toned: true, Tint: [3]float32{0.5, 1, 1}},
		3: {File: "broken.vtf", Toned: true}}
	for _, exr := range []bool{false, true} {
		o := plain
		o.SkyLight = exr
		b := limit.NewBudget(limit.Limits{})
		list, scale, err := New(files, o, b).LitSky(t.Context(), sides)
		if err != nil {
			t.Fatal(err)
		}
		held := int64(0)
		for k, want := range []struct{ there, toned bool }{{true, false}, {true, true}, {}, {}, {}, {}} {
			p := &list[k]
			held += int64(len(p.EXR))
			if p.There != want.there || (len(p.Image.Images) == 1) != want.toned || (p.EXR != nil) != (want.there && exr) ||
				(len(p.Image.Issues) == 1) != (k == 3) {
				t.Errorf("side %d: %+v", k, p)
			}
		}
		if c := decoded(t, &list[1].Image.Images[0]).NRGBAAt(3, 3); c != (color.NRGBA{255, 188, 0, 255}) || scale != 0.5 ||
			list[1].Image.Images[0].Name != "half_light" {
			t.Error(c, scale, list[1].Image.Images[0].Name)
		}
		if b.Reserved() != held {
			t.Errorf("%d bytes are reserved for %d", b.Reserved(), held)
		}
	}
}
