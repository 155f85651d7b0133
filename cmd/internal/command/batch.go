package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/buildid"
	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// tool names this program and its version in records.
const tool = "bsp2gltf " + bsp2gltf.Version

// errSomeFailed is the kind of error of a batch that ran to its end, but in which some maps could not be converted.
var errSomeFailed = errors.New("not all maps were converted")

// someFailed is an errSomeFailed that states how many failed.
type someFailed struct {
	failed, of int
	noun       string
}

func (e *someFailed) Error() string {
	return fmt.Sprintf("%s of %s failed", human.Count(e.failed), human.Many(e.of, e.noun))
}

// Is reports whether target is errSomeFailed.
func (e *someFailed) Is(target error) bool { return target == errSomeFailed }

// batchFlags holds the flags of a batch.
type batchFlags struct {
	convert  convertFlags // of each map
	out      string
	base     string
	jobs     int
	memory   string
	timeout  time.Duration
	shard    string
	force    bool
	verify   bool
	failFast bool
	dryRun   bool
	watch    bool
	blind    bool // draw no pictures
	models   bool // folders and archives stand for their models
	log      string
	scratch  string // folder for fetched files
	cache    cacheFlags
	queue    string // URL; "" converts here
	replicas int
}

// batchCommand returns the command "batch".
func batchCommand(a *app) *cobra.Command {
	var f batchFlags
	c := &cobra.Command{
		Use:   "batch MAP|FOLDER|GLOB|ARCHIVE|URL|-... -o DIR|URL",
		Short: "Convert many maps or models",
		Long: `Convert many maps in several processes, so that a map that fails does not stop the others.

A folder or an archive stands for all maps in it, x.pk3:maps/*dm*.bsp for those that match; "-" reads paths from standard
input, one on each line. The outputs in DIR keep the maps' paths relative to the folder, to the part of the glob before
its first wildcard, or to the common folder of all files.

A file with the extension of a model is converted as by "bsp2gltf model"; with --models a folder or an archive stands for all its models.

Maps, game folders and outputs may be in stores: s3://BUCKET/FOLDER?region=..., gs://BUCKET/FOLDER, azblob://CONTAINER/FOLDER or
file:///FOLDER, with wildcards for maps. Several machines divide the maps by --shard, or take them
from a queue: with --queue nothing is converted here, but by "bsp2gltf worker" on other machines, which must be able to open the
maps and the outputs under the same names.

A map is not converted again if it, the settings, the version and its outputs are unchanged. DIR/.bsp2gltf/manifest.jsonl
has a line for each map. SIGINT ends a batch within 5 seconds; the same command continues it.`,
		Example: `  bsp2gltf batch 'maps/**/*.bsp' -o out
  bsp2gltf batch pak0.pk3 -o out --game baseq3 --preset web
  find . -name '*.bsp' | bsp2gltf batch - -o out --jobs 4
  bsp2gltf batch mymaps -o out --watch
  bsp2gltf batch --models pak01_dir.vpk -o out --set 'model.sequences=[idle*]'
  bsp2gltf batch 's3://maps/**/*.bsp?region=eu-central-1' -o 's3://glb?region=eu-central-1' --shard 0/8
  bsp2gltf batch 's3://maps/**/*.bsp?region=eu-central-1' -o 's3://glb?region=eu-central-1' --queue nats://n1,n2,n3 --replicas 3
  bsp2gltf batch report --html report.html out`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error { return a.runBatch(cmd.Context(), &f, args) }),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"bsp", "mdl", "md3", "pk3", "pak", "vpk", "zip"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.addEach(c, ", and replace outputs of other maps")
	f.addWorkers(c)
	flags.BoolVar(&f.models, "models", false, "convert the models in folders and archives, not the maps")
	flags.BoolVar(&f.verify, "verify", false, "compare the contents of inputs and outputs instead of their size and time")
	flags.BoolVar(&f.failFast, "fail-fast", false, "stop at the first map that fails")
	flags.BoolVar(&f.dryRun, "dry-run", false, "list the maps to convert, and write nothing")
	flags.BoolVar(&f.blind, "no-pictures", false, "leave out the small pictures of the maps in the report")
	flags.BoolVar(&f.watch, "watch", false, "keep running, and convert maps when they change")
	flags.StringVar(&f.shard, "shard", "", "convert only part `I/N` of the maps, I from 0 to N-1; N, or auto, in an array of SLURM, Kubernetes or AWS Batch, which numbers its tasks")
	c.AddCommand(batchReportCommand(a))
	queueFlag(flags, &f.queue, "convert nothing here: put the maps into a queue for workers on many machines")
	flags.IntVar(&f.replicas, "replicas", 0, "number of servers that keep each job of a new queue, `N` from 1 to 5 (default 1)")
	return c
}

// runBatch converts maps.
func (a *app) runBatch(ctx context.Context, f *batchFlags, args []string) error {
	stored := isURL(f.cache.dir) // the cache is in a store; a URL of another kind is an error below
	for _, name := range slices.Concat([]string{f.out}, args, f.convert.game) {
		if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
			return noAddress(name)
		}
		if isURL(name) && !batch.IsURL(name) {
			return usagef("%s: a store is s3://BUCKET, gs://BUCKET, azblob://CONTAINER or file:///FOLDER", human.Quote(name))
		}
		stored = stored || isURL(name)
	}
	var stores batch.Stores
	var engine *jobs.Engine
	var err error
	if stored || f.queue != "" {
		if engine, err = a.cluster(); err != nil {
			return err
		}
	}
	if stored {
		if stores, err = engine.Stores(scratchFolder(f.scratch)); err != nil {
			return err
		}
		defer stores.Close()
	}
	if f.out == "" {
		return noFolder(args)
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	o.Stores = stores
	o.Local = f.local(o)
	if len(args) == 0 {
		return usagef("no map is given: bsp2gltf batch MAP|FOLDER|GLOB|ARCHIVE... -o DIR, or bsp2gltf batch --help")
	}
	a.grace.Store(int64(5 * time.Second)) // by then, Run has ended its worker processes
	v, err := a.view(f.log)
	if err != nil {
		return err
	}
	if f.models {
		v.noun = "model"
	}
	if f.queue != "" {
		if err := f.toQueue(o, engine, v); err != nil {
			return err
		}
	}
	if dir := o.Setup.Cache; dir != "" && !isURL(dir) && !o.DryRun && o.Queue == nil {
		if _, err := diskcache.Open(dir, o.Setup.CacheMax, buildid.Program()); err != nil {
			v.warn("nothing is cached", "folder", dir, "error", outfile.Cause(err).Error())
		}
	}
	ctx = limits.With(ctx, o.Setup.Limits)
	s := batch.Sources{Args: args, Base: f.base, Skip: f.out, List: a.stdin,
		Models: f.models, Timeout: f.timeout, Stores: stores,
		LeftOut: func(path, why string) { v.warn("left out", "path", path, "error", why) }}
	if f.watch {
		if stores != nil {
			return usagef("--watch watches folders, not stores")
		}
		return a.watch(ctx, o, s, v)
	}
	if o.Inputs, o.Problems, err = batch.Find(ctx, s); err != nil {
		return err
	}
	if err := v.found(o); err != nil {
		return err
	}
	return v.run(ctx, o)
}

// options returns the batch's options from the flags.
func (f *batchFlags) options() (*batch.Options, error) {
	if f.timeout < 0 {
		return nil, usagef("--timeout: %s is below 0", f.timeout)
	}
	o := &batch.Options{
		Dir: f.out, Tool: tool, Timeout: f.timeout, Force: f.force, Verify: f.verify,
		FailFast: f.failFast, DryRun: f.dryRun, Pictures: !f.blind,
	}
	var err error
	if o.Workers, o.Memory, err = f.workers(); err != nil {
		return nil, err
	}
	o.Command = workerCommand(o.Workers)
	if o.Shard, err = f.part(); err != nil {
		return nil, err
	}
	if o.Setup, err = f.withStores(); err != nil {
		return nil, err
	}
	o.Setup.Cache, o.Setup.CacheMax, err = f.cache.place()
	return o, err
}

// workers returns how many maps are converted at a time, and the bytes of memory for all of them together.
func (f *batchFlags) workers() (jobs int, memory int64, err error) {
	if f.jobs < 0 {
		return 0, 0, usagef("--jobs: %d is below 0", f.jobs)
	}
	memory = batch.AvailableMemory()
	if f.memory != "" {
		var ok bool
		if memory, ok = parseSize(f.memory); !ok {
			return 0, 0, usagef("--memory: %s is not a size like 8G", human.Quote(f.memory))
		}
	}
	return cmp.Or(f.jobs, batch.Workers(memory)), memory, nil
}

// withStores returns the settings that all jobs share. URLs of game folders are not in the options, but in Game.
func (f *batchFlags) withStores() (batch.Setup, error) {
	here := *f
	here.convert.game = nil
	var urls []string
	for _, g := range f.convert.game {
		if batch.IsURL(g) {
			urls = append(urls, g)
		} else {
			here.convert.game = append(here.convert.game, g)
		}
	}
	s, err := here.setup()
	s.Game = urls
	return s, err
}

// local returns a function that fetches game folders from stores, or nil if none are URLs.
func (f *batchFlags) local(o *batch.Options) func(context.Context) (batch.Setup, error) {
	if len(o.Setup.Game) == 0 {
		return nil
	}
	return func(ctx context.Context) (batch.Setup, error) {
		return batch.WithGames(ctx, o.Setup, o.Stores, withGames)
	}
}

// setup returns the settings that all jobs share.
func (f *batchFlags) setup() (batch.Setup, error) {
	var s batch.Setup
	c, err := loadConfig(&f.convert)
	if err != nil {
		return s, err
	}
	s.Strict = f.convert.strict // a pipeline file may set it
	for _, from := range []struct{ name, format string }{{"output.format", c.Pipeline.Output.Format}, {"--format", f.convert.format}} {
		if from.format == "" {
			continue
		}
		if !slices.Contains(formats, from.format) {
			return s, usagef("%s: %s is not one of %s%s", from.name, human.Quote(from.format), strings.Join(formats, ", "),
				near(from.format, formats))
		}
		s.Format = from.format
	}
	s.Format = cmp.Or(s.Format, formats[0])
	if s.Limits, err = f.convert.spend.set(); err != nil {
		return s, err
	}
	for _, p := range c.Pipeline.Game.Paths {
		if _, err := os.Stat(p); err != nil { // checked once, not for each map
			return s, limit.Unreadable(err)
		}
	}
	s.Options, err = pipelineText(c.Pipeline)
	return s, err
}

// pipelineText returns a pipeline as YAML with absolute paths, so that it does not depend on the current folder.
func pipelineText(p pipeline.Pipeline) (string, error) {
	var b strings.Builder
	p.Game.Paths = slices.Clone(p.Game.Paths)
	for i, path := range p.Game.Paths {
		if abs, err := filepath.Abs(path); err == nil {
			p.Game.Paths[i] = abs
		}
	}
	if p.Game.Palette != "" {
		if abs, err := filepath.Abs(p.Game.Palette); err == nil {
			p.Game.Palette = abs
		}
	}
	err := (&pipeline.Config{Pipeline: p}).WriteYAML(&b)
	return b.String(), err
}

// arrays lists systems that run arrays of tasks, with the environment variables that have a task's number and the
// number of tasks. SLURM's numbers may begin above 0 and have gaps.
var arrays = []struct{ engine, index, count, first, last string }{
	{"SLURM", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"},
	{"Kubernetes", "JOB_COMPLETION_INDEX", "", "", ""},
	{"AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", "", ""},
}

// part returns the shard that the flag --shard names: I/N, or N or "auto" for the number in the environment.
func (f *batchFlags) part() (batch.Shard, error) {
	wrong := func(format string, args ...any) (batch.Shard, error) {
		return batch.Shard{}, usagef("--shard: "+format, args...)
	}
	if f.shard == "" {
		return batch.Shard{}, nil
	}
	count, auto := f.shard, f.shard == "auto"
	if i, n, both := strings.Cut(f.shard, "/"); both {
		return shardOf(i, n, "0", f.shard)
	}
	if _, err := strconv.Atoi(count); err != nil && !auto {
		return wrong("%s is not I/N with I from 0 to N-1, like 0/8, nor N or auto in an array of tasks", human.Quote(f.shard))
	}
	for _, a := range arrays {
		index, first := os.Getenv(a.index), "0"
		if index == "" {
			continue
		}
		if auto {
			count, first = os.Getenv(a.count), cmp.Or(os.Getenv(a.first), "0")
			if a.count == "" || count == "" {
				return wrong("%s does not say how many tasks there are: give the number, --shard N", a.engine)
			}
			low, _ := strconv.Atoi(first)
			if high, err := strconv.Atoi(os.Getenv(a.last)); err == nil && strconv.Itoa(high-low+1) != count {
				return wrong("the array of tasks has gaps, so its parts are not known: give their number, --shard N")
			}
		}
		return shardOf(index, count, first, a.index+"="+index)
	}
	return wrong("no variable numbers this task (%s, %s or %s): give I/N, like 0/8", arrays[0].index, arrays[1].index, arrays[2].index)
}

// shardOf returns the shard of an index that counts from first. from is the source of the numbers, for messages.
func shardOf(index, count, first, from string) (batch.Shard, error) {
	number, err1 := strconv.Atoi(index)
	of, err2 := strconv.Atoi(count)
	start, err3 := strconv.Atoi(first)
	if number -= start; err1 != nil || err2 != nil || err3 != nil || of < 1 || number < 0 || number >= of {
		return batch.Shard{}, usagef("--shard: %s: part I of N is from 0 to N-1, like 0/8", human.Quote(from))
	}
	return batch.Shard{N: number, Of: of}, nil
}

// workerCommand returns a function that starts a worker process: this program with its share of the cores.
func workerCommand(workers int) func() *exec.Cmd {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	cores := max(1, runtime.GOMAXPROCS(0)/max(workers, 1))
	return func() *exec.Cmd {
		c := exec.Command(program, "worker", "--pipe")
		c.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cores))
		return c
	}
}

// watch converts the maps that exist, then those that change, until it is interrupted.
func (a *app) watch(ctx context.Context, o *batch.Options, s batch.Sources, v *view) error {
	if slices.Contains(s.Args, "-") || o.DryRun {
		return usagef("--watch can't be combined with a list on standard input or with --dry-run")
	}
	v.watching = true
	const pause = time.Second
	var before, converted string
	for {
		inputs, problems, err := batch.Find(ctx, s)
		if err != nil {
			return err
		}
		state := fmt.Sprint(inputs, problems)
		// A map that is being compiled grows between two checks.
		if state == before && state != converted {
			o.Inputs, o.Problems = inputs, problems
			err := v.found(o)
			if err == nil {
				err = v.run(ctx, o)
			}
			o.Force = false
			converted = state
			switch {
			case ctx.Err() != nil:
				return err
			case err == nil || errors.Is(err, errSomeFailed) || errors.Is(err, fs.ErrNotExist):
			case errors.Is(err, limit.ErrUsage): // a collision, which the next change may resolve
				fmt.Fprintf(a.stderr, "%s %s\n", a.paint(red, "bsp2gltf:"), human.Clean(limit.Plain(err.Error()), human.MaxMessage))
			default:
				return err
			}
		}
		before = state
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}
