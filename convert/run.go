package convert

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/assets"
	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/assemble"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/input"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/tally"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/convert/thumb"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Source is a map to read.
type Source struct {
	Name   string // the map's name, without folder and extension
	Reader io.ReaderAt
	Size   int64
	Files  fs.FS // textures, scripts and external lightmaps; may be nil

	Progress func(Progress) // as in Job; the stages are those of Stages without "read" and "write"
}

// Job is a conversion of a file.
type Job struct {
	Pipeline pipeline.Pipeline // of pipeline.Default or pipeline.Load; a zero one is an error
	Model    bool              // In is a model, not a map
	In       string            // a path, an entry of an archive as archive.pk3:maps/name.bsp, or "-" for Stdin
	Out      string            // a path, "-" for Stdout, or "" to write nothing
	Format   string            // the name of one of Formats; "" by Out's extension
	Strict   bool              // any issue that is not a note is an error
	Cache    *cache.Cache      // keeps images for other maps; nil keeps none

	NoClobber bool // replace no existing file, not even Out; no output ever replaces a file that the conversion reads

	Stdin    io.Reader
	Stdout   io.Writer
	Progress func(Progress) // called when a stage begins, and after each image and lightmap page; never concurrently; may be nil
	// Edit may change the scene before it is shown and written; an error stops the job. It may be nil. The scene is validated after it
	// (scene.Validate). The report counts the scene as it was before.
	Edit func(context.Context, *scene.Scene) error
	// Show is called with the scene before it is written; an error stops the job. It may be nil. It must not keep or
	// change the scene.
	Show func(context.Context, *scene.Scene) error
	// Report is called with the complete report of a successful conversion, when the output's files are complete but still have
	// temporary names. If it returns an error, they are removed. It may be nil.
	Report func(*report.Report) error
}

// Progress reports that a stage of a conversion has begun, or that one of its items is done.
type Progress struct {
	Stage    string // one of Stages, when it begins; else ""
	Items    string // "images" or "lightmap pages", when one of them is done; else ""
	Done, Of int    // of these items
	Bytes    int64  // size of the item
}

// Stages returns the stages of a Job in order, as passed to Job.Progress. Without an output there is no "write".
func Stages() []string { return []string{"read", "decode", "stages", "assemble", "write"} }

// File converts a map to a file, whose extension gives the format.
func File(ctx context.Context, p pipeline.Pipeline, in, out string) (*report.Report, error) {
	return Run(ctx, Job{Pipeline: p, In: in, Out: out})
}

// Run carries out a job, within the limits that ctx carries (limits.With) or the defaults. If the map could be decoded, the report is not
// nil, even with an error. With Strict the error is limits.ErrCorrupt, and nothing is written, if the report has an issue that is not a
// note, or a missing material.
func Run(ctx context.Context, j Job) (r *report.Report, err error) {
	err = par.Guard(func() (err error) { r, err = run(ctx, j); return err })()
	return r, err
}

func run(ctx context.Context, j Job) (*report.Report, error) {
	p, err := j.Pipeline.Complete()
	if err != nil { // before the work
		return nil, err
	}
	j.Pipeline = p
	ctx, b := limit.Begin(ctx)
	call := invocation.From(ctx)
	format, err := j.prepare()
	if err != nil { // before the work
		return nil, err
	}
	r := tally.New("bsp2gltf "+bsp2gltf.Version, b.Limits.MaxWarnings)
	t := &timer{report: r, progress: j.Progress}

	t.begin("read")
	in, err := j.open(ctx)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r.Mounts = in.View.Paths()
	if err := j.checkOutputs(call, r.Report, format); err != nil { // before the work
		return nil, err
	}
	hash, err := in.Hasher(ctx)
	if err == nil && !call.Unhashed {
		r.Input.SHA256, err = hash()
	}
	if err != nil {
		return nil, err
	}
	r.Input.File, r.Input.Name, r.Input.Size = j.In, in.Name, in.Size

	defer func() { // also for the report of a failure
		t.end()
		if r.PeakMemory == 0 {
			r.PeakMemory = peakMemory()
		}
	}()
	src := in.MapFile
	in.Reader = nil // frees a map from an archive, which is in memory, as soon as it is decoded
	stages := build
	if j.Model {
		stages = buildModel
	}
	st, err := stages(ctx, j.Pipeline, src, j.Cache, t)
	r.Mounted([]*assets.FS{in.View})
	for _, path := range in.View.Unused() {
		r.Add([]world.Issue{{Code: "game-unused", Where: path, Detail: "none of the files that were looked for is in it"}})
	}
	if r.Input.Format == (world.Format{}) {
		return nil, err // the map was not decoded
	}
	if err != nil {
		return r.Report, err
	}
	in.CloseFiles() // frees the directories of archives
	s, err := st.scene(ctx, j.Pipeline, t)
	if err != nil {
		return r.Report, err
	}
	if j.Edit != nil {
		if err := j.Edit(ctx, s); err != nil {
			return r.Report, err
		}
		if err := scene.Validate(s); err != nil {
			return r.Report, err
		}
	}
	if s.HasSidecars() {
		if s.MapSHA256, err = hash(); err != nil {
			return r.Report, err
		}
	}
	if j.Strict {
		err = r.Strict()
	}
	if err == nil {
		err = j.show(ctx, s, format, r)
	}
	if err != nil {
		return r.Report, err
	}
	return r.Report, j.write(ctx, s, format, t)
}

// prepare returns the format of the output, or nil if there is none, and sets the pipeline for it.
func (j *Job) prepare() (format *write.Format, err error) {
	if j.Out != "" {
		if format, err = write.FormatOf(j.Format, j.Out); err != nil {
			return nil, err
		}
		if format.Prepare != nil {
			j.Pipeline = format.Prepare(j.Pipeline)
		}
	}
	if j.Model {
		j.Pipeline = withoutMap(j.Pipeline)
	}
	_, err = write.ImageFolder("map", j.Pipeline.Output.ImageDir)
	return format, err
}

// write writes the scene and passes the report to the caller.
func (j *Job) write(ctx context.Context, s *scene.Scene, format *write.Format, t *timer) error {
	r := t.report
	done := func() error {
		t.end()
		r.PeakMemory = peakMemory()
		if j.Report == nil {
			return nil
		}
		return j.Report(r.Report)
	}
	if j.Out == "" {
		return done()
	}
	t.begin("write")
	ready := func(o write.Outcome) error {
		r.Add(o.Issues)
		r.Output.Files, r.Output.Removed = write.Entries(o.Files), o.Removed
		return done()
	}
	to := write.Target{Out: j.Out, Stdout: j.Stdout, ImageDir: j.Pipeline.Output.ImageDir,
		Policy: j.policy(invocation.From(ctx), r.Report), Ready: ready}
	_, err := write.Write(ctx, s, to, format)
	if err != nil {
		r.Output.Files, r.Output.Removed = nil, nil
	}
	return err
}

// Map converts a map to a scene, within the limits that ctx carries (limits.With) or the defaults. Textures, scripts and lightmaps come
// from src.Files only.
func Map(ctx context.Context, p pipeline.Pipeline, src Source) (s *scene.Scene, r *report.Report, err error) {
	ctx, b := limit.Begin(ctx)
	t := &timer{report: tally.New("bsp2gltf "+bsp2gltf.Version, b.Limits.MaxWarnings), progress: src.Progress}
	err = par.Guard(func() (err error) {
		p, err := p.Complete()
		if err != nil {
			return err
		}
		st, err := build(ctx, p, input.MapFile{Name: src.Name, Reader: src.Reader, Size: src.Size, Files: src.Files}, nil, t)
		if err != nil {
			return err
		}
		if s, err = st.scene(ctx, p, t); err != nil {
			return err
		}
		if s.HasSidecars() {
			if s.MapSHA256, err = input.Hash(ctx, src.Reader, src.Size); err != nil {
				return err
			}
		}
		if err := expose(ctx, s); err != nil {
			return err
		}
		return lookFrom(ctx, s, false, nil)
	})()
	t.end()
	return s, t.report.Report, err
}

// build decodes a map and carries out the stages. The outcome is in t's report; the cache may be nil.
func build(ctx context.Context, p pipeline.Pipeline, src input.MapFile, images *cache.Cache, t *timer) (*staged, error) {
	r := t.report
	if src.Files == nil {
		src.Files = embed.FS{} // without files
	}
	if src.Reader == nil {
		return nil, fmt.Errorf("no map is given: %w", limit.ErrUsage)
	}
	palette, err := input.ReadPalette(ctx, p.Game.Palette)
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
	carried, err := input.Mount(ctx, &src, m)
	if err != nil {
		return nil, err
	}
	defer carried.Close()
	src.Reader = nil
	r.Mounts = slices.Concat(carried.First, r.Mounts, carried.Last)
	r.Add(carried.Issues)
	boxes, err := gather(ctx, src.Files, w, p)
	if err != nil {
		return nil, err
	}
	if p.Geometry.Overlays && len(w.Decals) > 0 {
		r.Add(geometry.Decals(w, materials.DecalSizes(ctx, src.Files, w)))
	}

	in := materials.Input{World: w, Files: src.Files, Scripts: scripts(), Palette: palette}
	return finish(ctx, p, decoded{in, boxes, carried.Opened}, images, t)
}

// decoded is a decoded map or model with its models and archives.
type decoded struct {
	materials.Input
	boxes  map[string]models.Box // of the models that were not read
	opened []*assets.FS          // the map's pakfile and the archives that it names
}

// finish carries out the stages of a decoded map.
func finish(ctx context.Context, p pipeline.Pipeline, in decoded, images *cache.Cache, t *timer) (*staged, error) {
	r, w := t.report, in.World
	t.begin("stages")
	st, err := runStages(ctx, p, in.Input, images, t)
	if err != nil {
		return nil, err
	}
	st.boxes = in.boxes
	r.Add(w.Issues)
	for _, meshes := range st.meshes {
		for i := range meshes {
			r.Add(meshes[i].Issues)
		}
	}
	r.Add(st.atlas.Issues)
	r.Add(st.set.Issues)
	r.Stages(p.Lightmap.Carrier, w, st.atlas, st.set)
	r.Origins(in.Files)
	r.Mounted(in.opened)
	return st, nil
}

// title returns the message of a map's worldspawn, which the games show on the loading screen.
func title(w *world.World) string {
	if len(w.Entities) == 0 {
		return ""
	}
	return fmt.Sprintf("%.200s", w.Entities[0].Value("message"))
}

// staged holds the results of the stages, from which the scene is assembled.
type staged struct {
	world  *world.World
	boxes  map[string]models.Box // of the models that were not read
	meshes [][]geometry.Mesh
	atlas  *lightmap.Atlas
	set    *materials.Set
}

// scene assembles the scene.
func (st *staged) scene(ctx context.Context, p pipeline.Pipeline, t *timer) (*scene.Scene, error) {
	r := t.report
	t.begin("assemble")
	s, err := assemble.Scene(ctx,
		assemble.Stages{World: st.world, Meshes: st.meshes, Atlas: st.atlas, Set: st.set, Boxes: st.boxes},
		assemble.Options{
			Geometry: p.Geometry, Lightmap: p.Lightmap, Materials: p.Materials, Entities: p.Entities, Sky: p.Sky, Output: p.Output,
		}, r)
	if err != nil {
		return nil, err
	}
	s.Generator, s.Sidecars = r.Tool, st.set.Sidecars
	r.Scene(s)
	return s, nil
}

// runStages runs geometry, lightmap and materials in parallel. in holds the world and its files; its other fields are set from
// p.
func runStages(ctx context.Context, p pipeline.Pipeline, in materials.Input, images *cache.Cache, t *timer) (*staged, error) {
	w := in.World
	st := &staged{world: w}
	in.VertexLight, in.Directions = p.Lightmap.Carrier.InVertices(), p.Lightmap.Deluxe && p.Lightmap.Carrier == lightmap.CarrierMOZ
	in.SkyLight = p.Sky.HDR == pipeline.SkyHDRSidecar && p.Sky.Mode != pipeline.SkyNone
	in.PaintSky = p.Sky.Mode != pipeline.SkyNone
	in.GuessSky = p.Sky.Guess && in.PaintSky
	in.Cache, in.Progress = images, t.count("images")
	light := lightmap.Input{World: w, Effort: lightmap.Effort(p.Materials.PNG), Cache: images, Progress: t.count("lightmap pages")}
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
		// The textures wait until the luxels are freed, because both together would need the most memory.
		select {
		case <-painted:
		case <-ctx.Done():
			return ctx.Err()
		}
		st.set, err = materials.Load(ctx, in, p.Materials)
		return err
	})
	return st, g.Wait()
}

// timer measures the stages of a conversion.
type timer struct {
	report   *tally.Tally
	progress func(Progress)
	mu       sync.Mutex // guards report and progress
	name     string
	wall     time.Time
	cpu      time.Duration
}

// begin ends the current stage and starts the next.
func (t *timer) begin(name string) {
	t.end()
	if t.progress != nil {
		t.progress(Progress{Stage: name})
	}
	t.name, t.wall, t.cpu = name, time.Now(), processorTime()
}

// count returns the function that counts items of a kind.
func (t *timer) count(items string) func(done, of int, bytes int64) {
	if t.progress == nil {
		return nil
	}
	return func(done, of int, bytes int64) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.progress(Progress{Items: items, Done: done, Of: of, Bytes: bytes})
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
	t.report.Timing = append(t.report.Timing, report.Stage{Stage: name, Wall: time.Since(wall).Seconds(),
		CPU: (processorTime() - cpu).Seconds()})
}

// part measures one of the parallel stages; the function it returns ends the measurement.
func (t *timer) part(name string) func() {
	wall, cpu := time.Now(), processorTime()
	return func() { t.add(name, wall, cpu) }
}

// show completes the scene for its format, which may be nil, and shows it.
func (j *Job) show(ctx context.Context, s *scene.Scene, format *write.Format, r *tally.Tally) error {
	if j.Out == "" && j.Show == nil {
		return nil
	}
	if err := expose(ctx, s); err != nil {
		return err
	}
	if format != nil && format.Opens {
		s.SetMissing(r.Missing())
	}
	if !j.Model {
		if err := lookFrom(ctx, s, format != nil && format.Opens, j.Cache); err != nil {
			return err
		}
	}
	if j.Show == nil {
		return nil
	}
	return j.Show(ctx, s)
}

// lookFrom finds the first view if the scene has a start camera or a start view, and sets both.
func lookFrom(ctx context.Context, s *scene.Scene, opens bool, images *cache.Cache) error {
	if !opens && !s.HasStartCamera() {
		return nil
	}
	eye, err := thumb.Find(ctx, s, images)
	if err != nil {
		return err
	}
	s.PlaceStartCamera(eye)
	if opens {
		s.SetStartView(eye)
	}
	return nil
}

// expose states the initial exposure, if the map gives only a range.
func expose(ctx context.Context, s *scene.Scene) error {
	e := s.Shown.Exposure
	if e == nil || e.Min == e.Max || s.Extras == nil {
		return nil
	}
	factor, err := thumb.Expose(ctx, s)
	if err == nil {
		s.SetExposure(min(max(factor, e.Min), e.Max))
	}
	return err
}
