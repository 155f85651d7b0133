package queue_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// The matrix: each server × maps that are good, that fail at once, after retries and finally, and that are too large for a message ×
// workers that want other leases and are of other versions, while somebody looks. Each job has one outcome, the right one.
func TestMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	maps := map[string]struct {
		text, want string
	}{
		"good":      {"ok", "done"},
		"flaky":     {"flaky", "done"},
		"corrupt":   {"corrupt", "failed corrupt"},
		"manyfiles": {"files 4000", "done"},
		"long":      {"long", "done"},
		"nothing":   {"", "done"},
	}
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		t.Setenv("QUEUE_TEST_FLAKY", filepath.Join(t.TempDir(), "tried"))
		scratch := t.TempDir()
		want, outs := map[string]string{}, map[string]string{}
		for _, tool := range []string{"test 1", "test 2"} {
			q := openAs(t, at, tool)
			defer q.Close()
			outs[tool] = t.TempDir()
			texts := map[string]string{}
			for name, m := range maps {
				for i := range 5 {
					texts[fmt.Sprint(name, i)] = m.text
					want[fmt.Sprintf("%s maps/%s%d.glb", tool, name, i)] = m.want
				}
			}
			submit(t, q, requests(t, t.TempDir(), outs[tool], texts), setup(), false, len(texts), 0, 0, 0)
		}
		var workers []*exec.Cmd
		for _, tool := range []string{"test 1", "test 2"} {
			for _, lease := range []string{"10s", "0s", "3m"} {
				c, _ := start(t, at, scratch, "QUEUE_TEST_TOOL="+tool, "QUEUE_TEST_LEASE="+lease)
				workers = append(workers, c)
			}
		}
		for !lookedEmpty(t, at) {
			time.Sleep(50 * time.Millisecond)
		}
		for _, c := range workers {
			if err := c.Wait(); err != nil {
				t.Error(err)
			}
		}
		q := open(t, at)
		defer q.Close()
		o, got := overview(t, q), map[string]string{}
		for _, j := range o.Jobs {
			got[j.Job.Tool+" "+j.Job.Output] = strings.TrimSpace(fmt.Sprintf("%s %s", j.State, j.Record.Reason))
			if j.Record.Tool != j.Job.Tool {
				t.Errorf("%s is of %s", j.Job.Output, j.Record.Tool)
			}
			if j.Attempt != 1 && !strings.Contains(j.Job.Output, "flaky") {
				t.Errorf("%s took %d attempts", j.Job.Output, j.Attempt)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || o.Pending != 0 || o.Leased != 0 {
			t.Error(diff, o.Pending, o.Leased)
		}
		for name, size := range sizes(t, q) {
			if size > maxStatus {
				t.Errorf("the status of %s has %d bytes", name, size)
			}
		}
		checkScratch(t, scratch)
	})
}

// lookedEmpty reports whether somebody who looks sees that all jobs have ended.
func lookedEmpty(t *testing.T, at string) bool {
	t.Helper()
	q, err := queue.Look(t.Context(), jobs.Options{URL: at})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	return overview(t, q).Empty()
}
