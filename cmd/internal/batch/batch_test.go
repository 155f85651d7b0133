package batch_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func TestMain(m *testing.M) {
	if os.Getenv("BATCH_TEST_WORKER") != "" {
		if err := batch.Serve(context.Background(), os.Stdin, os.Stdout, fake); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var hoard [][]byte

// fake does what the map's text says.
func fake(ctx context.Context, _ *batch.Setup, j *batch.Job) batch.Result {
	path, _, _ := strings.Cut(j.In, ":")
	text, err := os.ReadFile(path)
	if err != nil {
		return batch.Result{Reason: batch.ReasonOf(err), Message: err.Error()}
	}
	word, _, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	switch word {
	case "hog":
		for {
			b := make([]byte, 8<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			hoard = append(hoard, b)
		}
	case "gulp": // all at once
		b := make([]byte, 1<<40)
		hoard = append(hoard, b)
	case "endless":
		for { // whatever it is told
			time.Sleep(time.Hour)
		}
	case "slow":
		select {
		case <-ctx.Done():
			return batch.Result{Reason: batch.ReasonOf(ctx.Err()), Message: ctx.Err().Error()}
		case <-time.After(300 * time.Millisecond):
		}
	case "patient":
		<-ctx.Done()
		return batch.Result{Reason: batch.ReasonOf(ctx.Err()), Message: ctx.Err().Error()}
	case "crash":
		go func() { panic("boo") }()
		time.Sleep(time.Minute)
	case "once": // crashes the first time
		if os.WriteFile(path+".tried", nil, 0o644); len(text) > 0 && !fileExists(path+".again") {
			_ = os.WriteFile(path+".again", nil, 0o644)
			_ = os.WriteFile(filepath.Join(filepath.Dir(j.Out), fmt.Sprintf(".bsp2gltf-%d-00112233.tmp", os.Getpid())), nil, 0o644)
			os.Exit(3)
		}
	case "corrupt":
		return batch.Result{Reason: batch.Corrupt, Message: "lump 7: bad"}
	case "full":
		return batch.Result{Reason: batch.NoWrite, Message: "can't write: no space left on device"}
	}
	if err := os.WriteFile(j.Out, append([]byte("glb of "), text...), 0o644); err != nil {
		return batch.Result{Reason: batch.NoOutput, Message: err.Error()}
	}
	sum, _ := batch.HashInput(context.Background(), j.In)
	return batch.Result{SHA256: sum, Files: []string{j.Out}, Summary: &batch.Summary{Map: "x"}}
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// tree writes files into a folder of the test.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func zipOf(t *testing.T, names ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, n := range names {
		f, err := w.Create(n)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("map " + n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func worker() *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "BATCH_TEST_WORKER=1")
	return c
}

// options returns the options of a batch of all maps in a folder.
func options(in, out string) batch.Options {
	o := batch.Options{
		Dir: out, Tool: "test 1", Command: worker, Workers: 2, Memory: 1 << 30, Timeout: time.Hour,
		Setup: batch.Setup{Options: "version: 1\n", Format: "glb"},
	}
	o.Inputs, o.Problems = batch.Expand(context.Background(), batch.Sources{Args: []string{in}, Skip: out})
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

// files lists a folder's files but the batch's own.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".bsp2gltf" {
			return filepath.SkipDir
		}
		if p != dir {
			rel, _ := filepath.Rel(dir, p)
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestExpandFindsMaps(t *testing.T) {
	dir := tree(t, map[string]string{
		"maps/a.bsp": "a", "maps/sub/b.BSP": "b", "maps/readme.txt": "", "maps/empty.pk3": zipOf(t, "x.txt"),
		"maps/p.pk3": zipOf(t, "maps/Q.bsp", "deep/down/maps/r.bsp", "textures/x.tga"), "out/c.bsp": "c", "bad.pk3": "no zip",
		"maps/textures.wad": "no wad", "maps/pak01_000.vpk": "no directory",
	})
	t.Chdir(dir)
	for _, c := range []struct {
		name     string
		s        batch.Sources
		rel      []string
		problems int
	}{
		{"folder", batch.Sources{Args: []string{"maps"}},
			[]string{"a.bsp", "p.pk3/deep/down/maps/r.bsp", "p.pk3/maps/q.bsp", "sub/b.BSP"}, 0},
		{"the output's folder is left out", batch.Sources{Args: []string{"."}, Skip: "out"},
			[]string{"maps/a.bsp", "maps/p.pk3/deep/down/maps/r.bsp", "maps/p.pk3/maps/q.bsp", "maps/sub/b.BSP"}, 1},
		{"glob", batch.Sources{Args: []string{"maps/**/*.bsp"}}, []string{"a.bsp"}, 0},
		{"glob of archives", batch.Sources{Args: []string{"maps/*.pk3"}}, []string{"p.pk3/deep/down/maps/r.bsp", "p.pk3/maps/q.bsp"}, 0},
		{"archive", batch.Sources{Args: []string{"maps/p.pk3"}}, []string{"p.pk3/deep/down/maps/r.bsp", "p.pk3/maps/q.bsp"}, 0},
		{"member", batch.Sources{Args: []string{"maps/p.pk3:maps/Q.bsp"}}, []string{"p.pk3/maps/q.bsp"}, 0},
		{"members", batch.Sources{Args: []string{"maps/p.pk3:**/r*.bsp"}}, []string{"p.pk3/deep/down/maps/r.bsp"}, 0},
		{"no such member", batch.Sources{Args: []string{"maps/p.pk3:maps/z.bsp"}}, nil, 1},
		{"files", batch.Sources{Args: []string{"maps/a.bsp", "maps/sub/b.BSP"}}, []string{"a.bsp", "sub/b.BSP"}, 0},
		{"base", batch.Sources{Args: []string{"maps/a.bsp", "maps/sub"}, Base: "."}, []string{"maps/a.bsp", "maps/sub/b.BSP"}, 0},
		{"list", batch.Sources{Args: []string{"-"}, List: strings.NewReader("maps/a.bsp\r\n\nmaps/nothing.bsp\n")}, []string{"a.bsp"}, 1},
		{"twice", batch.Sources{Args: []string{"maps/a.bsp", "./maps/a.bsp"}}, []string{"a.bsp"}, 0},
		{"nothing", batch.Sources{Args: []string{"no/*.bsp", "none.bsp", "bad.pk3"}}, nil, 3},
		{"outside of the base", batch.Sources{Args: []string{"maps/a.bsp"}, Base: "out"}, []string{"a.bsp"}, 0},
	} {
		inputs, problems := batch.Expand(t.Context(), c.s)
		var rel []string
		for _, i := range inputs {
			rel = append(rel, i.Rel)
		}
		if diff := cmp.Diff(c.rel, rel); diff != "" || len(problems) != c.problems {
			t.Errorf("%s: %s\n%v", c.name, diff, problems)
		}
	}
}

// Folders and archives stand for models if those are asked for. Files that are parts of other models are left out.
func TestExpandFindsModels(t *testing.T) {
	textures := "IDST\x0a\x00\x00\x00" + strings.Repeat("\x00", 236) // without body parts
	whole := "IDST\x0a\x00\x00\x00" + strings.Repeat("\x01", 236)
	dir := tree(t, map[string]string{
		"m/a.bsp": "a", "m/models/barney.mdl": whole, "m/models/barneyt.mdl": textures, "m/models/barney01.mdl": "IDSQ",
		"m/models/walks.mdl":    "IDSQ",
		"m/models/gestures.mdl": "IDST\x30\x00\x00\x00" + strings.Repeat("\x00", 400),
		"m/models/cat.mdl":      whole, "m/models/w.md3": "", "m/p.pk3": zipOf(t, "maps/q.bsp", "models/x.MD3", "sprites/s.spr"),
	})
	t.Chdir(dir)
	all := []string{"models/barney.mdl", "models/cat.mdl", "models/w.md3", "p.pk3/models/x.md3", "p.pk3/sprites/s.spr"}
	for _, c := range []struct {
		name     string
		s        batch.Sources
		rel      []string
		problems int
	}{
		{"folder", batch.Sources{Args: []string{"m"}, Models: true}, all, 0},
		{"folder of maps", batch.Sources{Args: []string{"m"}}, []string{"a.bsp", "p.pk3/maps/q.bsp"}, 0},
		{"archive", batch.Sources{Args: []string{"m/p.pk3"}, Models: true}, all[3:], 0},
		{"members", batch.Sources{Args: []string{"m/p.pk3:**/*.spr"}}, []string{"p.pk3/sprites/s.spr"}, 0},
		{"glob", batch.Sources{Args: []string{"m/**/*.mdl"}}, all[:2], 0},
		{"part by name", batch.Sources{Args: []string{"m/models/barneyt.mdl"}}, []string{"barneyt.mdl"}, 0},
		{"none", batch.Sources{Args: []string{"m/models/none"}, Models: true}, nil, 1},
	} {
		inputs, problems := batch.Expand(t.Context(), c.s)
		var rel []string
		for _, i := range inputs {
			rel = append(rel, i.Rel)
		}
		if diff := cmp.Diff(c.rel, rel); diff != "" || len(problems) != c.problems {
			t.Errorf("%s: %s\n%v", c.name, diff, problems)
		}
	}
}

func TestModelsThatDifferInTheirExtensions(t *testing.T) {
	dir := tree(t, map[string]string{"gib.mdl": "1", "GIB.md3": "2", "one.mdl": "3"})
	inputs, _ := batch.Expand(t.Context(), batch.Sources{Args: []string{dir}, Models: true})
	var outputs []string
	for _, i := range inputs {
		outputs = append(outputs, i.Output("glb"))
	}
	if diff := cmp.Diff([]string{"GIB.md3.glb", "gib.mdl.glb", "one.glb"}, outputs); diff != "" || len(batch.Collisions(inputs, "glb")) > 0 {
		t.Error(diff)
	}
}

// Files and folders keep their names; those in an archive and in a store are a stranger's.
func TestOutputsKeepTheNamesOfFiles(t *testing.T) {
	dir := tree(t, map[string]string{"my maps/a b.bsp": "1", "my maps/c d.zip": zipOf(t, "x y/e f.bsp", "g.bsp")})
	inputs, _ := batch.Expand(t.Context(), batch.Sources{Args: []string{dir}})
	inputs = append(inputs, batch.Input{URL: "s3://bucket/h i.bsp", Path: "s3://bucket/h i.bsp", Rel: "h i.bsp"})
	var outputs []string
	for _, i := range inputs {
		outputs = append(outputs, i.Output("glb"))
	}
	want := []string{
		"my maps/a b.glb", "my maps/c d.zip/g.glb", "my maps/c d.zip/x_y-887fcea6/e_f-526c8fec.glb", "h_i-89d183d9.glb",
	}
	if diff := cmp.Diff(want, outputs); diff != "" {
		t.Error(diff)
	}
}

func TestCollisionsAreTold(t *testing.T) {
	dir := tree(t, map[string]string{"a/x.bsp": "1", "b/X.bsp": "2", "b/y.bsp": "3"})
	inputs, _ := batch.Expand(t.Context(), batch.Sources{Args: []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}})
	got := batch.Collisions(inputs, "glb")
	if len(got) != 1 || got[0].Output != "x.glb" || len(got[0].Inputs) != 2 {
		t.Errorf("%+v", got)
	}
}

// A batch with maps that crash, take all memory or are broken converts the others and says why of each.
func TestOneMapCostsNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	maps := map[string]string{
		"hog.bsp": "hog", "gulp.bsp": "gulp", "crash.bsp": "crash", "once.bsp": "once",
		"bad/1.bsp": "corrupt 1", "bad/2.bsp": "corrupt 2", "bad/3.bsp": "corrupt 3",
	}
	for i := range 20 {
		maps[fmt.Sprintf("good/%02d.bsp", i)] = fmt.Sprint("ok ", i)
	}
	in, out := tree(t, maps), t.TempDir()
	o := options(in, out)
	o.Memory = 400 << 20
	retried := 0
	o.Event = func(e batch.Event) {
		if e.Retried != nil {
			retried++
		}
	}
	tally := run(t, o)
	got := map[string]batch.Reason{}
	for _, r := range tally.Failed {
		got[r.Output] = r.Reason
		want := 1
		if !r.Reason.Final() {
			want = 2
		}
		if r.Attempts != want || r.Message == "" {
			t.Errorf("%s: %d attempts, %q", r.Output, r.Attempts, r.Message)
		}
	}
	want := map[string]batch.Reason{
		"hog.glb": batch.Memory, "gulp.glb": batch.Memory, "crash.glb": batch.Crash,
		"bad/1.glb": batch.Corrupt, "bad/2.glb": batch.Corrupt, "bad/3.glb": batch.Corrupt,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if tally.Converted != 21 || retried != 4 || tally.Left != 0 {
		t.Errorf("%d converted, %d tried again, %d left", tally.Converted, retried, tally.Left)
	}
	if all := files(t, out); len(all) != 22 || slices.ContainsFunc(all,
		func(s string) bool { return strings.Contains(s, ".tmp") || strings.HasPrefix(s, "bad") }) {
		t.Errorf("%d files: %q", len(all), all)
	}
}

// A map that never ends is stopped twice, when its time is over. It is alone: on a slow machine the time would be over for others too.
func TestEndlessMapsEnd(t *testing.T) {
	in, out := tree(t, map[string]string{"endless.bsp": "endless"}), t.TempDir()
	o := options(in, out)
	o.Timeout = time.Second
	tally := run(t, o)
	if len(tally.Failed) != 1 || tally.Failed[0].Reason != batch.Timeout || tally.Failed[0].Attempts != 2 || tally.Left != 0 {
		t.Errorf("%+v", tally)
	}
	if all := files(t, out); len(all) != 0 {
		t.Errorf("files: %q", all)
	}
}

func TestDoneIsDone(t *testing.T) {
	in := tree(t, map[string]string{"a.bsp": "ok a", "b.bsp": "ok b", "bad.bsp": "corrupt"})
	out := t.TempDir()
	check := func(what string, o batch.Options, converted, before int) {
		t.Helper()
		if tally := run(t, o); tally.Converted != converted || tally.Before != before || len(tally.Failed) != 1 {
			t.Errorf("%s: %d converted, %d before, %d failed", what, tally.Converted, tally.Before, len(tally.Failed))
		}
	}
	check("at first", options(in, out), 2, 0)
	check("again", options(in, out), 0, 2)
	later := time.Now().Add(time.Hour)
	_ = os.Chtimes(filepath.Join(in, "a.bsp"), later, later)
	_ = os.Chtimes(filepath.Join(out, "b.glb"), later, later)
	check("touched", options(in, out), 0, 2)
	_ = os.WriteFile(filepath.Join(in, "a.bsp"), []byte("ok A"), 0o644)
	check("another map", options(in, out), 1, 1)
	_ = os.WriteFile(filepath.Join(out, "b.glb"), []byte("glb of ok B"), 0o644)
	check("another output", options(in, out), 1, 1)
	_ = os.Remove(filepath.Join(out, "b.glb"))
	check("no output", options(in, out), 1, 1)
	o := options(in, out)
	o.Setup.Options = "version: 2\n"
	check("other options", o, 2, 0)
	o.Tool = "test 2"
	check("another version", o, 2, 0)
	o.Force = true
	check("force", o, 2, 0)
	// An output of the same size and time but other content is only noticed by reading it.
	info, _ := os.Stat(filepath.Join(out, "a.glb"))
	_ = os.WriteFile(filepath.Join(out, "a.glb"), []byte("glb of ok x"), 0o644)
	_ = os.Chtimes(filepath.Join(out, "a.glb"), info.ModTime(), info.ModTime())
	o.Force = false
	check("not verified", o, 0, 2)
	o.Verify = true
	check("verified", o, 1, 1)
}

func TestTornManifestCostsWorkOnly(t *testing.T) {
	in := tree(t, map[string]string{"a.bsp": "ok a", "b.bsp": "ok b"})
	out := t.TempDir()
	o := options(in, out)
	o.Workers = 1 // b is the last
	run(t, o)
	name := filepath.Join(out, ".bsp2gltf/manifest.jsonl")
	text, _ := os.ReadFile(name)
	_ = os.WriteFile(name, text[:len(text)-9], 0o644)
	if tally := run(t, options(in, out)); tally.Converted != 1 || tally.Before != 1 {
		t.Errorf("%+v", tally)
	}
	if tally := run(t, options(in, out)); tally.Converted != 0 || tally.Before != 2 {
		t.Errorf("the line after the torn one was lost: %+v", tally)
	}
}

func TestManifestDoesNotGrowForEver(t *testing.T) {
	in := tree(t, map[string]string{"a.bsp": "ok a"})
	out := t.TempDir()
	run(t, options(in, out))
	name := filepath.Join(out, ".bsp2gltf/manifest.jsonl")
	line, _ := os.ReadFile(name)
	_ = os.WriteFile(name, bytes.Repeat(line, 200), 0o644)
	if tally := run(t, options(in, out)); tally.Before != 1 {
		t.Errorf("%+v", tally)
	}
	if after, _ := os.ReadFile(name); !bytes.Equal(after, line) {
		t.Errorf("%d bytes, %d expected", len(after), len(line))
	}
}

func TestOneBatchAtATime(t *testing.T) {
	in := tree(t, map[string]string{"a.bsp": "ok"})
	out := t.TempDir()
	m, err := batch.OpenFolder(out, batch.Shard{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []batch.Shard{{}, {N: 0, Of: 2}} {
		o := options(in, out)
		o.Shard = s
		if _, err := batch.Run(t.Context(), o); !errors.Is(err, batch.ErrLocked) || !errors.Is(err, limit.ErrOutput) {
			t.Error(err)
		}
	}
	m.Close()
	run(t, options(in, out))
}

func TestShardsAreTheWhole(t *testing.T) {
	maps := map[string]string{}
	for i := range 30 {
		maps[fmt.Sprintf("%02d.bsp", i)] = "ok"
	}
	in, out := tree(t, maps), t.TempDir()
	sum := 0
	for i := range 3 {
		// Another shard is at work meanwhile.
		m, err := batch.OpenFolder(out, batch.Shard{N: (i + 1) % 3, Of: 3}, false)
		if err != nil {
			t.Fatal(err)
		}
		o := options(in, out)
		o.Shard = batch.Shard{N: i, Of: 3}
		n := run(t, o).Converted
		m.Close()
		if n == 0 || n == 30 {
			t.Errorf("shard %d has %d", i, n)
		}
		sum += n
	}
	if tally := run(t, options(in, out)); sum != 30 || tally.Before != 30 {
		t.Errorf("%d, then %+v", sum, tally)
	}
}

func TestStopsWhenTold(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	maps := map[string]string{"a.bsp": "endless", "b.bsp": "patient"}
	for i := range 50 {
		maps[fmt.Sprintf("c%02d.bsp", i)] = "slow"
	}
	in, out := tree(t, maps), t.TempDir()
	o := options(in, out)
	o.Workers = 4
	ctx, cancel := context.WithCancelCause(t.Context())
	told := errors.New("told")
	o.Event = func(e batch.Event) {
		if e.Ended != nil {
			cancel(told)
		}
	}
	tally, err := batch.Run(ctx, o) // without the word it would never end
	if !errors.Is(err, told) {
		t.Error(err)
	}
	all := files(t, out)
	if tally.Converted == 0 || tally.Converted != len(all) || tally.Left != 52-len(all) || len(tally.Failed) != 0 {
		t.Errorf("%+v, %d files", tally, len(all))
	}
}

func TestFullDiskEndsTheBatch(t *testing.T) {
	in := tree(t, map[string]string{"a.bsp": "ok", "b.bsp": "full", "c.bsp": "ok"})
	o := options(in, t.TempDir())
	o.Workers = 1
	tally, err := batch.Run(t.Context(), o)
	if !errors.Is(err, limit.ErrWrite) || tally.Converted != 1 || len(tally.Failed) != 0 || tally.Left != 2 {
		t.Errorf("%v, %+v", err, tally)
	}
}

func TestFailFast(t *testing.T) {
	in := tree(t, map[string]string{"a.bsp": "corrupt", "b.bsp": "ok", "c.bsp": "ok"})
	o := options(in, t.TempDir())
	o.Workers, o.FailFast = 1, true
	tally := run(t, o)
	if len(tally.Failed) != 1 || tally.Left == 0 {
		t.Errorf("%+v", tally)
	}
}

func TestOutputStaysInItsFolder(t *testing.T) {
	in := tree(t, map[string]string{"sub/a.bsp": "ok", "b.bsp": "ok", "c.bsp": "ok"})
	out, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(out, "sub")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(out, "b.glb"), 0o755); err != nil {
		t.Fatal(err)
	}
	tally := run(t, options(in, out))
	if len(tally.Failed) != 2 || tally.Failed[0].Reason != batch.NoOutput || tally.Failed[1].Reason != batch.NoOutput ||
		tally.Converted != 1 {
		t.Errorf("%+v", tally)
	}
	if all := files(t, elsewhere); len(all) != 0 {
		t.Errorf("written elsewhere: %q", all)
	}
}

func TestOutputMustBeAFolder(t *testing.T) {
	in := tree(t, map[string]string{"a.bsp": "ok", "file": ""})
	o := options(in, filepath.Join(in, "file"))
	if _, err := batch.Run(t.Context(), o); !errors.Is(err, limit.ErrOutput) {
		t.Error(err)
	}
}
