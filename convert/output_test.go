package convert

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

const demo = "../testdata/demo/maps/demo.bsp"
const feature = "../testdata/features/maps/lightpages.bsp"

func TestFileWritesWhatTheReportSays(t *testing.T) {
	for _, out := range []string{"a.glb", "a.gltf", "a.obj", "A.GLB", "a b.GLTF", "x.y.obj"} {
		dir := t.TempDir()
		r, err := File(t.Context(), defaults(), feature, filepath.Join(dir, out))
		if err != nil {
			t.Fatal(err)
		}
		if last := r.Output.Files[len(r.Output.Files)-1]; filepath.Base(last.Name) != out {
			t.Errorf("the main file is %q", last.Name)
		}
		var files []string
		for _, f := range r.Output.Files {
			info, err := os.Stat(f.Name)
			if err != nil || info.Size() != f.Size || info.Mode().Perm()&0o600 != 0o600 {
				t.Errorf("%s: %v, %v", f.Name, info, err)
			}
			rel, _ := filepath.Rel(dir, f.Name)
			files = append(files, filepath.ToSlash(rel))
		}
		there := slices.DeleteFunc(listing(t, dir), func(name string) bool {
			info, err := os.Stat(filepath.Join(dir, name))
			return err != nil || info.IsDir()
		})
		slices.Sort(files)
		slices.Sort(there)
		if !slices.Equal(there, files) {
			t.Errorf("%s: there is %q, reported is %q", out, there, files)
		}
	}
}

func TestAnExistingOutputIsReplacedWhole(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "a.glb")
	if err := os.WriteFile(out, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Run(limits.With(t.Context(), limit.Limits{MaxVertices: 1}), Job{Pipeline: defaults(), In: feature, Out: out, Strict: true})
	if data, _ := os.ReadFile(out); err == nil || string(data) != "old" {
		t.Errorf("after an error it is %.20q, %v", data, err)
	}
	if _, err := File(t.Context(), defaults(), feature, out); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(out)
	readGLB(t, data)
	if got := listing(t, dir); !slices.Equal(got, []string{"a.glb"}) {
		t.Errorf("left is %q", got)
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	escape := set(t)
	escape.Output.ImageDir = "../up"
	bad := set(t)
	bad.Materials.PNG = "huge"
	for _, test := range []struct {
		name string
		job  Job
		want error
	}{
		{"no format", Job{Out: filepath.Join(dir, "a")}, limit.ErrUsage},
		{"unknown format", Job{Out: filepath.Join(dir, "a.fbx")}, limit.ErrUsage},
		{"unknown format asked for", Job{Out: filepath.Join(dir, "a.glb"), Format: "fbx"}, limit.ErrUsage},
		{"standard output without a format", Job{Out: "-", Stdout: io.Discard}, limit.ErrUsage},
		{"several files to standard output", Job{Out: "-", Format: "gltf", Stdout: io.Discard}, limit.ErrUsage},
		{"no standard output", Job{Out: "-", Format: "glb"}, limit.ErrUsage},
		{"no standard input", Job{In: "-"}, limit.ErrUsage},
		{"images elsewhere", Job{Pipeline: escape, Out: filepath.Join(dir, "a.gltf")}, limit.ErrUsage},
		{"a wrong option", Job{Pipeline: bad, Out: filepath.Join(dir, "a.gltf")}, limit.ErrUsage},
		{"no folder for a map that is none", Job{In: "output_test.go", Out: filepath.Join(dir, "none", "a.glb")}, errors.ErrUnsupported},
		{"a folder", Job{Out: dir, Format: "glb"}, limit.ErrOutput},
		{"no input", Job{In: filepath.Join(dir, "none.bsp")}, fs.ErrNotExist},
	} {
		if test.job.In == "" {
			test.job.In = feature
		}
		if test.job.Pipeline.Version == 0 {
			test.job.Pipeline = defaults()
		}
		if _, err := Run(t.Context(), test.job); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if got := listing(t, dir); len(got) != 0 {
		t.Errorf("left is %q", got)
	}
}

func TestTheOutputIsNoInput(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "map.bsp")
	data, err := os.ReadFile(feature)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in, data, 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.glb")
	if err := os.Symlink(in, link); err != nil {
		t.Skip(err)
	}
	for _, out := range []string{in, link, filepath.Join(dir, ".", "map.bsp")} {
		if _, err := Run(t.Context(), Job{Pipeline: defaults(), In: in, Out: out, Format: "glb"}); !errors.Is(err, limit.ErrUsage) {
			t.Errorf("%s: %v", out, err)
		}
	}
	if now, _ := os.ReadFile(in); !bytes.Equal(now, data) {
		t.Error("the map was changed")
	}
}

func TestADeviceIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "a.glb")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Skip(err)
	}
	if _, err := File(t.Context(), defaults(), feature, link); !errors.Is(err, limit.ErrOutput) || !strings.Contains(err.Error(), link) {
		t.Errorf("%v", err)
	}
	if to, err := os.Readlink(link); err != nil || to != os.DevNull {
		t.Errorf("it is %q now, %v", to, err)
	}
}

func TestAFileInTheWayOfAFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a_textures"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := File(t.Context(), defaults(), feature, filepath.Join(dir, "a.gltf"))
	if !errors.Is(err, limit.ErrOutput) || strings.Contains(err.Error(), ".tmp") {
		t.Errorf("%v", err)
	}
	if got := listing(t, dir); !slices.Equal(got, []string{"a_textures"}) {
		t.Errorf("left is %q", got)
	}
}

func TestImageFoldersDoNotLeaveByALink(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	if err := os.Symlink(other, filepath.Join(dir, "a_textures")); err != nil {
		t.Skip(err)
	}
	if _, err := File(t.Context(), defaults(), feature, filepath.Join(dir, "a.gltf")); !errors.Is(err, limit.ErrOutput) {
		t.Errorf("%v", err)
	}
	if got := listing(t, other); len(got) != 0 {
		t.Errorf("written elsewhere: %q", got)
	}
}

func TestCancelledInAnyStage(t *testing.T) {
	dir := t.TempDir()
	for _, stage := range []string{"read", "decode", "stages", "assemble", "write"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Run(ctx, Job{Pipeline: defaults(), In: demo, Out: filepath.Join(dir, "a.gltf"), Progress: func(p Progress) {
			if p.Stage == stage {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) || errors.Is(err, limit.ErrWrite) {
			t.Errorf("cancelled in %s: %v", stage, err)
		}
	}
	if got := listing(t, dir); len(got) != 0 {
		t.Errorf("left is %q", got)
	}
}

func TestStandardInputAndOutput(t *testing.T) {
	data, err := os.ReadFile(feature)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := defaults()
	p.Game.Paths = []string{"../testdata/features"}
	r, err := Run(t.Context(), Job{Pipeline: p, In: "-", Out: "-", Format: "glb", Stdin: bytes.NewReader(data), Stdout: &out})
	if err != nil || r.Output.Files[0] != (report.File{Name: "-", Size: int64(out.Len())}) || r.Input.Name != "stdin" {
		t.Fatalf("%+v, %v", r, err)
	}
	readGLB(t, out.Bytes())
	_, err = Run(t.Context(), Job{Pipeline: p, In: feature, Out: "-", Format: "glb", Stdout: &failing{1000, syscall.EPIPE}})
	if !errors.Is(err, limit.ErrWrite) || !errors.Is(err, syscall.EPIPE) {
		t.Errorf("a closed pipe: %v", err)
	}
	if _, err := Run(limits.With(t.Context(), limit.Limits{MaxFile: 1000}), Job{Pipeline: p, In: "-", Stdin: bytes.NewReader(data)}); !errors.Is(err,
		limit.ErrLimit) {
		t.Errorf("over MaxFile: %v", err)
	}
}

func TestDryRunAndStrict(t *testing.T) {
	dir := t.TempDir()
	r, err := Run(t.Context(), Job{Pipeline: defaults(), In: demo})
	if err != nil || len(r.Output.Files) != 0 || r.Output.Triangles == 0 || r.Input.SHA256 == "" || len(r.Materials.Missing) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	unhashed := invocation.With(t.Context(), invocation.Call{Unhashed: true})
	if r, err = Run(unhashed, Job{Pipeline: defaults(), In: demo}); err != nil || r.Input.SHA256 != "" {
		t.Errorf("unhashed: %q, %v", r.Input.SHA256, err)
	}
	missing := "../testdata/features/maps/missing.bsp"
	r, err = Run(t.Context(), Job{Pipeline: defaults(), In: missing, Out: filepath.Join(dir, "a.glb"), Strict: true})
	if !errors.Is(err, limit.ErrCorrupt) || r == nil || len(r.Materials.Missing) != 1 || len(listing(t, dir)) != 0 {
		t.Errorf("strict: %v, left is %q", err, listing(t, dir))
	}
	for _, in := range []string{feature, demo} {
		if _, err = Run(t.Context(), Job{Pipeline: defaults(), In: in, Out: filepath.Join(dir, "a.glb"), Strict: true}); err != nil {
			t.Errorf("strict with nothing to say: %s: %v", in, err)
		}
	}
}

func TestReportOfAFailure(t *testing.T) {
	data, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Job{Pipeline: defaults(), In: "-", Stdin: bytes.NewReader(data[:100])})
	if r != nil || !errors.Is(err, limit.ErrCorrupt) {
		t.Errorf("not decoded: %v, %v", r, err)
	}
	r, err = Run(limits.With(t.Context(), limit.Limits{MaxVertices: 10}), Job{Pipeline: defaults(), In: demo})
	if r == nil || !errors.Is(err, limit.ErrLimit) || r.Input.Format.Version != 46 || len(r.Timing) == 0 {
		t.Errorf("decoded: %v, %v", r, err)
	}
}

// The API returns a panic as an error.
func TestPanicsAreInternalErrors(t *testing.T) {
	if !recovers() {
		t.Skip("this build does not recover")
	}
	_, err := Run(t.Context(), Job{Pipeline: defaults(), In: demo, Progress: func(Progress) { panic("progress") }})
	if !errors.Is(err, limit.ErrInternal) {
		t.Errorf("%v", err)
	}
	if _, _, err := Map(t.Context(), defaults(), Source{Name: "x", Reader: panicking{}, Size: 1 << 20}); !errors.Is(err, limit.ErrInternal) {
		t.Errorf("%v", err)
	}
	if _, _, err := Map(t.Context(), defaults(), Source{}); !errors.Is(err, limit.ErrUsage) {
		t.Errorf("no reader: %v", err)
	}
}

type panicking struct{}

func (panicking) ReadAt([]byte, int64) (int, error) { panic("reader") }

func TestMapKeepsToItsLimits(t *testing.T) {
	data, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	src := Source{Name: "demo", Reader: bytes.NewReader(data), Size: int64(len(data))}
	var l *limit.Error
	ctx := limits.With(t.Context(), limits.Limits{MaxVertices: 10})
	if _, _, err := Map(ctx, defaults(), src); !errors.As(err, &l) || l.Limit != "MaxVertices" {
		t.Errorf("%v", err)
	}
	s, r, err := Map(t.Context(), defaults(), src) // without files every texture is missing
	if err != nil || len(r.Materials.Missing) == 0 || len(s.Meshes) == 0 {
		t.Errorf("%v", err)
	}
}

// The bytes do not depend on the number of cores, the run or the order of maps.
func TestOutputIsTheSameEveryTime(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	files := []string{demo, "../testdata/features/maps/raven.bsp", "../testdata/features/maps/deluxe.bsp"}
	if testkit.Race || testing.Short() {
		files = files[1:]
	}
	for _, file := range files {
		for _, p := range []pipeline.Pipeline{defaults(), set(t, "lightmap.carrier=vertex", "output.hidden=true")} {
			var first map[string][]byte
			for _, cores := range []int{1, 2, 8, 2} {
				runtime.GOMAXPROCS(cores)
				s, _ := convertMap(t, p, file)
				got := map[string][]byte{"glb": glb(t, s)}
				for _, format := range []string{"gltf", "obj"} {
					files, err := write.FindFormat(format).Files(s, "x", "textures")
					for name, data := range contents(t, files, err) {
						if had, twice := got[name]; twice && !bytes.Equal(had, data) {
							t.Errorf("%s: %s is two things", file, name)
						}
						got[name] = data
					}
				}
				if first == nil {
					first = got
				}
				if len(first) != len(got) {
					t.Errorf("%s: %d files, then %d", file, len(first), len(got))
				}
				for name, data := range got {
					if !bytes.Equal(data, first[name]) {
						t.Errorf("%s: %s differs on %d cores", file, name, cores)
					}
				}
			}
		}
	}
}
