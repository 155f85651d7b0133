package write_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// moves returns the keys of all animations of a scene as text, by the names of the nodes.
func moves(s *scene.Scene) (list []string) {
	for i := range s.Animations {
		for _, c := range s.Animations[i].Channels {
			list = append(list, fmt.Sprintln(s.Animations[i].Name, s.Nodes[c.Node].Name, c.Times, c.Translations, c.Rotations))
		}
	}
	slices.Sort(list)
	return list
}

// However the rest of the file is written, what moves does so in the same way, with all that hangs on it: its mesh, or solids.
func TestMovementsDoNotDependOnOtherOptions(t *testing.T) {
	plain, _ := convertMap(t, defaults(), demo)
	want := moves(plain)
	if len(want) < 2 {
		t.Fatalf("%d channels", len(want))
	}
	for _, options := range [][]string{
		{"output.split=grid:8"}, {"output.split=areas"}, {"output.instancing=gpu"}, {"output.quantize=true"},
		{"output.quantize=true", "output.compress=meshopt"},
		{"geometry.collision=brushes"}, {"models.lods=chain"}, {"lightmap.carrier=vertex"},
	} {
		s, _ := convertMap(t, set(t, options...), demo)
		if got := moves(s); !slices.Equal(got, want) {
			t.Errorf("%q:\n%s\nwant\n%s", options, got, want)
		}
		for i := range s.Animations {
			for _, c := range s.Animations[i].Channels {
				below := func(n scene.Node) bool { return n.Parent == c.Node && n.Mesh != scene.None }
				if n := &s.Nodes[c.Node]; n.Instances != 0 || n.Mesh == scene.None && !slices.ContainsFunc(s.Nodes, below) {
					t.Errorf("%q: %s moves no mesh of its own", options, n.Name)
				}
			}
		}
	}
}

// An .obj has everything where it is when the map starts, whichever movements are asked for.
func TestOBJTakesTheRest(t *testing.T) {
	var files [2][]byte
	for i, motion := range []string{"all", "none"} {
		s, _ := convertMap(t, set(t, "entities.motion="+motion), demo)
		out, err := write.FindFormat("obj").Files(s, "x", "x")
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		for _, f := range out {
			if err := f.Write(&text); err != nil {
				t.Fatal(err)
			}
		}
		files[i] = text.Bytes()
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Errorf("%d and %d bytes differ", len(files[0]), len(files[1]))
	}
}
