package convert

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/assemble"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Limits bound what a conversion may use; a zero field means its default.
type Limits = limit.Limits

// Budget is what is left of Limits while something is read. Functions that take one count what they read and allocate; nil is the
// default limits.
type Budget = limit.Budget

// NewBudget returns a budget of all that the limits allow.
func NewBudget(l Limits) *Budget { return limit.NewBudget(l) }

// WithLimits returns a context for callers of the stages themselves (bsp.Decode, geometry.Build and so on), which fail without one: what they do under it
// keeps to the limits together. Run and Map make their own.
func WithLimits(ctx context.Context, l Limits) context.Context {
	return limit.With(ctx, limit.NewBudget(l))
}

// The kinds of errors, for errors.Is. Beside them there are errors.ErrUnsupported for a file that is right but not
// read, and fs.ErrNotExist.
var (
	ErrUsage    = limit.ErrUsage
	ErrCorrupt  = limit.ErrCorrupt
	ErrLimit    = limit.ErrLimit
	ErrInput    = limit.ErrInput
	ErrOutput   = limit.ErrOutput
	ErrWrite    = limit.ErrWrite
	ErrInternal = limit.ErrInternal
)

// Source is a map to read.
type Source struct {
	Name   string // of the map, without folder and extension
	Reader io.ReaderAt
	Size   int64
	Files  fs.FS  // textures, scripts and external lightmaps; may be nil
	Limits Limits // of Map; Run takes the Job's
}

// Job is a conversion of a file.
type Job struct {
	Pipeline pipeline.Pipeline
	In       string // a path, a member of an archive as archive.pk3:maps/name.bsp, or "-" for Stdin
	Out      string // a path, "-" for Stdout, or "" to write nothing
	Format   string // the name of one of Formats; "" by Out's extension
	Strict   bool   // an issue that is no note is an error
	Unhashed bool   // leave the map's SHA-256 out of the report: of a small map it is a tenth of the time
	Limits   Limits
	Cache    *Cache // of images, across maps; nil is none

	// No output replaces a file that the conversion reads, nor one of these.
	Reads     []string // more files that the caller has read, like a pipeline file
	Writes    []string // more files that the caller will write, like the report
	NoClobber bool     // no file that exists is replaced, not even Out
	Derived   bool     // nobody gave the name Out: a file that is there is replaced only if bsp2gltf wrote it

	Stdin    io.Reader
	Stdout   io.Writer
	Progress func(stage string)               // hears of each stage that begins; may be nil
	Count    func(items string, done, of int) // hears of each image and lightmap page that is done, one at a time; may be nil
	// Show is called with the scene before it is written, and stops the job by an error. It may be nil. It must not keep
	// or change the scene.
	Show func(context.Context, *scene.Scene) error
}

// Stages are the stages of a Job in their order, as Job.Progress gets them. Without an output there is no "write".
var Stages = []string{"read", "decode", "stages", "assemble", "write"}

// File converts a map to a file, whose extension gives the format.
func File(ctx context.Context, p pipeline.Pipeline, in, out string) (*report.Report, error) {
	return Run(ctx, Job{Pipeline: p, In: in, Out: out})
}

// Run does a job. The report is not nil where the map could be decoded, even with an error. With Strict the error is
// ErrCorrupt if the report has an issue that is no note, or a missing material, and nothing is written.
func Run(ctx context.Context, j Job) (r *report.Report, err error) {
	err = par.Guard(func() (err error) { r, err = run(ctx, j); return err })()
	return r, err
}

func run(ctx context.Context, j Job) (*report.Report, error) {
	if err := j.Pipeline.Validate(); err != nil { // before the work
		return nil, err
	}
	b := limit.NewBudget(j.Limits)
	ctx = limit.With(ctx, b)
	var format *write.Format
	if j.Out != "" {
		var err error
		if format, err = write.FormatOf(j.Format, j.Out); err != nil {
			return nil, err
		}
		if format.Prepare != nil {
			j.Pipeline = format.Prepare(j.Pipeline)
		}
	}
	if _, err := write.ImageFolder("map", j.Pipeline.Output.ImageDir); err != nil { // before the work
		return nil, err
	}
	r := report.New("bsp2gltf "+bsp2gltf.Version, b.Limits.MaxWarnings)
	t := &timer{report: r, progress: j.Progress, counted: j.Count}

	t.begin("read")
	in, err := input.OpenGame(j.In, j.Stdin, j.Pipeline.Game, b)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r.Mounts = in.View.Paths()
	if err := j.checkOutputs(r, format); err != nil { // before the work
		return nil, err
	}
	if !j.Unhashed {
		if r.Input.SHA256, err = input.Hash(ctx, in); err != nil {
			return nil, err
		}
	}
	r.Input.File, r.Input.Name, r.Input.Size = j.In, in.Name, in.Size

	defer func() { // also for the report of a failure
		t.end()
		r.PeakMemory = peakMemory()
	}()
	s, err := build(ctx, j.Pipeline, in.MapFile, j.Cache, t)
	r.Mounted([]*assets.FS{in.View})
	if r.Input.Format == (world.Format{}) {
		return nil, err // the map was not decoded
	}
	if err != nil {
		return r, err
	}
	if j.Strict {
		if err := r.Strict(); err != nil {
			return r, err
		}
	}
	if j.Show != nil {
		if err := j.Show(ctx, s); err != nil {
			return r, err
		}
	}
	if j.Out != "" {
		t.begin("write")
		to := write.Target{Out: j.Out, Stdout: j.Stdout, ImageDir: j.Pipeline.Output.ImageDir, Policy: j.policy(r)}
		files, issues, werr := write.Write(ctx, s, to, format)
		r.Add(issues)
		r.Output.Files, err = write.Entries(files), werr
	}
	return r, err
}

// Map converts a map to a scene. Its textures, scripts and lightmaps are those of src.Files alone.
func Map(ctx context.Context, p pipeline.Pipeline, src Source) (s *scene.Scene, r *report.Report, err error) {
	b := limit.NewBudget(src.Limits)
	r = report.New("bsp2gltf "+bsp2gltf.Version, b.Limits.MaxWarnings)
	t := &timer{report: r}
	err = par.Guard(func() (err error) {
		s, err = build(limit.With(ctx, b), p, input.MapFile{Name: src.Name, Reader: src.Reader, Size: src.Size, Files: src.Files}, nil, t)
		return err
	})()
	t.end()
	return s, r, err
}

// build decodes a map and takes it through the stages. What became of it is in t's report; the cache may be nil.
func build(ctx context.Context, p pipeline.Pipeline, src input.MapFile, images *Cache, t *timer) (*scene.Scene, error) {
	r := t.report
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if src.Files == nil {
		src.Files = input.NoFiles{}
	}
	if src.Reader == nil {
		return nil, fmt.Errorf("there is no map to read: %w", ErrUsage)
	}
	palette, err := input.ReadPalette(p.Game.Palette, limit.From(ctx))
	if err != nil {
		return nil, err
	}
	if p.Lightmap.Carrier == lightmap.CarrierNone {
		p.Models.Light = models.LightNone
	}
	t.begin("decode")
	scripts := input.ScriptsOf(src.Files)
	m, err := input.Decode(ctx, p, src, scripts)
	if err != nil {
		return nil, err
	}
	w := m.World
	if p.Game.Name != "" {
		w.Format.Game = p.Game.Name
		w.Format.Why += ", the game is what game.name says"
	}
	r.Input.Format, r.Input.Title = w.Format, title(w)
	r.Surfaces.Total = m.Faces
	carried, err := input.Mount(&src, m, limit.From(ctx))
	if err != nil {
		return nil, err
	}
	defer carried.Close()
	r.Mounts = slices.Concat(carried.First, r.Mounts, carried.Last)
	r.Add(carried.Issues)
	boxes, err := gather(ctx, src.Files, w, p)
	if err != nil {
		return nil, err
	}
	if p.Geometry.Overlays && len(w.Decals) > 0 {
		r.Add(geometry.Decals(w, materials.DecalSizes(ctx, src.Files, w)))
	}

	t.begin("stages")
	st, err := runStages(ctx, p, materials.Input{World: w, Files: src.Files, Scripts: scripts(), Palette: palette}, images, t)
	if err != nil {
		return nil, err
	}
	r.Add(w.Issues)
	for _, meshes := range st.meshes {
		for i := range meshes {
			r.Add(meshes[i].Issues)
		}
	}
	r.Add(st.atlas.Issues)
	r.Add(st.set.Issues)
	r.Stages(p.Lightmap.Carrier, w, st.atlas, st.set)
	r.Origins(src.Files)
	r.Mounted(carried.Opened)

	t.begin("assemble")
	s, err := assemble.Scene(ctx, assemble.Stages{Pipeline: p, World: w, Meshes: st.meshes, Atlas: st.atlas, Set: st.set, Boxes: boxes}, r)
	if err != nil {
		return nil, err
	}
	s.Generator, s.Sidecars = r.Tool, st.set.Sidecars
	r.Scene(s)
	return s, nil
}

// title is the message of a map's worldspawn, which the games show while they load it.
func title(w *world.World) string {
	if len(w.Entities) == 0 {
		return ""
	}
	return fmt.Sprintf("%.200s", w.Entities[0].Value("message"))
}

// staged is what the stages have made of a map.
type staged struct {
	meshes [][]geometry.Mesh
	atlas  *lightmap.Atlas
	set    *materials.Set
}

// runStages runs geometry, lightmap and materials side by side. in has the world and its files; the rest of it follows from p.
func runStages(ctx context.Context, p pipeline.Pipeline, in materials.Input, images *Cache, t *timer) (st staged, err error) {
	w := in.World
	in.VertexLight = p.Lightmap.Carrier == lightmap.CarrierVertex
	in.SkyLight = p.Sky.HDR == pipeline.SkyHDRSidecar && p.Sky.Mode != pipeline.SkyNone
	in.Cache, in.Progress = imageCache(images), t.count("images")
	light := lightmap.Input{World: w, Effort: p.Materials.PNG, Cache: images, Progress: t.count("lightmap pages")}
	g, ctx := errgroup.WithContext(ctx)
	stage := func(name string, f func() error) {
		g.Go(par.Guard(func() error { defer t.part(name)(); return f() }))
	}
	stage("geometry", func() (err error) { st.meshes, err = geometry.Build(ctx, w, p.Geometry); return err })
	painted := make(chan struct{})
	light.Painted = func() { close(painted) }
	stage("lightmap", func() (err error) {
		if p.Lightmap.Bump == lightmap.BumpBaked && p.Lightmap.Carrier != lightmap.CarrierNone {
			if light.Normals, err = materials.NormalMaps(ctx, in.Files, w); err != nil {
				return err
			}
		}
		st.atlas, err = lightmap.Bake(ctx, light, p.Lightmap)
		return err
	})
	stage("materials", func() (err error) {
		// The textures wait for the luxels to go: together they would be the most memory of the whole conversion.
		select {
		case <-painted:
		case <-ctx.Done():
			return ctx.Err()
		}
		st.set, err = materials.Load(ctx, in, p.Materials)
		return err
	})
	err = g.Wait()
	return st, err
}

// timer measures the stages of a conversion.
type timer struct {
	report   *report.Report
	progress func(stage string)
	counted  func(items string, done, of int)
	mu       sync.Mutex // of report and counted
	name     string
	wall     time.Time
	cpu      time.Duration
}

// begin ends the stage before and starts the next.
func (t *timer) begin(name string) {
	t.end()
	if t.progress != nil {
		t.progress(name)
	}
	t.name, t.wall, t.cpu = name, time.Now(), processorTime()
}

// count returns the listener to items of a kind.
func (t *timer) count(items string) func(done, of int) {
	if t.counted == nil {
		return nil
	}
	return func(done, of int) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.counted(items, done, of)
	}
}

func (t *timer) end() {
	if t.name != "" {
		t.add(t.name, t.wall, t.cpu)
	}
	t.name = ""
}

func (t *timer) add(name string, wall time.Time, cpu time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.report.Timing = append(t.report.Timing, report.Stage{Stage: name, Wall: time.Since(wall).Seconds(), CPU: (processorTime() - cpu).Seconds()})
}

// part measures one of the stages that run side by side; the function it returns ends it.
func (t *timer) part(name string) func() {
	wall, cpu := time.Now(), processorTime()
	return func() { t.add(name, wall, cpu) }
}
