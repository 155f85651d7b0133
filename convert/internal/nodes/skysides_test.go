package nodes_test

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

// Source's six pictures stand around the map as its engine draws them. Where they are is in Source SDK 2013, public/vtf/vtf.h
// (CubeMapFaceIndex_t): right, left, back, front, up and down are +X, -X, +Y, -Y, +Z and -Z. How they are turned is that of Quake II, whose
// skies have the same names (ref_gl/gl_warp.c, st_to_vec): seen from within, the four upright ones have up at the top, the top of the one
// above is towards -X, and the top of the one below towards +X.
func TestSourcesSkyStandsAsTheEngineDrawsIt(t *testing.T) {
	type direction = [3]float32
	sides := map[string]struct{ look, right, up direction }{
		"rt": {direction{1, 0, 0}, direction{0, -1, 0}, direction{0, 0, 1}},
		"lf": {direction{-1, 0, 0}, direction{0, 1, 0}, direction{0, 0, 1}},
		"bk": {direction{0, 1, 0}, direction{1, 0, 0}, direction{0, 0, 1}},
		"ft": {direction{0, -1, 0}, direction{-1, 0, 0}, direction{0, 0, 1}},
		"up": {direction{0, 0, 1}, direction{0, -1, 0}, direction{-1, 0, 0}},
		"dn": {direction{0, 0, -1}, direction{0, -1, 0}, direction{1, 0, 0}},
	}
	files := scenetest.Copied(t, "../../../testdata/source")
	// Each pixel says where it is: red is the side's first letter, green the column, blue the row.
	for side := range sides {
		picture := vtf.File{Minor: 2, Width: 2, Height: 2, Mips: 1, Format: vtf.BGRA8888, Slice: func(_, _, _, _ int) []byte {
			return []byte{0, 0, side[0], 255, 0, 255, side[0], 255, 255, 0, side[0], 255, 255, 255, side[0], 255}
		}}
		files["materials/skybox/ours_"+side+".vtf"] = &fstest.MapFile{Data: picture.Write()}
	}
	data := files["maps/showcase.bsp"].Data
	s, _, err := convert.Map(t.Context(), scenetest.Set(t, "sky.mode=mesh", "materials.images=png"),
		convert.Source{Name: "showcase", Reader: bytes.NewReader(data), Size: int64(len(data)), Files: files})
	if err != nil {
		t.Fatal(err)
	}
	corners := 0
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			base := s.Materials[p.Material].Base.Image
			if m.Name != "sky" {
				continue
			}
			name := s.Images[base].Name
			side, ok := sides[name[strings.LastIndex(name, "_")+1:]]
			im, err := png.Decode(bytes.NewReader(s.Images[base].Data))
			if !ok || err != nil {
				t.Fatal(name, err)
			}
			for i, at := range p.Positions {
				uv := p.UV[i]
				if math.Abs(float64(uv[0])-0.5) != 0.5 || math.Abs(float64(uv[1])-0.5) != 0.5 {
					continue // not a corner
				}
				corners++
				red, green, blue, _ := im.At(int(uv[0]*1.5), int(uv[1]*1.5)).RGBA()
				if byte(red>>8) != name[len(name)-2] {
					t.Fatalf("%s: red is %d", name, red>>8)
				}
				across, down := sign(green), sign(blue)
				for k, want := range axes.Turn(direction{
					side.look[0] + across*side.right[0] - down*side.up[0], side.look[1] + across*side.right[1] - down*side.up[1],
					side.look[2] + across*side.right[2] - down*side.up[2]}) {
					if at[k]*want <= 0 {
						t.Errorf("%s: the corner at %v is at %v", name, uv, at)
					}
				}
			}
		}
	}
	if corners != 4*len(sides) {
		t.Errorf("%d corners", corners)
	}
}

// sign returns 1 for a colour that is full, else -1.
func sign(c uint32) float32 {
	if c > 0x8000 {
		return 1
	}
	return -1
}
