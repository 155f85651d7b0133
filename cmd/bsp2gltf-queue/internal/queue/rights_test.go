package queue_test

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
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
		as(t, "stranger")
		if _, err := queue.Open(t.Context(), jobs.Options{URL: at, Tool: tool}); !errors.Is(err, limit.ErrInput) ||
			!errors.Is(err, nats.ErrAuthorization) {
			t.Error(err)
		}
		as(t, "worker")
		if _, err := queue.Open(t.Context(), jobs.Options{URL: at, Tool: tool}); !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("a worker creates a queue: %v", err)
		}
		as(t, "submitter")
		submitter := open(t, at)
		defer submitter.Close()
		all := requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "ok", "b": "corrupt"})
		submit(t, submitter, all, setup(), false, 2, 0, 0, 0)
		submit(t, submitter, all, setup(), false, 0, 2, 0, 0)
		as(t, "viewer")
		viewer, err := queue.Look(t.Context(), jobs.Options{URL: at})
		if err != nil {
			t.Fatal(err)
		}
		defer viewer.Close()
		if o := overview(t, viewer); o.Counts[jobs.Queued] != 2 {
			t.Errorf("%+v", o)
		}
		as(t, "worker")
		q := open(t, at)
		defer q.Close()
		if diff := cmp.Diff(map[string]int{"done : maps/a.glb": 1, "failed corrupt: maps/b.glb": 1}, events(t, q)); diff != "" {
			t.Error(diff)
		}
		if o := overview(t, viewer); o.Counts[jobs.Done] != 1 || o.Counts[jobs.Failed] != 1 {
			t.Errorf("%+v", o)
		}
		for _, user := range []string{"worker", "viewer"} {
			as(t, user)
			if may(t, at, "bsp2gltf.jobs.test_1") {
				t.Errorf("the %s may submit", user)
			}
		}
	})
}

// may reports whether the current user may publish to a subject.
func may(t *testing.T, at, subject string) bool {
	t.Helper()
	c, err := nats.Connect(at, nats.UserInfo(os.Getenv("NATS_USER"), os.Getenv("NATS_PASSWORD")))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Publish(subject, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := c.Flush(); err != nil { // the server has answered what came before
		t.Fatal(err)
	}
	return !errors.Is(c.LastError(), nats.ErrPermissionViolation)
}
