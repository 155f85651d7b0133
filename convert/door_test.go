package convert

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// outside is a program of another module. It uses what a caller needs of each public package.
const outside = `package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/ask"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func main() {
	limits := convert.Limits{MaxVertices: 1 << 20}
	ctx := convert.WithLimits(context.Background(), limits)
	file, err := os.Open(os.Args[1])
	check(err)
	info, err := file.Stat()
	check(err)
	files, err := assets.Open(assets.Find(os.Args[1]), nil)
	check(err)
	defer files.Close()

	// The stages one by one.
	p := pipeline.Default()
	var m *bsp.Map
	m, err = bsp.Decode(ctx, file, info.Size(), bsp.Options{Name: "m", Files: files, LDR: p.Lightmap.Light == lightmap.LightLDR, Overbright: p.Game.Overbright, Albedo: p.Game.Albedo})
	check(err)
	var w *world.World = m.World
	check(models.Gather(ctx, files, w, p.Models))
	meshes, err := geometry.Build(ctx, w, p.Geometry)
	check(err)
	atlas, err := lightmap.Bake(ctx, lightmap.Input{World: w, Effort: materials.EffortFast}, p.Lightmap)
	check(err)
	set, err := materials.Load(ctx, materials.Input{World: w, Files: files, Scripts: materials.ReadScripts(files)}, p.Materials)
	check(err)
	fmt.Println(len(meshes[0]) > 0, len(atlas.Pages) > 0, len(set.Materials) > 0)
	var first pbr.Material = set.Materials[0]
	fmt.Println(first.Base.Image >= pbr.NoImage)

	// All of them, to a scene and to files.
	p.Lightmap.Padding = 4
	check(p.Validate())
	var s *scene.Scene
	var r *report.Report
	s, r, err = convert.Map(ctx, p, convert.Source{Name: "m", Reader: file, Size: info.Size(), Files: files, Limits: limits})
	check(err)
	places := scene.Places(s)
	fmt.Println(len(places) == len(s.Nodes), r.Surfaces.Kept > 0)
	check(convert.WriteGLB(io.Discard, s))
	for _, f := range convert.Formats() {
		out, err := convert.Files(s, f.Name, "m", "{name}_textures")
		check(err)
		for _, o := range out {
			_, err := o.WriteTo(io.Discard)
			check(err)
		}
	}
	i, err := ask.Inspect(ctx, os.Args[1], nil, limits, nil)
	check(err)
	fmt.Println(i.Format.Ident)

	// Kinds of errors.
	p.Lightmap.Carrier = "nonsense"
	_, err = convert.Run(ctx, convert.Job{Pipeline: p, In: os.Args[1]})
	fmt.Println(errors.Is(err, convert.ErrUsage))
	_, err = convert.Run(ctx, convert.Job{Pipeline: pipeline.Default(), In: os.Args[1], Limits: convert.Limits{MaxVertices: 1}})
	fmt.Println(errors.Is(err, convert.ErrLimit))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

// Another module can call the public API: no function needs a type that the module can't name.
func TestAProgramOutsideTheModule(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module github.com/bsp2gltf/bsp2gltf", "module example.org/outside", 1) +
		"\nrequire github.com/bsp2gltf/bsp2gltf v0.0.0\n\nreplace github.com/bsp2gltf/bsp2gltf => " + root + "\n"
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"go.mod": text, "go.sum": string(sums), "main.go": outside} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", ".", filepath.Join(root, "testdata", "features", "maps", "polygons.bsp"))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if want := "true true true\ntrue\ntrue true\nIBSP\ntrue\ntrue\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
}
