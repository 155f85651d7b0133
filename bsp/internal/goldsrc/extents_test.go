package goldsrc_test

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// wide returns a map with one face from x = 0 to the width along the U axis, and 16 units deep.
func wide(axis [4]float32, width float32) *qbsp.Map {
	m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
	info := m.Info(qbsp.TexInfo{Vecs: [2][4]float32{axis, {0, -1, 0, 0}}, Texture: m.AddTexture(bricks), FaceInfo: -1})
	m.Polygon(info, [3]float32{0, 0, 0}, [3]float32{0, 16, 0}, [3]float32{width, 16, 0}, [3]float32{width, 0, 0})
	return m
}

// A face has a luxel more than the multiples of 16 between which its texture lies; corners on a multiple lie on a luxel.
func TestExtentsOnMultiples(t *testing.T) {
	for _, c := range []struct {
		what       string
		axis       [4]float32
		width      float32
		luxels     int
		start, end float32
	}{
		{"64", [4]float32{1}, 64, 5, 0.5, 4.5},
		{"a little more", [4]float32{1}, 64.01, 6, 0.5, 4.500625},
		{"a little less", [4]float32{1}, 63.99, 5, 0.5, 4.499375},
		{"shifted", [4]float32{1, 0, 0, 8}, 64, 6, 1, 5},                     // 8 to 72: 0 to 5
		{"shifted by a multiple", [4]float32{1, 0, 0, -16}, 64, 5, 0.5, 4.5}, // -16 to 48: -1 to 3
		{"backwards", [4]float32{-1}, 64, 5, 4.5, 0.5},
		{"half", [4]float32{0.5}, 64, 3, 0.5, 2.5},
		{"nothing", [4]float32{0}, 64, 1, 0.5, 0.5},
	} {
		m := wide(c.axis, c.width)
		m.LightSize(0, c.luxels, 2, []uint8{0}, told)
		w := decode(t, m.Write(qbsp.HalfLife))
		wantIssues(t, w)
		wantLight(t, c.what, w, 0, c.luxels, 2, 0)
		corners := polygon(t, w, 0)
		if a, b := corners[0].Luxel[0], corners[1].Luxel[0]; a-c.start > 1e-5 || c.start-a > 1e-5 || b-c.end > 1e-5 || c.end-b > 1e-5 {
			t.Errorf("%s: luxels %g to %g, want %g to %g", c.what, a, b, c.start, c.end)
		}
	}
}

// 48 units of a texture of 0.33333334 are 16.00000026 texels in double precision and 16 in single: two luxels in the
// engines, and three with compilers that did not round. The space up to the next face's light decides; without it the
// engines' rule applies.
func TestExtentsRoundAsTheSpaceSays(t *testing.T) {
	third := [4]float32{float32(1) / 3}
	for _, c := range []struct {
		what   string
		luxels int // that the compiler has stored
		want   int
	}{
		{"as the engines", 2, 2}, {"without rounding", 3, 3}, {"more than any", 9, 2},
	} {
		for _, v := range []qbsp.Variant{qbsp.Quake, qbsp.HalfLife, qbsp.Quake2} {
			m := wide(third, 48)
			m.LightSize(0, c.luxels, 2, []uint8{0}, told)
			m.Polygon(0, square(0, 64, 0)...)
			m.Light(1, []uint8{0}, told)
			w := decode(t, m.Write(v))
			wantIssues(t, w)
			if got := w.Baked.Charts[0]; got.Width != c.want || got.Height != 2 {
				t.Errorf("%s: %d x %d luxels, want %d x 2", c.what, got.Width, got.Height, c.want)
			}
		}
	}
	// Where the light is shorter than the engines read, the decoder takes the luxels that fit.
	m := wide([4]float32{float32(1) / 3}, 48)
	m.LightSize(0, 1, 1, []uint8{0}, told)
	wantIssues(t, decode(t, m.Write(qbsp.HalfLife)),
		"light-range: face 0: 2 x 2 luxels in 1 styles at byte 0 are outside the light of 3 bytes: it is bright")
}

// Grey light starts at a multiple of four: up to three bytes after it are padding.
func TestExtentsAllowForAlignment(t *testing.T) {
	m := wide([4]float32{1}, 64)
	m.Polygon(0, square(0, 64, 0)...)
	m.LightSize(0, 5, 2, []uint8{0}, told)
	m.Lighting = append(m.Lighting, make([]qbsp.RGB, 2)...)
	m.Light(1, []uint8{0}, told)
	w := decode(t, m.Write(qbsp.Quake))
	wantIssues(t, w)
	wantLight(t, "first", w, 0, 5, 2, 0)
	wantLight(t, "second", w, 1, 5, 5, 0)
}

// Faces that share their light both have it, and a face without light does not limit the space.
func TestSharedLight(t *testing.T) {
	m := two(bricks)
	m.Polygon(0, square(0, 64, 0)...)
	m.Light(0, []uint8{0}, told)
	m.Faces[1].LightOfs, m.Faces[1].Styles[0] = 0, 0
	m.Faces[2].LightOfs = 3 // without a style
	w := decode(t, m.Write(qbsp.HalfLife))
	wantIssues(t, w)
	wantLight(t, "first", w, 0, 5, 5, 0)
	wantLight(t, "second", w, 1, 5, 5, 0)
}

// Xash3D's maps store the number of texels per luxel.
func TestFinenessOfXash3D(t *testing.T) {
	for _, c := range []struct {
		what     string
		flags    int32
		faceInfo int16
		luxels   int
		end      float32 // luxel of the corner at 64 0
	}{
		{"usual", 0, -1, 5, 4.5}, {"fine", qbsp.FineLux, -1, 9, 8.5}, {"of 4", 0, 0, 17, 16.5}, {"of 32", 0, 1, 3, 2.5},
		{"no such faceinfo", 0, 7, 5, 4.5}, {"a faceinfo of 0", 0, 2, 5, 4.5},
		// Of units, with a texture of 2 texels: luxels of 16 units, of which the first starts 8 before the origin. 0 to 64 are
		// 8 to 12 along it in the file's units of step/2 = 8: x/16 + 8.
		{"of the world", qbsp.WorldLux, -1, 5, 4.5}, {"of the world, along the axes", qbsp.WorldLux | qbsp.AxialLux, 0, 17, 16.5},
	} {
		for _, v := range []qbsp.Variant{qbsp.Xash30, qbsp.Xash31} {
			m := floor(bricks)
			m.FaceInfo = []qbsp.FaceInfo{{Step: 4}, {Step: 32}, {}}
			m.TexInfo[0].Flags, m.TexInfo[0].FaceInfo = c.flags, c.faceInfo
			if c.flags&qbsp.WorldLux != 0 {
				m.TexInfo[0].Vecs = [2][4]float32{{2, 0, 0, 5}, {0, -2, 0, 7}}
			}
			m.LightSize(0, c.luxels, c.luxels, []uint8{0}, told)
			w := decode(t, m.Write(v))
			wantIssues(t, w)
			wantLight(t, c.what, w, 0, c.luxels, c.luxels, 0)
			if got := polygon(t, w, 0)[1]; got.Luxel[0] != c.end {
				t.Errorf("%s: %+v, want luxel %g", c.what, got, c.end)
			}
		}
	}
	// Without the extra header a face has its 16 texels, whatever its flags.
	m := floor(bricks)
	m.TexInfo[0].Flags = qbsp.FineLux
	m.Light(0, []uint8{0}, told)
	wantLight(t, "30", decode(t, m.Write(qbsp.HalfLife)), 0, 5, 5, 0)
	// An extra header of another version is not read.
	m.TexInfo[0].Flags, m.TexInfo[0].FaceInfo, m.FaceInfo = 0, 0, []qbsp.FaceInfo{{Step: 4}}
	data := m.Write(qbsp.Xash30)
	brushmap.SetInt32(data, 4+8*15+4, 2)
	w := decode(t, data)
	wantIssues(t, w, "xash-version: header: the extra header of version 2 is left out, known is 4")
	if w.Materials[0].Lighting != world.Lightmap {
		t.Errorf("%+v", w.Materials)
	}
}
