package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
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

// serve starts a server of queues and returns its URL.
func serve(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return s.ClientURL()
}

// A batch over a queue converts what can be converted, says what can't, has nothing to do the second time, and has the bytes and the
// report of a batch.
func TestBatchOverAQueue(t *testing.T) {
	dir, queue := t.TempDir(), serve(t)
	demo, err := os.ReadFile("../../testdata/demo/maps/demo.bsp")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"good.bsp": demo, "bad.bsp": demo[:len(demo)/2]} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, alone := filepath.Join(dir, "out"), filepath.Join(dir, "alone")
	expect := func(code int, want string, args ...string) string {
		t.Helper()
		got, text, said := program(t, args...)
		if got != code || !strings.Contains(said, want) {
			t.Errorf("%q: exit code %d: %s", args, got, said)
		}
		return text
	}
	expect(0, "2 maps queued, 0 in the queue already, 0 done before, 0 refused before", "batch", dir, "-o", out, "--queue", queue)
	expect(0, "0 maps queued, 2 in the queue already", "batch", dir, "-o", out, "--queue", queue)
	expect(0, "corrupt", "worker", "--queue", queue, "--until-empty", "--jobs", "1")
	expect(0, "0 maps queued, 0 in the queue already, 1 done before, 1 refused before", "batch", dir, "-o", out, "--queue", queue)
	expect(1, "0 maps converted, 1 done before, 1 failed", "batch", dir, "-o", out)
	expect(1, "1 map converted", "batch", filepath.Join(dir, "*.bsp"), "-o", alone)
	same, err1 := os.ReadFile(filepath.Join(out, "good.glb"))
	want, err2 := os.ReadFile(filepath.Join(alone, "good.glb"))
	if err := errors.Join(err1, err2); err != nil || !bytes.Equal(same, want) {
		t.Error("the output is not that of a batch", err)
	}
	if lines := strings.Split(expect(0, "", "batch", "report", out), "\n"); len(lines) != 3 || !strings.Contains(lines[0], `"corrupt"`) {
		t.Errorf("%q", lines)
	}
	expect(0, "", "batch", "report", out, "--html", filepath.Join(dir, "report.html"))
}

// A worker refuses a job that names a place that it does not allow, also one that only the options name.
func TestWorkerAllowsPlaces(t *testing.T) {
	dir, game, queue := t.TempDir(), t.TempDir(), serve(t)
	demo, err := filepath.Abs("../../testdata/demo/maps")
	if err != nil {
		t.Fatal(err)
	}
	for out, game := range map[string][]string{"out": nil, "other": {"--game", game}} {
		args := append([]string{"batch", demo, "-o", filepath.Join(dir, out), "--queue", queue}, game...)
		if code, _, said := program(t, args...); code != 0 {
			t.Fatal(said)
		}
	}
	code, _, said := program(t, "worker", "--queue", queue, "--until-empty", "--allow-in", demo, "--allow-out", dir, "--jobs", "1")
	if code != 0 || strings.Count(said, "failed "+demo) != 1 || !strings.Contains(said, game+": this worker may not read it (--allow-in)") ||
		strings.Contains(said, "whoever can post") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
