package convert

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/spr"
)

// modelDoc converts a model and returns its document.
func modelDoc(t *testing.T, in string, edit func(*Job)) *gltf.Document {
	t.Helper()
	j := Job{Pipeline: defaults(), Model: true, In: in, Out: filepath.Join(t.TempDir(), "out.glb")}
	if edit != nil {
		edit(&j)
	}
	if _, err := Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	doc, err := gltf.Open(j.Out)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// A model has a skin whose joints are below the root; the mesh with the skin is a root of its own.
func TestModelHasASkin(t *testing.T) {
	for _, in := range []string{"../testdata/goldsrc/models/signpost.mdl", "../testdata/source/models/ours/gate.mdl"} {
		doc := modelDoc(t, in, nil)
		if len(doc.Skins) != 1 || len(doc.Scenes[0].Nodes) != 2 || len(doc.Animations) == 0 {
			t.Fatalf("%s: %d skins, %d roots, %d animations", in, len(doc.Skins), len(doc.Scenes[0].Nodes), len(doc.Animations))
		}
		mesh := doc.Nodes[doc.Scenes[0].Nodes[1]]
		if mesh.Skin == nil || mesh.Mesh == nil || len(mesh.Children) > 0 {
			t.Errorf("%s: the second root is %+v", in, mesh)
		}
		for _, p := range doc.Meshes[*mesh.Mesh].Primitives {
			if _, ok := p.Attributes[gltf.JOINTS_0]; !ok {
				t.Errorf("%s: a primitive has no joints", in)
			}
		}
		below := map[int]bool{}
		var walk func(int)
		walk = func(i int) {
			below[i] = true
			for _, c := range doc.Nodes[i].Children {
				walk(c)
			}
		}
		walk(0)
		for _, j := range doc.Skins[0].Joints {
			if !below[j] {
				t.Errorf("%s: joint %d is not below the root", in, j)
			}
		}
	}
}

// Without its skeleton a model stands as in maps.
func TestModelWithoutASkeleton(t *testing.T) {
	doc := modelDoc(t, "../testdata/goldsrc/models/signpost.mdl", func(j *Job) { j.Pipeline.Model.Skeleton = false })
	if len(doc.Skins)+len(doc.Animations) > 0 || len(doc.Nodes) != 2 {
		t.Errorf("%d skins, %d animations, %d nodes", len(doc.Skins), len(doc.Animations), len(doc.Nodes))
	}
}

func TestModelWithChosenSequences(t *testing.T) {
	all := len(modelDoc(t, "../testdata/source/models/ours/gate.mdl", nil).Animations)
	name := modelDoc(t, "../testdata/source/models/ours/gate.mdl", nil).Animations[0].Name
	for _, test := range []struct {
		patterns []string
		want     int
	}{{nil, 0}, {[]string{"*"}, all}, {[]string{strings.ToUpper(name)}, 1}, {[]string{"no such"}, 0}} {
		doc := modelDoc(t, "../testdata/source/models/ours/gate.mdl", func(j *Job) { j.Pipeline.Model.Sequences = test.patterns })
		if len(doc.Animations) != test.want {
			t.Errorf("%v: %d animations, want %d", test.patterns, len(doc.Animations), test.want)
		}
	}
}

func TestSequencesThatAModelLacksAreTold(t *testing.T) {
	p := defaults()
	p.Model.Sequences = []string{"no such", "WALK*"}
	r, err := Run(t.Context(), Job{Pipeline: p, Model: true, In: "../testdata/goldsrc/models/walker.mdl", Out: filepath.Join(t.TempDir(), "out.glb")})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, i := range r.Issues {
		if i.Code == "sequence-missing" {
			told = append(told, i.Detail)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], `"no such"`) {
		t.Errorf("%q", told)
	}
}

// Models that can't be read end the conversion and leave no file.
func TestModelsThatAreRefused(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"a.mdl": "IDST\x30\x00\x00\x00", "b.mdl": "IDST\x63\x00\x00\x00", "c.md3": "nothing",
		"d.mdl": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for in, want := range map[string]error{"a.mdl": limit.ErrCorrupt, "b.mdl": errors.ErrUnsupported, "c.md3": limit.ErrCorrupt, "d.mdl": limit.ErrCorrupt,
		"e.mdl": fs.ErrNotExist} {
		out := filepath.Join(dir, "out.glb")
		_, err := Run(t.Context(), Job{Pipeline: defaults(), Model: true, In: filepath.Join(dir, in), Out: out})
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", in, err, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: it left a file", in)
		}
	}
	if _, err := Run(t.Context(), Job{Pipeline: defaults(), Model: true, In: "-"}); !errors.Is(err, limit.ErrUsage) {
		t.Error(err)
	}
}

// Hit boxes are nodes below bones with the box's size as their scale, if they are asked for; the model's root has what the file says of it.
func TestModelWithHitBoxes(t *testing.T) {
	in := "../testdata/goldsrc/models/signpost.mdl"
	data, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	at := len(data)
	for _, v := range []uint32{1, 7, math.Float32bits(-1), math.Float32bits(-2), math.Float32bits(-3), math.Float32bits(3),
		math.Float32bits(2), math.Float32bits(5)} {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	binary.LittleEndian.PutUint32(data[156:], 1)
	binary.LittleEndian.PutUint32(data[160:], uint32(at))
	in = filepath.Join(t.TempDir(), "post.mdl")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []bool{false, true} {
		doc := modelDoc(t, in, func(j *Job) { j.Pipeline.Model.HitBoxes = wanted })
		found := 0
		for _, n := range doc.Nodes {
			extras, _ := n.Extras.(map[string]any)
			if extras["hitbox"] != 7.0 {
				continue
			}
			found++
			// The box is 4 by 4 by 8 inches around 1, 0, 1, and glTF's Y is up.
			for k, want := range [3]float64{4 * 0.0254, 8 * 0.0254, 4 * 0.0254} {
				if math.Abs(n.Scale[k]-want) > 1e-6 || math.Abs(n.Translation[k]-[3]float64{0.0254, 0.0254, 0}[k]) > 1e-6 {
					t.Errorf("scale %v at %v", n.Scale, n.Translation)
				}
			}
		}
		if found != map[bool]int{false: 0, true: 1}[wanted] {
			t.Errorf("wanted %v: %d hit boxes", wanted, found)
		}
		if extras, _ := doc.Nodes[1].Extras.(map[string]any); extras["flags"] != 0.0 {
			t.Errorf("the model has %v", doc.Nodes[1].Extras)
		}
	}
}

// A sprite's frames take turns as the pictures of its material, ten in a second; without sequences it shows the first.
func TestModelOfASpriteHasItsFrames(t *testing.T) {
	sprite := spr.Sprite{Version: 2, Palette: make([][3]byte, 256)}
	for i := range 3 {
		sprite.Palette[i] = [3]byte{byte(80 * i), 0, 0}
		sprite.Frames = append(sprite.Frames, spr.Frame{{Width: 4, Height: 4, Pixels: bytes.Repeat([]byte{byte(i)}, 16)}})
	}
	in := filepath.Join(t.TempDir(), "sprites", "flame.spr")
	if err := os.MkdirAll(filepath.Dir(in), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in, sprite.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		sequences []string
		frames    []float64
	}{{[]string{"*"}, []float64{0, 1, 2}}, {nil, nil}} {
		doc := modelDoc(t, in, func(j *Job) { j.Pipeline.Model.Sequences = test.sequences })
		extras, _ := doc.Materials[0].Extras.(map[string]any)
		motion, _ := extras["motion"].(map[string]any)
		var frames []float64
		list, _ := motion["frames"].([]any)
		for _, f := range list {
			n, _ := f.(float64)
			frames = append(frames, n)
		}
		if len(doc.Images) != max(1, len(test.frames)) || !slices.Equal(frames, test.frames) || len(frames) > 0 && motion["fps"] != 10.0 {
			t.Errorf("sequences %v: %d images, motion %v", test.sequences, len(doc.Images), motion)
		}
	}
}
