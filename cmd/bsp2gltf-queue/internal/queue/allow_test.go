package queue_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	q := open(t, "embed:"+t.TempDir())
	defer q.Close()
	for i, test := range tests {
		s := setup()
		s.Game = test.game
		if test.options != "" {
			s.Options = test.options
		}
		submit(t, q, []jobs.Request{{In: test.in, Identity: test.in, Out: test.out, Output: fmt.Sprintf("%02d.glb", i)}}, s, false,
			1, 0, 0, 0)
	}
	w := worker(t.TempDir())
	w.AllowIn, w.AllowOut = []string{mine, s3}, []string{mine}
	w.Reads = func(options string) ([]string, error) {
		if filepath.IsAbs(options) {
			return []string{options}, nil
		}
		return nil, nil
	}
	before := files(t, theirs)
	if err := q.Work(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	for _, j := range overview(t, q).Jobs {
		var i int
		if _, err := fmt.Sscanf(j.Job.Output, "%d.glb", &i); err != nil {
			t.Fatal(err)
		}
		want := tests[i].want
		if want == "" && j.State != jobs.Done || want != "" &&
			(j.State != jobs.Failed || j.Attempt != 1 || !strings.Contains(j.Record.Message, want)) {
			t.Errorf("%s: %s, %d attempts: %+v", tests[i].name, j.State, j.Attempt, j.Record)
		}
	}
	if diff := cmp.Diff(before, files(t, theirs)); diff != "" {
		t.Error(diff)
	}
}

func TestPlacesThatAreNone(t *testing.T) {
	q := open(t, "embed:"+t.TempDir())
	defer q.Close()
	for _, name := range []string{"", "s3://key:secret@bucket", "s3://b/../c", "s3://b?x=%zz", "/a/../b"} {
		in, out := worker(t.TempDir()), worker(t.TempDir())
		in.AllowIn, out.AllowOut = []string{name}, []string{name}
		for _, w := range []jobs.Worker{in, out} {
			if err := q.Work(t.Context(), w); !errors.Is(err, limit.ErrUsage) {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}
