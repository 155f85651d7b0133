package models

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/md3test"
)

// plate returns an .iqm file without bones: two surfaces of a triangle each, "lid" and "box".
func plate(t *testing.T) []byte {
	texts := "lid\x00box\x00models/Wood.tga\x00"
	const header, arrays = 124, 2 * 20
	const text, positions, places = header + arrays, header + arrays + 24, header + arrays + 24 + 36
	const meshes, triangles = places + 24, places + 24 + 48
	var b bytes.Buffer
	for _, v := range []any{
		[]byte("INTERQUAKEMODEL\x00"), []int32{2, 0, 0, int32(len(texts)), text, 2, meshes, 2, 3, header, 2, triangles}, make([]int32, 15),
		[]int32{0, 0, 7, 3, positions, 1, 0, 7, 2, places}, []byte(texts),
		[3][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}, [3][2]float32{},
		[]int32{0, 8, 0, 3, 0, 1, 4, 8, 0, 3, 1, 1}, []int32{0, 1, 2, 2, 1, 0},
	} {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// Skins are in files beside the model, with numbers; they name surfaces, and those that one does not name are not drawn in it.
func TestNumberedSkins(t *testing.T) {
	s := md3test.Triangle("lid", "models/wood")
	files := fstest.MapFS{
		"a.iqm": {Data: plate(t)}, "b.iqm": {Data: plate(t)}, "b.iqm_0.skin": {Data: []byte("LID,gold\nbox,textures/iron.tga")},
		"b.iqm_1.skin": {Data: []byte("replace \"box\" \"rust\"")},
		"c.md3":        {Data: md3test.Model{Frames: 1, Surfaces: []md3test.Surface{s}}.Bytes()},
		"c.md3_0.skin": {Data: []byte("lid,gold")},
	}
	for _, test := range []struct {
		model string
		skin  int
		want  string
	}{
		{"a.iqm", 0, "models/wood models/wood"}, {"a.iqm", 1, "models/wood models/wood"},
		{"b.iqm", 0, "gold textures/iron"}, {"b.iqm", 1, "rust"}, {"b.iqm", 2, "gold textures/iron"}, {"b.iqm", -1, "gold textures/iron"},
		{"c.md3", 0, "gold"},
	} {
		o := DefaultFileOptions()
		o.Skin = test.skin
		w, err := File(t.Context(), files, test.model, DefaultOptions(), o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range w.Models[w.Props[0].Index].Surfaces {
			got = append(got, w.Materials[s.Material].Name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s with skin %d: %q, want %q", test.model, test.skin, got, test.want)
		}
	}
	o := DefaultOptions()
	o.Skins = SkinsVariants
	w, err := File(t.Context(), files, "b.iqm", o, DefaultFileOptions())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range w.Models[w.Props[0].Index].Surfaces[1].Skins {
		got = append(got, w.Materials[m].Name)
	}
	if !slices.Equal(got, []string{"textures/iron", "rust"}) {
		t.Errorf("all skins are %q", got)
	}
	if f := w.Format; f.Ident != "INTERQUAKEMODEL" || f.Version != 0 || f.Game != "DarkPlaces" {
		t.Errorf("%+v", f)
	}
}
