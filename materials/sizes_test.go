package materials

import (
	"encoding/binary"
	"image"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestImageSizeIsThatOfTheWal(t *testing.T) {
	wal := make([]byte, 100+64*32)
	binary.LittleEndian.PutUint32(wal[32:], 64)
	binary.LittleEndian.PutUint32(wal[36:], 32)
	binary.LittleEndian.PutUint32(wal[40:], 100)
	png, err := picture.EncodePNG(image.NewNRGBA(image.Rect(0, 0, 16, 8)), false, picture.Fast)
	if err != nil {
		t.Fatal(err)
	}
	size := ImageSize(t.Context(), fstest.MapFS{
		"textures/e1u1/wall.wal": {Data: wal}, "textures/e1u1/wall.png": {Data: png}, "textures/new.png": {Data: png},
		"textures/cut.wal": {Data: wal[:50]}, "textures/odd.png": {Data: []byte("odd")},
	})
	for name, want := range map[string][2]int{"e1u1/Wall": {64, 32}, "new": {16, 8}, "cut": {}, "odd": {}, "none": {}, "../x": {}} {
		if w, h := size(name); [2]int{w, h} != want {
			t.Errorf("%s: %d x %d, want %d", name, w, h, want)
		}
	}
}

func TestPictureSizes(t *testing.T) {
	files := vmtFiles(map[string]string{"x": "Sprite { $basetexture t }", "gone": "Sprite { $basetexture nope }"})
	files["materials/p.png"] = imagetest.PNG(imagetest.Filled(3, 5, imagetest.Grey(9)))
	w := plantest.Shown(world.Material{Name: "x"}, world.Material{Name: "gone"}, world.Material{Name: "p"}, world.Material{Name: "a"},
		world.Material{Name: "t"}, world.Material{Name: "none"})
	for _, m := range []int{0, 1, 2, 3, 5} {
		w.Props = append(w.Props, world.Prop{Sprite: &world.Sprite{Material: m}})
	}
	w.Ropes = []world.Rope{{Material: 3}}
	want := [][2]float64{{8, 8}, {}, {3, 5}, {8, 8}, {}, {}}
	if got := PictureSizes(t.Context(), files, w); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestDecalSizes(t *testing.T) {
	files := vmtFiles(map[string]string{"d1": "DecalModulate { $basetexture a $decalscale .25 }", "d2": "X { $basetexture a }",
		"d3": "X { $basetexture nope }", "d4": "X { $basetexture a $decalscale -1 }",
		"d5": `Subrect { $material d1 $pos "2 0" $size "4 2" }`, "d6": `Subrect { $material d1 $size "4 2" $decalscale .5 }`})
	w := &world.World{}
	for i, name := range []string{"d1", "d2", "d3", "d4", "a", "none", "d5", "d6"} {
		w.Materials = append(w.Materials, world.Material{Name: name})
		w.Decals = append(w.Decals, world.Decal{Material: i})
	}
	want := [][2]float64{{2, 2}, {8, 8}, {}, {8, 8}, {8, 8}, {}, {1, 0.5}, {2, 1}}
	if got := DecalSizes(t.Context(), files, w); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
