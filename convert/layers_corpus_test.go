package convert

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// At each vertex of a baked displacement of a real map, the image has the colour for that vertex's alpha. So the images align
// with the grids, and neighbours agree.
func TestRealDisplacementsAreBakedAsTheyFade(t *testing.T) {
	testkit.Real(t)
	maps := testkit.Files(t, "source/*.bsp")
	const vmt = "WorldVertexTransition { $basetexture r $basetexture2 b }" // replaces every missing material
	files := fstest.MapFS{}
	for name, c := range map[string]color.NRGBA{"r": {255, 0, 0, 255}, "b": {0, 0, 255, 255}} {
		im := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		im.SetNRGBA(0, 0, c)
		var b bytes.Buffer
		if err := png.Encode(&b, im); err != nil {
			t.Fatal(err)
		}
		files["materials/"+name+".png"] = &fstest.MapFile{Data: b.Bytes()}
	}
	p := set(t, "materials.blends=baked", "materials.png=fast", "materials.max_size=256", "geometry.overlays=false", "models.light=none")
	baked, vertices, worst := 0, 0, 0.0
	for _, file := range maps {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		src := Source{Name: mapName(file), Reader: bytes.NewReader(data), Size: int64(len(data)), Files: files}
		_, r, err := Map(t.Context(), p, src)
		var s *scene.Scene
		if err == nil {
			for _, m := range r.Materials.Missing {
				files["materials/"+strings.ToLower(m.Material)+".vmt"] = &fstest.MapFile{Data: []byte(vmt)}
			}
			s, _, err = Map(t.Context(), p, src)
		}
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for _, mesh := range s.Meshes {
			for i := range mesh.Primitives {
				prim := &mesh.Primitives[i]
				m := &s.Materials[prim.Material]
				if !strings.Contains(m.Name, " face ") || prim.Blend == nil {
					continue
				}
				baked++
				im, _, err := picture.Decode(s.Images[m.Base.Image].Data, "", nil)
				if err != nil {
					t.Fatal(err)
				}
				for v, alpha := range prim.Blend {
					vertices++
					d := math.Abs(blueAt(im, prim.UV[v]) - float64(alpha))
					if worst = max(worst, d); d > 0.03 { // up to half a pixel off, where the alpha has a bend
						t.Errorf("%s: %s, %v: vertex %d has an alpha of %g and blue %g", file, m.Name, im.Rect.Max, v, alpha,
							blueAt(im, prim.UV[v]))
						break
					}
				}
			}
		}
	}
	t.Logf("%d displacements with %d vertices, %.3f off at most", baked, vertices, worst)
	if baked == 0 {
		t.Error("none was baked")
	}
}

// blueAt returns the linear blue, interpolated between the nearest pixels of an image.
func blueAt(im *image.NRGBA, uv [2]float32) float64 {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	x, y := float64(uv[0])*float64(w)-0.5, float64(uv[1])*float64(h)-0.5
	sum := 0.0
	for dy := range 2 {
		for dx := range 2 {
			px, py := math.Floor(x)+float64(dx), math.Floor(y)+float64(dy)
			weight := (1 - math.Abs(x-px)) * (1 - math.Abs(y-py))
			c := im.NRGBAAt(min(max(int(px), 0), w-1), min(max(int(py), 0), h-1))
			v := float64(c.B) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
	}
	return sum
}
