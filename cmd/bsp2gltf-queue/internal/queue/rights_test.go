package queue_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// as makes the following connections those of a user of deploy/nats.conf.
func as(t *testing.T, user string) {
	t.Helper()
	t.Setenv("NATS_USER", user)
	t.Setenv("NATS_PASSWORD", user+"s")
}

// Each user of deploy/nats.conf has the rights that it needs: one submits, one works, one looks.
func TestRightsOfDeploy(t *testing.T) {
	for name, value := range map[string]string{"SUBMITTER_PASSWORD": "submitters", "WORKER_PASSWORD": "workers",
		"VIEWER_PASSWORD": "viewers"} {
		t.Setenv(name, value)
	}
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{Users: "../../../../deploy/nats.conf"}).URL
		refused := func(user string, want error) {
			t.Helper()
			as(t, user)
			if err := queue.Work(t.Context(), jobs.Queue{URL: at, Tool: tool}, worker(t.TempDir())); !errors.Is(err, want) {
				t.Errorf("%s: %v", user, err)
			}
		}
		refused("stranger", nats.ErrAuthorization)
		refused("worker", nats.ErrPermissionViolation) // it may not create a queue
		as(t, "submitter")
		in, out := t.TempDir(), t.TempDir()
		put(t, in, map[string]string{"a.bsp": "ok", "b.bsp": "corrupt"})
		s := submission{url: at, in: in, out: out}
		s.want(t, 2, 0, 0, 0, 0)
		s.want(t, 0, 2, 0, 0, 0)
		submission{url: at, in: in, out: out, tool: "test 2"}.want(t, 0, 0, 0, 0, 2)
		as(t, "viewer") // as the command nats does
		c := connect(t, at)
		for _, subject := range []string{"$JS.API.STREAM.INFO.BSP2GLTF", "$JS.API.CONSUMER.INFO.BSP2GLTF.workers-test_1", "$JS.API.CONSUMER.LIST.BSP2GLTF"} {
			if m, err := c.Request(subject, nil, 5*time.Second); err != nil || strings.Contains(string(m.Data), `"error"`) {
				t.Errorf("a viewer may not ask for %s: %v %s", subject, err, m.Data)
			}
		}
		as(t, "worker")
		deliver(t, at, 1) // the worker asks how many attempts were interrupted
		if diff := cmp.Diff(map[string]int{"done a.glb": 1, "failed corrupt b.glb": 1}, work(t, at, tool, worker(t.TempDir()))); diff != "" {
			t.Error(diff)
		}
		for _, user := range []string{"worker", "viewer"} {
			as(t, user)
			if may(t, at, "bsp2gltf.jobs.test_1.x") {
				t.Errorf("the %s may submit", user)
			}
		}
		as(t, "worker")
		if !may(t, at, "$KV.bsp2gltf-interrupted.7") || may(t, at, "$KV.bsp2gltf-setups.x") {
			t.Error("a worker must count interrupted attempts, and change no setup")
		}
	})
}

// connect connects as the current user.
func connect(t *testing.T, at string) *nats.Conn {
	t.Helper()
	c, err := nats.Connect(at, nats.UserInfo(os.Getenv("NATS_USER"), os.Getenv("NATS_PASSWORD")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// may reports whether the current user may publish to a subject.
func may(t *testing.T, at, subject string) bool {
	t.Helper()
	c := connect(t, at)
	if err := c.Publish(subject, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := c.Flush(); err != nil { // the server has answered what came before
		t.Fatal(err)
	}
	return !errors.Is(c.LastError(), nats.ErrPermissionViolation)
}
