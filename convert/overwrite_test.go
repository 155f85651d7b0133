package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
)

// mod copies a folder of testdata and returns the copy. A tint changes the pixels of its pictures.
func mod(t testing.TB, from string, tint uint8) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if tint == 0 {
		return dir
	}
	var b bytes.Buffer
	im := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		im.SetNRGBA(i%8, i/8, color.NRGBA{tint, uint8(i), 0, 255})
	}
	if err := png.Encode(&b, im); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"checker.png", "uv.png"} {
		if err := os.WriteFile(filepath.Join(dir, "textures", "features", name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// state returns every file below dir with its content.
func state(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// filesOf returns the files of a report with their content, by their names relative to dir.
func filesOf(t testing.TB, r *report.Report, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range r.Output.Files {
		data, err := os.ReadFile(f.Name)
		if err != nil || int64(len(data)) != f.Size {
			t.Errorf("%s: %d bytes, reported are %d, %v", f.Name, len(data), f.Size, err)
		}
		rel, _ := filepath.Rel(dir, f.Name)
		out[filepath.ToSlash(rel)] = string(data)
	}
	return out
}

func mustFile(t testing.TB, p pipeline.Pipeline, in, out string) *report.Report {
	t.Helper()
	r, err := File(t.Context(), p, in, out)
	if err != nil {
		t.Fatalf("%s to %s: %v", in, out, err)
	}
	return r
}

// Two maps in one folder have the same files as in separate folders.
func TestTwoOutputsInOneFolder(t *testing.T) {
	one, other := mod(t, "../testdata/features", 0), mod(t, "../testdata/features", 200)
	n := 0
	p := set(t, "materials.png=fast")
	for _, pair := range []struct{ what, first, second, name string }{
		{"the same textures", one + "/maps/lightpages.bsp", one + "/maps/patches.bsp", "patches"},
		{"other textures", one + "/maps/lightpages.bsp", other + "/maps/patches.bsp", "patches"},
		{"the same map", one + "/maps/lightpages.bsp", one + "/maps/lightpages.bsp", "lightpages"},
		{"the same map, by another name", one + "/maps/lightpages.bsp", one + "/maps/lightpages.bsp", "second"},
	} {
		for _, f := range []string{"gltf", "obj", "glb"} {
			for _, g := range []string{"gltf", "obj", "glb"} {
				if n++; n%max(5, testkit.Step(5, 18)) != 0 { // steps of 5 reach each pair and format
					continue
				}
				shared, alone, beside := t.TempDir(), t.TempDir(), t.TempDir()
				a := mustFile(t, p, pair.first, filepath.Join(shared, "lightpages."+f))
				b := mustFile(t, p, pair.second, filepath.Join(shared, pair.name+"."+g))
				first := filesOf(t, mustFile(t, p, pair.first, filepath.Join(alone, "lightpages."+f)), alone)
				second := filesOf(t, mustFile(t, p, pair.second, filepath.Join(beside, pair.name+"."+g)), beside)
				if got := filesOf(t, a, shared); !maps.Equal(got, first) {
					t.Errorf("%s, .%s then .%s: the first differs: %q, want %q", pair.what, f, g, slices.Sorted(maps.Keys(got)),
						slices.Sorted(maps.Keys(first)))
				}
				if got := filesOf(t, b, shared); !maps.Equal(got, second) {
					t.Errorf("%s, .%s then .%s: the second differs: %q, want %q", pair.what, f, g, slices.Sorted(maps.Keys(got)),
						slices.Sorted(maps.Keys(second)))
				}
			}
		}
	}
}

// Two maps of different games with the same name can't share files: the second takes other names.
func TestMapsOfOneNameKeepTheirFiles(t *testing.T) {
	one, other := mod(t, "../testdata/features", 0), mod(t, "../testdata/features", 200)
	dir := t.TempDir()
	p := set(t, "materials.png=fast")
	a := mustFile(t, p, one+"/maps/lightpages.bsp", filepath.Join(dir, "m.gltf"))
	before := filesOf(t, a, dir)
	b := mustFile(t, p, other+"/maps/lightpages.bsp", filepath.Join(dir, "m.obj"))
	if got := filesOf(t, a, dir); !maps.Equal(got, before) {
		t.Error("the first has changed")
	}
	if b.IssueCounts["name-taken"] == 0 {
		t.Errorf("issues %v", b.IssueCounts)
	}
	mtl, err := os.ReadFile(filepath.Join(dir, "m.mtl"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for name, content := range filesOf(t, b, dir) {
		if !strings.HasSuffix(name, ".png") {
			continue
		}
		n++
		if before[name] != "" && before[name] != content {
			t.Errorf("%s is of both", name)
		}
		if !bytes.Contains(mtl, []byte(" "+name+"\n")) && !strings.Contains(name, "lightmap") {
			t.Errorf("%s is not in the .mtl", name)
		}
	}
	if n < 2 {
		t.Errorf("%d images", n)
	}
}

// Maps may share a folder of images. Equal images are stored once; where images differ, each map has its own.
func TestSharedImageFolder(t *testing.T) {
	one, other := mod(t, "../testdata/features", 0), mod(t, "../testdata/features", 200)
	p := set(t, "materials.png=fast", "output.image_dir=textures")
	dir := t.TempDir()
	a := mustFile(t, p, one+"/maps/lightpages.bsp", filepath.Join(dir, "a.gltf"))
	before := filesOf(t, a, dir)
	again := mustFile(t, p, one+"/maps/lightpages.bsp", filepath.Join(dir, "again.gltf"))
	for name := range filesOf(t, again, dir) {
		if strings.HasSuffix(name, ".png") && before[name] == "" {
			t.Errorf("%s is there twice", name)
		}
	}
	b := mustFile(t, p, other+"/maps/patches.bsp", filepath.Join(dir, "b.gltf"))
	if got := filesOf(t, a, dir); !maps.Equal(got, before) {
		t.Error("the first has changed")
	}
	doc := filepath.Join(dir, "b.gltf")
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range filesOf(t, b, dir) {
		if strings.HasSuffix(name, ".png") && before[name] != "" && before[name] != content {
			t.Errorf("%s is of both", name)
		}
		if strings.HasSuffix(name, ".png") && !bytes.Contains(text, []byte(`"`+name+`"`)) {
			t.Errorf("%s is not in the .gltf", name)
		}
	}
	// A second conversion without changes gives the same names.
	files := state(t, dir)
	mustFile(t, p, other+"/maps/patches.bsp", filepath.Join(dir, "b.gltf"))
	if now := state(t, dir); !maps.Equal(now, files) {
		t.Errorf("%q, before %q", slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(files)))
	}
}

// A map that is converted again keeps the names of its files.
func TestConvertedAgainTheNamesStay(t *testing.T) {
	for _, ext := range []string{"gltf", "obj", "glb"} {
		for _, in := range []string{feature, "../testdata/source/maps/hdr.bsp"} {
			if _, err := os.Stat(in); err != nil {
				continue
			}
			dir := t.TempDir()
			out := filepath.Join(dir, "m."+ext)
			mustFile(t, set(t, "materials.png=fast"), in, out)
			before := slices.Sorted(maps.Keys(state(t, dir)))
			mustFile(t, set(t, "materials.png=small", "materials.max_size=16", "lightmap.padding=4", "output.unit=0.5"), in, out)
			if now := slices.Sorted(maps.Keys(state(t, dir))); !slices.Equal(now, before) {
				t.Errorf("%s, %s: %q, before %q", ext, in, now, before)
			}
		}
	}
}

// A conversion changes no existing file but the output it names and the files that the output's last version refers
// to.
func TestNothingElseIsChanged(t *testing.T) {
	game := mod(t, "../testdata/features", 0)
	p := set(t, "materials.png=fast")
	shared := set(t, "materials.png=fast", "output.image_dir=textures")
	flat := set(t, "materials.png=fast", "output.image_dir=", "lightmap.hdr=always")
	base := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(base, "changed") //nolint:usetesting // rapid's T has no TempDir
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		candidates := []string{
			"m.bin", "m.mtl", "m.lightmap.obj", "m.lightmap.mtl", "m_probes.json", "m_lightmap_0.exr", "m_textures/lightmap_0.png",
			"m_textures/features/checker.png", "textures/features/checker.png", "textures/lightmap_0.png", "lightmap_0.png",
			"checker.png", "m.png", "n.glb", "n.gltf", "m_textures/mine.png", "textures/features/checker.jpg",
		}
		there := map[string]string{}
		for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(candidates), rapid.ID).Draw(t, "there") {
			there[name] = "of somebody else: " + name
			if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755),
				os.WriteFile(filepath.Join(dir, name), []byte(there[name]), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(1, 3).Draw(t, "runs") {
			ext := rapid.SampledFrom([]string{"glb", "gltf", "obj"}).Draw(t, "format")
			pipeline := rapid.SampledFrom([]pipeline.Pipeline{p, shared, flat}).Draw(t, "pipeline")
			if _, err := File(t.Context(), pipeline, game+"/maps/external.bsp", filepath.Join(dir, "m."+ext)); err != nil {
				t.Fatal(err)
			}
		}
		for name, content := range there {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != content {
				t.Errorf("%s is %.40q now, %v", name, data, err)
			}
		}
	})
}

// A conversion in a game's folder leaves the game's files unchanged, whatever the settings.
func TestAGameFolderStaysAsItIs(t *testing.T) {
	n := 0
	presets, _ := pipeline.Presets()
	games := []struct{ from, in string }{{"../testdata/features", "maps/lightpages.bsp"}, {"../testdata/source", "maps/showcase.bsp"},
		{"../testdata/goldsrc", "maps/"}}
	for _, g := range games {
		in := g.in
		if strings.HasSuffix(in, "/") || !exists(filepath.Join(g.from, in)) {
			list, err := filepath.Glob(filepath.Join(g.from, "maps", "*.bsp"))
			if err != nil || len(list) == 0 {
				t.Fatalf("%s has no maps", g.from)
			}
			in = "maps/" + filepath.Base(list[0])
		}
		for _, preset := range append([]string{""}, presets...) {
			for _, ext := range []string{"glb", "gltf", "obj"} {
				for _, dir := range []string{"{name}_textures", "textures", "", "maps"} {
					if n++; n%max(11, testkit.Step(17, 50)) != 0 { // steps of 11 reach each preset, format and folder
						continue
					}
					game := mod(t, g.from, 0)
					before := state(t, game)
					layers := []pipeline.Layer{pipeline.SetLayer("materials.max_size=16"), pipeline.SetLayer("materials.images=png"),
						pipeline.SetLayer("output.image_dir=" + dir), pipeline.SetLayer("materials.png=fast")}
					if preset != "" {
						l, err := pipeline.PresetLayer(preset)
						if err != nil {
							t.Fatal(err)
						}
						layers = append([]pipeline.Layer{l}, layers...)
					}
					c, err := pipeline.Load(layers...)
					if err != nil {
						t.Fatal(err)
					}
					mustFile(t, c.Pipeline, filepath.Join(game, in), filepath.Join(game, "out."+ext))
					after := state(t, game)
					for name, content := range before {
						if after[name] != content {
							t.Errorf("%s, preset %q, .%s, image_dir %q: %s has changed", g.from, preset, ext, dir, name)
						}
					}
				}
			}
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Files that the caller reads and writes are kept, too. The check runs before anything is written.
func TestOutputsThatAreOtherFiles(t *testing.T) {
	game := mod(t, "../testdata/features", 0)
	in := filepath.Join(game, "maps", "lightpages.bsp")
	wad := filepath.Join(game, "extra.pk3")
	put := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(wad, "PK\x05\x06"+strings.Repeat("\x00", 18)) // an empty archive
	yaml := filepath.Join(game, "my.yaml")
	put(yaml, "version: 1\n")
	texture := filepath.Join(game, "textures", "features", "checker.png")
	old := filepath.Join(game, "old.glb")
	put(old, "old")
	before := state(t, game)
	p := defaults()
	p.Game.Paths = []string{wad}
	for _, c := range []struct {
		what string
		job  Job
		call invocation.Call
		want error
	}{
		{"the report is the map", Job{Out: filepath.Join(game, "x.glb")}, invocation.Call{Writes: []string{in}}, limit.ErrUsage},
		{"the report is the output", Job{Out: filepath.Join(game, "x.glb")}, invocation.Call{Writes: []string{filepath.Join(game, "maps", "..", "X.glb")}},
			limit.ErrUsage},
		{"the report is an archive of the game", Job{Out: filepath.Join(game, "x.glb")}, invocation.Call{Writes: []string{wad}}, limit.ErrUsage},
		{"the report is the pipeline file", Job{Out: filepath.Join(game, "x.glb")}, invocation.Call{Reads: []string{yaml}, Writes: []string{yaml}},
			limit.ErrUsage},
		{"the output is an archive of the game", Job{Out: wad, Format: "glb"}, invocation.Call{}, limit.ErrUsage},
		{"the output is the pipeline file", Job{Out: yaml, Format: "glb"}, invocation.Call{Reads: []string{yaml}}, limit.ErrUsage},
		{"the output is a texture", Job{Out: texture, Format: "glb"}, invocation.Call{}, limit.ErrOutput},
		{"two files are one", Job{Out: filepath.Join(game, "x.glb")}, invocation.Call{Writes: []string{filepath.Join(game, "r"), filepath.Join(game, "r")}},
			limit.ErrUsage},
		{"there is an output", Job{Out: old, NoClobber: true}, invocation.Call{}, limit.ErrOutput},
		{"nobody named the output, and it is another program's", Job{Out: old}, invocation.Call{Derived: true}, limit.ErrOutput},
	} {
		j := c.job
		j.Pipeline, j.In = p, in
		if _, err := Run(invocation.With(t.Context(), c.call), j); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
		if after := state(t, game); !maps.Equal(after, before) {
			t.Fatalf("%s: something has changed: %q", c.what, slices.Sorted(maps.Keys(after)))
		}
	}
	// No file beside the output may take the report's name.
	r, err := Run(invocation.With(t.Context(), invocation.Call{Writes: []string{filepath.Join(game, "x.bin")}}),
		Job{Pipeline: p, In: in, Out: filepath.Join(game, "x.gltf")})
	if err != nil || exists(filepath.Join(game, "x.bin")) || r.IssueCounts["name-taken"] != 1 {
		t.Errorf("%v, %v", r.IssueCounts, err)
	}
	var doc struct{ Buffers []struct{ URI string } }
	data, err := os.ReadFile(filepath.Join(game, "x.gltf"))
	if err := errors.Join(err, json.Unmarshal(data, &doc)); err != nil || len(doc.Buffers) != 1 ||
		!exists(filepath.Join(game, doc.Buffers[0].URI)) {
		t.Errorf("%v, %v", doc, err)
	}
}

func TestOutputFoldersAreMade(t *testing.T) {
	dir := t.TempDir()
	for _, ext := range []string{"glb", "gltf", "obj"} {
		out := filepath.Join(dir, "out "+ext, "deep", "m."+ext)
		mustFile(t, defaults(), feature, out)
		if !exists(out) {
			t.Errorf("there is no %s", out)
		}
	}
}

// Names that can't name a folder or an .mtl file do not collide with those of another map.
func TestOddNamesShareNothing(t *testing.T) {
	dir := t.TempDir()
	p := set(t, "materials.png=fast")
	for _, name := range []string{"my map", "my_map", "my\tmap", ".m", "m.", "-m", "ä", "a#b", "con"} {
		for _, ext := range []string{"gltf", "obj"} {
			before := state(t, dir)
			r := mustFile(t, p, feature, filepath.Join(dir, name+"."+ext))
			for file := range filesOf(t, r, dir) {
				if before[file] != "" && !strings.HasSuffix(file, ".png") {
					t.Errorf("%q.%s has taken %q", name, ext, file)
				}
			}
			if r.IssueCounts["name-taken"] != 0 {
				t.Errorf("%q.%s: %v", name, ext, r.Issues)
			}
		}
	}
}
