package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// TestMain is the program itself where a test, or the program as the parent of worker processes, has started it.
func TestMain(m *testing.M) {
	if os.Getenv("BSP2GLTF_QUEUE_TEST") != "" {
		main()
	}
	os.Exit(m.Run())
}

// program runs the program and returns its exit code and what it printed.
func program(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "BSP2GLTF_QUEUE_TEST=1", "XDG_CACHE_HOME="+t.TempDir())
	var out, complaints strings.Builder
	c.Stdout, c.Stderr = &out, &complaints
	_ = c.Run() // the exit code says it
	return c.ProcessState.ExitCode(), out.String(), complaints.String()
}

// A batch over a queue in a folder converts what can be converted, says what can't, and has nothing to do the second time.
func TestBatchOverAQueue(t *testing.T) {
	dir := t.TempDir()
	demo, err := os.ReadFile("../../testdata/demo/maps/demo.bsp")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"good.bsp": demo, "bad.bsp": demo[:len(demo)/2]} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, queue := filepath.Join(dir, "out"), "embed:"+filepath.Join(dir, "jobs")
	for _, want := range []string{"1 map converted, 0 done before, 1 failed", "0 maps converted, 1 done before, 1 failed"} {
		code, _, said := program(t, "batch", dir, "-o", out, "--queue", queue)
		if code != 1 || !strings.Contains(said, want) || !strings.Contains(said, "corrupt") {
			t.Errorf("exit code %d: %s", code, said)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "good.glb")); err != nil {
		t.Error(err)
	}
	code, text, said := program(t, "batch", "status", "--queue", queue, "--json")
	var o jobs.Overview
	if err := json.Unmarshal([]byte(text), &o); err != nil || code != 0 {
		t.Fatal(code, err, said)
	}
	if o.Total != 2 || o.Counts[jobs.Done] != 1 || o.Counts[jobs.Failed] != 1 {
		t.Errorf("%+v", o)
	}
}

// A worker refuses a job that names a place that it does not allow, also one that only the options name.
func TestWorkerAllowsPlaces(t *testing.T) {
	dir, game := t.TempDir(), t.TempDir()
	demo, err := filepath.Abs("../../testdata/demo/maps")
	if err != nil {
		t.Fatal(err)
	}
	queue := "embed:" + filepath.Join(dir, "jobs")
	for out, game := range map[string][]string{"out": nil, "other": {"--game", game}} {
		args := append([]string{"batch", "submit", demo, "-o", filepath.Join(dir, out), "--queue", queue}, game...)
		if code, _, said := program(t, args...); code != 0 {
			t.Fatal(said)
		}
	}
	code, _, said := program(t, "worker", "--queue", queue, "--until-empty", "--allow-in", demo, "--allow-out", dir, "--jobs", "1")
	if code != 0 || strings.Count(said, "failed "+demo) != 1 || !strings.Contains(said, game+": this worker may not read it (--allow-in)") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
