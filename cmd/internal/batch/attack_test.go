//go:build unix

package batch_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// victims returns the files of a folder with their content.
func victims(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		all[e.Name()] = string(text)
	}
	return all
}

// A prepared output folder leads no batch to other files: where one of its own is a link, or no file, it says so and converts nothing.
func TestNothingIsWrittenThroughThePreparedState(t *testing.T) {
	link := func(name, to string) func(out, elsewhere string) error {
		return func(out, elsewhere string) error {
			return os.Symlink(filepath.Join(elsewhere, to), filepath.Join(out, ".bsp2gltf", name))
		}
	}
	for what, c := range map[string]struct {
		plant func(out, elsewhere string) error
		names string // what the message names
		shard batch.Shard
	}{
		"the state": {plant: func(out, elsewhere string) error {
			return errors.Join(os.Remove(filepath.Join(out, ".bsp2gltf")), os.Symlink(elsewhere, filepath.Join(out, ".bsp2gltf")))
		}, names: "/.bsp2gltf is a symbolic link"},
		"the manifest": {plant: link("manifest.jsonl", "notes.txt"), names: "/manifest.jsonl is a symbolic link"},
		"the manifest, beside it": {plant: func(out, _ string) error {
			return os.Symlink("../kept.glb", filepath.Join(out, ".bsp2gltf", "manifest.jsonl"))
		}, names: "/manifest.jsonl is a symbolic link"},
		"the manifest, to nothing": {plant: link("manifest.jsonl", "new"), names: "/manifest.jsonl is a symbolic link"},
		"the lock":                 {plant: link("lock", "notes.txt"), names: "/lock is a symbolic link"},
		"the lock, to nothing":     {plant: link("lock", "new"), names: "/lock is a symbolic link"},
		"the pictures":             {plant: link("pictures", "."), names: "/pictures is a symbolic link"},
		"another shard's manifest": {plant: link("manifest-1-of-2.jsonl", "notes.txt"), names: "/manifest-1-of-2.jsonl is a symbolic link"},
		"a shard's manifest": {plant: link("manifest-0-of-2.jsonl", "notes.txt"), names: "/manifest-0-of-2.jsonl is a symbolic link",
			shard: batch.Shard{N: 0, Of: 2}},
		"a shard's lock": {plant: link("lock-0-of-2", "new"), names: "/lock-0-of-2 is a symbolic link", shard: batch.Shard{N: 0, Of: 2}},
		"the manifest, a pipe": {plant: func(out, _ string) error {
			return syscall.Mkfifo(filepath.Join(out, ".bsp2gltf", "manifest.jsonl"), 0o600)
		}, names: "/manifest.jsonl is a pipe"},
		"the lock, a pipe": {plant: func(out,
			_ string) error {
			return syscall.Mkfifo(filepath.Join(out, ".bsp2gltf", "lock"), 0o600)
		}, names: "/lock is a pipe"},
		"the manifest, a folder": {plant: func(out,
			_ string) error {
			return os.Mkdir(filepath.Join(out, ".bsp2gltf", "manifest.jsonl"), 0o700)
		}, names: "/manifest.jsonl is a folder"},
		"the pictures, no folder": {plant: func(out, _ string) error {
			return os.WriteFile(filepath.Join(out, ".bsp2gltf", "pictures"), nil, 0o600)
		}, names: "/pictures is a file, not a folder"},
		"the manifest, a hanging loop": {plant: func(out, _ string) error {
			return os.Symlink("manifest.jsonl", filepath.Join(out, ".bsp2gltf", "manifest.jsonl"))
		}, names: "/manifest.jsonl is a symbolic link"},
	} {
		in, out, elsewhere := tree(t, map[string]string{"a.bsp": "a", "b.bsp": "b"}), t.TempDir(), t.TempDir()
		kept := filepath.Join(out, "kept.glb")
		if err := errors.Join(os.Mkdir(filepath.Join(out, ".bsp2gltf"), 0o755), os.WriteFile(kept, []byte("mine"), 0o600),
			os.WriteFile(filepath.Join(elsewhere, "notes.txt"), []byte("mine"), 0o600), c.plant(out, elsewhere)); err != nil {
			t.Fatal(err)
		}
		before := victims(t, elsewhere)
		o := options(in, out)
		o.Pictures, o.Shard = true, c.shard
		_, err := batch.Run(t.Context(), o)
		if !errors.Is(err, limit.ErrOutput) || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v", what, err)
		}
		if now := victims(t, elsewhere); !maps.Equal(now, before) {
			t.Errorf("%s: elsewhere there are %q", what, now)
		}
		if text, err := os.ReadFile(kept); err != nil || string(text) != "mine" {
			t.Errorf("%s: a file beside it is %q, %v", what, text, err)
		}
		if fileExists(filepath.Join(out, "a.glb")) || fileExists(filepath.Join(out, "b.glb")) {
			t.Errorf("%s: maps were converted", what)
		}
	}
}

// A folder of outputs that somebody replaces or removes while a batch runs leads it nowhere else, and the batch says that it failed.
func TestTheFolderIsReplacedWhileABatchRuns(t *testing.T) {
	for what, c := range map[string]struct {
		act  func(out, elsewhere string) error
		says string
	}{
		"by a link": {func(out, elsewhere string) error {
			return errors.Join(os.Rename(out, out+".aside"), os.Symlink(elsewhere, out))
		}, "removed or replaced while the batch ran"},
		"by another folder": {func(out, _ string) error {
			return errors.Join(os.Rename(out, out+".aside"), os.Mkdir(out, 0o755))
		}, "removed or replaced while the batch ran"},
		"by nothing": {func(out, _ string) error { return os.RemoveAll(out) }, "removed or replaced while the batch ran"},
		"but an output": {func(out, _ string) error { return os.Remove(filepath.Join(out, "a.glb")) },
			`1 of its files were removed while the batch ran, like "a.glb"`},
	} {
		in := tree(t, map[string]string{"a.bsp": "ok a", "b.bsp": "ok b", "c.bsp": "ok c"})
		out, elsewhere := filepath.Join(t.TempDir(), "out"), t.TempDir()
		o := options(in, out)
		o.Workers = 1
		acted := false
		o.Event = func(e batch.Event) {
			if e.Ended == nil || acted {
				return
			}
			acted = true
			if err := c.act(out, elsewhere); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		_, err := batch.Run(t.Context(), o)
		if !errors.Is(err, limit.ErrOutput) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("replaced %s: %v", what, err)
		}
		if now := victims(t, elsewhere); len(now) > 0 {
			t.Errorf("replaced %s: elsewhere there are %q", what, now)
		}
	}
}

// A file or link that a killed process left under the name of a temporary file is replaced, and not written through.
func TestTemporaryNamesThatArePrepared(t *testing.T) {
	in, out, elsewhere := tree(t, map[string]string{"a.bsp": "a"}), t.TempDir(), t.TempDir()
	state, notes := filepath.Join(out, ".bsp2gltf"), filepath.Join(elsewhere, "notes.txt")
	if err := errors.Join(os.Mkdir(state, 0o755), os.WriteFile(notes, []byte("mine"), 0o600),
		os.Symlink(notes, filepath.Join(state, fmt.Sprintf("manifest.jsonl.%d.tmp", os.Getpid())))); err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder // so many that the manifest is written anew
	for range 200 {
		line, _ := json.Marshal(batch.Record{Output: "gone.glb"})
		lines.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(state, "manifest.jsonl"), []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, options(in, out))
	if text, err := os.ReadFile(notes); err != nil || string(text) != "mine" {
		t.Errorf("elsewhere there is %q, %v", text, err)
	}
	if info, err := os.Lstat(filepath.Join(state, "manifest.jsonl")); err != nil || !info.Mode().IsRegular() || info.Size() > 1000 {
		t.Errorf("the manifest is %v, %v", info, err)
	}
}

// A report shows nothing that a link in a prepared folder leads to.
func TestReportsFollowNoLinks(t *testing.T) {
	line, _ := json.Marshal(batch.Record{Output: "private.glb"})
	out, elsewhere := t.TempDir(), tree(t, map[string]string{"private.jsonl": string(line) + "\n"})
	state := filepath.Join(out, ".bsp2gltf")
	if err := errors.Join(os.Mkdir(state, 0o755), os.Symlink(filepath.Join(elsewhere, "private.jsonl"),
		filepath.Join(state, "manifest.jsonl"))); err != nil {
		t.Fatal(err)
	}
	if list, err := batch.OpenReport(t.Context(), out, nil); !errors.Is(err, limit.ErrInput) || list != nil {
		t.Errorf("%v, %v", list, err)
	}
	if err := errors.Join(os.RemoveAll(state), os.Symlink(elsewhere, state)); err != nil {
		t.Fatal(err)
	}
	if list, err := batch.OpenReport(t.Context(), out, nil); !errors.Is(err, limit.ErrInput) || list != nil {
		t.Errorf("%v, %v", list, err)
	}
}
