package models

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/md3test"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestSequencesOfFrameNames(t *testing.T) {
	for names, want := range map[string]string{
		"stand01 stand02 run1 run2":           "stand 0-1, run 2-3",
		"pain101 pain102 pain201 pain202":     "pain1 0-1, pain2 2-3",
		"walk98 walk99 walk100 walk101 jump1": "walk 0-3, jump 4",
		"(from (from":                         "(from 0-1",
		"1 2 3":                               "frames 0-2",
		"frame_001 frame_002":                 "frame 0-1",
		"a1 b1 a2":                            "a 0-0, b 1-1, a 2-2",
	} {
		var got []string
		for _, s := range sequencesOf(strings.Fields(names)) {
			text := s.Name + " " + string(rune('0'+s.Frames[0]))
			if s.Name != "jump" {
				text += "-" + string(rune('0'+s.Frames[len(s.Frames)-1]))
			}
			got = append(got, text)
		}
		if joined := strings.Join(got, ", "); joined != want {
			t.Errorf("%s: %s, want %s", names, joined, want)
		}
	}
}

// rising is a triangle that rises by a unit in each of its frames; the third is the first again.
func rising() md3test.Model {
	frame := func(z int16) []md3test.Vertex { return []md3test.Vertex{{Z: z}, {X: 64, Z: z}, {Y: 64, Z: z}} }
	return md3test.Model{Frames: 4, Surfaces: []md3test.Surface{{
		Name: "a", Shaders: []string{"a"}, Vertices: [][]md3test.Vertex{frame(0), frame(64), frame(0), frame(128)},
		UV: make([][2]float32, 3), Triangles: [][3]int32{{0, 1, 2}},
	}}}
}

func TestFramesAreShifts(t *testing.T) {
	for _, test := range []struct {
		name    string
		most    int
		heights []float32 // of the shifts
		frames  []int
		issue   string
	}{
		{"all", 500, []float32{1, 2}, []int{0, 1, 0, 2}, ""},
		{"some", 2, []float32{1}, []int{0, 1}, "more frames than model.frames, 2"},
		{"none", 0, nil, nil, ""},
	} {
		o := DefaultFileOptions()
		o.Frames = test.most
		ctx := t.Context()
		w, err := File(ctx, fstest.MapFS{"a.md3": {Data: rising().Bytes()}}, "a.md3", DefaultOptions(), o)
		if err != nil {
			t.Fatal(err)
		}
		m := &w.Models[w.Props[0].Index]
		var heights []float32
		for _, s := range m.Surfaces[0].Shape.(*world.Triangles).Shifts {
			heights = append(heights, s.Positions[0][2])
			if s.Positions[0] != s.Positions[2] || s.Normals[1] != ([3]float32{}) {
				t.Errorf("%s: %v", test.name, s)
			}
		}
		if !slices.Equal(heights, test.heights) {
			t.Errorf("%s: the frames are %v higher, want %v", test.name, heights, test.heights)
		}
		if test.frames != nil && (len(m.Shapes.Sequences) != 1 || !slices.Equal(m.Shapes.Sequences[0].Frames, test.frames)) {
			t.Errorf("%s: %+v", test.name, m.Shapes)
		}
		issues := ""
		for _, i := range w.Issues {
			issues += i.Detail
		}
		if !strings.Contains(issues, test.issue) || test.issue == "" && issues != "" {
			t.Errorf("%s: %s", test.name, issues)
		}
		if b := limit.From(ctx); b.Reserved() > 4096 || b.Reserved() < 0 {
			t.Errorf("%s: %d bytes are reserved", test.name, b.Reserved())
		}
	}
}

// The levels of detail of .md3 models are files. Each has its frames, and says from which distance the engine shows it.
func TestLevelsInFiles(t *testing.T) {
	low := rising()
	low.Surfaces[0].Vertices[3] = low.Surfaces[0].Vertices[0] // frame 3 is the first again
	low.Surfaces[0].Name = "a_1"
	files := fstest.MapFS{"a.md3": {Data: rising().Bytes()}, "a_1.md3": {Data: low.Bytes()}, "a_2.md3": {Data: []byte("IDP3")}}
	read := func(o Options) *world.World {
		t.Helper()
		w, err := File(t.Context(), files, "a.md3", o, DefaultFileOptions())
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	shifts := func(w *world.World, prop int) int {
		return len(w.Models[w.Props[prop].Index].Surfaces[0].Shape.(*world.Triangles).Shifts)
	}
	if w := read(Options{}); len(w.Props) != 1 || shifts(w, 0) != 2 {
		t.Errorf("one level: %d props", len(w.Props))
	}
	w := read(Options{Lods: LodsChain})
	if len(w.Props) != 2 || w.Props[1].Level != 1 || shifts(w, 0) != 2 || shifts(w, 1) != 1 {
		t.Fatalf("a chain: %+v", w.Props)
	}
	// The corner of the box that is farthest from the origin is (1, 1, 0). Level 1 of 3 is shown from 1 - 5 p = 1/3 on, p = 2/15, and p
	// is √2 / (0.75 d).
	want := math.Sqrt2 / 0.75 * 15 / 2
	if got := w.Models[w.Props[1].Index].Far; math.Abs(float64(got)-want) > 1e-4 || w.Models[w.Props[0].Index].Far != 0 {
		t.Errorf("level 1 is shown from %v on, want %v", got, want)
	}
	if len(w.Issues) != 1 || w.Issues[0].Code != "model-broken" || !strings.Contains(w.Issues[0].Detail, "level of detail 2") {
		t.Errorf("%+v", w.Issues)
	}
	delete(files, "a_2.md3")
	if w := read(Options{LOD: 5}); len(w.Props) != 1 || shifts(w, 0) != 1 {
		t.Error("models.lod does not choose the coarsest file")
	}
}

// Frames that are missing at the end are an issue.
func TestFramesThatAreCut(t *testing.T) {
	data := rising().Bytes()
	w, err := File(t.Context(), fstest.MapFS{"a.md3": {Data: data[:len(data)-8]}}, "a.md3", DefaultOptions(),
		DefaultFileOptions())
	if err != nil {
		t.Fatal(err)
	}
	m := &w.Models[w.Props[0].Index]
	if len(w.Issues) != 1 || !strings.Contains(w.Issues[0].Detail, "frame 3") || len(m.Shapes.Sequences[0].Frames) != 3 ||
		math.IsNaN(float64(m.Mins[0])) {
		t.Errorf("%+v, %+v", w.Issues, m.Shapes)
	}
}
