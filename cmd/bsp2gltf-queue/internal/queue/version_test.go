package queue_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// tools returns how many ended jobs were run by each version.
func tools(t *testing.T, q *queue.Queue) map[string]int {
	t.Helper()
	all := map[string]int{}
	_ = overview(t, q).Each(func(r *batch.Record) error { all[r.Tool]++; return nil })
	return all
}

// Workers of another version leave a job where it is; the record of a job names the version that ran it.
func TestJobsGoToWorkersOfTheirVersion(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		q1, q2 := openAs(t, at, "bsp2gltf 1.0"), openAs(t, at, "bsp2gltf 1.1-rc.1")
		defer q1.Close()
		defer q2.Close()
		submit(t, q1, requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "ok", "b": "corrupt"}), setup(), false, 2, 0, 0, 0)
		submit(t, q2, requests(t, t.TempDir(), t.TempDir(), map[string]string{"c": "ok"}), setup(), false, 1, 0, 0, 0)
		if diff := cmp.Diff(map[string]int{"bsp2gltf 1.0": 2, "bsp2gltf 1.1-rc.1": 1}, overview(t, q1).Waiting); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]int{"done : maps/c.glb": 1}, events(t, q2)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]int{"bsp2gltf 1.1-rc.1": 1}, tools(t, q2)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]int{"done : maps/a.glb": 1, "failed corrupt: maps/b.glb": 1}, events(t, q1)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(map[string]int{"bsp2gltf 1.0": 2, "bsp2gltf 1.1-rc.1": 1}, tools(t, q1)); diff != "" {
			t.Error(diff)
		}
		if o := overview(t, q2); o.Pending != 0 || o.Leased != 0 || len(o.Waiting) != 0 {
			t.Errorf("%+v", o)
		}
	})
}

// A job that somebody posts for one version with the options of another fails: its record could not be true.
func TestOptionsOfAnotherVersion(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		q1, q2 := openAs(t, at, "test 1"), openAs(t, at, "test 2")
		defer q1.Close()
		defer q2.Close()
		submit(t, q2, requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "ok"}), setup(), false, 1, 0, 0, 0)
		j := overview(t, q2).Jobs[0].Job
		j.Tool, j.ID = "test 1", j.Setup // any other hash
		text, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client(t, at).Publish(t.Context(), "bsp2gltf.jobs.test_1", text); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]int{"failed usage: maps/a.glb": 1}, events(t, q1)); diff != "" {
			t.Error(diff)
		}
		if o := overview(t, q1); o.Reasons[batch.Usage] != 1 || o.Counts[jobs.Queued] != 1 {
			t.Errorf("%+v", o)
		}
	})
}

// Two versions don't write the same outputs at once.
func TestOutputsOfAnotherVersion(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		q1, q2 := openAs(t, at, "test 1"), openAs(t, at, "test 2")
		defer q1.Close()
		defer q2.Close()
		list := requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "ok", "b": "ok"})
		submit(t, q1, list, setup(), false, 2, 0, 0, 0)
		sub, err := q2.Submit(t.Context(), list, setup(), false)
		if err != nil || sub.New != 0 || len(sub.Problems) != 2 ||
			!strings.Contains(sub.Problems[0].Err.Error(), "a job for test 1 is in the queue") {
			t.Errorf("%+v, %v", sub, err)
		}
	})
}
