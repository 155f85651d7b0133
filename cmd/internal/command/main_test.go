package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/limits"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"bsp2gltf": func() { Main(nil) },
		// dropped is the command with files that Explorer passes; TYPED is what is typed.
		"dropped": func() {
			a := newApp(nil)
			a.stdin = strings.NewReader(os.Getenv("TYPED"))
			os.Exit(runDropped(context.Background(), a, os.Args[1:]))
		},
		// fake is the command over a library that does what FAKE says.
		"fake": func() {
			a := newApp(nil)
			a.convert = fakeRun
			if os.Getenv("FAKE_TERMINAL") != "" {
				a.terminal, a.width = true, 80
			}
			os.Exit(a.run(os.Args[1:]))
		},
	})
}

// fakes are the errors that FAKE names.
var fakes = map[string]error{
	"corrupt":     fmt.Errorf("in.bsp: lump 7 (faces): 1003 bytes is not a multiple of 104: %w", limit.ErrCorrupt),
	"limit":       &limit.Error{Limit: "MaxPixels", Max: 5, Want: 6},
	"unsupported": fmt.Errorf("in.bsp: IBSP 99: %w", errors.ErrUnsupported),
	"input":       fmt.Errorf("is a folder: %w", limit.ErrInput),
	"output":      fmt.Errorf("out.glb: %w: %w", limit.ErrOutput, fs.ErrNotExist),
	"write":       fmt.Errorf("out.glb: %w: %w", limit.ErrWrite, syscall.ENOSPC),
	"internal":    &panicked{"index out of range", []byte("goroutine 1 [running]:\n")},
	"kindless":    errors.New("something"),
	"strict":      fmt.Errorf("1 issue: %w: %w", limit.ErrCorrupt, fs.ErrNotExist),
	"hostile":     fmt.Errorf("entity %q: \x1b]0;owned\a\nbsp2gltf: done%s: %w", "\x1b[2J", strings.Repeat("a", 2000), limit.ErrCorrupt),
}

func fakeRun(ctx context.Context, j convert.Job) (*report.Report, error) {
	fake := os.Getenv("FAKE")
	j.Progress(convert.Progress{Stage: "decode"})
	j.Progress(convert.Progress{Items: "images", Done: 1, Of: 2})
	switch fake {
	case "panic":
		var none []int
		none[len(fake)]++
	case "stuck":
		time.Sleep(time.Hour)
	case "slow":
		if j.Out != "" {
			fmt.Fprintln(os.Stdout, "running") // TestScripts' signal waits for it
		}
		<-ctx.Done()
		return nil, fmt.Errorf("in.bsp: %w", ctx.Err())
	case "job":
		fmt.Printf("in=%s out=%s format=%s strict=%v maxfile=%d paths=%q carrier=%s\n",
			j.In, j.Out, j.Format, j.Strict, limits.From(ctx).MaxFile, j.Pipeline.Game.Paths, j.Pipeline.Lightmap.Carrier)
	}
	r := &report.Report{Version: 1}
	r.Input.File = j.In
	r.Input.Format = world.Format{Family: "Quake III", Ident: "IBSP", Version: 46, Game: "Quake III Arena"}
	r.Output.Files = []report.File{{Name: "in.glb", Size: 12_345_678}}
	r.Output.Triangles, r.Output.Nodes = 65432, 100
	r.Surfaces.Total, r.Surfaces.Kept = 5020, 5012
	r.Surfaces.Dropped = map[string]int{"nodraw": 6, "degenerate": 2}
	r.Materials.Total, r.Materials.Found = 57, 50
	for i := range 7 {
		r.Materials.Missing = append(r.Materials.Missing, materials.Missing{Material: fmt.Sprintf("textures/x/m%d", i)})
	}
	r.Lightmap.Carrier, r.Lightmap.Charts = "moz", 300
	r.Lightmap.Pages = []report.Page{{Width: 2048, Height: 2048, Used: 0.9}, {Width: 2048, Height: 1024, Used: 0.3}}
	r.Issues = []world.Issue{{Code: "texture-missing", Where: "textures/x/m0", Detail: "no \x1b[2J image"}}
	r.IssueCounts = map[string]int{"texture-missing": 7, "face-degenerate": 2}
	r.Timing = []report.Stage{{Stage: "decode", Wall: 0.2, CPU: 0.2}, {Stage: "total", Wall: 1.23, CPU: 2}}
	r.PeakMemory = 210_000_000
	r.Mounts = []string{"maps"}
	r.Textures = []report.Texture{{Name: "textures/x/y", Origin: "pak0.pk3"}}
	return r, fakes[fake]
}

func TestScripts(t *testing.T) {
	demo, err := filepath.Abs("../../../testdata/demo/maps/demo.bsp")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("DEMO", demo)
			e.Setenv("TOP", filepath.Join(demo, "../../../.."))
			// A small map whose name is that of the forms that addons/test/containers.py makes of it.
			small, err := os.ReadFile(filepath.Join(demo, "../../../features/maps/polygons.bsp"))
			if err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Join(e.WorkDir, "small"), 0o755); err != nil {
				return err
			}
			e.Setenv("MAP", filepath.Join(e.WorkDir, "small", "box.bsp"))
			if err := os.WriteFile(e.Getenv("MAP"), small, 0o644); err != nil {
				return err
			}
			e.Setenv("GAME", filepath.Join(demo, "../.."))
			e.Setenv("SECOND", filepath.Join(demo, "../../../features/maps/patches.bsp"))
			e.Setenv("HOME", e.WorkDir) // the cache is below it
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("WADS", filepath.Join(demo, "../../../goldsrc/wads"))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "demo" {
				_, err := os.Stat(demo)
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"taken":   taken,
			"signals": signals,
			// summary compares but for the time that was taken.
			"summary": func(ts *testscript.TestScript, _ bool, args []string) {
				got := regexp.MustCompile(`(?m)^  [\d.]+ m?s,`).ReplaceAllString(ts.ReadFile(args[0]), "  1.2 s,")
				if diff := cmp.Diff(ts.ReadFile(args[1]), got); diff != "" {
					ts.Fatalf("%s", diff)
				}
			},
		},
	})
}

// exits runs a command that must exit with a code: exits CODE COMMAND ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var e *exec.ExitError
	if errors.As(err, &e) {
		got = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want, _ := strconv.Atoi(args[0]); got != want {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// signals runs a command, sends it a signal once it has said something, and expects a code and one line on
// standard error: signals HUP|INT|TERM CODE LINE COMMAND ARG...
func signals(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: signals HUP|INT|TERM CODE LINE COMMAND ARG...")
	}
	signal := map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[args[0]]
	path := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p := filepath.Join(dir, args[3]); path == "" {
			if _, err := os.Stat(p); err == nil {
				path = p
			}
		}
	}
	cmd := exec.Command(path, args[4:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "FAKE="+ts.Getenv("FAKE"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	_, err = out.Read(make([]byte, 1))
	ts.Check(err)
	ts.Check(cmd.Process.Signal(signal))
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait()
	if want, _ := strconv.Atoi(args[1]); cmd.ProcessState.ExitCode() != want {
		ts.Fatalf("exit code %d, want %s; %s", cmd.ProcessState.ExitCode(), args[1], stderr.String())
	}
	if got := strings.TrimSpace(stderr.String()); got != args[2] {
		ts.Fatalf("said %q, want %q", got, args[2])
	}
}

func TestExitCodesAreDistinct(t *testing.T) {
	for err, want := range map[error]int{
		nil:                                  0,
		usagef("x"):                          64,
		fakes["corrupt"]:                     65,
		fs.ErrNotExist:                       66,
		&fs.PathError{Err: fs.ErrPermission}: 66,
		fakes["input"]:                       66,
		fakes["unsupported"]:                 67,
		fakes["limit"]:                       68,
		fakes["internal"]:                    70,
		fakes["kindless"]:                    70,
		fakes["output"]:                      73,
		fakes["write"]:                       74,
		fmt.Errorf("x: %w", context.DeadlineExceeded): 124,
		&signalled{os.Interrupt}:                      130,
		&signalled{syscall.SIGTERM}:                   143,
	} {
		if got := exitCode(err); got != want {
			t.Errorf("exit code of %v is %d, want %d", err, got, want)
		}
	}
	for _, k := range kinds {
		if k.code == 2 {
			t.Error("2 is a crash's")
		}
	}
}

func TestProgressIsShownWhereSomeoneLooks(t *testing.T) {
	env := map[string]string{}
	a := &app{stderr: io.Discard, terminal: true, width: 30, getenv: func(k string) string { return env[k] }}
	if a.progress() == nil {
		t.Error("no progress on a terminal")
	}
	for _, off := range []func(){
		func() { a.quiet = true },
		func() { a.quiet, a.terminal = false, false },
		func() { a.terminal, env["TERM"] = true, "dumb" },
		func() { env["TERM"], env["CI"] = "", "true" },
	} {
		off()
		if p := a.progress(); p != nil {
			t.Error("progress where nobody looks")
		}
	}
	env["BSP2GLTF_PROGRESS"] = "lines"
	if a.progress() == nil {
		t.Error("no progress for a program that asks for lines")
	}
}
