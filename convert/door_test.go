package convert

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pipelines is a program of another module. It uses what a caller of whole conversions needs.
const pipelines = `package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

func main() {
	ctx := limits.With(context.Background(), limits.Limits{MaxVertices: 1 << 20})
	file, err := os.Open(os.Args[1])
	check(err)
	info, err := file.Stat()
	check(err)
	files, err := assets.Open(ctx, assets.Find(os.Args[1]))
	check(err)
	defer files.Close()

	p := pipeline.Default()

	// All of them, to a scene and to files.
	p.Lightmap.Padding = 4
	p, err = p.Complete()
	check(err)
	var s *scene.Scene
	var r *report.Report
	stages, pages := 0, 0
	s, r, err = convert.Map(ctx, p, convert.Source{Name: "m", Reader: file, Size: info.Size(), Files: files,
		Progress: func(p convert.Progress) {
			if p.Stage != "" {
				stages++
			}
			pages = max(pages, p.Done)
		}})
	check(err)
	fmt.Println(stages, pages > 0)
	places := scene.Places(s)
	fmt.Println(len(places) == len(s.Nodes), r.Surfaces.Kept > 0)
	check(convert.WriteGLB(io.Discard, s))
	for _, f := range convert.Formats() {
		out, err := convert.OutFiles(s, f.Name, "m", "{name}_textures")
		check(err)
		for _, o := range out {
			_, err := o.WriteTo(io.Discard)
			check(err)
		}
	}
	i, err := inspect.Inspect(ctx, os.Args[1], nil, nil)
	check(err)
	fmt.Println(i.Format.Ident)

	// Kinds of errors.
	p.Lightmap.Carrier = "nonsense"
	_, err = convert.Run(ctx, convert.Job{Pipeline: p, In: os.Args[1]})
	fmt.Println(errors.Is(err, limits.ErrUsage))
	_, err = convert.Run(limits.With(ctx, limits.Limits{MaxVertices: 1}), convert.Job{Pipeline: pipeline.Default(), In: os.Args[1]})
	fmt.Println(errors.Is(err, limits.ErrLimit))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

// stages is a program of another module that runs the stages by itself: with a plain context, zero options, and without package
// convert.
const stages = `package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/limits"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func main() {
	ctx := context.Background()
	file, err := os.Open(os.Args[1])
	check(err)
	info, err := file.Stat()
	check(err)
	files, err := assets.Open(ctx, assets.Find(os.Args[1]))
	check(err)
	defer files.Close()

	var m *bsp.Map
	m, err = bsp.Decode(ctx, file, info.Size(), bsp.Options{})
	check(err)
	var w *world.World = m.World
	check(models.Gather(ctx, files, w, models.Options{}))
	meshes, err := geometry.Build(ctx, w, geometry.Options{})
	check(err)
	atlas, err := lightmap.Bake(ctx, lightmap.Input{World: w}, lightmap.Options{})
	check(err)
	set, err := materials.Load(ctx, materials.Input{World: w, Files: files}, materials.Options{})
	check(err)

	page, err := atlas.Pages[0].Image()
	check(err)
	var first pbr.Material = set.Materials[0]
	fmt.Println(len(meshes[0]) > 0, page.Bounds().Dx() == atlas.Sizes[0].Width, first.Base.Image > pbr.NoImage, len(set.Missing))

	_, err = geometry.Build(limits.With(ctx, limits.Limits{MaxVertices: 1}), w, geometry.Options{})
	fmt.Println(errors.Is(err, limits.ErrLimit))
	_, err = assets.Open(ctx, []string{os.Args[1]})
	fmt.Println(errors.Is(err, limits.ErrUsage))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

// Another module can call the public API: no function needs a type that the module can't name, and the stages need no pipeline.
func TestProgramsOutsideTheModule(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles two programs")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := strings.Replace(string(mod), "module github.com/bsp2gltf/bsp2gltf", "module example.org/outside", 1) +
		"\nrequire github.com/bsp2gltf/bsp2gltf v0.0.0\n\nreplace github.com/bsp2gltf/bsp2gltf => " + root + "\n"
	for name, content := range map[string]string{"go.mod": text, "go.sum": string(sums), "pipelines/main.go": pipelines,
		"stages/main.go": stages} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("go %q: %v", args, err)
		}
		return string(out)
	}
	bspFile := filepath.Join(root, "testdata", "features", "maps", "polygons.bsp")
	for program, want := range map[string]string{
		"./pipelines": "3 true\ntrue true\nIBSP\ntrue\ntrue\n",
		"./stages":    "true true true 0\ntrue\ntrue\n",
	} {
		if out := run("run", program, bspFile); out != want {
			t.Errorf("%s:\n%s", program, out)
		}
	}
	if deps := run("list", "-deps", "./stages"); strings.Contains(deps, "bsp2gltf/convert") {
		t.Error("the stages need package convert")
	}
}
