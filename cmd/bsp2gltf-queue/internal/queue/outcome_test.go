package queue_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// maxStatus is how large a status may be: a quarter of a message of a server with default settings.
const maxStatus = 256 << 10

// events runs a worker until the queue is empty, and returns how often each outcome was told: "failed usage: maps/a.glb".
func events(t *testing.T, q *queue.Queue) map[string]int {
	t.Helper()
	all := map[string]int{}
	w := worker(t.TempDir())
	w.Event = func(s *jobs.Status) {
		all[strings.TrimSuffix(fmt.Sprintf("%s %s: %s", s.State, s.Record.Reason, s.Job.Output), ": ")]++
	}
	if err := q.Work(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	return all
}

// sizes returns the sizes of all statuses in bytes of JSON, by output.
func sizes(t *testing.T, q *queue.Queue) map[string]int {
	t.Helper()
	all := map[string]int{}
	for _, j := range overview(t, q).Jobs {
		text, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		all[j.Job.Output] = len(text)
	}
	return all
}

// Whatever a map has, its status is small; of many files it has the number and a hash.
func TestStatusesStaySmall(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		q := open(t, serve(serverConfig{}).URL)
		defer q.Close()
		out := t.TempDir()
		submit(t, q, requests(t, t.TempDir(), out, map[string]string{"many": "files 4000", "few": "files 16", "long": "long"}), setup(),
			false, 3, 0, 0, 0)
		want := map[string]int{"done : maps/many.glb": 1, "done : maps/few.glb": 1, "done : maps/long.glb": 1}
		if diff := cmp.Diff(want, events(t, q)); diff != "" {
			t.Fatal(diff)
		}
		for name, size := range sizes(t, q) {
			if size > maxStatus {
				t.Errorf("the status of %s has %d bytes", name, size)
			}
		}
		jobs := overview(t, q).Jobs
		few, long, many := jobs[0], jobs[1], jobs[2]
		if few.Files.Count != 16 || len(few.Record.Files) != 16 {
			t.Errorf("%+v", few.Files)
		}
		if long.Record.Summary.Lacking != 9999 || len(long.Record.Summary.Missing) == 0 {
			t.Errorf("%+v", long.Record.Summary)
		}
		checkList(t, out, many.Files, 4000)
	})
}

// checkList checks that a list is that of all files of an output.
func checkList(t *testing.T, out string, l *jobs.FileList, count int) {
	t.Helper()
	var want []string
	for name, content := range files(t, out) {
		if strings.HasPrefix(name, "maps/many") {
			want = append(want, fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(content)), name))
		}
	}
	slices.SortFunc(want, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	sum := sha256.Sum256([]byte(strings.Join(want, "")))
	if l == nil || l.Count != count || len(want) != count || l.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("%+v, of %d files", l, len(want))
	}
}

// A server that takes only small messages can't store every outcome. Such a job fails once, with the reason.
func TestOutcomeTooLargeForTheServer(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		q := open(t, serve(serverConfig{Payload: 8 << 10}).URL)
		defer q.Close()
		submit(t, q, requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "ok", "long": "long"}), setup(), false, 2, 0, 0, 0)
		if diff := cmp.Diff(map[string]int{"done : maps/a.glb": 1, "failed limit: maps/long.glb": 1}, events(t, q)); diff != "" {
			t.Fatal(diff)
		}
		o := overview(t, q)
		if o.Reasons[batch.Limited] != 1 || o.Leased != 0 || o.Pending != 0 ||
			!strings.Contains(o.Jobs[1].Record.Message, "can't store the outcome") {
			t.Errorf("%+v", o)
		}
	})
}

// Messages that bring no job that could run are told once and leave the queue; the jobs beside them are done.
func TestMessagesThatAreNoJobs(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	bad := map[string]string{
		"failed usage":       "what?",
		"failed usage: x":    fmt.Sprintf(`{"id": "no key", "setup": %q, "output": "x"}`, hash),
		"failed usage: y":    fmt.Sprintf(`{"id": "read", "setup": %q, "output": "y"}`, hash),
		"failed usage: z":    fmt.Sprintf(`{"id": "a.*.>", "setup": %q, "output": "z"}`, hash),
		"failed usage: w":    fmt.Sprintf(`{"id": %q, "setup": "no key", "output": "w"}`, hash),
		"failed usage: ../v": fmt.Sprintf(`{"id": %q, "setup": %q, "output": "../v", "tool": %q}`, hash[2:]+"0b", hash, tool),
		"failed usage: u": fmt.Sprintf(`{"id": %q, "setup": %q, "output": "u", "tool": %q, "in": %q}`, hash[2:]+"0c", hash, tool,
			strings.Repeat("x", 900<<10)),
		"failed usage: t": fmt.Sprintf(`{"id": %q, "setup": %q, "output": "t", "tool": "test 2"}`, hash[2:]+"0d", hash),
	}
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		q := open(t, at)
		defer q.Close()
		submit(t, q, requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "ok"}), setup(), false, 1, 0, 0, 0)
		js, want := client(t, at), map[string]int{"done : maps/a.glb": 1}
		for event, message := range bad {
			want[event] = 1
			if _, err := js.PublishMsg(t.Context(), &nats.Msg{Subject: "bsp2gltf.jobs.test_1", Data: []byte(message)}); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, events(t, q)); diff != "" {
			t.Error(diff)
		}
		o := overview(t, q)
		if o.Leased != 0 || o.Pending != 0 || o.Counts[jobs.Failed] != 4 || o.Counts[jobs.Done] != 1 {
			t.Errorf("%+v", o)
		}
		for name, size := range sizes(t, q) {
			if size > maxStatus {
				t.Errorf("the status of %s has %d bytes", name, size)
			}
		}
	})
}

// A map whose names no message of the queue can hold is a problem of the submission, and no job.
func TestNamesThatAreTooLong(t *testing.T) {
	q := open(t, "embed:"+t.TempDir())
	defer q.Close()
	long := jobs.Request{In: "s3://maps/" + strings.Repeat("x", 1<<20), Identity: "x", Out: "s3://out", Output: "x.glb"}
	ok := jobs.Request{In: "s3://maps/y", Identity: "y", Out: "s3://out", Output: "y.glb"}
	got, err := q.Submit(t.Context(), []jobs.Request{long, ok}, setup(), false)
	if err != nil || got.New != 1 || len(got.Problems) != 1 || !strings.Contains(got.Problems[0].Err.Error(), "the queue takes") {
		t.Errorf("%+v, %v", got, err)
	}
}

// An attempt that the worker's end interrupts does not count, so a job is not given up because its workers are often restarted.
func TestInterruptedAttemptsDoNotCount(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		q := open(t, serve(serverConfig{}).URL)
		defer q.Close()
		submit(t, q, requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "stuck"}), setup(), false, 1, 0, 0, 0)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- q.Work(ctx, worker(t.TempDir())) }()
		for overview(t, q).Counts[jobs.Running] == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		o := overview(t, q)
		if o.Counts[jobs.Queued]+o.Counts[jobs.Running] != 1 || o.Jobs[0].Attempt != 0 || o.Pending+uint64(o.Leased) != 1 {
			t.Errorf("%+v", o)
		}
	})
}

// A job whose last worker died without an outcome fails, and says so.
func TestJobThatKillsItsWorkers(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		q := open(t, at)
		defer q.Close()
		submit(t, q, requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "ok"}), setup(), false, 1, 0, 0, 0)
		deliver(t, at, 5)
		if diff := cmp.Diff(map[string]int{"failed crash: maps/a.glb": 1}, events(t, q)); diff != "" {
			t.Fatal(diff)
		}
		o := overview(t, q)
		if o.Counts[jobs.Failed] != 1 || o.Jobs[0].Record.Message != "attempt 5 of 5 has no outcome: its worker died or lost the queue" ||
			o.Leased != 0 {
			t.Errorf("%+v", o)
		}
	})
}

// deliver lets a worker that dies take the queue's only job some times.
func deliver(t *testing.T, at string, times int) {
	t.Helper()
	c, err := client(t, at).Consumer(t.Context(), "BSP2GLTF", "workers-test_1")
	if err != nil {
		t.Fatal(err)
	}
	for range times {
		m, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Nak(); err != nil {
			t.Fatal(err)
		}
	}
}

// An overview has every job while statuses are written.
func TestOverviewIsComplete(t *testing.T) {
	const jobs, reads = 60, 150
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		q := open(t, at)
		defer q.Close()
		submit(t, q, requests(t, t.TempDir(), t.TempDir(), many(jobs)), setup(), false, jobs, 0, 0, 0)
		kv, err := client(t, at).KeyValue(t.Context(), "bsp2gltf-status")
		if err != nil {
			t.Fatal(err)
		}
		all := overview(t, q).Jobs
		ctx, stop := context.WithCancel(t.Context())
		var writers sync.WaitGroup
		for n := range 4 {
			writers.Go(func() {
				for i := n; ctx.Err() == nil; i += 4 {
					text, _ := json.Marshal(all[i%jobs]) // it was JSON
					_, _ = kv.Put(ctx, all[i%jobs].Job.ID, text)
				}
			})
		}
		for i := range reads {
			if o := overview(t, q); o.Total != jobs || len(o.Jobs) != jobs {
				t.Errorf("read %d: %d of %d jobs", i, o.Total, jobs)
			}
		}
		stop()
		writers.Wait()
	})
}
