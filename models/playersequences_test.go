package models

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/md3test"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// animationConfig is an animation.cfg of a player with 12 frames of both, 6 of the upper body and 8 of the legs, which are counted after
// those of the upper body.
const animationConfig = `// first frame, frames, frames that are repeated, frames a second
sex f
headoffset 0 0 -4
0 3 0 25 // BOTH_DEATH1
2 1 1 25
3 3 0 25 /* the second
death */
5 1 1 25
6 6 0 25
11 1 0 0
12 2 0 10 // TORSO_GESTURE
14 1 0 15
15 1 0 15
16 1 0 15
17 -1 0 15
16 2 2 15
16 2 1 15
18 4 4 20 // LEGS_WALKCR: in the file of the legs from 12 on
22 3 2 10 // LEGS_WALK
25 -1 0 10
`

// A player's sequences are those of animation.cfg: of the upper body, or of the legs, whose frames follow those of both at once.
func TestPlayersSequences(t *testing.T) {
	frame := func(z int16) []md3test.Vertex { return []md3test.Vertex{{Z: z}, {X: 64, Z: z}, {Y: 64, Z: z}} }
	body := md3test.Model{Frames: 20, Surfaces: []md3test.Surface{{
		Name: "a", Shaders: []string{"a"}, UV: make([][2]float32, 3), Triangles: [][3]int32{{0, 1, 2}},
	}}}
	for i := range int16(20) {
		body.Surfaces[0].Vertices = append(body.Surfaces[0].Vertices, frame(64*i))
	}
	files := fstest.MapFS{"p/animation.cfg": {Data: []byte(animationConfig)}, "q/lower.md3": {Data: body.Bytes()}}
	for _, name := range []string{"upper", "lower", "head"} {
		files["p/"+name+".md3"] = &fstest.MapFile{Data: body.Bytes()}
	}
	both := []world.MorphSequence{{Name: "BOTH_DEATH1", Frames: []int{0, 1, 2}, FPS: 25}, {Name: "BOTH_DEAD1", Frames: []int{2, 2}, FPS: 25, Loops: true},
		{Name: "BOTH_DEATH2", Frames: []int{3, 4, 5}, FPS: 25}, {Name: "BOTH_DEAD2", Frames: []int{5, 5}, FPS: 25, Loops: true},
		{Name: "BOTH_DEATH3", Frames: []int{6, 7, 8, 9, 10, 11}, FPS: 25}, {Name: "BOTH_DEAD3", Frames: []int{11}, FPS: 1}}
	all := world.MorphSequence{Name: "frames", FPS: 10}
	for i := range 20 {
		all.Frames = append(all.Frames, i)
	}
	for name, want := range map[string][]world.MorphSequence{
		"p/upper.md3": append(both[:6:6], world.MorphSequence{Name: "TORSO_GESTURE", Frames: []int{12, 13}, FPS: 10},
			world.MorphSequence{Name: "TORSO_ATTACK", Frames: []int{14}, FPS: 15}, world.MorphSequence{Name: "TORSO_ATTACK2", Frames: []int{15}, FPS: 15},
			world.MorphSequence{Name: "TORSO_DROP", Frames: []int{16}, FPS: 15}, world.MorphSequence{Name: "TORSO_RAISE", Frames: []int{17}, FPS: 15},
			world.MorphSequence{Name: "TORSO_STAND", Frames: []int{16, 17, 16}, FPS: 15, Loops: true},
			world.MorphSequence{Name: "TORSO_STAND2", Frames: []int{16, 17, 17}, FPS: 15, Loops: true}),
		"p/lower.md3": append(both[:6:6], world.MorphSequence{Name: "LEGS_WALKCR", Frames: []int{12, 13, 14, 15, 12}, FPS: 20, Loops: true},
			world.MorphSequence{Name: "LEGS_BACKCR", Frames: []int{15, 14, 13, 12, 15}, FPS: 20, Loops: true},
			world.MorphSequence{Name: "LEGS_WALK", Frames: []int{16, 17, 18, 17}, FPS: 10, Loops: true},
			world.MorphSequence{Name: "LEGS_BACKWALK", Frames: []int{18, 17, 16, 17}, FPS: 10, Loops: true},
			world.MorphSequence{Name: "LEGS_RUN", Frames: []int{19}, FPS: 10}),
		"p/head.md3": {all}, "q/lower.md3": {all},
	} {
		w, err := File(t.Context(), files, name, Options{}, DefaultFileOptions())
		if err != nil || len(w.Issues) > 0 {
			t.Fatal(name, err, w.Issues)
		}
		if got := w.Models[w.Props[0].Index].MorphTargets.Sequences; !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n     %+v\nwant %+v", name, got, want)
		}
	}
	// Rows that name frames which are not there, and a file without rows, are issues.
	for text, want := range map[string]string{
		"0 9 0 10\n3 18 0 10": "p/upper.md3: BOTH_DEAD1: 1 of its 18 frames are not in the file",
		"sex f":               "p/animation.cfg: it has 0 rows with four numbers, which are no sequences of upper.md3",
	} {
		files["p/animation.cfg"] = &fstest.MapFile{Data: []byte(text)}
		w, err := File(t.Context(), files, "p/upper.md3", Options{}, DefaultFileOptions())
		if err != nil || len(w.Issues) != 1 || w.Issues[0].Detail != want {
			t.Errorf("%q: %v, %v", text, err, w.Issues)
		}
	}
}

// The parts of a player have its skins: the default, and those of the teams. A surface that a skin does not name keeps its shader.
func TestPlayersSkins(t *testing.T) {
	surface := func(name string) md3test.Surface {
		return md3test.Surface{Name: name, Shaders: []string{name}, UV: make([][2]float32, 3), Triangles: [][3]int32{{0, 1, 2}},
			Vertices: [][]md3test.Vertex{{{}, {X: 64}, {Y: 64}}}}
	}
	body := md3test.Model{Frames: 1, Surfaces: []md3test.Surface{surface("u_body"), surface("u_other")}}
	files := fstest.MapFS{"p/upper.md3": {Data: body.Bytes()},
		"p/upper_default.skin": {Data: []byte("u_body,models/players/p/suit.tga\ntag_head,\n")},
		"p/upper_red.skin":     {Data: []byte("u_body,models/players/p/red.tga\nu_other,models/players/p/cap.tga")}}
	for skin, want := range []string{"[models/players/p/suit u_other]", "[models/players/p/red models/players/p/cap]"} {
		f := DefaultFileOptions()
		f.Skin = skin
		w, err := File(t.Context(), files, "p/upper.md3", Options{}, f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range w.Models[w.Props[0].Index].Surfaces {
			got = append(got, w.Materials[s.Material].Name)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("skin %d: %v, want %s", skin, got, want)
		}
	}
}

// OpenArena's players have the sequences of their animation.cfg, all of whose frames are in their files.
func TestPlayersOfOpenArena(t *testing.T) {
	archives, _ := filepath.Glob("/usr/share/games/openarena/baseoa/pak*.pk3")
	if len(archives) == 0 || testing.Short() {
		t.Skip("OpenArena is not installed, or -short")
	}
	files := fstest.MapFS{}
	for _, archive := range archives {
		z, err := zip.OpenReader(archive)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for _, f := range z.File {
			if base := filepath.Base(f.Name); base == "animation.cfg" || base == "upper.md3" || base == "lower.md3" {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(r)
				r.Close()
				if err != nil {
					t.Fatal(err)
				}
				files[strings.ToLower(f.Name)] = &fstest.MapFile{Data: data}
			}
		}
	}
	players, sequences, lost := 0, 0, 0
	for name := range files {
		if strings.HasSuffix(name, "animation.cfg") {
			players++
			for _, part := range []string{"upper.md3", "lower.md3"} {
				w, err := File(t.Context(), files, filepath.Dir(name)+"/"+part, Options{}, DefaultFileOptions())
				if errors.Is(err, errors.ErrUnsupported) {
					continue // it has tags alone
				}
				if err != nil {
					t.Fatal(name, err)
				}
				if m := w.Models[w.Props[0].Index].MorphTargets; m == nil || len(m.Sequences) < 12 {
					t.Errorf("%s, %s: %+v", name, part, m)
				} else {
					sequences += len(m.Sequences)
				}
				for _, issue := range w.Issues {
					if issue.Code == "model-sequence" {
						lost++
						t.Log(issue.Detail)
					}
				}
			}
		}
	}
	t.Logf("%d players, %d sequences, %d issues", players, sequences, lost)
	if players < 15 {
		t.Errorf("%d players", players)
	}
}
