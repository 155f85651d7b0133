package store

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"gocloud.dev/blob"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func TestMain(m *testing.M) {
	if os.Getenv("STORE_TEST_WORKER") != "" {
		if err := batch.Serve(context.Background(), os.Stdin, os.Stdout, fake); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fake writes the text of the map, and what lies beside it, as the output.
func fake(ctx context.Context, _ *batch.Setup, j *batch.Job) batch.Result {
	text, err := os.ReadFile(j.In)
	if err != nil {
		return batch.Result{Reason: batch.ReasonOf(err), Message: err.Error()}
	}
	switch string(text) {
	case "corrupt":
		return batch.Result{Reason: batch.Corrupt, Message: "lump 7: bad"}
	case "slow":
		select {
		case <-ctx.Done():
			return batch.Result{Reason: batch.ReasonOf(ctx.Err())}
		case <-time.After(100 * time.Millisecond):
		}
	}
	beside, _ := filepath.Glob(strings.TrimSuffix(j.In, ".bsp") + "*")
	for _, name := range beside {
		text = append(text, " "+filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)...)
	}
	side := strings.TrimSuffix(j.Out, ".glb") + ".json"
	if err := errors.Join(os.WriteFile(side, text, 0o644), os.WriteFile(j.Out, text, 0o644)); err != nil {
		return batch.Result{Reason: batch.NoOutput, Message: err.Error()}
	}
	sum, _ := batch.HashInput(context.Background(), j.In)
	return batch.Result{SHA256: sum, Files: []string{side, j.Out}, Summary: &batch.Summary{Map: "x"}, Picture: []byte("RIFF")}
}

// storesOn returns stores in which s3://bucket is a folder on disk, with files.
func storesOn(t *testing.T, dir string, files map[string]string) *Stores {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	b, err := blob.OpenBucket(t.Context(), "file://"+filepath.ToSlash(dir)+"?metadata=skip&no_tmp_dir=1")
	if err != nil {
		t.Fatal(err)
	}
	s.all = map[string]*blob.Bucket{"s3://bucket?": b}
	return s
}

// options returns the options of a batch from a store to a store.
func options(t *testing.T, s *Stores, url string) batch.Options {
	t.Helper()
	o := batch.Options{
		Dir: "s3://bucket/out", Stores: s, Tool: "test 1", Workers: 2, Memory: 1 << 30, Pictures: true,
		Setup: batch.Setup{Options: "version: 1\n", Format: "glb"},
		Command: func() *exec.Cmd {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), "STORE_TEST_WORKER=1")
			return c
		},
	}
	var err error
	o.Inputs, o.Problems, err = batch.Find(t.Context(), batch.Sources{Args: []string{url}, Stores: s})
	if err != nil || len(o.Problems) > 0 {
		t.Fatal(err, o.Problems)
	}
	return o
}

func run(t *testing.T, o batch.Options) *batch.Tally {
	t.Helper()
	tally, err := batch.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

// tree returns the texts of the files below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.Contains(p, ".bsp2gltf/") {
			text, _ := os.ReadFile(filepath.Join(dir, p))
			all[p] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// records returns the outputs of a report, each once for every record of it.
func records(t *testing.T, s *Stores) []string {
	t.Helper()
	r, err := batch.OpenReport(t.Context(), "s3://bucket/out", s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []string
	if err := r.Each(func(r *batch.Record) error { all = append(all, r.Output); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

func maps(n int, text string) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprintf("in/%02d.bsp", i)] = text
	}
	return all
}

func TestShardsOfAStoreAreTheWhole(t *testing.T) {
	dir := t.TempDir()
	all := maps(30, "ok")
	all["in/bad.bsp"] = "corrupt"
	s := storesOn(t, dir, all)
	sum := 0
	for i := range 3 {
		o := options(t, s, "s3://bucket/in")
		o.Shard = batch.Shard{N: i, Of: 3}
		tally := run(t, o)
		if tally.Converted == 0 || tally.Converted == 30 {
			t.Errorf("shard %d has %d", i, tally.Converted)
		}
		sum += tally.Converted
	}
	o := options(t, s, "s3://bucket/in")
	if tally := run(t, o); sum != 30 || tally.Before != 30 || len(tally.Failed) != 1 || tally.Failed[0].Reason != batch.Corrupt {
		t.Errorf("%d, then %+v", sum, tally)
	}
	if got := tree(t, filepath.Join(dir, "out")); len(got) != 60 || got["07.glb"] != "ok in/07.bsp" {
		t.Errorf("%d files: %q", len(got), got["07.glb"])
	}
	if got := records(t, s); len(got) != 31 || !slices.IsSorted(got) {
		t.Errorf("%d records: %q", len(got), got)
	}
	// What is changed in the store is made again.
	name := filepath.Join(dir, "out", "03.glb")
	if err := errors.Join(os.WriteFile(name, []byte("others'"), 0o644), os.Remove(filepath.Join(dir, "out", "04.json"))); err != nil {
		t.Fatal(err)
	}
	if tally := run(t, options(t, s, "s3://bucket/in")); tally.Converted != 2 || tally.Before != 28 {
		t.Errorf("after a change: %+v", tally)
	}
	if got := tree(t, filepath.Join(dir, "out")); got["03.glb"] != "ok in/03.bsp" {
		t.Errorf("%q", got["03.glb"])
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.scratch.dir), "*", "*", "*")); len(left) > 0 {
		t.Errorf("left in the scratch folder: %q", left)
	}
}

// Two processes with the same shard convert its maps twice at most, and leave one record and one output of each.
func TestOneShardTwiceHarmsNothing(t *testing.T) {
	dir := t.TempDir()
	s, other := storesOn(t, dir, maps(12, "slow")), storesOn(t, dir, nil)
	done := make(chan error, 2)
	for _, x := range []*Stores{s, other} {
		o := options(t, x, "s3://bucket/in/*.bsp")
		o.Shard = batch.Shard{N: 0, Of: 1}
		go func() {
			_, err := batch.Run(context.Background(), o)
			done <- err
		}()
	}
	if err := errors.Join(<-done, <-done); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, filepath.Join(dir, "out")); len(got) != 24 {
		t.Errorf("%d files", len(got))
	}
	if got := records(t, s); len(got) != 12 {
		t.Errorf("%d records: %q", len(got), got)
	}
	if tally := run(t, options(t, s, "s3://bucket/in")); tally.Before != 12 {
		t.Errorf("%+v", tally)
	}
}

func TestStoppedShardGoesOn(t *testing.T) {
	dir := t.TempDir()
	s := storesOn(t, dir, maps(20, "slow"))
	o := options(t, s, "s3://bucket/in")
	ctx, cancel := context.WithCancel(t.Context())
	ended := 0
	o.Event = func(e batch.Event) {
		if e.Ended != nil {
			if ended++; ended == 5 {
				cancel()
			}
		}
	}
	first, err := batch.Run(ctx, o)
	if err == nil || first.Converted < 5 || first.Converted == 20 {
		t.Fatalf("%v, %+v", err, first)
	}
	if tally := run(t, options(t, s, "s3://bucket/in")); tally.Before != first.Converted || tally.Before+tally.Converted != 20 {
		t.Errorf("%+v, then %+v", first, tally)
	}
}

func TestFilesBesideAMapAreFetched(t *testing.T) {
	dir := t.TempDir()
	s := storesOn(t, dir, map[string]string{
		"g/id1/maps/a.bsp": "ok", "g/id1/maps/a.lit": "", "g/id1/maps/a_l_0.lmp": "", "g/id1/maps/ab.lit": "", "g/id1/maps/ab.bsp": "ok",
	})
	o := options(t, s, "s3://bucket/g/id1/maps/**/*.bsp")
	run(t, o)
	want := "ok maps/a.bsp maps/a.lit maps/a_l_0.lmp"
	if got := tree(t, filepath.Join(dir, "out"))["a.glb"]; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	// A worker of a queue has not seen the listing; the job has it.
	other, in := storesOn(t, dir, nil), o.Inputs[slices.IndexFunc(o.Inputs, func(i batch.Input) bool { return i.Rel == "a.bsp" })]
	name, done, err := other.Fetch(t.Context(), &in, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if got := tree(t, filepath.Dir(name)); len(got) != 3 || !strings.HasSuffix(filepath.ToSlash(name), "/id1/maps/a.bsp") {
		t.Errorf("%s: %q", name, got)
	}
	in.Beside = []string{"g/id1/maps/secret"}
	if _, done, err := other.Fetch(t.Context(), &in, 1<<20); err == nil {
		done()
		t.Error("a file that is not beside the map is fetched")
	}
}

func TestModelsOfAStoreHaveTheirFolder(t *testing.T) {
	s := storesOn(t, t.TempDir(), map[string]string{"baseq2/models/a/tris.md2": "x", "baseq2/models/a/skin.pcx": "y", "baseq2/b.md3": "z"})
	for url, want := range map[string][]string{
		"s3://bucket/baseq2":                 {"b.md3", "models/a/tris.md2"},
		"s3://bucket/baseq2/models/**/*.md2": {"a/tris.md2"},
		"s3://bucket/baseq2/b.md3":           {"b.md3"},
	} {
		found, err := s.List(t.Context(), url, true)
		var got []string
		for _, in := range found {
			got = append(got, in.Rel)
			name, _, err := s.Fetch(t.Context(), &in, 1<<20)
			if err != nil || name != in.Local || !strings.HasPrefix(in.Path, "s3://bucket/baseq2/") {
				t.Errorf("%+v: %v", in, err)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(in.Local), "skin.pcx")); strings.HasSuffix(in.Rel, "md2") && err != nil {
				t.Error(err)
			}
		}
		if diff := gocmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", url, err, diff)
		}
	}
}

// The maps in archives of a store are those of the archives in a folder.
func TestMapsInArchivesOfAStore(t *testing.T) {
	var text bytes.Buffer
	z := zip.NewWriter(&text)
	for _, name := range []string{"maps/a.bsp", "maps/b.bsp", "textures/x.jpg"} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte("ok"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	s := storesOn(t, t.TempDir(), map[string]string{
		"g/baseq3/pak0.pk3": text.String(), "g/baseq3/more/maps.zip": text.String(), "g/c.bsp": "ok", "g/textures.wad": "WAD3",
	})
	for url, want := range map[string][]string{
		"s3://bucket/g": {
			"baseq3/more/maps.zip/maps/a.bsp", "baseq3/more/maps.zip/maps/b.bsp", "baseq3/pak0.pk3/maps/a.bsp", "baseq3/pak0.pk3/maps/b.bsp", "c.bsp",
		},
		"s3://bucket/**/*.pk3":                     {"g/baseq3/pak0.pk3/maps/a.bsp", "g/baseq3/pak0.pk3/maps/b.bsp"},
		"s3://bucket/g/baseq3/pak0.pk3":            {"pak0.pk3/maps/a.bsp", "pak0.pk3/maps/b.bsp"},
		"s3://bucket/g/baseq3/pak0.pk3:maps/a.bsp": {"pak0.pk3/maps/a.bsp"},
		"s3://bucket/g/**/*.zip:maps/b*":           {"baseq3/more/maps.zip/maps/b.bsp"},
		"s3://bucket/g/**/*.bsp":                   {"c.bsp"},
		"s3://bucket/g/baseq3/*.pk3":               {"pak0.pk3/maps/a.bsp", "pak0.pk3/maps/b.bsp"},
	} {
		found, err := s.List(t.Context(), url, false)
		var got []string
		for _, in := range found {
			got = append(got, in.Rel)
			name, _, err := s.Fetch(t.Context(), &in, 1<<20)
			if err != nil || in.Local != "" && name != in.Local || !strings.HasPrefix(in.Path, "s3://bucket/g/") {
				t.Errorf("%+v: %v", in, err)
			}
		}
		if diff := gocmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", url, err, diff)
		}
	}
}

// answer is an error of S3.
type answer struct{ code, message string }

func (e *answer) Error() string {
	return "operation error S3: " + e.code + " with much more: " + e.message
}
func (e *answer) ErrorCode() string    { return e.code }
func (e *answer) ErrorMessage() string { return e.message }

// status is such an error with the status of the answer.
type status struct {
	answer
	status int
}

func (e *status) HTTPStatusCode() int { return e.status }

// A folder of a store into which no batch has written has no report, and a batch that only plans needs none.
func TestNoReportOfAnEmptyStore(t *testing.T) {
	s := storesOn(t, t.TempDir(), maps(1, "ok"))
	if _, err := batch.OpenReport(t.Context(), "s3://bucket/out", s); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), "no batch has written into it") {
		t.Error(err)
	}
	o := options(t, s, "s3://bucket/in")
	o.DryRun = true
	if tally := run(t, o); tally.Left != 1 {
		t.Errorf("%+v", tally)
	}
}

func TestErrorsOfStoresAreOneLine(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connect: connection refused")}
	for _, test := range []struct {
		err    error
		kind   error
		passes bool
		want   string
	}{
		{&answer{"InvalidAccessKeyId", "x"}, fs.ErrPermission, false, "refuses the credentials (InvalidAccessKeyId)"},
		{&answer{"EntityTooLarge", "x"}, limit.ErrLimit, false, "EntityTooLarge: x"},
		{&answer{"SlowDown", "x"}, limit.ErrWrite, true, "SlowDown: x"},
		{&status{answer{"NewCode", "x"}, 403}, fs.ErrPermission, false, "refuses the credentials (NewCode)"},
		{&status{answer{"InsufficientStorage", "x"}, 507}, syscall.ENOSPC, false, "no space left on device (InsufficientStorage)"},
		{&answer{"QuotaExceeded", "x"}, syscall.ENOSPC, false, "no space left on device (QuotaExceeded)"},
		{fmt.Errorf("/tmp/x: %w: %w", limit.ErrWrite, syscall.ENOSPC), limit.ErrWrite, false, "no space left on device"},
		{errors.New("S3: ListObjectsV2, get identity: get credentials: no role"), fs.ErrPermission, false, "there are no credentials: AWS's variables or files have them"},
		{&status{answer{"Forbidden", "get identity: get credentials"}, 403}, fs.ErrPermission, false, "there are no credentials: AWS's variables or files have them"},
		{errors.New("google: could not find default credentials. See"), fs.ErrPermission, false, "there are no credentials: GOOGLE_APPLICATION_CREDENTIALS names a file"},
		{errors.New("endpoint rule error, Invalid region: it was no name"), fs.ErrPermission, false, "no region is given: add ?region=NAME, or set AWS_REGION"},
		{fmt.Errorf("operation error: %w", refused), limit.ErrWrite, true, ": dial tcp: connect: connection refused"},
	} {
		err := storeError("s3://bucket/x?secret=1", test.err, limit.ErrWrite)
		if !errors.Is(err, test.kind) || !strings.HasSuffix(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v", err)
		}
		if passes(err) != test.passes {
			t.Errorf("%v: passes: %v", err, passes(err))
		}
	}
}
