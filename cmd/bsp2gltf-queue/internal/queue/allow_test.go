package queue_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// A worker that allows places does nothing for a job that names another one.
func TestJobsStayInTheAllowedPlaces(t *testing.T) {
	root := t.TempDir()
	mine, theirs := filepath.Join(root, "mine"), filepath.Join(root, "theirs")
	for _, dir := range []string{mine, theirs, mine + "2"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a.bsp"), []byte("ok"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(theirs, filepath.Join(mine, "link")); err != nil {
		t.Skip(err)
	}
	s3 := "s3://maps/q3?region=x&use_path_style=true"
	tests := []struct {
		name, in, out, options string
		game                   []string
		want                   string // "" if the job is done
	}{
		{name: "a path", in: mine + "/a.bsp", out: mine + "/out"},
		{name: "a path as a URL", in: fileURL(mine) + "/a.bsp", out: fileURL(mine)},
		{name: "the place itself", in: mine + "/a.bsp", out: mine},
		{name: "another folder", in: theirs + "/a.bsp", out: mine, want: "may not read it"},
		{name: "another folder as a URL", in: fileURL(theirs) + "/a.bsp", out: mine, want: "may not read it"},
		{name: "a folder whose name begins so", in: mine + "2/a.bsp", out: mine, want: "may not read it"},
		{name: "a link that leads out", in: mine + "/link/a.bsp", out: mine, want: "may not read it"},
		{name: "up", in: mine + "/../theirs/a.bsp", out: mine, want: "climbs"},
		{name: "up from a link", in: mine + "/link/../mine/a.bsp", out: mine, want: "climbs"},
		{name: "standard input", in: "-", out: mine, want: "may not read it"},
		{name: "output elsewhere", in: mine + "/a.bsp", out: theirs, want: "may not write to it"},
		{name: "output through a link", in: mine + "/a.bsp", out: mine + "/link/new/folder", want: "may not write to it"},
		{name: "another bucket", in: "s3://secret/q3/a.bsp?region=x&use_path_style=true", out: mine, want: "may not read it"},
		{name: "another key", in: "s3://maps/q33/a.bsp?region=x&use_path_style=true", out: mine, want: "may not read it"},
		{name: "another endpoint", in: "s3://maps/q3/a.bsp?region=x&use_path_style=true&endpoint=http://evil", out: mine,
			want: "may not read it"},
		{name: "a key that climbs", in: "s3://maps/q3/../x/a.bsp?region=x&use_path_style=true", out: mine, want: "is no place in a store"},
		{name: "output to S3", in: mine + "/a.bsp", out: s3, want: "may not write to it"},
		{name: "a game elsewhere", in: mine + "/a.bsp", out: mine, game: []string{fileURL(theirs)}, want: "may not read it"},
		{name: "options that name a folder", in: mine + "/a.bsp", out: mine, options: theirs, want: "may not read it"},
	}
	at := serveHere(t, serverConfig{}).URL
	for i, test := range tests {
		post(t, at, &jobs.Setup{Setup: batch.Setup{Options: cmp.Or(test.options, "options "), Format: "glb", Game: test.game}, Tool: tool},
			fmt.Sprintf("%02d.glb", i), test.in, test.out)
	}
	w := worker(t.TempDir())
	w.AllowIn, w.AllowOut = []string{mine, s3}, []string{mine}
	w.Reads = func(options string) ([]string, error) {
		if filepath.IsAbs(options) {
			return []string{options}, nil
		}
		return nil, nil
	}
	before, ended := files(t, theirs), map[string]*batch.Record{}
	w.Event = func(e batch.Event) { ended[e.Ended.Output] = e.Ended }
	if err := queue.Work(t.Context(), jobs.Queue{URL: at, Tool: tool}, w); err != nil {
		t.Fatal(err)
	}
	for i, test := range tests {
		r := ended[fmt.Sprintf("%02d.glb", i)]
		if test.want == "" && r.Reason != "" || test.want != "" && (r.Reason != batch.Usage || r.Attempts != 1 || !strings.Contains(r.Message, test.want)) {
			t.Errorf("%s: %+v", test.name, r)
		}
	}
	if diff := gocmp.Diff(before, files(t, theirs)); diff != "" {
		t.Error(diff)
	}
}

// post puts a job into the queue that no submission makes.
func post(t *testing.T, at string, s *jobs.Setup, output, in, out string) {
	t.Helper()
	tasks := []batch.Task{{Input: batch.Input{Path: "any.bsp"}, Output: output}}
	if _, err := queue.Submit(t.Context(), jobs.Queue{URL: at, Tool: tool}, s, t.TempDir(), tasks); err != nil {
		t.Fatal(err)
	}
	js := client(t, at)
	stream, err := js.Stream(t.Context(), "BSP2GLTF")
	if err != nil {
		t.Fatal(err)
	}
	m, err := stream.GetMsg(t.Context(), stream.CachedInfo().State.LastSeq)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.DeleteMsg(t.Context(), m.Sequence); err != nil {
		t.Fatal(err)
	}
	var job map[string]any
	if err := json.Unmarshal(m.Data, &job); err != nil {
		t.Fatal(err)
	}
	job["in"], job["out"] = in, out
	text, _ := json.Marshal(job) // it was JSON
	if _, err := js.Publish(t.Context(), m.Subject, text); err != nil {
		t.Fatal(err)
	}
}

func TestPlacesThatAreNone(t *testing.T) {
	for _, name := range []string{"", "s3://key:secret@bucket", "s3://b/../c", "s3://b?x=%zz", "/a/../b"} {
		in, out := worker(t.TempDir()), worker(t.TempDir())
		in.AllowIn, out.AllowOut = []string{name}, []string{name}
		for _, w := range []*jobs.Worker{in, out} {
			if err := queue.Work(t.Context(), jobs.Queue{URL: "nats://127.0.0.1:1", Tool: tool}, w); !errors.Is(err, limit.ErrUsage) {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}
