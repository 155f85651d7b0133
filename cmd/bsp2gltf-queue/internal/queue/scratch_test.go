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
	q := open(t, at)
	defer q.Close()
	in, scratch, now := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "now")
	all := requests(t, in, t.TempDir(), map[string]string{"a": "until " + now})
	all[0].In, all[0].Identity = fileURL(all[0].In), "a"
	submit(t, q, all, setup(), false, 1, 0, 0, 0)

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
	// A third worker comes and goes: it finds no job of its own version.
	other := openAs(t, at, "test 2")
	defer other.Close()
	if err := other.Work(t.Context(), worker(scratch)); err != nil {
		t.Fatal(err)
	}
	if found := fetched(t, scratch); len(found) != 1 || found[0] != its {
		t.Errorf("a living worker's map was swept: %v", found)
	}
	if err := os.WriteFile(now, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for living.Scan() {
	}
	if o := overview(t, q); o.Counts[jobs.Done] != 1 {
		t.Errorf("%+v", o)
	}
	checkScratch(t, scratch)
}

// A scratch folder that somebody has prepared leads to no other folder.
func TestScratchFollowsNoLinks(t *testing.T) {
	for name, refused := range map[string]bool{"lock": true, "games": true, "run-1": false} {
		scratch, elsewhere := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(elsewhere, "precious"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, filepath.Join(scratch, name)); err != nil {
			t.Skip(err)
		}
		q := open(t, "embed:"+t.TempDir())
		err := q.Work(t.Context(), worker(scratch))
		if refused && (!errors.Is(err, limit.ErrOutput) || !strings.Contains(err.Error(), name+" is a symbolic link")) || !refused &&
			err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if found := files(t, elsewhere); len(found) != 1 {
			t.Errorf("%s: %v", name, found)
		}
		q.Close()
	}
}
