package queue_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// state returns all streams and consumers of a server with their settings and what they hold.
func state(t *testing.T, at string) string {
	t.Helper()
	js := client(t, at)
	var lines []string
	streams := js.ListStreams(t.Context())
	for s := range streams.Info() {
		config, _ := json.Marshal(s.Config) // it was JSON
		lines = append(lines, fmt.Sprintf("%s: %d messages, the last is %d", config, s.State.Msgs, s.State.LastSeq))
		stream, err := js.Stream(t.Context(), s.Config.Name)
		if err != nil {
			t.Fatal(err)
		}
		consumers := stream.ListConsumers(t.Context())
		for c := range consumers.Info() {
			config, _ := json.Marshal(c.Config) // it was JSON
			lines = append(lines, fmt.Sprintf("%s: %d wait, %d are leased", config, c.NumPending, c.NumAckPending))
		}
		if err := consumers.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := streams.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// Looking at a queue neither creates it nor changes its lease, its messages or its statuses.
func TestLookingChangesNothing(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		look := func(total int) {
			t.Helper()
			before := state(t, at)
			q, err := queue.Look(t.Context(), jobs.Options{URL: at})
			if err != nil {
				t.Fatal(err)
			}
			defer q.Close()
			if o := overview(t, q); o.Total != total || o.Pending != uint64(total) || len(o.Jobs) != total {
				t.Errorf("%+v", o)
			}
			if diff := cmp.Diff(before, state(t, at)); diff != "" {
				t.Error(diff)
			}
		}
		look(0)
		q, err := queue.Open(t.Context(), jobs.Options{URL: at, Tool: tool, Lease: 3 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		defer q.Close()
		submit(t, q, requests(t, t.TempDir(), t.TempDir(), many(5)), setup(), false, 5, 0, 0, 0)
		look(5)
	})
}

func TestLookingAtAFolderCreatesNone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "jobs")
	if _, err := queue.Look(t.Context(), jobs.Options{URL: "embed:" + dir}); !errors.Is(err, limit.ErrInput) {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// lease opens a queue with a wanted lease, and returns the one that it has then.
func lease(t *testing.T, at string, wanted time.Duration) time.Duration {
	t.Helper()
	q, err := queue.Open(t.Context(), jobs.Options{URL: at, Tool: tool, Lease: wanted})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	return q.Lease()
}

// The lease is given to a new queue, and stays.
func TestLeaseIsTheQueues(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		for _, wanted := range []time.Duration{time.Minute, 0, time.Second, time.Hour} {
			if got := lease(t, at, wanted); got != time.Minute {
				t.Errorf("wanted %s, got %s", wanted, got)
			}
		}
	})
}

// A worker that wants no lease of its own sends its heartbeats by the lease that the queue has.
func TestHeartbeatFollowsTheQueue(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		lease(t, at, 2*time.Second)
		q := open(t, at)
		defer q.Close()
		c, err := nats.Connect(at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		answers, err := c.SubscribeSync("$JS.ACK.>")
		if err != nil {
			t.Fatal(err)
		}
		in := t.TempDir()
		submit(t, q, requests(t, in, t.TempDir(), map[string]string{"a": "until " + filepath.Join(in, "now")}), setup(), false, 1, 0, 0, 0)
		ended := make(chan error)
		var attempts []int
		w := worker(t.TempDir())
		w.Event = func(s *jobs.Status) { attempts = append(attempts, s.Attempt) }
		go func() { ended <- q.Work(t.Context(), w) }()
		for range 5 { // more than a lease
			m, err := answers.NextMsg(time.Minute)
			if err != nil || string(m.Data) != "+WPI" {
				t.Fatalf("instead of a heartbeat: %v %v", m, err)
			}
		}
		if err := os.WriteFile(filepath.Join(in, "now"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]int{1}, attempts); diff != "" {
			t.Error(diff)
		}
	})
}
