package outfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// tree is every file below dir with its content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if d.Type()&fs.ModeSymlink != 0 && err != nil {
			data, err = []byte("a link"), nil // to a folder, or to nothing
		}
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// file is a companion, or the main file.
type file struct {
	name, content string
	replace       bool
}

// output writes files as a caller does, the last being the main one, and returns their names.
func output(t *testing.T, ctx context.Context, main string, p Policy, files ...file) ([]string, error) {
	t.Helper()
	s := New(main, p)
	defer s.Clean()
	if err := s.Check(); err != nil {
		return nil, err
	}
	var names []string
	for i, f := range files {
		name := f.name
		if i < len(files)-1 {
			var err error
			if name, err = s.Place(ctx, f.name, f.replace, text(f.content)); err != nil {
				return nil, err
			}
		}
		names = append(names, name)
	}
	for i, f := range files {
		if err := s.Stage(ctx, names[i], text(f.content)); err != nil {
			return nil, err
		}
	}
	_, err := s.Commit(ctx)
	return names, err
}

func TestCompanionsTakeTheirNames(t *testing.T) {
	const other = "a file of another map"
	for _, c := range []struct {
		name    string
		there   map[string]string
		replace bool
		keep    []string
		never   bool
		want    string // of t/x.png with "new"
		after   map[string]string
	}{
		{name: "nothing is there", want: "t/x.png"},
		{name: "the same bytes are shared", there: map[string]string{"t/x.png": "new"}, want: "t/x.png"},
		{name: "other bytes stay", there: map[string]string{"t/x.png": other}, want: "t/x-11507a0e.png"},
		{name: "longer bytes are other bytes", there: map[string]string{"t/x.png": "new and more"}, want: "t/x-11507a0e.png"},
		{name: "the second name is shared, too", there: map[string]string{"t/x.png": other, "t/x-11507a0e.png": "new"},
			want: "t/x-11507a0e.png"},
		{name: "the second name is taken, too", there: map[string]string{"t/x.png": other, "t/x-11507a0e.png": other},
			want: "t/x-11507a0e-2.png"},
		{name: "its own last version is replaced", there: map[string]string{"t/x.png": other}, replace: true, want: "t/x.png"},
		{name: "unless nothing may be", there: map[string]string{"t/x.png": other}, replace: true, never: true, want: "t/x-11507a0e.png"},
		{name: "unless it is an input", there: map[string]string{"t/x.png": other}, replace: true, keep: []string{"t/x.png"},
			want: "t/x-11507a0e.png"},
		{name: "unless it will be the report", replace: true, keep: []string{"t/X.PNG"}, there: map[string]string{"t/y": ""},
			want: "t/x-11507a0e.png"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, content := range c.there {
				put(t, dir, name, content)
			}
			p := Policy{NoClobber: c.never}
			for _, k := range c.keep {
				p.Keep = append(p.Keep, filepath.Join(dir, k))
			}
			names, err := output(t, t.Context(), filepath.Join(dir, "m.gltf"), p, file{"t/x.png", "new", c.replace},
				file{name: "m.gltf", content: "main"})
			if err != nil || names[0] != c.want {
				t.Fatalf("it is %q, want %q, %v", names, c.want, err)
			}
			after := tree(t, dir)
			if after[c.want] != "new" || after["m.gltf"] != "main" {
				t.Errorf("written %q", after)
			}
			for name, content := range c.there {
				if after[name] != content && (!c.replace || name != c.want) {
					t.Errorf("%s is %q now", name, after[name])
				}
			}
		})
	}
}

func TestNamesOfOneOutputDiffer(t *testing.T) {
	dir := t.TempDir()
	names, err := output(t, t.Context(), filepath.Join(dir, "m.gltf"), Policy{}, file{name: "X.png", content: "1"},
		file{name: "x.PNG", content: "2"}, file{name: "M.gltf", content: "3"}, file{name: "m.gltf", content: "main"})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, n := range names {
		if seen[strings.ToLower(n)] {
			t.Errorf("%q is there twice", n)
		}
		seen[strings.ToLower(n)] = true
	}
}

func TestWhatCannotBeReplaced(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "in.bsp", "map")
	put(t, dir, "old.glb", "old")
	put(t, dir, "locked.glb", "old")
	if err := os.Chmod(filepath.Join(dir, "locked.glb"), 0o444); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"sym.glb": "in.bsp", "dev.glb": os.DevNull} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "in.bsp"), filepath.Join(dir, "hard.glb")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "self")); err != nil {
		t.Skip(err)
	}
	before := tree(t, dir)
	for _, c := range []struct {
		main string
		p    Policy
		want error
		says string
	}{
		{"in.bsp", Policy{Keep: []string{filepath.Join(dir, "in.bsp")}}, limit.ErrUsage, "input"},
		{"sym.glb", Policy{Keep: []string{filepath.Join(dir, "in.bsp")}}, limit.ErrUsage, "input"},
		{"hard.glb", Policy{Keep: []string{filepath.Join(dir, "in.bsp")}}, limit.ErrUsage, "input"},
		{"self/in.bsp", Policy{Keep: []string{filepath.Join(dir, "in.bsp")}}, limit.ErrUsage, "input"},
		{"self/NEW.json", Policy{Keep: []string{filepath.Join(dir, "new.json")}}, limit.ErrUsage, "input"},
		{"old.glb", Policy{NoClobber: true}, limit.ErrOutput, "exists"},
		{"locked.glb", Policy{}, limit.ErrOutput, "read-only"},
		{"dev.glb", Policy{}, limit.ErrOutput, "regular file"},
		{"self", Policy{}, limit.ErrOutput, "regular file"},
		{"old.glb/x/new.glb", Policy{}, limit.ErrOutput, "not a directory"},
	} {
		_, err := output(t, t.Context(), filepath.Join(dir, c.main), c.p, file{name: filepath.Base(c.main), content: "new"})
		if !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v", c.main, err)
		}
	}
	if after := tree(t, dir); len(after) != len(before) || after["in.bsp"] != "map" || after["locked.glb"] != "old" ||
		after["old.glb"] != "old" {
		t.Errorf("there is %q", after)
	}
}

func TestLinksBesideTheOutputStay(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	put(t, other, "x.png", "elsewhere")
	put(t, dir, "t/real.png", "real")
	for name, to := range map[string]string{"t/x.png": filepath.Join(other, "x.png"), "t/y.png": "real.png", "t/z.png": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	names, err := output(t, t.Context(), filepath.Join(dir, "m.gltf"), Policy{},
		file{"t/x.png", "new", true}, file{"t/y.png", "real", true}, file{"t/z.png", "new", true}, file{name: "m.gltf", content: "main"})
	if err != nil || names[0] == "t/x.png" || names[1] != "t/y.png" || names[2] == "t/z.png" {
		t.Errorf("%q, %v", names, err)
	}
	if got := tree(t, other)["x.png"]; got != "elsewhere" {
		t.Errorf("the file elsewhere is %q", got)
	}
}

// A file that another program creates between the check and the end is not replaced, and no part of the output stays.
func TestAFileThatAppearsMeanwhileStays(t *testing.T) {
	dir := t.TempDir()
	s := New(filepath.Join(dir, "m.gltf"), Policy{})
	defer s.Clean()
	var names []string
	for _, f := range []string{"t/w.png", "t/x.png"} {
		name, err := s.Place(t.Context(), f, false, text("new"))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	for _, n := range append(names, "m.gltf") {
		if err := s.Stage(t.Context(), n, text("new")); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, "t/x.png", "of another")
	if _, err := s.Commit(t.Context()); !errors.Is(err, limit.ErrOutput) {
		t.Errorf("%v", err)
	}
	s.Clean()
	if got := tree(t, dir); len(got) != 1 || got["t/x.png"] != "of another" {
		t.Errorf("left is %q", got)
	}
}

func TestFoldersAreMadeAndTakenBack(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "a", "b", "m.gltf")
	if _, err := output(t, t.Context(), main, Policy{}, file{name: "t/u/x.png", content: "1"},
		file{name: "m.gltf", content: "2"}); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); got["a/b/t/u/x.png"] != "1" || got["a/b/m.gltf"] != "2" {
		t.Errorf("%q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := New(filepath.Join(dir, "c", "d", "m.gltf"), Policy{})
	name, err := s.Place(ctx, "t/x.png", false, text("1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Stage(ctx, name, text("1")); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.Stage(ctx, "m.gltf", text("1")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	s.Clean()
	if _, err := os.Stat(filepath.Join(dir, "c")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is left: %v", err)
	}
}

func TestNothingIsLeftOfAFailure(t *testing.T) {
	dir := t.TempDir()
	full := func(w io.Writer) error {
		if _, err := w.Write(make([]byte, 1<<17)); err != nil {
			return err
		}
		return &fs.PathError{Op: "write", Path: ".bsp2gltf-1-2.tmp", Err: syscall.ENOSPC}
	}
	err := Write(t.Context(), filepath.Join(dir, "a.gltf"), Policy{}, full)
	if !errors.Is(err, limit.ErrWrite) || !errors.Is(err, syscall.ENOSPC) ||
		!strings.HasSuffix(err.Error(), "a.gltf: can't write: no space left on device") {
		t.Errorf("%v", err)
	}
	err = Write(t.Context(), filepath.Join(dir, "a.gltf"), Policy{}, func(io.Writer) error { return limit.ErrInternal })
	if !errors.Is(err, limit.ErrInternal) || errors.Is(err, limit.ErrWrite) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = Write(ctx, filepath.Join(dir, "a.gltf"), Policy{}, func(w io.Writer) error {
		for i := range 100 {
			if i == 50 {
				cancel()
			}
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return err
			}
		}
		return errors.New("it was not stopped")
	})
	if !errors.Is(err, context.Canceled) || errors.Is(err, limit.ErrWrite) {
		t.Errorf("%v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left is %q", entries)
	}
}

func TestStaleTemporariesGo(t *testing.T) {
	dead := exec.Command("go", "version") // any program that ends
	if err := dead.Run(); err != nil {
		t.Skip(err)
	}
	gone := dead.Process.Pid
	stays := []string{
		fmt.Sprintf(".bsp2gltf-%s-%d-0123456789ab.tmp", host(), os.Getpid()), // of a process that runs
		fmt.Sprintf(".bsp2gltf-%d-0123456789ab.tmp", os.Getpid()),
		fmt.Sprintf(".bsp2gltf-00000000-%d-0123456789ab.tmp", gone), // of another machine
		fmt.Sprintf(".bsp2gltf-%d-0123456789ab.tmp.png", gone),      // not ours
		".bsp2gltf-notes.tmp", "x.tmp",
	}
	goes := []string{
		fmt.Sprintf(".bsp2gltf-%s-%d-0123456789ab.tmp", host(), gone),
		fmt.Sprintf(".bsp2gltf-%d-0123456789ab.tmp", gone), // of an earlier version
		fmt.Sprintf(".bsp2gltf-%d-01234567.tmp", gone),
	}
	dir := t.TempDir()
	for _, folder := range []string{"", "t"} {
		for _, name := range slices.Concat(stays, goes) {
			put(t, dir, filepath.Join(folder, name), "")
		}
	}
	if _, err := output(t, t.Context(), filepath.Join(dir, "m.gltf"), Policy{}, file{name: "t/x.png", content: "1"},
		file{name: "m.gltf", content: "2"}); err != nil {
		t.Fatal(err)
	}
	got := tree(t, dir)
	for _, folder := range []string{"", "t/"} {
		for _, name := range stays {
			if _, ok := got[folder+name]; !ok {
				t.Errorf("%s%s is gone", folder, name)
			}
		}
		for _, name := range goes {
			if _, ok := got[folder+name]; ok {
				t.Errorf("%s%s is still there", folder, name)
			}
		}
	}
}

func TestTemporariesOfAnEarlierProcessOfTheNumberGo(t *testing.T) {
	start, _, ok := begun(os.Getpid())
	if !ok {
		t.Skip("when a process began is not known here")
	}
	ended := exec.Command("go", "version") // it is not waited for until the end
	out, err := ended.StdoutPipe()
	if err == nil {
		err = ended.Start()
	}
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = ended.Wait() }()
	for _, dead, _ := begun(ended.Process.Pid); !dead; _, dead, _ = begun(ended.Process.Pid) {
		_, _ = io.Copy(io.Discard, out)
		time.Sleep(time.Millisecond)
	}
	dir := t.TempDir()
	put(t, dir, fmt.Sprintf(".bsp2gltf-%s-%d-aaaaaaaaaaaa.tmp", host(), ended.Process.Pid), "")
	for name, start := range map[string]int64{"0123456789ab": start, "ba9876543210": start - 100} {
		name = fmt.Sprintf(".bsp2gltf-%s-%d-s%d-%s.tmp", host(), os.Getpid(), start, name)
		put(t, dir, name, "")
		// The clock was set forward by a day while the file was written.
		if err := os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Now().Add(-24*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if !tempPattern().MatchString(tempName()) || !strings.Contains(tempName(), fmt.Sprintf("-s%d-", start)) {
		t.Errorf("%q", tempName())
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	Sweep(root, ".")
	if left, _ := os.ReadDir(dir); len(left) != 1 || !strings.Contains(left[0].Name(), "0123456789ab") {
		t.Errorf("left is %v", left)
	}
}

func TestWriteWithoutALinkOrARoot(t *testing.T) {
	name := filepath.Join(t.TempDir(), "deep", "r.json")
	for _, want := range []string{"1", "2"} {
		if err := Write(t.Context(), name, Policy{}, text(want)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(name); !bytes.Equal(got, []byte(want)) {
			t.Errorf("it is %q", got)
		}
	}
	if err := Write(t.Context(), name, Policy{NoClobber: true}, text("3")); !errors.Is(err, limit.ErrOutput) {
		t.Errorf("%v", err)
	}
}

// A folder of companions that is a link leads nowhere, not even to another folder of the output's.
func TestFoldersThatAreLinks(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "photos"), 0o755),
		os.Symlink("photos", filepath.Join(dir, "x_textures"))); err != nil {
		t.Skip(err)
	}
	s := New(filepath.Join(dir, "x.gltf"), Policy{})
	defer s.Clean()
	name, err := s.Place(t.Context(), "x_textures/a.png", true, text("a"))
	if err == nil {
		err = s.Stage(t.Context(), name, text("a"))
	}
	if !errors.Is(err, limit.ErrOutput) || !strings.Contains(err.Error(), "x_textures") {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "photos")); len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
}
