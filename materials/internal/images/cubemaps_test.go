package images

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestCubemaps(t *testing.T) {
	file := func(format vtf.Format, faces int, pixel func(face int) []byte) *fstest.MapFile {
		f := vtf.File{Minor: 5, Width: 2, Height: 2, Faces: faces, Mips: 1, Flags: vtf.EnvMap, Format: format,
			Slice: func(_, _, face, _ int) []byte { return slices.Repeat(pixel(face), 4) }}
		return &fstest.MapFile{Data: f.Write()}
	}
	flat := func(face int) []byte { return []byte{0, 0, byte(face)} }
	files := fstest.MapFS{
		"materials/maps/q/c0_0_0.vtf":     file(vtf.BGR888, 6, flat),
		"materials/maps/q/c0_0_0.hdr.vtf": file(vtf.RGBA16161616F, 6, func(int) []byte { return make([]byte, 8) }),
		"materials/maps/q/c1_0_0.vtf":     file(vtf.BGR888, 6, flat),
		"materials/maps/q/c2_0_0.vtf":     imagetest.VTF(0, imagetest.Filled(2, 2, imagetest.Grey(1))),
	}
	w := &world.World{Cubemaps: []world.Cubemap{
		{Files: "materials/maps/q/c0_0_0"}, {Files: "materials/maps/q/c1_0_0"}, {Files: "materials/maps/q/c2_0_0"},
		{Files: "materials/maps/q/c3_0_0"},
		{Files: "materials/maps/q/c1_0_0"},
	}}
	cubemaps := func(wanted bool) Cubes {
		o := plain
		o.Cubemaps = wanted
		c, err := New(files, o, limit.NewBudget(limit.Limits{})).Cubemaps(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := cubemaps(false); c.Faces != nil || c.Files != nil {
		t.Error("nobody asked for cubemaps")
	}
	w.Baked.HDR = true
	got := cubemaps(true)
	if len(got.Files) != 12 || got.Faces[1] != got.Faces[4] || got.Faces[2] != [6]string{} || got.Faces[3] != [6]string{} {
		t.Fatalf("%d files, %v", len(got.Files), got.Faces)
	}
	if got.Faces[0][2] != "cubemaps/c0_0_0_lf.exr" || got.Faces[1][1] != "cubemaps/c1_0_0_bk.png" ||
		got.Faces[1][5] != "cubemaps/c1_0_0_dn.png" {
		t.Error(got.Faces)
	}
	var codes []string
	for _, is := range got.Issues {
		codes = append(codes, is.Code)
	}
	if !slices.Equal(codes, []string{"image-broken", "cubemap-missing"}) || got.Issues[1].Count != 1 {
		t.Error(got.Issues)
	}
	w.Baked.HDR = false
	if c := cubemaps(true); c.Faces[0][0] != "cubemaps/c0_0_0_rt.png" {
		t.Error(c.Faces[0])
	}
}

// The faces of 50 cubemaps of noise take at least 6 · 192 bytes for each cubemap, 57,600 together.
func TestCubemapsKeepToTheBudget(t *testing.T) {
	src := imagetest.Noise(8)
	f := vtf.File{Minor: 5, Width: 8, Height: 8, Faces: 6, Mips: 1, Flags: vtf.EnvMap, Format: vtf.BGR888,
		Slice: func(int, int, int, int) []byte { return vtf.Encode(src, vtf.BGR888) }}
	files, w := fstest.MapFS{}, &world.World{}
	for i := range 50 {
		name := fmt.Sprintf("materials/maps/q/c%d_0_0", i)
		files[name+".vtf"] = &fstest.MapFile{Data: f.Write()}
		w.Cubemaps = append(w.Cubemaps, world.Cubemap{Files: name})
	}
	cubemaps := func() (Cubes, error) {
		o := plain
		o.Cubemaps = true
		return New(files, o, limit.NewBudget(limit.Limits{MaxMemory: 40_000})).Cubemaps(t.Context(), w)
	}
	if _, err := cubemaps(); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
	for i := range w.Cubemaps {
		w.Cubemaps[i].Files = "materials/maps/q/c0_0_0" // all at one place
	}
	if c, err := cubemaps(); err != nil || len(c.Files) != 6 {
		t.Error(err)
	}
}
