package write_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// output.extras: false writes no extras, not even those of images, extensions and the light grid.
func TestNoExtrasAtAll(t *testing.T) {
	tried := 0
	for i, file := range testkit.Some(fixtures(t), 3, 15) {
		if testing.Short() && !strings.Contains(file, "features") && !strings.Contains(file, "showcase") &&
			!strings.Contains(file, "probes") {
			continue
		}
		tried++
		more := [][]string{{}, {"lightmap.carrier=vertex", "output.instancing=gpu", "output.hidden=true", "sky.mode=mesh"}}[i%2]
		p := set(t, append([]string{"output.extras=false", "materials.png=fast"}, more...)...)
		s, _ := convertMap(t, p, file)
		files, err := write.FindFormat("gltf").Files(s, "x", "")
		if text := contents(t, files, err)["x.gltf"]; bytes.Contains(text, []byte(`"extras"`)) {
			at := bytes.Index(text, []byte(`"extras"`))
			t.Errorf("%s %q: %.300s", filepath.Base(file), more, text[max(0, at-100):])
		}
	}
	if tried == 0 {
		t.Error("no map was converted")
	}
}

// Blender takes the opacity from map_d where it is present: an image without alpha would make fading layers opaque.
func TestOBJTakesOpacityFromImagesThatHaveIt(t *testing.T) {
	for _, alpha := range []bool{false, true} {
		s := one(strip(3))
		s.Images = []scene.Image{{Name: "textures/a", MIME: "image/png", Data: []byte{1}, Alpha: alpha, Element: "texture"}}
		s.Materials[0].Base.Image, s.Materials[0].Alpha, s.Materials[0].BaseColor = 0, 2, [4]float32{1, 1, 1, 0.5}
		files, err := write.FindFormat("obj").Files(s, "x", "")
		mtl := string(contents(t, files, err)["x.mtl"])
		if strings.Contains(mtl, "map_d") != alpha || !strings.Contains(mtl, "\nd 0.5\n") {
			t.Errorf("alpha %v:\n%s", alpha, mtl)
		}
	}
}

// The material of a sky surface is not missing where worldspawn names the sky's images.
func TestASkyIsNotMissing(t *testing.T) {
	w := &world.World{Sky: world.SkyBox{Name: "gfx/env/desert"},
		Materials: []world.Material{{Name: "sky", Flags: world.Sky}, {Name: "wall"}}}
	missing := missingOf("sky", "wall")
	if r := tally.CountMaterials(w, missing); r.Total != 2 || r.Found != 1 || len(r.Missing) != 1 || r.Missing[0].Material != "wall" {
		t.Errorf("%+v", r)
	}
	w.Sky.Name = "" // as in Quake III, where the material names the images
	if r := tally.CountMaterials(w, missing); len(r.Missing) != 2 {
		t.Errorf("%+v", r)
	}
	_, r := convertMap(t, defaults(), "../../../testdata/goldsrc/maps/surfaces.bsp")
	for _, m := range r.Materials.Missing {
		if m.Material == "sky" {
			t.Error("GoldSrc's sky is missing")
		}
	}
}

func missingOf(names ...string) []materials.Missing {
	var all []materials.Missing
	for _, n := range names {
		all = append(all, materials.Missing{Material: n})
	}
	return all
}
