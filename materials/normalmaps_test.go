package materials

import (
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestNormalMaps(t *testing.T) {
	files := vmtFiles(map[string]string{"n1": "X { $bumpmap n }", "s": "X { $bumpmap big $ssbump 1 }", "none": "X { $basetexture a }",
		"broken": "X { $bumpmap b }", "flat": "X { $bumpmap n }", "png": "X { $bumpmap p }"})
	files["materials/big.vtf"] = imagetest.VTF(0, imagetest.Filled(512, 256, color.NRGBA{255, 0, 0, 3}))
	files["materials/b.vtf"] = &fstest.MapFile{Data: []byte("VTF")}
	files["materials/p.png"] = imagetest.PNG(imagetest.Filled(300, 2, color.NRGBA{1, 2, 3, 255}))
	w := &world.World{}
	for i, name := range []string{"n1", "s", "none", "broken", "flat", "gone", "png"} {
		w.Materials = append(w.Materials, world.Material{Name: name})
		basis := world.Bump3
		if name == "flat" {
			basis = world.Flat
		}
		w.Baked.Charts = append(w.Baked.Charts, world.Chart{Material: i, Layers: []world.Layer{{}, {Basis: basis}}})
	}
	maps, err := NormalMaps(t.Context(), files, w)
	if err != nil || len(maps) != 3 || maps[0] == nil || maps[1] == nil || maps[6] == nil {
		t.Fatal(maps, err)
	}
	if c := maps[0].NRGBAAt(7, 7); maps[0].Rect.Dx() != 8 || c != (color.NRGBA{140, 100, 250, 255}) {
		t.Error(maps[0].Rect, c)
	}
	if c := maps[1].NRGBAAt(9, 9); maps[1].Rect.Dx() != 256 || maps[1].Rect.Dy() != 128 || c != (color.NRGBA{232, 128, 201, 255}) {
		t.Error(maps[1].Rect, c)
	}
	if maps[6].Rect.Dx() != 256 {
		t.Error(maps[6].Rect)
	}
}
