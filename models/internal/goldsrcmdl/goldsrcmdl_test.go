package goldsrcmdl

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/goldsrcmdl"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func budget() *limit.Budget { return limit.NewBudget(limit.Limits{}) }

// alone returns a model without other files.
func alone(string) ([]byte, error) { return nil, fs.ErrNotExist }

// decode decodes a model in one pose.
func decode(t testing.TB, data []byte, p skeleton.Appearance) (*world.Model, []world.Material) {
	t.Helper()
	m, materials, issues, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{p}, skeleton.Options{}, alone, budget())
	if err != nil || len(issues) > 0 {
		t.Fatal(issues, err)
	}
	return m[0], materials
}

// grey returns a texture of 4 x 2 pixels.
func grey(name string, flags int32) build.Texture {
	return build.Texture{Name: name, Flags: flags, Width: 4, Height: 2, Pixels: []byte{0, 1, 2, 3, 4, 5, 6, 255},
		Palette: [256][3]byte{1: {10, 20, 30}}}
}

// place returns a corner of a triangle.
func place(vertex, normal, s, t int16) build.Corner {
	return build.Corner{Vertex: vertex, Normal: normal, S: s, T: t}
}

// arm is two bones: the first lies 10 up, the second hangs on it 5 ahead (+X) and is turned by 90 degrees about Z. A
// triangle hangs on the second, at 0 0 0, 1 0 0 and 0 2 0 as seen from it.
func arm() *build.Model {
	return &build.Model{
		Bones: []build.Bone{
			{Parent: -1, Value: [6]float32{0, 0, 10}, Scale: [6]float32{0.5, 0.5, 0.5, 0.25, 0.25, 0.25}},
			{Parent: 0, Value: [6]float32{5, 0, 0, 0, 0, math.Pi / 2}, Scale: [6]float32{1, 1, 1, 0.25, 0.25, math.Pi / 2}},
		},
		Textures: []build.Texture{grey("Skin.BMP", 0), grey("other.bmp", build.Masked)},
		Skins:    [][]int16{{0}, {1}},
		Parts: []build.Part{{Base: 1, Variants: []build.Variant{{
			Vertices: []build.Vector{{Bone: 1}, {Bone: 1, XYZ: [3]float32{1, 0, 0}}, {Bone: 1, XYZ: [3]float32{0, 2, 0}}},
			Normals:  []build.Vector{{Bone: 1, XYZ: [3]float32{0, 0, 4}}, {Bone: 0, XYZ: [3]float32{1, 0, 0}}},
			Meshes:   []build.Mesh{{Runs: []build.Run{{Corners: []build.Corner{place(0, 0, 0, 0), place(2, 0, 0, 2), place(1, 1, 4, 1)}}}}},
		}}}},
	}
}

// The second bone's X is the model's +Y, its Y is -X: 1 0 0 comes to 5 1 10 and 0 2 0 to 3 0 10.
func TestDecodesTriangle(t *testing.T) {
	m, materials := decode(t, arm().Bytes(), skeleton.Appearance{})
	up, ahead, white := [3]float32{0, 0, 1}, [3]float32{1, 0, 0}, [4]float32{1, 1, 1, 1}
	want := &world.Model{
		Name: "models/a.mdl", Mins: [3]float32{3, 0, 10}, Maxs: [3]float32{5, 1, 10},
		Surfaces: []world.Surface{{
			Chart: world.NoChart, Fog: -1,
			Shape: &world.Triangles{
				Vertices: []world.Vertex{
					{Position: [3]float32{5, 0, 10}, Normal: up, Color: white},
					{Position: [3]float32{3, 0, 10}, Normal: up, UV: [2]float32{0, 1}, Color: white},
					{Position: [3]float32{5, 1, 10}, Normal: ahead, UV: [2]float32{1, 0.5}, Color: white},
				},
				Indices: []uint32{0, 2, 1}, // stored clockwise
			},
		}},
	}
	near := cmp.Comparer(func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 })
	if diff := cmp.Diff(want, m, near); diff != "" {
		t.Error(diff)
	}
	texture := &world.Texture{Width: 4, Height: 2, Pixels: []byte{0, 1, 2, 3, 4, 5, 6, 255}, Palette: make([][3]uint8, 256)}
	texture.Palette[1] = [3]uint8{10, 20, 30}
	wantMaterials := []world.Material{{Name: "models/a.mdl/skin", Lighting: world.PerVertex, Width: 4, Height: 2, Texture: texture}}
	if diff := cmp.Diff(wantMaterials, materials); diff != "" {
		t.Error(diff)
	}
}

// where returns the place of the triangle's second vertex, which is at 1 0 0 on the second bone.
func where(m *world.Model) [3]float32 {
	return m.Surfaces[0].Shape.(*world.Triangles).Vertices[2].Position
}

func TestPoses(t *testing.T) {
	f := arm()
	f.Sequences = []build.Sequence{
		{Frames: 1, Tracks: make([][6][]int16, 2)},
		// The second bone turns on by 90 degrees a frame, and from the third frame on stays; the first rises by 2 a frame.
		{Frames: 5, Tracks: [][6][]int16{{2: {0, 4, 8, 12, 16}}, {5: {0, 1, 2, 2, 2}}}},
		// The same, but the model rises and not the bone.
		{Frames: 5, Motion: 4, Tracks: [][6][]int16{{2: {0, 4, 8, 12, 16}}, {5: {0, 1, 2, 2, 2}}}},
		{Frames: 0, Tracks: make([][6][]int16, 2)},
		{Frames: 600, Tracks: [][6][]int16{{2: ramp(600)}, {}}},
	}
	data := f.Bytes()
	for _, test := range []struct {
		pose skeleton.Appearance
		want [3]float32
	}{
		{skeleton.Appearance{}, [3]float32{5, 1, 10}},
		{skeleton.Appearance{Sequence: 1}, [3]float32{5, 1, 10}},
		{skeleton.Appearance{Sequence: 1, Frame: 1}, [3]float32{4, 0, 12}},
		{skeleton.Appearance{Sequence: 1, Frame: 2}, [3]float32{5, -1, 14}},
		{skeleton.Appearance{Sequence: 1, Frame: 4}, [3]float32{5, -1, 18}},
		{skeleton.Appearance{Sequence: 1, Frame: 99}, [3]float32{5, -1, 18}},
		{skeleton.Appearance{Sequence: 1, Frame: -1}, [3]float32{5, 1, 10}},
		{skeleton.Appearance{Sequence: 2, Frame: 1}, [3]float32{4, 0, 0}},
		{skeleton.Appearance{Sequence: 3, Frame: 1}, [3]float32{5, 1, 10}},
		{skeleton.Appearance{Sequence: 4, Frame: 599}, [3]float32{5, 1, 10 + 599/2.0}},
		{skeleton.Appearance{Sequence: 9}, [3]float32{5, 1, 10}},
		{skeleton.Appearance{Sequence: -1}, [3]float32{5, 1, 10}},
	} {
		m, _ := decode(t, data, test.pose)
		got := where(m)
		for k := range got {
			if math.Abs(float64(got[k]-test.want[k])) > 1e-5 {
				t.Errorf("%+v: %v, want %v", test.pose, got, test.want)
				break
			}
		}
	}
}

// The sequences raise the arm by 2, 4, 6 and so on, from 10.
func TestChoosesSequences(t *testing.T) {
	f := arm()
	for i, s := range []build.Sequence{{Label: "walk", Activity: 3, Weight: 9}, {Label: "Idle1", Activity: 1, Weight: 1},
		{Label: "idle2", Activity: 1, Weight: 5},
		{Label: "idle3", Activity: 1, Weight: 5}, {Label: "Lying_On_Back"}, {Label: "swim", Activity: 6}} {
		s.Frames, s.Tracks = 1, [][6][]int16{{2: {int16(4*i + 4)}}, {}}
		f.Sequences = append(f.Sequences, s)
	}
	for _, test := range []struct {
		name string
		pose skeleton.Appearance
		want int
	}{
		{"by number", skeleton.Appearance{Sequence: 1}, 1},
		{"the first of the most likely", skeleton.Appearance{Activities: "ACT_IDLE", Sequence: 4}, 2},
		{"an activity without a weight", skeleton.Appearance{Activities: "ACT_SWIM ACT_IDLE"}, 5},
		{"the second activity", skeleton.Appearance{Activities: "ACT_FLY ACT_IDLE"}, 2},
		{"no such activity", skeleton.Appearance{Activities: "ACT_FLY ACT_DANCE", Sequence: 3}, 3},
		{"a name", skeleton.Appearance{Animation: "lying_on_back", Activities: "ACT_IDLE"}, 4},
		{"no such name", skeleton.Appearance{Animation: "dead_hang"}, 0},
	} {
		list, _, issues, err := Decode(t.Context(), "models/a.mdl", f.Bytes(), []skeleton.Appearance{test.pose}, skeleton.Options{},
			alone, budget())
		if err != nil || len(issues) > 0 != strings.HasPrefix(test.name, "no such") {
			t.Error(test.name, issues, err)
			continue
		}
		m := list[0]
		if got, want := where(m)[2], 12+2*float32(test.want); math.Abs(float64(got-want)) > 1e-5 {
			t.Errorf("%s: at %g, want %g", test.name, got, want)
		}
	}
}

// ramp is 0, 1, 2 and so on.
func ramp(n int) (out []int16) {
	for i := range int16(n) {
		out = append(out, i)
	}
	return out
}

// A bone is turned about X, then Y, then Z: with all three at 90 degrees, Y goes to Z, to X, to Y; X to X, -Z, -Z.
func TestAnglesTurnInOrder(t *testing.T) {
	m := newMatrix([6]float64{1, 2, 3, math.Pi / 2, math.Pi / 2, math.Pi / 2})
	for _, test := range []struct {
		in   [3]float32
		want [3]float64
	}{
		{[3]float32{1, 0, 0}, [3]float64{1, 2, 2}},
		{[3]float32{0, 1, 0}, [3]float64{1, 3, 3}},
		{[3]float32{0, 0, 1}, [3]float64{2, 2, 3}},
	} {
		got := m.Point(test.in)
		for k := range got {
			if math.Abs(got[k]-test.want[k]) > 1e-12 {
				t.Errorf("%v is at %v, want %v", test.in, got, test.want)
				break
			}
		}
	}
}

func TestStripsAndFans(t *testing.T) {
	f := arm()
	v := &f.Parts[0].Variants[0]
	v.Vertices = nil
	for _, p := range [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}} {
		v.Vertices = append(v.Vertices, build.Vector{Bone: 0, XYZ: p})
	}
	run := func(fan bool, vertices ...int16) (r build.Run) {
		r.Fan = fan
		for _, i := range vertices {
			r.Corners = append(r.Corners, build.Corner{Vertex: i})
		}
		return r
	}
	for _, test := range []struct {
		name string
		runs []build.Run
		want []uint32
	}{
		{"a strip", []build.Run{run(false, 0, 1, 2, 3, 4)}, []uint32{0, 2, 1, 2, 3, 1, 2, 4, 3}},
		{"a fan", []build.Run{run(true, 0, 1, 3, 2)}, []uint32{0, 2, 1, 0, 3, 2}},
		{"both share vertices", []build.Run{run(false, 0, 1, 2), run(true, 2, 1, 3)}, []uint32{0, 2, 1, 2, 3, 1}},
		{"a strip that is turned by a corner twice", []build.Run{run(false, 0, 1, 2, 2, 3)}, []uint32{0, 2, 1}},
		{"two corners", []build.Run{run(false, 0, 1)}, nil},
		{"nothing", nil, nil},
	} {
		v.Meshes[0].Runs = test.runs
		m, _ := decode(t, f.Bytes(), skeleton.Appearance{})
		if test.want == nil {
			if len(m.Surfaces) != 0 {
				t.Errorf("%s: %v", test.name, m.Surfaces)
			}
			continue
		}
		if diff := cmp.Diff(test.want, m.Surfaces[0].Shape.(*world.Triangles).Indices); diff != "" {
			t.Error(test.name, diff)
		}
	}
}

func TestBodyAndSkin(t *testing.T) {
	f := arm()
	one := f.Parts[0].Variants[0]
	none := build.Variant{}
	f.Parts = []build.Part{{Base: 1, Variants: []build.Variant{one, none}}, {Base: 2, Variants: []build.Variant{none, one, one}}}
	data := f.Bytes()
	for body, want := range []int{1, 0, 2, 1, 2, 1, 1, 0} { // the digits are body%2 and body/2%3
		if m, _ := decode(t, data, skeleton.Appearance{Body: body}); len(m.Surfaces) != want {
			t.Errorf("body %d: %d surfaces, want %d", body, len(m.Surfaces), want)
		}
	}
	for skin, want := range map[int]string{0: "models/a.mdl/skin", 1: "models/a.mdl/other", 2: "models/a.mdl/skin",
		-1: "models/a.mdl/skin"} {
		if _, materials := decode(t, data, skeleton.Appearance{Skin: skin}); materials[0].Name != want {
			t.Errorf("skin %d: %s", skin, materials[0].Name)
		}
	}
}

// A surface lists its material in each skin. A skin whose texture has another size shows the first's: coordinates count pixels.
func TestSurfacesListTheirSkins(t *testing.T) {
	f := arm()
	large := f.Textures[1]
	large.Name, large.Width, large.Pixels = "large.bmp", 2*large.Width, append(large.Pixels, large.Pixels...)
	f.Textures = append(f.Textures, large)
	f.Skins = [][]int16{{0}, {1}, {2}, {9}}
	models, materials, _, err := Decode(t.Context(), "a.mdl", f.Bytes(), []skeleton.Appearance{{Skin: 1}}, skeleton.Options{Skins: true}, alone, budget())
	if err != nil {
		t.Fatal(err)
	}
	s := models[0].Surfaces[0]
	var names []string
	for _, i := range s.Skins {
		names = append(names, materials[i].Name)
	}
	if want := []string{"a.mdl/skin", "a.mdl/other", "a.mdl/other", "a.mdl/other"}; !slices.Equal(names, want) || s.Material != s.Skins[1] {
		t.Errorf("skins %v, shown %d of %v", names, s.Material, s.Skins)
	}
}

func TestFlagsOfTextures(t *testing.T) {
	for _, test := range []struct {
		name    string
		flags   int32
		want    world.Material // without its texture
		hole    bool
		chromed bool
	}{
		{"a.bmp", 0, world.Material{Name: "a"}, false, false},
		{"a.bmp", build.Masked, world.Material{Name: "a", Blend: world.BlendMask, Opacity: 1}, true, false},
		{"a.bmp", build.Additive, world.Material{Name: "a", Blend: world.BlendAdd, Opacity: 1}, false, false},
		{"a.bmp", build.FullBright, world.Material{Name: "a", Lighting: world.Fullbright}, false, false},
		{"a.bmp", build.TwoSided, world.Material{Name: "a", TwoSided: true}, false, false},
		{"a.bmp", build.Chrome, world.Material{Name: "a"}, false, true},
		{"a.bmp", build.Chrome | build.FlatShade, world.Material{Name: "a", Flags: world.EvenLight}, false, true},
		{`Dir\MyChrome1.bmp`, 0, world.Material{Name: "dir/mychrome1", Surface: build.Chrome}, false, true},
		{"", 0, world.Material{Name: ".0"}, false, false},
		{"caf\xe9", 0, world.Material{Name: "caf_"}, false, false},
	} {
		f := arm()
		f.Textures[0] = grey(test.name, test.flags)
		m, materials := decode(t, f.Bytes(), skeleton.Appearance{})
		got := materials[0]
		if got.Texture.Hole != test.hole {
			t.Errorf("%+v: hole %v", test, got.Texture.Hole)
		}
		test.want.Name = "models/a.mdl/" + test.want.Name
		if test.want.Lighting != world.Fullbright {
			test.want.Lighting = world.PerVertex
		}
		test.want.Surface |= uint32(test.flags)
		test.want.Width, test.want.Height, test.want.Texture = 4, 2, got.Texture
		if test.chromed != (got.Texture.Chrome == [2]float32{8, 16}) { // 32 of its texels: in all sizes the middle of 64
			t.Errorf("%s: %v", test.name, got.Texture.Chrome)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Error(diff)
		}
		// The third vertex has its normal to +X, which the viewer sees in the middle, the first one to +Z: at the top.
		shape := m.Surfaces[0].Shape.(*world.Triangles)
		v := shape.Vertices
		if test.chromed != (v[2].UV == [2]float32{8, 16}) || test.chromed && v[0].UV != [2]float32{8, 0} {
			t.Errorf("%s: %v %v", test.name, v[0].UV, v[2].UV)
		}
		// The normals of the first two are of the second bone, 5 along the first one's X, which is at 0 0 10.
		if want := [][3]float32{{5, 0, 10}, {5, 0, 10}, {0, 0, 10}}; test.chromed != slices.Equal(shape.Pivots, want) {
			t.Errorf("%s: %v", test.name, shape.Pivots)
		}
	}
}

func TestTexturesOfOneNameAreTwoMaterials(t *testing.T) {
	f := arm()
	f.Textures[1].Name = f.Textures[0].Name
	_, materials, _, err := Decode(t.Context(), "a.mdl", f.Bytes(), []skeleton.Appearance{{}, {Skin: 1}, {Skin: 0}}, skeleton.Options{},
		alone, budget())
	if err != nil || len(materials) != 2 || materials[0].Name != "a.mdl/skin" || materials[1].Name != "a.mdl/skin.1" {
		t.Error(materials, err)
	}
}

// Textures and sequences in files of their own give the same as in the model's.
func TestFilesBeside(t *testing.T) {
	f := arm()
	f.Sequences = []build.Sequence{
		{Frames: 1, Tracks: make([][6][]int16, 2)},
		{Frames: 2, Tracks: [][6][]int16{{2: {0, 4}}, {}}}, {Frames: 2, Tracks: [][6][]int16{{2: {0, 6}}, {}}},
	}
	poses := []skeleton.Appearance{{}, {Sequence: 1, Frame: 1}, {Sequence: 2, Frame: 1, Skin: 1}, {Sequence: 2, Frame: 1}}
	want, materials, _, err := Decode(t.Context(), "a.mdl", f.Bytes(), poses, skeleton.Options{}, alone, budget())
	if err != nil {
		t.Fatal(err)
	}
	f.External = true
	f.Sequences[1].Group, f.Sequences[2].Group = 2, 2
	asked := map[string]int{}
	open := func(suffix string) ([]byte, error) {
		asked[suffix]++
		return map[string][]byte{"t": f.TextureFile(), "02": f.GroupFile(2)}[suffix], nil
	}
	got, gotMaterials, issues, err := Decode(t.Context(), "a.mdl", f.Bytes(), poses, skeleton.Options{}, open, budget())
	if err != nil || len(issues) > 0 {
		t.Fatal(issues, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(materials, gotMaterials); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"t": 1, "02": 1}, asked); diff != "" {
		t.Error(diff)
	}

	got, gotMaterials, issues, err = Decode(t.Context(), "a.mdl", f.Bytes(), poses, skeleton.Options{}, alone, budget())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]world.Issue{
		{Code: "model-part", Detail: "a.mdl: its textures: file does not exist"},
		{Code: "model-part", Detail: "a.mdl: its sequences 02: file does not exist"},
	}, issues); diff != "" {
		t.Error(diff)
	}
	if where(got[1])[2] != 10 || gotMaterials[0].Name != "a.mdl/0" || gotMaterials[0].Texture != nil {
		t.Error(where(got[1]), gotMaterials)
	}
}

func TestErrorsOfFilesBeside(t *testing.T) {
	f := arm()
	f.External = true
	for _, test := range []struct {
		data []byte
		fail error
		want error
	}{
		{f.TextureFile()[:100], nil, limit.ErrCorrupt},
		{f.GroupFile(1), nil, limit.ErrCorrupt},
		{nil, limit.ErrLimit, limit.ErrLimit},
		{nil, context.Canceled, context.Canceled},
	} {
		_, _, _, err := Decode(t.Context(), "a.mdl", f.Bytes(), []skeleton.Appearance{{}}, skeleton.Options{},
			func(string) ([]byte, error) { return test.data, test.fail }, budget())
		if !errors.Is(err, test.want) {
			t.Error(err)
		}
	}
}

func TestOddFiles(t *testing.T) {
	f := arm()
	f.Sequences = []build.Sequence{{Frames: 3, Tracks: [][6][]int16{{2: {1, 2, 3}}, {}}}}
	whole := f.Bytes()
	at := func(header int) int { return int(binary.LittleEndian.Uint32(whole[header:])) }
	bones, sequence, texture, skins := at(build.Bones+4), at(build.Sequences+4), at(build.Textures+4), at(build.Skins)
	part := at(build.Parts + 4)
	variant := at(part + 72)
	mesh := at(variant + 76)
	run := at(mesh + 4)
	track := at(sequence+124) + 24 // behind the records of two bones
	set := func(offset int, v int32) func([]byte) []byte {
		return func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[offset:], uint32(v))
			return b
		}
	}
	for _, test := range []struct {
		name string
		edit func([]byte) []byte
		err  error // nil: decodes
		text string
	}{
		{"whole", set(4, 10), nil, ""},
		{"empty", func([]byte) []byte { return nil }, limit.ErrCorrupt, "it starts with"},
		{"half a header", func(b []byte) []byte { return b[:200] }, limit.ErrCorrupt, "200 bytes are no header"},
		{"other ident", set(0, 0x4f504449), limit.ErrCorrupt, `"IDPO"`},
		{"a model of a console", set(0, 'T'|'S'<<8|'D'<<16|'I'<<24), errors.ErrUnsupported, "big-endian, of the Xbox 360"},
		{"a model of Source", set(4, 48), errors.ErrUnsupported, "version 48"},
		{"the length is wrong", set(build.Length, 7), nil, ""},
		{"-1 bones", set(build.Bones, -1), limit.ErrCorrupt, "bones"},
		{"2^31-1 bones", set(build.Bones, math.MaxInt32), limit.ErrCorrupt, "bones"},
		{"bones behind the file", set(build.Bones+4, 1<<30), limit.ErrCorrupt, "bones"},
		{"no bones", set(build.Bones, 0), limit.ErrCorrupt, "bone 1 of 0"},
		{"a bone that is its own parent", set(bones+32, 0), limit.ErrCorrupt, "bone 0 has parent 0"},
		{"a bone whose parent comes later", set(bones+32, 1), limit.ErrCorrupt, "bone 0 has parent 1"},
		{"a bone at NaN", set(bones+64, 0x7fc00000), limit.ErrCorrupt, "vertex 0 is at"},
		{"a bone far away", set(bones+64, 0x4b800000), limit.ErrCorrupt, "vertex 0 is at"}, // 2^24
		{"a bone at an infinite angle", set(bones+76, 0x7f800000), limit.ErrCorrupt, "vertex 0 is at"},
		{"no sequences", set(build.Sequences, 0), nil, ""},
		{"animation outside", set(sequence+124, 1<<24), limit.ErrCorrupt, "the animation of sequence 0"},
		{"group -1", set(sequence+156, -1), limit.ErrCorrupt, "group -1"},
		{"motion of bone 9", set(sequence+72, 9), nil, ""},
		{"a run of no frames", set(track, 0), nil, ""},
		{"a run without numbers", set(track, 0x0900), nil, ""},
		{"no textures", set(build.Textures, 0), nil, ""},
		{"textures outside", set(build.Textures, 1000), limit.ErrCorrupt, "textures"},
		{"a texture of no width", set(texture+68, 0), limit.ErrCorrupt, "0 x 2 pixels"},
		{"a texture of 2^31-1 squared", func(b []byte) []byte { return set(texture+68, math.MaxInt32)(set(texture+72, math.MaxInt32)(b)) },
			limit.ErrCorrupt, "texture 0"},
		{"pixels outside", set(texture+76, -1), limit.ErrCorrupt, "texture 0"},
		{"no skins", set(build.Families, 0), nil, ""},
		{"2^31-1 skins", func(b []byte) []byte {
			return set(build.Families, math.MaxInt32)(set(build.References, math.MaxInt32)(b))
		}, limit.ErrCorrupt, "skins"},
		{"a skin of texture 9", set(skins, 9), limit.ErrCorrupt, "texture 9 of 2"},
		{"reference 1", set(mesh+8, 1), limit.ErrCorrupt, "reference 1 of 1"},
		{"no parts", set(build.Parts, 0), nil, ""},
		{"no variants", set(part+64, 0), nil, ""},
		{"base 0", set(part+68, 0), nil, ""},
		{"variants outside", set(part+72, -9), limit.ErrCorrupt, "variants"},
		{"meshes outside", set(variant+76, 1<<24), limit.ErrCorrupt, "meshes"},
		{"vertices outside", set(variant+88, 1<<24), limit.ErrCorrupt, "vertices"},
		{"bones of normals outside", set(variant+96, 1<<24), limit.ErrCorrupt, "normals' bones"},
		{"one vertex", set(variant+80, 1), limit.ErrCorrupt, "vertex 2 of 1"},
		{"one normal", set(variant+92, 1), limit.ErrCorrupt, "normal 1 of 1"},
		{"runs outside", set(mesh+4, 1<<24), limit.ErrCorrupt, "a run"},
		{"a run past the end", func(b []byte) []byte { binary.LittleEndian.PutUint16(b[run:], 9999); return b }, limit.ErrCorrupt, "a run"},
		{"a fan of 32768", func(b []byte) []byte { binary.LittleEndian.PutUint16(b[run:], 0x8000); return b }, limit.ErrCorrupt, "a run"},
		{"vertex -1", set(run+2, -1), limit.ErrCorrupt, "vertex -1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := budget()
			_, _, _, err := Decode(t.Context(), "a.mdl", test.edit(append([]byte(nil), whole...)), []skeleton.Appearance{{}},
				skeleton.Options{}, alone, b)
			if !errors.Is(err, test.err) || test.err == nil && err != nil {
				t.Fatalf("got %v, want %v", err, test.err)
			}
			if err != nil && !strings.Contains(err.Error(), test.text) {
				t.Errorf("%q has no %q", err, test.text)
			}
			if err != nil && b.Reserved() != 0 {
				t.Error(b.Reserved(), "bytes were not released")
			}
		})
	}
}

// Ten parts whose variants are the same mesh are no model.
func TestSharedMeshesAreRefused(t *testing.T) {
	f := arm()
	r := &f.Parts[0].Variants[0].Meshes[0].Runs
	for range 300 {
		*r = append(*r, (*r)[0])
	}
	for range 9 {
		f.Parts = append(f.Parts, build.Part{Base: 1, Variants: []build.Variant{{}}})
	}
	data := f.Bytes()
	first := int(binary.LittleEndian.Uint32(data[build.Parts+4:]))
	for i := range 10 {
		copy(data[first+76*i:], data[first:first+76])
	}
	_, _, _, err := Decode(t.Context(), "a.mdl", data, []skeleton.Appearance{{}}, skeleton.Options{}, alone, budget())
	if !errors.Is(err, limit.ErrCorrupt) || !strings.Contains(err.Error(), "share their bytes") {
		t.Error(err)
	}
}

func TestBudgetAndContext(t *testing.T) {
	_, _, _, err := Decode(t.Context(), "a.mdl", arm().Bytes(), []skeleton.Appearance{{}}, skeleton.Options{}, alone,
		limit.NewBudget(limit.Limits{MaxMemory: 600}))
	if !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err = Decode(ctx, "a.mdl", arm().Bytes(), []skeleton.Appearance{{}}, skeleton.Options{}, alone, budget()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// ours returns our own models by name.
func ours(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	names, _ := filepath.Glob("../../../testdata/goldsrc/models/*.mdl")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = data
	}
	return files
}

func TestOurModels(t *testing.T) {
	files := ours(t)
	for name, want := range map[string]string{
		"signpost.mdl": "wood 12, board 4; wood 12, board 4, chrome 12, glow 2; wood 12, board2 4",
		"outside.mdl":  "wood 12, board 4; wood 12, board 4, chrome 12, glow 2; wood 12, board2 4",
	} {
		open := func(suffix string) ([]byte, error) { return files[strings.TrimSuffix(name, ".mdl")+suffix+".mdl"], nil }
		models, materials, issues, err := Decode(t.Context(), name, files[name],
			[]skeleton.Appearance{{}, {Body: 1, Sequence: 1, Frame: 2}, {Skin: 1}}, skeleton.Options{}, open, budget())
		if err != nil || len(issues) > 0 {
			t.Fatal(issues, err)
		}
		var got []string
		for _, m := range models {
			var list []string
			for _, s := range m.Surfaces {
				list = append(list, fmt.Sprintf("%s %d", strings.TrimPrefix(materials[s.Material].Name, name+"/"),
					len(s.Shape.(*world.Triangles).Indices)/3))
			}
			got = append(got, strings.Join(list, ", "))
			checkModel(t, m, materials)
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s: %s, want %s", name, s, want)
		}
		// The board is 24 wide along Y; turned by a right angle, along X.
		if models[0].Maxs[1] != 12 || math.Abs(float64(models[1].Maxs[0]-12)) > 1e-4 {
			t.Errorf("%s: boxes to %v and %v", name, models[0].Maxs, models[1].Maxs)
		}
	}
}

// check tests what Decode promises of a model, and that its triangles face as their normals do.
func checkModel(t testing.TB, m *world.Model, materials []world.Material) {
	t.Helper()
	for _, s := range m.Surfaces {
		shape := s.Shape.(*world.Triangles)
		if s.Material < 0 || s.Material >= len(materials) || s.Chart != world.NoChart || s.Fog != -1 || len(shape.Indices)%3 != 0 ||
			len(shape.Indices) == 0 {
			t.Fatalf("%+v", s)
		}
		for _, i := range shape.Indices {
			if int(i) >= len(shape.Vertices) {
				t.Fatal("index", i, "of", len(shape.Vertices))
			}
		}
		for _, v := range shape.Vertices {
			n := v.Normal
			if l := n[0]*n[0] + n[1]*n[1] + n[2]*n[2]; !(l > 0.999 && l < 1.001) && l != 0 || v.UV[0]-v.UV[0] != 0 || v.UV[1]-v.UV[1] != 0 {
				t.Fatal(v)
			}
			for k, x := range v.Position {
				if !(x >= m.Mins[k] && x <= m.Maxs[k] && math.Abs(float64(x)) <= 1<<24) {
					t.Fatal(v.Position, "is outside the box")
				}
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	testkit.Unminimized(f)
	for _, data := range ours(f) {
		f.Add(data, []byte{}, 1, 2, 1, 1)
	}
	outside := ours(f)["outside.mdl"]
	f.Add(outside, ours(f)["outsidet.mdl"], 0, 0, 1, 0)
	f.Add(outside, ours(f)["outside01.mdl"], 1, 2, 0, 1)
	f.Add(arm().Bytes(), []byte{}, 0, 0, 0, 0)
	f.Add(arm().Bytes(), []byte{}, 0, 0, 0, 2)
	mixed := arm()
	mixed.Sequences = []build.Sequence{
		{Frames: 2, Blends: 4, Axes: [2]int32{8, 16}, Tracks: make([][6][]int16, 8), Movement: [3]float32{9}},
	}
	f.Add(mixed.Bytes(), []byte{}, 0, 0, 0, 2+32)
	f.Add(described(), []byte{}, 0, 0, 0, 18)
	f.Add(outside, ours(f)["outside01.mdl"], 1, 2, 0, 6)
	f.Fuzz(func(t *testing.T, data, beside []byte, sequence, frame, body, skin int) {
		open := func(string) ([]byte, error) {
			if len(beside) == 0 {
				return nil, fs.ErrNotExist
			}
			return beside, nil
		}
		b := budget()
		rig := skeleton.Options{Bones: skin&2 != 0, Sequences: []string{"*"}, EveryFrame: skin&4 != 0, Shown: skin&8 != 0,
			Attachments: skin&16 != 0, HitBoxes: skin&16 != 0, Info: skin&16 != 0, Blends: skin&32 != 0, RootMotion: skin&32 != 0}
		models, materials, _, err := Decode(t.Context(), "x.mdl", data,
			[]skeleton.Appearance{{}, {Activities: "ACT_IDLE", Sequence: sequence, Frame: frame, Body: body, Skin: skin, Moves: true}},
			rig, open, b)
		if err != nil {
			if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, errors.ErrUnsupported) || b.Reserved() != 0 {
				t.Fatal(err, b.Reserved())
			}
			return
		}
		if most := int64(100 * (len(data) + len(beside) + 1)); !rig.Bones && b.Reserved() > most {
			t.Fatal(b.Reserved(), "bytes reserved for", len(data), len(beside))
		}
		for _, m := range models {
			checkModel(t, m, materials)
		}
	})
}

// BenchmarkDecode reads a model of 64 bones and 20 000 triangles in strips of 20, with four textures of 256 x 256: 0.8 MB.
func BenchmarkDecode(b *testing.B) {
	f := &build.Model{}
	for i := range int32(64) {
		f.Bones = append(f.Bones, build.Bone{Parent: i - 1, Value: [6]float32{1, 0, 0, 0.1, 0.2, 0.3},
			Scale: [6]float32{1, 1, 1, 0.01, 0.01, 0.01}})
	}
	tracks := make([][6][]int16, 64)
	for i := range tracks {
		tracks[i][3] = ramp(30)
	}
	f.Sequences = []build.Sequence{{Frames: 30, Tracks: tracks}}
	v := build.Variant{}
	for i := range 11000 {
		x := build.Vector{Bone: byte(i % 64), XYZ: [3]float32{float32(i % 7), float32(i % 11), float32(i % 13)}}
		v.Vertices, v.Normals = append(v.Vertices, x), append(v.Normals, x)
	}
	for i := range 4 {
		f.Textures = append(f.Textures, build.Texture{Name: string(rune('a' + i)), Width: 256, Height: 256, Pixels: make([]byte, 65536)})
		m := build.Mesh{Skin: int32(i)}
		for k := range 250 {
			run := build.Run{}
			for j := range 22 {
				n := int16((i*2500 + k*10 + j) % 11000)
				run.Corners = append(run.Corners, build.Corner{Vertex: n, Normal: n, S: n % 256, T: n % 200})
			}
			m.Runs = append(m.Runs, run)
		}
		v.Meshes = append(v.Meshes, m)
	}
	f.Skins = [][]int16{{0, 1, 2, 3}}
	f.Parts = []build.Part{{Base: 1, Variants: []build.Variant{v}}}
	data := f.Bytes()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, _, err := Decode(b.Context(), "a.mdl", data, []skeleton.Appearance{{Frame: 20}}, skeleton.Options{}, alone,
			budget()); err != nil {
			b.Fatal(err)
		}
	}
}

// The viewer is in front and sees the model's left, +Y, on the right.
func TestChromeIsSeenFromInFront(t *testing.T) {
	b := builder{texture: &world.Material{Texture: &world.Texture{Chrome: [2]float32{0.5, 0.5}}}}
	for normal, want := range map[[3]float32][2]float32{
		{1, 0, 0}: {0.5, 0.5}, {0, 1, 0}: {1, 0.5}, {0, -1, 0}: {0, 0.5}, {0, 0, 1}: {0.5, 0}, {0, 0, -1}: {0.5, 1},
	} {
		if got := b.uv(corner{}, normal); got != want {
			t.Errorf("%v: %v, want %v", normal, got, want)
		}
	}
}

// With a skeleton vertices are where no bone moves them, but chrome is as the model stands.
func TestChromeIsThatOfTheStandingModel(t *testing.T) {
	f := arm()
	for i := range f.Textures {
		f.Textures[i].Flags = build.Chrome
	}
	f.Sequences = []build.Sequence{{Frames: 2, Tracks: [][6][]int16{{5: {0, 2}}, {}}}} // the first bone turns by 0.5
	data := f.Bytes()
	still, _ := decode(t, data, skeleton.Appearance{Frame: 1})
	if u := still.Surfaces[0].Shape.(*world.Triangles).Vertices[2].UV[0]; math.Abs(float64(u)-(1+math.Sin(0.5))*8) > 1e-5 {
		t.Error(u)
	}
	rig := skeleton.Options{Bones: true, Sequences: []string{"*"}}
	m, _, _, err := Decode(t.Context(), "models/a.mdl", data, []skeleton.Appearance{{Frame: 1, Moves: true}}, rig, alone, budget())
	if err != nil || m[0].Skeleton == nil {
		t.Fatal(err)
	}
	for i := range still.Surfaces {
		a, b := still.Surfaces[i].Shape.(*world.Triangles).Vertices, m[0].Surfaces[i].Shape.(*world.Triangles).Vertices
		for k := range a {
			if a[k].UV != b[k].UV {
				t.Errorf("surface %d, vertex %d: %v, want %v", i, k, b[k].UV, a[k].UV)
			}
		}
	}
}
