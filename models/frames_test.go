package models

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/md3test"
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

// soldier is a Quake II model of a triangle with frames of names, each a unit higher than the one before.
func soldier(names ...string) []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, binary.LittleEndian, v)
		}
	}
	const st = 68
	end := int32(st + 24 + 52*len(names))
	put([]byte("IDP2"), []int32{8, 8, 4, 52, 0, 3, 3, 1, 0, int32(len(names)), st, st, st + 12, st + 24, end, end},
		[3][2]int16{{}, {8, 0}, {0, 4}},
		[6]uint16{0, 2, 1, 0, 2, 1})
	for i, name := range names {
		var n [16]byte
		copy(n[:], name)
		put([3]float32{1, 1, 1}, [3]float32{0, 0, float32(i)}, n, [12]byte{4: 2, 9: 2})
	}
	return b.Bytes()
}

// Corners with coordinates of their own are vertices of their own: a file of few vertices and many triangles could have frames of any size.
func TestFramesAreInProportionToTheFile(t *testing.T) {
	const frames, triangles = 500, 4096
	data := soldier(make([]string, frames)...)
	coordinates := make([]byte, 4*2000)
	for i := range 2000 {
		binary.LittleEndian.PutUint16(coordinates[4*i:], uint16(i))
	}
	list := make([]byte, 12*triangles)
	for i := range triangles {
		for k := range 3 {
			binary.LittleEndian.PutUint16(list[12*i+2*k:], uint16(k))
			binary.LittleEndian.PutUint16(list[12*i+6+2*k:], uint16((3*i+k)%2000))
		}
	}
	at := func(field, n int) { binary.LittleEndian.PutUint32(data[field:], uint32(n)) }
	at(8, 2000)       // the width of the skin
	at(28, 2000)      // coordinates
	at(32, triangles) // triangles
	at(48, len(data))
	at(52, len(data)+len(coordinates))
	data = slices.Concat(data, coordinates, list)
	w, err := File(t.Context(), fstest.MapFS{"a.md2": {Data: data}}, "a.md2", DefaultOptions(), DefaultFileOptions())
	if err != nil {
		t.Fatal(err)
	}
	var size int64
	for _, s := range w.Models[w.Props[0].Index].Surfaces[0].Shape.(*world.Triangles).MorphTargets {
		size += 24 * int64(len(s.Positions))
	}
	issues := ""
	for _, i := range w.Issues {
		issues += i.Detail
	}
	if most := maxFrameBytes(len(data)) + 1<<18; size < 1<<20 || size > most || !strings.Contains(issues, "more than a file of") {
		t.Errorf("%d bytes of frames of a file of %d bytes: %s", size, len(data), issues)
	}
}

// A monster stands in the frame that its class names, and plays so many from there on; the model is shared, in the light of each.
func TestMonstersPlayTheirFrames(t *testing.T) {
	files := fstest.MapFS{"tris.md2": {Data: soldier("attak1", "stand01", "stand02", "Stand03", "run1")}}
	for animations, want := range map[Animations][]int{AnimationsStart: {0, 1, 0}, AnimationsNone: nil} {
		w := newWorld(entity("model", "tris.md2"), entity("model", "tris.md2"), entity("model", "tris.md2"))
		w.Ambient.Grid = grid()
		for i, frame := range []int{2, 2, 4} {
			w.Props[i].Appearance = world.Appearance{Frame: frame, Frames: 2, Plays: world.Repeated} // of the third only one is there
		}
		if err := Gather(t.Context(), files, w, Options{Animations: animations}); err != nil {
			t.Fatal(err)
		}
		if len(w.Issues) > 0 {
			t.Error(w.Issues)
		}
		for i, height := range []float32{2, 2, 4} {
			m := &w.Models[w.Props[i].Index]
			shape := m.Surfaces[0].Shape.(*world.Triangles)
			if z := shape.Vertices[0].Position[2]; z != height {
				t.Errorf("%s: prop %d stands at %g, want %g", animations, i, z, height)
			}
			if i == 2 || want == nil {
				if m.MorphTargets != nil {
					t.Errorf("%s: prop %d moves", animations, i)
				}
				continue
			}
			if m.MorphTargets == nil || m.MorphTargets.Frames != 2 || !slices.Equal(m.MorphTargets.Sequences[0].Frames, want) ||
				shape.MorphTargets[0].Positions[0] != [3]float32{0, 0, 1} || w.Props[i].Index != w.Props[0].Index ||
				w.Props[i].Light.Colors == nil {
				t.Errorf("prop %d: %+v", i, m.MorphTargets)
			}
		}
	}
}

// flame is a Quake model of a triangle with a frame, and a group of three that shows each member for so many seconds.
func flame(seconds float32) []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, binary.LittleEndian, v)
		}
	}
	pose := func(z uint8) {
		put([2][4]uint8{}, [16]byte{'o', 'n'}, [3][4]uint8{{0, 0, z}, {8, 0, z}, {0, 8, z}})
	}
	put([]byte("IDPO"), int32(6), [3]float32{1, 1, 1}, [7]float32{},
		[]int32{0, 8, 8, 3, 1, 2, 0, 0, 0}, [9]int32{}, []int32{1, 0, 1, 2}, int32(0))
	pose(9)
	put(int32(1), int32(3), [2][4]uint8{}, []float32{seconds, 2 * seconds, 3 * seconds})
	for z := range uint8(3) {
		pose(z)
	}
	return b.Bytes()
}

// A frame that is a group plays by itself, at the pace of the file. A time that is none leaves the usual pace.
func TestGroupsOfFramesPlay(t *testing.T) {
	for seconds, want := range map[float32]float64{0.2: 5, 0: 10, float32(math.NaN()): 10, float32(math.Inf(1)): 10} {
		files := fstest.MapFS{"flame.mdl": {Data: flame(seconds)}}
		w := newWorld(entity("model", "flame.mdl"))
		w.Props[0].Appearance = world.Appearance{Frame: 1, Frames: 1, Plays: world.Repeated}
		if err := Gather(t.Context(), files, w, Options{Animations: AnimationsStart}); err != nil || len(w.Issues) > 0 {
			t.Fatal(err, w.Issues)
		}
		m := &w.Models[w.Props[0].Index]
		if m.MorphTargets == nil || m.MorphTargets.Frames != 3 {
			t.Fatalf("%g: %+v", seconds, m.MorphTargets)
		}
		if q := m.MorphTargets.Sequences[0]; !slices.Equal(q.Frames, []int{0, 1, 2, 0}) || math.Abs(q.FPS-want) > 1e-6 {
			t.Errorf("%g seconds: %+v, want %g frames per second", seconds, q, want)
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
		for _, s := range m.Surfaces[0].Shape.(*world.Triangles).MorphTargets {
			heights = append(heights, s.Positions[0][2])
			if s.Positions[0] != s.Positions[2] || s.Normals[1] != ([3]float32{}) {
				t.Errorf("%s: %v", test.name, s)
			}
		}
		if !slices.Equal(heights, test.heights) {
			t.Errorf("%s: the frames are %v higher, want %v", test.name, heights, test.heights)
		}
		if test.frames != nil && (len(m.MorphTargets.Sequences) != 1 || !slices.Equal(m.MorphTargets.Sequences[0].Frames, test.frames)) {
			t.Errorf("%s: %+v", test.name, m.MorphTargets)
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
		return len(w.Models[w.Props[prop].Index].Surfaces[0].Shape.(*world.Triangles).MorphTargets)
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
	if len(w.Issues) != 1 || !strings.Contains(w.Issues[0].Detail, "frame 3") || len(m.MorphTargets.Sequences[0].Frames) != 3 ||
		math.IsNaN(float64(m.Mins[0])) {
		t.Errorf("%+v, %+v", w.Issues, m.MorphTargets)
	}
}
