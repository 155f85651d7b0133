package queue_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// fetched returns the maps that workers have in a scratch folder.
func fetched(t *testing.T, scratch string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(scratch, "*", "in", "*", "*.bsp"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// await waits until a worker has a map in the scratch folder, other than a known one, and returns the map's path.
func await(t *testing.T, scratch, known string) string {
	t.Helper()
	for {
		for _, name := range fetched(t, scratch) {
			if name != known {
				return name
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// checkScratch checks that a scratch folder has nothing but its lock and the files of games that are kept.
func checkScratch(t *testing.T, scratch string, kept ...string) {
	t.Helper()
	for name := range files(t, scratch) {
		if name != "lock" && !(strings.HasPrefix(name, "games/") && slices.Contains(kept, path.Base(name))) {
			t.Errorf("left in the scratch folder: %s", name)
		}
	}
}

// A worker removes at its start what killed workers left in the scratch folder, and nothing that a living one has there.
func TestScratchOfKilledWorkersIsSwept(t *testing.T) {
	at := serveHere(t, serverConfig{}).URL
	in, out, scratch, now := t.TempDir(), t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "now")
	put(t, in, map[string]string{"a.bsp": "until " + now})
	submission{url: at, in: fileURL(in), out: out}.want(t, 1, 0, 0, 0, 0)
	shortLease(t, at)
	killed, _ := start(t, at, scratch)
	left := await(t, scratch, "")
	_ = killed.Process.Kill()
	_ = killed.Wait()
	if _, err := os.Stat(left); err != nil {
		t.Fatal(err)
	}
	_, living := start(t, at, scratch)
	its := await(t, scratch, left)
	if found := fetched(t, scratch); len(found) != 1 {
		t.Errorf("after the next worker's start: %v", found)
	}
	work(t, at, "test 2", worker(scratch)) // a third worker comes and goes: it finds no job of its own version
	if found := fetched(t, scratch); len(found) != 1 || found[0] != its {
		t.Errorf("a living worker's map was swept: %v", found)
	}
	put(t, filepath.Dir(now), map[string]string{filepath.Base(now): ""})
	for living.Scan() {
	}
	if r := records(t, out); r["a.glb"].Reason != "" || len(r) != 1 {
		t.Errorf("%+v", r)
	}
	checkScratch(t, scratch)
}

// A scratch folder that somebody has prepared leads to no other folder.
func TestScratchFollowsNoLinks(t *testing.T) {
	at := serveHere(t, serverConfig{}).URL
	for name, refused := range map[string]bool{"lock": true, "games": true, "run-1": false} {
		scratch, elsewhere := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(elsewhere, "precious"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, filepath.Join(scratch, name)); err != nil {
			t.Skip(err)
		}
		err := queue.Work(t.Context(), jobs.Queue{URL: at, Tool: tool}, worker(scratch))
		if refused && (!errors.Is(err, limit.ErrOutput) || !strings.Contains(err.Error(), name+" is a symbolic link")) || !refused &&
			err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if found := files(t, elsewhere); len(found) != 1 {
			t.Errorf("%s: %v", name, found)
		}
	}
}
