package darkplaces

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func budget() *limit.Budget { return limit.NewBudget(limit.Limits{}) }

// written returns values as they are stored.
func written(order binary.ByteOrder, values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, order, v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// name returns a text of 32 bytes.
func name(s string) (b [32]byte) { copy(b[:], s); return b }

// place is the matrix of a bone that is turned about Z by quarters and moved.
func place(quarters int, x, y, z float32) [12]float32 {
	s, c := float32(math.Round(math.Sin(float64(quarters)*math.Pi/2))), float32(math.Round(math.Cos(float64(quarters)*math.Pi/2)))
	return [12]float32{c, -s, 0, x, s, c, 0, y, 0, 0, 1, z}
}

// poses has two bones: the second hangs on the first, 5 units along X, and is turned by a quarter. In the second pose the first bone is
// 10 higher and turned by a quarter, too.
var poses = [2][2][12]float32{{place(0, 0, 0, 0), place(1, 5, 0, 0)}, {place(1, 0, 0, 10), place(1, 5, 0, 0)}}

// zym returns a model of a triangle, of which two vertices hang on the second bone, and two sequences.
func zym() []byte {
	order := binary.BigEndian
	parts := [][]byte{
		written(order, name("still"), [7]float32{}, float32(20), []int32{1, 0, 1}, name("move"), [7]float32{}, float32(10),
			[]int32{0, 0, 2}),
		written(order, poses),
		written(order, name("root"), []int32{0, -1}, name("arm"), []int32{0, 0}),
		written(order, []int32{1, 1, 1}),
		written(order, int32(0), [3]float32{}, int32(1), [3]float32{0, 1, 0}, int32(1), [3]float32{0, 0, 3}),
		written(order, [][2]float32{{0, 1}, {1, 1}, {0, 0.25}}),
		written(order, []int32{1, 0, 1, 2}),
		written(order, name(`models\Skin.tga`)),
		{0},
	}
	out := written(order, []byte("ZYMOTICMODEL"), []int32{1, 0}, [7]float32{}, []int32{3, 1, 1, 2, 2})
	at := len(out) + 8*len(parts)
	for _, p := range parts {
		out = append(out, written(order, []int32{int32(at), int32(len(p))})...)
		at += len(p)
	}
	out = append(out, bytes.Join(parts, nil)...)
	binary.BigEndian.PutUint32(out[16:], uint32(len(out)))
	return out
}

// dpm returns the same triangle, of which one vertex hangs half on each bone, in poses with names.
func dpm() []byte {
	order := binary.BigEndian
	const header = 80
	frames := header + 2*dpmBone + dpmMesh
	matrices := frames + 2*dpmFrame
	vertices := matrices + 4*poseSize
	const records = 3*4 + 4*dpmWeight
	places := vertices + records
	up := [3]float32{0, 0, 1}
	return written(order, []byte("DARKPLACESMODEL\x00"), []int32{2, 0}, [8]float32{},
		[]int32{2, 1, 2, header, header + 2*dpmBone, int32(frames)},
		name("root"), []int32{-1, 0}, name("arm"), []int32{0, 1},
		name("skin"), []int32{3, 1, int32(vertices), int32(places), int32(places + 24), 0},
		name("go_0"), [8]float32{}, int32(matrices), name("go_1"), [8]float32{}, int32(matrices+2*poseSize),
		poses,
		int32(1), [3]float32{}, float32(1), up, int32(0),
		int32(1), [3]float32{0, 1, 0}, float32(1), up, int32(1),
		// The point 5 0 3 of the model is 5 0 3 for the first bone and 0 0 3 for the second.
		int32(2), [3]float32{2.5, 0, 1.5}, float32(0.5), [3]float32{0, 0, 0.5}, int32(0), [3]float32{0, 0, 1.5}, float32(0.5),
		[3]float32{0, 0, 0.5}, int32(1),
		[][2]float32{{0, 0}, {1, 0}, {0, 0.75}}, []int32{0, 1, 2})
}

// iqm returns the same triangle with its weights. The second bone's place is constant; the first has channels for Z and its rotation.
func iqm(version int) []byte {
	order := binary.LittleEndian
	half := float32(math.Sqrt(0.5))
	turned, straight := []float32{0, 0, half, half}, []float32{0, 0, 0, 1}
	step := half / 65535
	scales := []float32{0, 0, 10.0 / 65535, 0, 0, step, -(1 - half) / 65535, 0, 0, 0}
	channels := []uint16{0, 0, 0, 65535, 65535, 65535} // Z, the rotation's Z and W, in two poses
	mask := int32(1<<2 | 1<<5 | 1<<6)
	if version == 1 { // W is negative and not stored
		turned, straight = []float32{0, 0, -half}, []float32{0, 0, 0}
		scales, channels, mask = []float32{0, 0, 10.0 / 65535, 0, 0, -step, 0, 0, 0}, []uint16{0, 0, 65535, 65535}, 1<<2|1<<5
	}
	one := []float32{1, 1, 1}
	texts := "\x00root\x00arm\x00skin\x00go\x00"
	parts := []struct {
		count int
		data  []byte
	}{
		{len(texts), []byte(texts)},
		{1, written(order, []int32{10, 10, 0, 3, 0, 1})},
		{3, written(order, [3][3]float32{{0, 0, 0}, {4, 0, 0}, {5, 0, 3}})},
		{3, written(order, [3][2]float32{{0, 0}, {1, 0}, {0, 0.75}})},
		{3, written(order, [3][4]uint8{{0}, {1}, {0, 1}})},
		{3, written(order, [3][4]uint8{{255}, {255}, {128, 127}})},
		{1, written(order, []int32{2, 1, 0})},
		{2, written(order, []int32{1, -1}, []float32{0, 0, 0}, straight, one, []int32{6, 0}, []float32{5, 0, 0}, turned, one)},
		{2, written(order, []int32{-1, mask}, []float32{0, 0, 0}, straight, one, scales, []int32{0, 0}, []float32{5, 0, 0}, turned, one,
			make([]float32, len(scales)))},
		{1, written(order, []int32{15, 0, 2}, float32(10), int32(1))},
		{2, written(order, channels)},
	}
	const arrays = 4
	at := iqmHeader + 20*arrays
	var offsets []int32
	var body []byte
	for _, p := range parts {
		offsets = append(offsets, int32(at+len(body)))
		body = append(body, p.data...)
	}
	n := func(i int) int32 { return int32(parts[i].count) }
	out := written(order, []byte("INTERQUAKEMODEL\x00"),
		[]int32{int32(version), 0, 0, n(0), offsets[0], n(1), offsets[1], arrays, 3, iqmHeader, 1, offsets[6], 0,
			n(7), offsets[7], n(8), offsets[8], n(9), offsets[9], 2, int32(len(channels) / 2), offsets[10], 0, 0, 0, 0, 0})
	for i, kind := range []int32{iqmPosition, iqmPlace, iqmBones, iqmWeights} {
		out = append(out, written(order, []int32{kind, 0, int32(iqmArrays[kind].format), int32(iqmArrays[kind].size), offsets[2+i]})...)
	}
	return append(out, body...)
}

// all lists a file of each format, and whether one of its vertices hangs on two bones.
var all = []struct {
	what  string
	data  []byte
	mixed bool
}{{"zym", zym(), false}, {"dpm", dpm(), true}, {"iqm 1", iqm(1), true}, {"iqm 2", iqm(2), true}}

func near(a, b [3]float32) bool {
	for k := range a {
		if math.Abs(float64(a[k]-b[k])) > 1e-2 { // a weight of an .iqm file is a byte
			return false
		}
	}
	return true
}

// In the first pose the triangle is at 0 0 0, 4 0 0 (1 along the second bone's Y) and 5 0 3. In the second pose all of that is turned by a
// quarter about Z and 10 higher.
func TestModelsInTheirPoses(t *testing.T) {
	for _, test := range all {
		frame := 0
		r, err := Decode(t.Context(), "a", test.data, []byte("0 1\n1 1 20 0 later\n"), []int{frame, 1, 99}, skeleton.Options{}, budget())
		if err != nil {
			t.Fatalf("%s: %v", test.what, err)
		}
		for i, want := range [][][3]float32{{{0, 0, 0}, {4, 0, 0}, {5, 0, 3}}, {{0, 0, 10}, {0, 4, 10}, {0, 5, 13}},
			{{0, 0, 10}, {0, 4, 10}, {0, 5, 13}}} {
			s := r.Models[i].Surfaces[0].Shape.(*world.Triangles)
			for k := range want {
				if !near(s.Vertices[k].Position, want[k]) {
					t.Errorf("%s: frame %d: vertex %d is at %v, want %v", test.what, i, k, s.Vertices[k].Position, want[k])
				}
			}
		}
		s := r.Models[0].Surfaces[0].Shape.(*world.Triangles)
		if r.Models[0].Skeleton != nil || s.Bindings != nil {
			t.Errorf("%s: it has bones that nobody wants", test.what)
		}
		// The stored triangle 0, 1, 2 is seen from -Y; a .dpm file stores another normal.
		if want := [3]float32{0, -1, 0}; !near(s.Vertices[1].Normal, want) && test.what != "dpm" {
			t.Errorf("%s: its normal is %v", test.what, s.Vertices[1].Normal)
		}
		if uv := s.Vertices[2].UV; uv != [2]float32{0, 0.75} {
			t.Errorf("%s: in the picture it is at %v", test.what, uv)
		}
	}
}

// The bones' matrices put the vertices where the pose does.
func TestSkeletons(t *testing.T) {
	for _, test := range all {
		rig := skeleton.Options{Bones: true, Sequences: []string{"*"}, EveryFrame: true}
		r, err := Decode(t.Context(), "a", test.data, nil, []int{0}, rig, budget())
		if err != nil {
			t.Fatalf("%s: %v", test.what, err)
		}
		m := r.Models[0]
		if b := m.Skeleton.Bones; len(b) != 2 || b[0].Name != "root" || b[1].Name != "arm" || b[1].Parent != 0 {
			t.Errorf("%s: bones %+v", test.what, b)
		}
		s := m.Surfaces[0].Shape.(*world.Triangles)
		if two := s.Bindings[2].Weights[1] > 0; two != test.mixed || s.Bindings[1].Bones[0] != 1 {
			t.Errorf("%s: vertices hang on %v", test.what, s.Bindings)
		}
		q := m.Skeleton.Sequences[len(m.Skeleton.Sequences)-1]
		move := q.Tracks[0]
		if loops := test.what != "dpm"; q.Loops != loops || q.Frames != map[bool]int{false: 2, true: 3}[loops] || q.FPS != 10 {
			t.Errorf("%s: %q has %d frames at %g, loops %v", test.what, q.Name, q.Frames, q.FPS, q.Loops)
		}
		if !near(move.Positions[1], [3]float32{0, 0, 10}) {
			t.Errorf("%s: it moves to %v", test.what, move.Positions)
		}
		// 4 0 0 in the mesh, on the second bone, is 0 4 10 in the second pose.
		at := [3]float64{float64(move.Positions[1][0]), float64(move.Positions[1][1]), float64(move.Positions[1][2])}
		root := space.NewMatrix(at, wide(move.Rotations[1]))
		arm := space.NewMatrix(m.Skeleton.Bones[1].Position, m.Skeleton.Bones[1].Rotation)
		whole := root.Times(&arm)
		inverse := space.Matrix(m.Skeleton.Bones[1].Inverse)
		whole = whole.Times(&inverse)
		if got := space.Vector32(whole.Point([3]float32{4, 0, 0})); !near(got, [3]float32{0, 4, 10}) {
			t.Errorf("%s: the second pose puts it at %v", test.what, got)
		}
	}
}

func wide(q [4]float32) [4]float64 {
	return [4]float64{float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])}
}

// Each line is a sequence; what is missing or out of range is as in the engine.
func TestGroups(t *testing.T) {
	got := parseGroups([]byte("1 8 20 0 // fire\n\n9 5\n// all\n-3 999 0.5 1 idle\n7\n99 x y z \"a\"\n"), 12)
	want := []sequence{
		{"fire", 1, 8, 20, false}, {"groupified_1_anim", 9, 3, 20, true}, {"idle", 0, 12, 1, true}, {"a", 11, 1, 1, false},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestOddFiles(t *testing.T) {
	for _, test := range []struct {
		what  string
		data  []byte
		at    int
		value uint32
		err   error // nil: decodes
		text  string
	}{
		{"another ident", zym(), 0, 0, limit.ErrCorrupt, "it starts with"},
		{"type 2", zym(), 12, 2, errors.ErrUnsupported, "type 2"},
		{"no bones", zym(), 60, 0, limit.ErrCorrupt, "for 0 bones"},
		{"2^31 bones", zym(), 60, 1 << 31, limit.ErrCorrupt, "bones"},
		{"2^32-1 vertices", zym(), 48, math.MaxUint32, limit.ErrCorrupt, "outside"},
		{"no sequences", zym(), 64, 0, nil, ""},
		{"a sequence of too many poses", zym(), 140 + 72, 3, limit.ErrCorrupt, "sequence 0: 3 poses from 0 of 2"},
		{"a sequence from -1", zym(), 140 + 68, math.MaxUint32, limit.ErrCorrupt, "from -1"},
		{"no frames per second", zym(), 140 + 60, 0, nil, ""},
		{"NaN frames per second", zym(), 140 + 60, 0x7fc00000, nil, ""},
		{"a bone at NaN", zym(), 140 + 152 + 12, 0x7fc00000, limit.ErrCorrupt, "bone 0 is at"},
		{"a bone of zeros", zym(), 140 + 152, 0, nil, ""},
		{"poses outside", zym(), 68 + 8, math.MaxUint32, limit.ErrCorrupt, "poses"},
		{"a bone that is its own parent", zym(), 140 + 152 + 192 + 36, 0, limit.ErrCorrupt, "bone 0 has parent 0"},
		{"a vertex with two bones", zym(), 140 + 152 + 192 + 80, 2, limit.ErrCorrupt, "has 2 bones"},
		{"a vertex on bone 2", zym(), 140 + 152 + 192 + 80 + 12, 2, limit.ErrCorrupt, "bone 2 of 2"},
		{"vertex 3", zym(), 140 + 152 + 192 + 80 + 12 + 48 + 24 + 12, 3, limit.ErrCorrupt, "vertex 3 of 3"},
		{"2^32-1 triangles", zym(), 140 + 152 + 192 + 80 + 12 + 48 + 24, math.MaxUint32, limit.ErrCorrupt, "surface 0 has"},

		{"type 1", dpm(), 16, 1, errors.ErrUnsupported, "type 1"},
		{"no poses", dpm(), 64, 0, limit.ErrCorrupt, "0 poses"},
		{"2^32-1 meshes", dpm(), 60, math.MaxUint32, limit.ErrCorrupt, "meshes"},
		{"a vertex with 2^32-1 bones", dpm(), 544, math.MaxUint32, limit.ErrCorrupt, "weights"},
		{"a weight of bone 9", dpm(), 544 + 32, 9, limit.ErrCorrupt, "bone 9 of 2"},
		{"a position of infinity", dpm(), 548, 0x7f800000, limit.ErrCorrupt, "vertex 0 is at"},
		{"a pose outside", dpm(), 80 + 80 + 56 + 64, 1 << 30, limit.ErrCorrupt, "a pose"},

		{"version 3", iqm(2), 16, 3, errors.ErrUnsupported, "version 3"},
		{"2^31 joints", iqm(2), 68, 1 << 31, limit.ErrCorrupt, "bones"},
		{"one pose for two bones", iqm(2), 76, 1, limit.ErrCorrupt, "they have 1 bones, the mesh 2"},
		{"other channels", iqm(2), 96, 2, limit.ErrCorrupt, "2 channels, not 3"},
		{"2^32-1 frames", iqm(2), 92, math.MaxUint32, limit.ErrCorrupt, "poses"},
		{"texts outside", iqm(2), 28, math.MaxUint32, nil, ""},
		{"no positions", iqm(2), iqmHeader, 17, errors.ErrUnsupported, "no positions"},
		{"positions of halfs", iqm(2), iqmHeader + 8, 6, errors.ErrUnsupported, "no positions"},
		{"no weights", iqm(2), iqmHeader + 60, 17, nil, ""},
		{"2^32-1 triangles of a mesh", iqm(2), iqmHeader + 80 + 20 + 20, math.MaxUint32, limit.ErrCorrupt, "mesh 0"},
	} {
		order := binary.ByteOrder(binary.BigEndian)
		if test.data[0] == 'I' {
			order = binary.LittleEndian
		}
		order.PutUint32(test.data[test.at:], test.value)
		_, err := Decode(t.Context(), "a", test.data, nil, []int{0}, skeleton.Options{Bones: true, Sequences: []string{"*"}}, budget())
		if !errors.Is(err, test.err) || test.err == nil && err != nil || err != nil && !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v, want %v %q", test.what, err, test.err, test.text)
		}
	}
	for _, test := range all {
		for n := range test.data {
			if _, err := Decode(t.Context(), "a", test.data[:n], nil, []int{0}, skeleton.Options{}, budget()); err == nil && n < len(test.data)-1 {
				t.Errorf("%s: %d of %d bytes are a model", test.what, n, len(test.data))
			}
		}
	}
}

// A sequence may name more poses than its file has bytes for.
func TestLongSequencesAreLeftOut(t *testing.T) {
	data := iqm(2)
	le := binary.LittleEndian
	le.PutUint32(data[92:], 1<<30) // frames without channels
	le.PutUint32(data[96:], 0)
	at := le.Uint32(data[80:])
	le.PutUint32(data[at+4:], 0) // the mask
	at = le.Uint32(data[88:])
	le.PutUint32(data[at+8:], 1<<29)
	r, err := Decode(t.Context(), "a", data, nil, []int{0}, skeleton.Options{Bones: true, Sequences: []string{"*"}}, budget())
	if err != nil || len(r.Models[0].Skeleton.Sequences) != 0 || len(r.Issues) != 1 || r.Issues[0].Code != "model-sequence" {
		t.Errorf("%v %+v", err, r.Issues)
	}
}

// Scales of bones have no place in a skeleton.
func TestScalesAreAnIssue(t *testing.T) {
	data := iqm(2)
	at := binary.LittleEndian.Uint32(data[72:])
	binary.LittleEndian.PutUint32(data[at+8+7*4:], math.Float32bits(2))
	r, err := Decode(t.Context(), "a", data, nil, []int{0}, skeleton.Options{Bones: true}, budget())
	if err != nil || len(r.Issues) != 1 || !strings.Contains(r.Issues[0].Detail, "scale") {
		t.Errorf("%v %+v", err, r.Issues)
	}
}

// whole fails the test unless all numbers of a result are within their bounds.
func whole(t *testing.T, r Result) {
	t.Helper()
	for _, s := range r.Models[0].Surfaces {
		shape := s.Shape.(*world.Triangles)
		if shape.Bindings != nil && len(shape.Bindings) != len(shape.Vertices) || s.Material >= len(r.Materials) {
			t.Fatal(len(shape.Bindings), len(shape.Vertices), s.Material)
		}
		for _, i := range shape.Indices {
			if int(i) >= len(shape.Vertices) {
				t.Fatal(i)
			}
		}
		for i, v := range shape.Vertices {
			for k, x := range v.Position {
				if !(math.Abs(float64(x)) < 1<<24) || v.Normal[k]-v.Normal[k] != 0 {
					t.Fatal(v)
				}
			}
			if shape.Bindings != nil && int(shape.Bindings[i].Bones[0]) >= max(1, len(r.Models[0].Skeleton.Bones)) {
				t.Fatal(shape.Bindings[i])
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, test := range all {
		f.Add(test.data, []byte("0 2 10 1"), 1)
	}
	testkit.Unminimized(f)
	f.Fuzz(func(t *testing.T, data, groups []byte, frame int) {
		for _, rig := range []skeleton.Options{{}, {Bones: true, Sequences: []string{"*"}}} {
			b := budget()
			r, err := Decode(t.Context(), "x", data, groups, []int{frame}, rig, b)
			if err != nil {
				if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, limit.ErrLimit) ||
					b.Reserved() != 0 {
					t.Fatal(err, b.Reserved())
				}
				continue
			}
			whole(t, r)
		}
	})
}

// FuzzMD5 reads any .md5mesh with any .md5anim beside it.
func FuzzMD5(f *testing.F) {
	const mesh = `MD5Version 10 commandline "" numJoints 2 numMeshes 1
joints { "root" -1 ( 0 0 0 ) ( 0 0 0 ) "tip" 0 ( 0 0 10 ) ( 0 0 0.5 ) } // the bones
mesh { shader "Flag" numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 2 numtris 1 tri 0 0 2 1
numweights 4 weight 0 0 1 ( 0 0 10 ) weight 1 0 1 ( 8 0 10 ) weight 2 1 0.75 ( 0 4 0 ) weight 3 0 0.25 ( 0 4 10 ) }`
	const anim = `MD5Version 10 commandline "" numFrames 2 numJoints 2 frameRate 10 numAnimatedComponents 4
hierarchy { "root" -1 32 0 "tip" 0 4 1 } bounds { ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 ) }
baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 0 0 10 ) ( 0 0 0 ) } frame 0 { 0 10 0 0 } frame 1 { 1 20 0 0 }`
	f.Add([]byte(mesh), []byte(anim), 1)
	f.Add([]byte(strings.Replace(mesh, "numverts 3", "numverts 1000000000", 1)), []byte(anim), 0)
	f.Add([]byte(mesh), []byte(strings.Replace(anim, "numFrames 2", "numFrames 1000000000", 1)), 9)
	testkit.Unminimized(f)
	f.Fuzz(func(t *testing.T, data, anim []byte, frame int) {
		for _, rig := range []skeleton.Options{{}, {Bones: true, Sequences: []string{"*"}}} {
			b := budget()
			r, err := DecodeMD5(t.Context(), "x", data, anim, nil, []skeleton.Appearance{{Frame: frame, Moves: true, Frames: 2}}, rig, b)
			if err == nil {
				whole(t, r)
			} else if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, limit.ErrLimit) ||
				b.Reserved() != 0 {
				t.Fatal(err, b.Reserved())
			}
		}
	})
}
