package command

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/progress"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/internal/regular"
)

// formats lists the output formats, the default first.
var formats = convert.FormatNames()

// either joins words as alternatives: "a, b or c", each with before in front.
func either(before string, words []string) string {
	last := len(words) - 1
	return before + strings.Join(words[:last], ", "+before) + " or " + before + words[last]
}

// usageLine is the synopsis of the conversion.
var usageLine = "bsp2gltf in.bsp [out." + strings.Join(formats, "|out.") + "]"

// convertOne converts a map to out: a file, a folder or, if out is "", a file in the current folder.
func convertOne(ctx context.Context, a *app, f *convertFlags, j convert.Job, in, out string) error {
	derived, err := setNames(&j, f, in, out)
	if err != nil {
		return err
	}
	ctx = invocation.With(ctx, f.call(a, derived))
	if f.report == "-" && j.Out == "-" {
		return usagef("the report and the output can't both go to standard output")
	}
	a.files = []string{j.In, j.Out}
	if j.In == "-" {
		a.files[0] = "standard input"
	}
	if j.Out == "-" {
		a.files[1] = "standard output"
	}
	out = a.files[1]
	if f.dryRun {
		j.Out = ""
	}

	start := time.Now()
	p := a.progress()
	if f.verbose {
		p = nil // progress lines would mix with messages
	}
	show(p, &j)
	w := reportWriter{app: a, flags: f}
	if f.report != "" {
		a.files = append(a.files, f.report)
		j.Report = func(r *report.Report) error { return w.stage(ctx, r) }
	}
	report, err := func() (*report.Report, error) {
		defer p.Done() // also before a panic is reported
		return a.convert(ctx, j)
	}()
	if report != nil && f.report != "" {
		err = w.finish(ctx, report, err)
	}
	if report != nil && f.verbose {
		a.details(report)
	}
	if err != nil {
		return err
	}
	if !a.quiet {
		a.summary(report, f, out, time.Since(start))
	}
	return nil
}

// show shows a job's progress on a line, which may be nil.
func show(p *progress.Line, j *convert.Job) {
	told := j.Progress
	j.Progress = func(now convert.Progress) {
		if told != nil {
			told(now)
		}
		if now.Stage != "" {
			p.Stage(now.Stage)
		} else {
			p.Item(now.Items, now.Done, now.Of)
		}
	}
}

// saveMemory makes garbage collections more frequent than Go's default, still more so if a map takes far more memory
// than its size: a conversion is short, and its data is large. GOGC and GOMEMLIMIT in the environment take
// precedence.
//
// The first collection waits for 12 MB, three times Go's minimum heap. Most small maps finish before that; with a
// percentage alone they would spend a third of their time on collections of 2 MB.
//
// It returns a function to call with the sizes of the output's parts as they are made. They stay in memory until they
// are written, and collections become less frequent for them.
func saveMemory(in string, l limit.Limits) func(bytes int64) {
	if inputfile.IsModel(in) { // a model is small, so its margins matter
		return saveMemoryAbove(14<<20+inputSize(in)*5/2, 10<<19, l)
	}
	return saveMemoryAbove(17<<20+inputSize(in)*5/2, leastGrowth, l)
}

// saveMemoryAbove is saveMemory with two parameters: least is the memory below which nothing is returned to the
// system; growth is the least growth of the heap between two collections, if it is more than half of the heap.
func saveMemoryAbove(least, growth int64, l limit.Limits) func(bytes int64) {
	p := pacing{most: l.OrDefaults().MaxMemory + slack, made: new(atomic.Int64), room: growth}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
		p.growth = uint64(growth)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		p.limit = min(least, p.most) // rises with the live heap: see next
		debug.SetMemoryLimit(p.limit)
	}
	if p.growth > 0 || p.limit > 0 {
		runtime.AddCleanup(new(collected), pace, p)
	}
	return func(bytes int64) { p.made.Add(bytes) }
}

// inputSize returns the bytes of a map and of its lightmap images, which are in a folder named like the map: files,
// or entries of a .pk3 or .zip.
func inputSize(in string) (sum int64) {
	if info, err := os.Stat(in); err == nil {
		sum = info.Size()
		beside, _ := regular.ReadDir(strings.TrimSuffix(in, filepath.Ext(in)))
		for _, e := range beside {
			if page, err := e.Info(); err == nil && strings.HasPrefix(strings.ToLower(e.Name()), pagePrefix) {
				sum += page.Size()
			}
		}
		return sum
	}
	archive, member, _ := inputfile.Split(in)
	file, err := regular.Open(archive)
	if err != nil {
		return 0
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0
	}
	r, err := zip.NewReader(file, info.Size())
	if err != nil {
		return 0
	}
	pages := strings.TrimSuffix(member, path.Ext(member)) + "/" + pagePrefix
	for _, f := range r.File {
		if strings.EqualFold(f.Name, member) || len(f.Name) > len(pages) && strings.EqualFold(f.Name[:len(pages)], pages) {
			sum += int64(min(f.UncompressedSize64, 1<<40))
		}
	}
	return min(sum, 1<<40)
}

// pagePrefix begins the names of lightmap images beside a map (q3map2).
const pagePrefix = "lm_"

// slack is the memory that garbage, code and stacks may take beyond MaxMemory, which bounds live data.
const slack = 128 << 20

// pacing controls when garbage is collected.
type pacing struct {
	growth uint64        // least heap growth between two collections in bytes; 0 keeps Go's setting
	room   int64         // bytes between the live heap and the soft limit
	limit  int64         // least soft memory limit; 0 keeps Go's setting
	most   int64         // greatest soft limit, unless more is live
	made   *atomic.Int64 // bytes of the output so far
}

// collected is an unreferenced object whose finalizer signals a collection. It holds a pointer, so that it is not
// packed together with other objects.
type collected [1]*byte

// leastGrowth is the growth that saveMemoryAbove gets for maps.
const leastGrowth = 15 << 19

// pace sets the parameters of the next collection, after each collection.
func pace(p pacing) {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	percent, limit := p.next(sample[0].Value.Uint64(), p.made.Load())
	if percent > 0 {
		debug.SetGCPercent(percent)
	}
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
	runtime.AddCleanup(new(collected), pace, p)
}

// next returns the heap growth in percent and the soft memory limit, given the live heap and the bytes of output
// made; 0 keeps a setting. Textures and models may be a hundred times the map's size: with a limit far below the live
// heap, a collection would run for each megabyte (1085 for a map with 300 textures; this way 85).
func (p pacing) next(live uint64, made int64) (percent int, limit int64) {
	if p.growth > 0 {
		percent = int(max(50, 100*p.growth/max(live, 1<<20)))
	}
	if p.limit > 0 {
		limit = max(min(max(p.limit+2*made, int64(live+live/4)+p.room), p.most), int64(live)+p.room)
	}
	return percent, limit
}

// written says, by extension, how to get formats that other programs write.
var written = map[string]string{
	"png": "; bsp2gltf thumb takes a picture", "jpg": "; bsp2gltf thumb takes a picture", "webp": "; bsp2gltf thumb takes a picture",
	"fbx": "; Blender writes .fbx from a .glb", "blend": "; Blender imports maps itself, with the add-on",
	"usd":  "; Blender writes .usd from a .glb",
	"usdz": "; Blender writes .usd from a .glb", "stl": "; Blender writes .stl from a .glb", "dae": "; Blender writes .dae from a .glb",
	"map": "; a compiled map can't become a source again",
	"vmf": "; a compiled map can't become a source again: BSPSource makes a .vmf of one",
}

// setNames sets the input, output and format of a job. out is a file, a folder, or "" for the current folder. It
// reports whether the output's name was derived.
func setNames(j *convert.Job, f *convertFlags, in, out string) (derived bool, err error) {
	j.In, j.Out, j.Format = in, out, f.format
	folder := j.Out != "" && j.Out != "-" && (os.IsPathSeparator(j.Out[len(j.Out)-1]) || isFolder(j.Out))
	if j.In == "-" && (j.Out == "" || folder) && !f.dryRun {
		return false, usagef("a map from standard input has no name: name the output, or give - and --format")
	}
	switch {
	case j.Out == "-":
		if j.Format = cmp.Or(j.Format, j.Pipeline.Output.Format); j.Format == "" {
			return false, usagef("standard output has no name to take the format from: give --format %s", either("", formats))
		}
		return derived, nil
	case j.Out == "" || folder:
		j.Format = cmp.Or(j.Format, j.Pipeline.Output.Format, formats[0])
		j.Out = filepath.Join(j.Out, inputfile.OutputStem(j.In)+"."+j.Format)
		derived = true
	}
	ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(j.Out), "."))
	if filepath.Base(j.Out) == "."+ext {
		return false, usagef("%s is an extension without a name", human.Quote(j.Out))
	}
	switch known := slices.Contains(formats, ext); {
	case !known && j.Format == "" && slices.Contains(formats, j.Pipeline.Output.Format):
		j.Format = j.Pipeline.Output.Format
	case !known && j.Format == "":
		more := written[ext]
		if ext == "" {
			more = "; the name of a new folder ends in " + string(filepath.Separator)
		}
		return false, usagef("%s names no known format: end it in %s, or give --format%s", human.Quote(j.Out), either(".", formats), more)
	case known && j.Format != "" && j.Format != ext:
		return false, usagef("%s does not fit --format %s", human.Quote(j.Out), j.Format)
	case j.Format == "":
		j.Format = ext
	}
	// The output is renamed into place, which would replace a device or a pipe by a file.
	if i, err := os.Stat(j.Out); err == nil && !i.Mode().IsRegular() {
		return false, usagef("%s is a pipe or a device, not a file; standard output is - with --format", human.Quote(j.Out))
	}
	if outfile.Same(j.In, j.Out) {
		return false, usagef("%s is the map itself: the output needs another name", human.Quote(j.Out))
	}
	return derived, nil
}

// near returns "; did you mean" with the nearest word, or "".
func near(word string, all []string) string {
	if m := meant(word, all); strings.HasPrefix(m, "; did") {
		return m
	}
	return ""
}

func isFolder(name string) bool {
	i, err := os.Stat(name)
	return err == nil && i.IsDir()
}

// load starts the clock of --timeout and loads the configuration, whose files may be pipes that never end.
func (f *convertFlags) load(a *app) (*pipeline.Config, error) {
	f.spend.clock(a)
	return loadConfig(f)
}

// loadConfig applies the preset, files and assignments to the defaults. Flags that were not given get the values in
// the files' section run.
func loadConfig(f *convertFlags) (*pipeline.Config, error) {
	var layers []pipeline.Layer
	for _, name := range f.configs {
		text, err := readConfig(name)
		if err != nil {
			return nil, err
		}
		if bad := pipeline.Check(name, text); len(bad) > 1 {
			return nil, mistakes(bad)
		}
		layers = append(layers, pipeline.FileLayer(name, text))
	}
	for _, path := range f.game {
		if path == "" {
			return nil, usagef("--game: the name is empty")
		}
		if isURL(path) && !batch.IsURL(path) {
			return nil, noAddress(path)
		}
	}
	for _, s := range f.sets {
		layers = append(layers, pipeline.SetLayer(s))
	}
	if f.incomplete {
		layers = append(layers, pipeline.SetLayer("game.allow_incomplete=true"))
	}
	layers = append(layers, pipeline.GameLayer(f.game...))
	c, err := pipeline.Load(layers...)
	if err != nil {
		return nil, err
	}
	if preset := cmp.Or(f.preset, c.Pipeline.Run.Preset); preset != "" {
		l, err := pipeline.PresetLayer(preset)
		if err != nil {
			return nil, err
		}
		if c, err = pipeline.Load(append([]pipeline.Layer{l}, layers...)...); err != nil {
			return nil, err
		}
	}
	return c, f.take(c.Pipeline.Run)
}

// take sets flags that were not given from a pipeline file's section run.
func (f *convertFlags) take(r pipeline.RunOptions) error {
	f.strict = f.strict || r.Strict
	f.jobs = cmp.Or(f.jobs, r.Jobs)
	f.spend.limits = slices.Concat(r.Limits, f.spend.limits)
	if f.spend.timeout == 0 && r.Timeout != "" {
		d, err := time.ParseDuration(r.Timeout)
		if err != nil {
			return usagef("run.timeout: %s is not a duration like 90s or 5m", human.Quote(r.Timeout))
		}
		f.spend.timeout = d
	}
	return nil
}

// readConfig returns the text of a pipeline file. Of one that is too long it returns just enough for it to be
// refused.
func readConfig(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return nil, limit.Unreadable(err)
	}
	return text, nil
}

// printConfig writes all settings. Paths are made absolute, so that the text does not depend on its folder.
func (a *app) printConfig(c *pipeline.Config) error {
	for i, p := range c.Pipeline.Game.Paths {
		if abs, err := filepath.Abs(p); err == nil {
			c.Pipeline.Game.Paths[i] = abs
		}
	}
	return unwritable(c.WriteYAML(a.stdout))
}

// unwritable marks a write error as limit.ErrWrite.
func unwritable(err error) error {
	if err == nil {
		return nil
	}
	return limit.Errorf(limit.ErrWrite, "%w", err)
}

// others maps words that people try as commands to the right way.
var others = map[string]string{
	"convert": "no command is needed: bsp2gltf in.bsp", "export": "no command is needed: bsp2gltf in.bsp",
	"version": "it is bsp2gltf --version", "presets": "it is bsp2gltf --help", "formats": "it is bsp2gltf --help",
}

// checkWord returns an error if the first argument is not a file but looks like a command.
func (a *app) checkWord(args []string) error {
	if len(args) == 0 || strings.ContainsAny(args[0], `./\:!`) || args[0] == "-" {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil {
		return nil
	}
	word := strings.ToLower(args[0])
	if hint := others[word]; hint != "" {
		return usagef("there is no file %s, and no command of this name; %s", human.Quote(args[0]), hint)
	}
	commands := commandNames(a.root())
	if m := near(word, commands); m != "" && !slices.Contains(commands, args[0]) { // a real command gets here only after "--"
		return usagef("there is no file %s, and no command of this name%s", human.Quote(args[0]), m)
	}
	return nil
}

// mayReplace returns an error if an existing file does not begin like the files that this program writes there.
func mayReplace(name, begins, kind string) error {
	if name == "" || name == "-" {
		return nil
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	file, err := regular.Open(name)
	if err != nil {
		return nil // otherwise writing it fails
	}
	defer file.Close()
	first := make([]byte, len(begins))
	if _, err := io.ReadFull(file, first); err != nil || string(first) != begins {
		return limit.Errorf(limit.ErrOutput, "%s: the file exists and is not a %s", name, kind)
	}
	return nil
}

// reportWriter writes the report of a conversion before the output gets its name: if the report can't be written,
// there is no output.
type reportWriter struct {
	app    *app
	flags  *convertFlags
	file   *stagedFile // nil for standard output
	staged bool
	failed bool
}

// stage writes the complete report under a temporary name.
func (w *reportWriter) stage(ctx context.Context, r *report.Report) (err error) {
	if w.flags.report == "-" {
		err = unwritable(r.WriteJSON(w.app.stdout))
	} else {
		w.file, err = stageFile(ctx, w.flags.report, w.flags.noClobber, r.WriteJSON)
	}
	w.staged, w.failed = err == nil, err != nil
	return err
}

// finish gives the report its name. If the conversion failed, it first writes the report, in place of a staged one.
func (w *reportWriter) finish(ctx context.Context, r *report.Report, err error) error {
	if w.failed {
		return err
	}
	if err != nil && w.staged {
		w.file.discard()
		w.file, w.staged = nil, w.flags.report == "-" // standard output has it already
	}
	if !w.staged {
		if werr := w.stage(ctx, r); werr != nil {
			return cmp.Or(err, werr)
		}
	}
	return cmp.Or(err, w.file.commit(context.WithoutCancel(ctx)))
}

// stagedFile is a complete file without its final name. A nil one needs no name.
type stagedFile struct{ set *outfile.Set }

// stageFile writes a complete file under a temporary name, also if ctx is done, because a report says why. A device
// or a pipe is written directly, and needs no name.
func stageFile(ctx context.Context, name string, noClobber bool, write func(io.Writer) error) (*stagedFile, error) {
	if i, err := os.Stat(name); err != nil || i.Mode().IsRegular() {
		f := &stagedFile{outfile.New(name, outfile.Policy{NoClobber: noClobber})}
		err := f.set.Check()
		if err == nil {
			err = f.set.Stage(context.WithoutCancel(ctx), filepath.Base(name), write)
		}
		if err != nil {
			f.discard()
			return nil, err
		}
		return f, nil
	}
	return nil, withoutEnd(ctx, func() error {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return limit.Errorf(limit.ErrOutput, "%s: %w", name, outfile.Cause(err))
		}
		if err := errors.Join(write(f), f.Close()); err != nil {
			return limit.Errorf(limit.ErrWrite, "%s: %w", name, outfile.Cause(err))
		}
		return nil
	})
}

// withoutEnd calls f, which may wait for the other end of a pipe for ever. It returns at most a second after ctx is
// done, so that everything is cleaned up before the command ends.
func withoutEnd(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(time.Second):
		return context.Cause(ctx)
	}
}

// commit gives the file its name.
func (f *stagedFile) commit(ctx context.Context) error {
	if f == nil {
		return nil
	}
	defer f.set.Clean()
	_, err := f.set.Commit(ctx)
	return err
}

// discard removes the file.
func (f *stagedFile) discard() {
	if f != nil {
		f.set.Clean()
	}
}

// writeFile creates or replaces a file, by renaming a complete one. A device is written directly.
func writeFile(ctx context.Context, name string, noClobber bool, write func(io.Writer) error) error {
	f, err := stageFile(ctx, name, noClobber, write)
	if err != nil {
		return err
	}
	return f.commit(ctx)
}
