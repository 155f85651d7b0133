package convert

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
)

// rich is a map with light in full range and light probes, which lie beside its output; poor has neither.
const (
	rich = "../testdata/source/maps/hdr.bsp"
	poor = "../testdata/source/maps/decal.bsp"
)

// place writes files below a folder.
func place(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// filesIn lists the files of a folder.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(state(t, dir)))
}

// full keeps everything that can lie beside an output.
func full(t *testing.T) pipeline.Pipeline {
	return set(t, "sky.hdr=sidecar", "materials.cubemaps=faces", "materials.png=fast", "entities.properties=file")
}

// Companions of the former output go with it: what is left is what the new map has alone, and what is not ours.
func TestStaleCompanionsAreRemoved(t *testing.T) {
	if r := mustFile(t, full(t), rich, filepath.Join(t.TempDir(), "x.glb")); len(r.Output.Files) < 3 {
		t.Fatalf("the test needs a map with files beside its output: %v", r.Output.Files)
	}
	for _, ext := range []string{"glb", "gltf", "obj"} {
		for _, second := range []string{poor, demo} {
			dir, alone := t.TempDir(), t.TempDir()
			mine := map[string]string{
				"x_notes.txt": "mine", "x_probes_mine.json": "mine", "x_photo.png": "mine", "x_textures/mine.png": "\x89PNG\r\nmine",
				"x.txt":            "mine",
				"x_hi_probes.json": "mine", "xx.bin": "mine", "x-1.bin": "mine", "x_lightmap_7.exr": "mine",
			}
			place(t, dir, mine)
			out := filepath.Join(dir, "x."+ext)
			first := filesOf(t, mustFile(t, full(t), rich, out), dir)
			r := mustFile(t, full(t), second, out)
			want := filesOf(t, mustFile(t, full(t), second, filepath.Join(alone, "x."+ext)), alone)
			maps.Copy(want, mine)
			if got := state(t, dir); !maps.Equal(got, want) {
				t.Errorf("%s: %q, want %q", ext, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
			var gone []string
			for name := range first {
				if _, ok := want[name]; !ok {
					gone = append(gone, filepath.ToSlash(filepath.Join(dir, name)))
				}
			}
			slices.Sort(gone)
			if slices.Sort(r.Output.Removed); !slices.Equal(r.Output.Removed, gone) || len(gone) == 0 {
				t.Errorf("%s: removed are %q, want %q", ext, r.Output.Removed, gone)
			}
		}
	}
}

// The same map with other settings loses what the settings leave out.
func TestCompanionsThatSettingsLeaveOut(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "x.glb")
	mustFile(t, full(t), rich, out)
	mustFile(t, set(t, "lightmap.hdr=none", "lightmap.probes=false"), rich, out)
	if got := filesIn(t, dir); !slices.Equal(got, []string{"x.glb"}) {
		t.Errorf("%q", got)
	}
}

// The files of an output of the same name in another format stay until that output is replaced as well.
func TestCompanionsOfAnotherFormatStay(t *testing.T) {
	dir := t.TempDir()
	one, other := filepath.Join(dir, "x.glb"), filepath.Join(dir, "x.obj")
	mustFile(t, full(t), rich, one)
	before := filesOf(t, mustFile(t, full(t), rich, other), dir)
	mustFile(t, full(t), poor, one)
	for name, content := range before {
		if state(t, dir)[name] != content {
			t.Errorf("%s belongs to x.obj, and is gone or changed", name)
		}
	}
	mustFile(t, full(t), poor, other)
	for _, name := range filesIn(t, dir) {
		if strings.HasSuffix(name, ".exr") || strings.HasSuffix(name, ".json") {
			t.Errorf("%s belongs to no output", name)
		}
	}
}

// Where a file of somebody else has the name, ours has a hash in it, and is found and removed nevertheless.
func TestCompanionsOfOtherNamesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	mine := map[string]string{"x_probes.json": "mine", "x_lightmap_0.exr": "mine", "x.mtl": "mine", "x.lightmap.mtl": "mine"}
	place(t, dir, mine)
	out := filepath.Join(dir, "x.obj")
	if r := mustFile(t, full(t), rich, out); r.IssueCounts["name-taken"] < 3 {
		t.Fatalf("%v", r.IssueCounts)
	}
	mustFile(t, full(t), poor, out)
	for _, name := range filesIn(t, dir) {
		if strings.HasSuffix(name, ".exr") && mine[name] == "" || strings.HasSuffix(name, ".json") && mine[name] == "" {
			t.Errorf("%s is left", name)
		}
	}
	for name, content := range mine {
		if got := state(t, dir)[name]; got != content {
			t.Errorf("%s is %q", name, got)
		}
	}
}

// An output that somebody else prepared, and that says it is ours, has no file removed that is not what ours has.
func TestPreparedOutputsRemoveNothing(t *testing.T) {
	elsewhere := t.TempDir()
	place(t, elsewhere, map[string]string{"victim.json": "mine", "folder/victim.png": "\x89PNG\r\nmine"})
	model := t.TempDir()
	mustFile(t, full(t), rich, filepath.Join(model, "x.glb"))
	mustFile(t, full(t), "../testdata/source/maps/models.bsp", filepath.Join(model, "other.glb"))
	good := state(t, model)
	victims := map[string]string{
		"notes.txt": "mine", "x_notes.txt": "mine", "x_notes.json": "mine", "x.txt": "mine", "x_photo.png": "\x89PNG\r\nmine",
		"y.bin":       "mine",
		"x_other.exr": "mine", "x_probes.json": good["other_probes.json"], "x_textures/notes.txt": "mine",
		"photos/a.png": "\x89PNG\r\nmine", "x.mtl": "newmtl mine",
	}
	if victims["x_probes.json"] == "" {
		t.Fatal("the test needs light probes of another map")
	}
	dir := t.TempDir()
	place(t, dir, victims)
	links := map[string]string{
		"x_lightmap_0.exr": filepath.Join(model, "x_lightmap_0.exr"), "x_cubemaps": filepath.Join(elsewhere, "folder"),
		"x_textures/link": filepath.Join(elsewhere, "folder"),
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	var all []string
	for name := range victims {
		all = append(all, name)
	}
	all = append(all, "x_lightmap_0.exr", "x_cubemaps/victim.png", "x_textures/link/victim.png",
		"../"+filepath.Base(elsewhere)+"/victim.json", filepath.Join(elsewhere, "victim.json"), "x.gltf", ".", "..", "")
	before := state(t, elsewhere)
	for _, ext := range []string{"gltf", "obj"} {
		out := filepath.Join(dir, "x."+ext)
		text := fmt.Sprintf(`{"asset":{"version":"2.0","generator":"bsp2gltf 0.1.0"},"images":[{"uri":"%s"}],"scenes":[{"extras":{"bsp2gltf_map_sha256":"%s"}}]}`,
			strings.Join(all, `"},{"uri":"`), strings.Repeat("0", 64))
		if ext == "obj" {
			text = "# bsp2gltf 0.1.0\n# map " + strings.Repeat("0", 64) + "\n# with " + strings.Join(all, "\n# with ") + "\n"
		}
		place(t, dir, map[string]string{"x." + ext: text})
		r := mustFile(t, set(t, "materials.png=fast"), poor, out)
		if len(r.Output.Removed) != 0 {
			t.Errorf("%s: removed are %q", ext, r.Output.Removed)
		}
		for name, content := range victims {
			if name == "x."+map[string]string{"obj": "mtl"}[ext] {
				continue // replaced with the x.obj that names it as its library
			}
			if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != content {
				t.Errorf("%s: %s is %.40q now, %v", ext, name, text, err)
			}
		}
		for name := range links {
			if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("%s: the link %s is %v, %v", ext, name, info, err)
			}
		}
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	}
	if now := state(t, elsewhere); !maps.Equal(now, before) {
		t.Errorf("elsewhere there are %q", slices.Sorted(maps.Keys(now)))
	}
	if !maps.Equal(state(t, model), good) {
		t.Error("what a link leads to has changed")
	}
}

// A read-only companion, an input and a file that the caller names stay.
func TestCompanionsThatAreKept(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "x.glb")
	mustFile(t, full(t), rich, out)
	if err := os.Chmod(filepath.Join(dir, "x_probes.json"), 0o444); err != nil {
		t.Fatal(err)
	}
	r, err := Run(invocation.With(t.Context(), invocation.Call{Reads: []string{filepath.Join(dir, "x_lightmap_0.exr")}}),
		Job{Pipeline: full(t), In: poor, Out: out})
	if err != nil || len(r.Output.Removed) != 0 {
		t.Errorf("%v, %v", r.Output.Removed, err)
	}
	if got := filesIn(t, dir); !slices.Equal(got, []string{"x.glb", "x_entities.json.gz", "x_lightmap_0.exr", "x_probes.json"}) {
		t.Errorf("%q", got)
	}
}

// A conversion that fails at its end removes nothing.
func TestAFailureRemovesNothing(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "x.glb")
	mustFile(t, full(t), rich, out)
	before := state(t, dir)
	no := errors.New("no")
	if _, err := Run(t.Context(), Job{Pipeline: full(t), In: poor, Out: out, Report: func(r *report.Report) error {
		if len(r.Output.Removed) == 0 {
			t.Error("the report names no file that will be removed")
		}
		return no
	}}); !errors.Is(err, no) {
		t.Errorf("%v", err)
	}
	if now := state(t, dir); !maps.Equal(now, before) {
		t.Errorf("%q, before %q", slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(before)))
	}
}

// An output and the files beside it state the same map.
func TestCompanionsStateTheirMap(t *testing.T) {
	dir := t.TempDir()
	r := mustFile(t, full(t), rich, filepath.Join(dir, "x.glb"))
	hash := r.Input.SHA256
	if len(hash) != 64 {
		t.Fatalf("%q", hash)
	}
	for name, content := range filesOf(t, r, dir) {
		if n := strings.Count(content, hash); n != 1 {
			t.Errorf("%s states its map %d times", name, n)
		}
	}
	// Also if nobody asked for the hash, and through the other door.
	other := t.TempDir()
	if _, err := Run(t.Context(), Job{Pipeline: full(t), In: rich, Out: filepath.Join(other, "x.glb")}); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(state(t, other), state(t, dir)) {
		t.Error("the output depends on whether the report has the hash")
	}
	f, err := os.Open(rich)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := Map(t.Context(), full(t), Source{Name: "x", Reader: f, Size: info.Size()})
	if err != nil || s.MapSHA256 != hash {
		t.Errorf("%q, %v", s.MapSHA256, err)
	}
}
