package command

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// fakeQueue is a queue whose lease and state a test gives.
type fakeQueue struct {
	jobs.Queue // nil: a test that calls more has a fault
	lease      time.Duration
	overview   jobs.Overview
	worker     jobs.Worker
}

func (q *fakeQueue) Overview(context.Context, bool) (*jobs.Overview, error) { return &q.overview, nil }
func (q *fakeQueue) Lease() time.Duration                                   { return q.lease }
func (q *fakeQueue) Close()                                                 {}
func (q *fakeQueue) Work(_ context.Context, w jobs.Worker) error {
	q.worker = w
	return nil
}

// runOver runs a command line over a queue and returns what it printed.
func runOver(t *testing.T, q *fakeQueue, args ...string) (stdout, stderr string) {
	t.Helper()
	open := func(context.Context, jobs.Options) (jobs.Queue, error) { return q, nil }
	a := newApp(&jobs.Engine{Open: open, Look: open})
	var out, complaints strings.Builder
	a.stdout, a.stderr = &out, &complaints
	if code := a.run(args); code != 0 {
		t.Fatalf("%q: exit code %d: %s", args, code, complaints.String())
	}
	return out.String(), complaints.String()
}

func TestStatusOfAQueue(t *testing.T) {
	q := &fakeQueue{overview: jobs.Overview{
		Total: 9, Counts: map[jobs.State]int{jobs.Queued: 4, jobs.Running: 1, jobs.Done: 3, jobs.Failed: 1},
		Waiting: map[string]int{tool: 3, "bsp2gltf 0.0.9": 2},
		Jobs: []jobs.Status{{State: jobs.Failed, Job: jobs.Job{In: "a\x1b.bsp"},
			Record: &batch.Record{Reason: batch.Corrupt, Message: "lump 7: bad"}}},
	}}
	want := "9 jobs: 4 queued, 1 running, 3 done, 1 failed\n  2 jobs for workers of bsp2gltf 0.0.9\n  a\\x1b.bsp: corrupt: lump 7: bad\n"
	if got, _ := runOver(t, q, "batch", "status", "--queue", "nats://n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A worker says what is not as its flags would have it: the lease, and who may read and write.
func TestWorkerWarns(t *testing.T) {
	const trust, kept = "whoever can post to the queue can read and write what this user can", "has a lease of 3m0s, which stays"
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"--queue", "nats://n"}, []string{trust}},
		{[]string{"--queue", "embed:x"}, nil},
		{[]string{"--queue", "nats://n", "--allow-in", "/maps"}, []string{trust}},
		{[]string{"--queue", "nats://n", "--allow-in", "/maps", "--allow-out", "/out"}, nil},
		{[]string{"--queue", "embed:x", "--lease", "30s"}, []string{kept}},
		{[]string{"--queue", "embed:x", "--lease", "3m"}, nil},
	} {
		q := &fakeQueue{lease: 3 * time.Minute}
		_, said := runOver(t, q, append([]string{"-q", "worker", "--scratch", t.TempDir()}, test.args...)...)
		for _, text := range test.want {
			if !strings.Contains(said, text) {
				t.Errorf("%q says %q", test.args, said)
			}
		}
		if n := strings.Count(said, "warning:"); n != len(test.want) {
			t.Errorf("%q has %d warnings: %q", test.args, n, said)
		}
	}
}

func TestWorkerGetsItsPlaces(t *testing.T) {
	q := &fakeQueue{}
	runOver(t, q, "worker", "--queue", "embed:x", "--scratch", "s", "--allow-in", "/a", "--allow-in", "s3://b", "--allow-out", "/c",
		"--until-empty")
	if w := q.worker; strings.Join(w.AllowIn, " ") != "/a s3://b" || strings.Join(w.AllowOut, " ") != "/c" || w.Scratch != "s" ||
		!w.UntilEmpty {
		t.Errorf("%+v", w)
	}
	names, err := q.worker.Reads("game: {paths: [/x, /y], palette: /z}\n")
	if err != nil || strings.Join(names, " ") != "/x /y /z" {
		t.Errorf("%q, %v", names, err)
	}
}
