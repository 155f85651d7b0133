package models

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/md3test"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// flagMesh is a model of Quake's re-release: a triangle that looks up, 10 above the root, whose tip hangs on a second bone at (0 0 10).
const flagMesh = `MD5Version 10
commandline ""
numJoints 2
numMeshes 1
joints {
	"root"	-1 ( 0 0 0 ) ( 0 0 0 )
	"tip"	0 ( 0 0 10 ) ( 0 0 0 )		// root
}
mesh {
	shader "Flag"
	numverts 3
	vert 0 ( 0 0 ) 0 1
	vert 1 ( 1 0 ) 1 1
	vert 2 ( 0 1 ) 2 2
	numtris 1
	tri 0 0 2 1
	numweights 4
	weight 0 0 1 ( 0 0 10 )
	weight 1 0 1 ( 8 0 10 )
	weight 2 1 0.75 ( 0 4 0 )
	weight 3 0 0.25 ( 0 4 10 )
}
`

// flagAnim has two frames: in the second the tip is 20 above the root, and the root is turned by 180 degrees about Z, so that what was
// along Y is against it. The root's place does not change.
const flagAnim = `MD5Version 10
commandline ""
numFrames 2
numJoints 2
frameRate 10
numAnimatedComponents 4
hierarchy {
	"root"	-1 32 0
	"tip"	0 4 1
}
bounds {
	( 0 0 0 ) ( 1 1 1 )
	( 0 0 0 ) ( 1 1 1 )
}
baseframe {
	( 0 0 0 ) ( 0 0 0 )
	( 0 0 10 ) ( 0 0 0 )
}
frame 0 {
	0 10 0 0
}
frame 1 {
	1 20 0 0
}
`

// flagMDL is the .mdl that it replaces: a triangle with two frames.
func flagMDL() []byte {
	var b bytes.Buffer
	for _, v := range []any{
		[]byte("IDPO"), int32(6), [3]float32{1, 1, 1}, [3]float32{}, [4]float32{}, []int32{1, 8, 4, 3, 1, 2, 0, 0}, float32(0),
		int32(0), make([]byte, 32), [3][3]int32{{0, 0, 0}, {0, 3, 0}, {0, 1, 2}}, [4]int32{1, 0, 2, 1},
		int32(0), make([]byte, 8), [16]byte{'w', 'a', 'v', 'e', '1'}, []byte{0, 0, 1, 0, 2, 0, 1, 0, 0, 2, 1, 0},
		int32(0), make([]byte, 8), [16]byte{'w', 'a', 'v', 'e', '2'}, []byte{0, 0, 2, 0, 2, 0, 2, 0, 0, 2, 2, 0},
	} {
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	return b.Bytes()
}

func flagFiles() fstest.MapFS {
	return fstest.MapFS{"progs/flag.mdl": {Data: flagMDL()}, "progs/flag.md5mesh": {Data: []byte(flagMesh)},
		"progs/flag.md5anim": {Data: []byte(flagAnim)}}
}

// A .md5mesh beside a .mdl replaces it in maps: it stands in the pose with the number of the frame.
func TestModelsOfTheRereleaseReplace(t *testing.T) {
	at := func(files fstest.MapFS, frame int) (*world.World, [3]float32) {
		w := &world.World{Entities: []world.Entity{{Model: world.NoModel}}, Models: []world.Model{{}}, Props: []world.Prop{{
			Model: "progs/flag.mdl", Kind: world.EntityProp, Index: world.NoModel, Scale: [3]float32{1, 1, 1},
			Appearance: world.Appearance{Frame: frame}, Draw: world.PropDraw{Tint: [4]uint8{255, 255, 255, 255}}}}}
		if err := Gather(t.Context(), files, w, DefaultOptions()); err != nil {
			t.Fatal(err)
		}
		s := &w.Models[w.Props[0].Index].Surfaces[0]
		v := s.Shape.(*world.Triangles).Vertices
		if n := v[0].Normal; n != [3]float32{0, 0, 1} && frame == 0 {
			t.Errorf("the normal is %v", n)
		}
		for i := range v {
			if v[i].UV[1] == 1 {
				return w, v[i].Position
			}
		}
		return w, [3]float32{}
	}
	w, tip := at(flagFiles(), 0)
	if tip != [3]float32{0, 4, 10} || w.Materials[0].Name != "progs/flag_00_00" || len(w.Issues) != 0 {
		t.Errorf("the tip is at %v, %+v, %v", tip, w.Materials, w.Issues)
	}
	// Turned, 0.75 of the way from 10 to 20.
	if _, tip := at(flagFiles(), 1); tip != [3]float32{0, -4, 17.5} {
		t.Errorf("in frame 1 the tip is at %v", tip)
	}
	better := flagFiles() // a .md3 comes before both
	cloth := md3test.Model{Frames: 1, Surfaces: []md3test.Surface{md3test.Triangle("cloth", "progs/cloth")}}
	better["progs/flag.md3"] = &fstest.MapFile{Data: cloth.Bytes()}
	if w, _ := at(better, 0); w.Materials[0].Name != "progs/cloth" || len(w.Issues) != 0 {
		t.Errorf("a .md3: %+v, %v", w.Materials, w.Issues)
	}
	broken := flagFiles()
	broken["progs/flag.md5anim"] = &fstest.MapFile{Data: []byte("MD5Version 10 numFrames 9")}
	if w, _ := at(broken, 0); len(w.Issues) != 1 || w.Issues[0].Code != "model-broken" || w.Materials[0].Texture == nil {
		t.Errorf("a broken one: %v, %+v", w.Issues, w.Materials)
	}
}

// By itself it has its bones, and the sequences of the .mdl.
func TestModelsOfTheRereleaseHaveSequences(t *testing.T) {
	o := DefaultFileOptions()
	o.Skeleton, o.Sequences = true, []string{"*"}
	w, err := File(t.Context(), flagFiles(), "progs/flag.md5mesh", DefaultOptions(), o)
	if err != nil {
		t.Fatal(err)
	}
	s := w.Models[w.Props[0].Index].Skeleton
	if s == nil || len(s.Bones) != 2 || s.Bones[1].Name != "tip" || len(s.Sequences) != 1 || s.Sequences[0].Name != "wave" ||
		s.Sequences[0].FPS != 10 || len(s.Sequences[0].Tracks) == 0 {
		t.Errorf("%+v", s)
	}
	alone := fstest.MapFS{"progs/flag.md5mesh": {Data: []byte(flagMesh)}}
	w, err = File(t.Context(), alone, "progs/flag.md5mesh", DefaultOptions(), o)
	if err != nil || len(w.Models[w.Props[0].Index].Surfaces) != 1 {
		t.Errorf("without poses: %v", err)
	}
}

// Whatever is cut or wrong is an error, and nothing is allocated for numbers that the text can't hold.
func TestBrokenModelsOfTheRerelease(t *testing.T) {
	read := func(mesh, anim string) error {
		files := fstest.MapFS{"a.md5mesh": {Data: []byte(mesh)}, "a.md5anim": {Data: []byte(anim)}}
		_, err := File(t.Context(), files, "a.md5mesh", DefaultOptions(), DefaultFileOptions())
		return err
	}
	if err := read(flagMesh, flagAnim); err != nil {
		t.Fatal(err)
	}
	for n := range len(strings.TrimSpace(flagMesh)) - 1 {
		if err := read(flagMesh[:n], flagAnim); !errors.Is(err, limit.ErrCorrupt) {
			t.Fatalf("%d bytes of the mesh: %v", n, err)
		}
	}
	for _, c := range [][2]string{{"numJoints 2", "numJoints 999999999"}, {"numverts 3", "numverts 2000000000"},
		{"numverts 3", "numverts -1"}, {"tri 0 0 2 1", "tri 0 0 3 1"}, {"vert 2 ( 0 1 ) 2 2", "vert 2 ( 0 1 ) 2 3"},
		{"weight 2 1", "weight 2 2"}, {"0 ( 0 0 10 )", "1 ( 0 0 10 )"},
		{"( 0 0 10 )", "( 0 0 nan )"}, {"MD5Version 10", "MD5Version 11"}} {
		if err := read(strings.Replace(flagMesh, c[0], c[1], 1), flagAnim); !errors.Is(err, limit.ErrCorrupt) {
			t.Errorf("%s: %v", c[1], err)
		}
	}
	for _, c := range [][2]string{{"numFrames 2", "numFrames 100"}, {"numJoints 2", "numJoints 3"}, {"0 4 1", "0 4 4"}, {"0 4 1", "0 4 -1"},
		{"\"tip\"", "\"top\""}, {"frame 1", "frame 2"}, {"numAnimatedComponents 4", "numAnimatedComponents 400"}} {
		if err := read(flagMesh, strings.Replace(flagAnim, c[0], c[1], 1)); !errors.Is(err, limit.ErrCorrupt) {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}

// Vertices that all share all weights would take the square of the file's size.
func TestWeightsThatAreShared(t *testing.T) {
	const n = 100
	mesh := "MD5Version 10\nnumJoints 1\nnumMeshes 1\njoints {\n \"root\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\nmesh {\n shader \"x\"\n numverts 100\n"
	for i := range n {
		mesh += fmt.Sprintf(" vert %d ( 0 0 ) 0 %d\n", i, n)
	}
	mesh += " numtris 1\n tri 0 0 1 2\n numweights 100\n"
	for i := range n {
		mesh += fmt.Sprintf(" weight %d 0 0.01 ( 1 2 3 )\n", i)
	}
	_, err := File(t.Context(), fstest.MapFS{"a.md5mesh": {Data: []byte(mesh + "}\n")}}, "a.md5mesh", DefaultOptions(), DefaultFileOptions())
	if !errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
}
