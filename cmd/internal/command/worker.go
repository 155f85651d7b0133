package command

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/convert/thumb"
	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
	"github.com/bsp2gltf/bsp2gltf/internal/inputfile"
	"github.com/bsp2gltf/bsp2gltf/internal/invocation"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// serveCommand returns the command "worker".
func serveCommand(a *app) *cobra.Command {
	pipe := false
	var fromQueue func(context.Context) error
	c := &cobra.Command{
		Use:    "worker",
		Short:  "Convert the maps that a batch sends",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: a.start(func(cmd *cobra.Command, _ []string) error {
			if !pipe {
				return fromQueue(cmd.Context())
			}
			return a.serve(cmd.Context())
		}),
	}
	c.Flags().SortFlags = false
	fromQueue = a.addQueueWorker(c)
	c.Flags().BoolVar(&pipe, "pipe", false, "take jobs from standard input, and answer on standard output")
	_ = c.Flags().MarkHidden("pipe") // the flag exists
	return c
}

// workerMemory is the memory that a worker keeps for its next map: about what a small map and its picture take. With
// less, the system clears the memory of each picture anew, which takes an eighth of the time of tiny maps.
const workerMemory = 48 << 20

// serve converts the jobs that arrive on standard input. It ignores SIGINT, because the batch handles it and stops
// its workers.
func (a *app) serve(ctx context.Context) error {
	signal.Ignore(os.Interrupt)
	saveMemoryAbove(workerMemory, leastGrowth, limit.Limits{})
	w := &worker{convert: a.convert, engine: a.engine}
	return batch.Serve(ctx, a.stdin, a.stdout, w.do)
}

// worker converts the maps of a process.
type worker struct {
	convert  func(context.Context, convert.Job) (*report.Report, error)
	engine   *jobs.Engine
	options  string
	pipeline pipeline.Pipeline // decoded from options
	folder   string            // the cache's folder; "" means none
	store    *diskcache.Store
	cache    *cache.Cache // kept in store; nil means none
}

// do converts a map.
func (w *worker) do(ctx context.Context, s *batch.Setup, j *batch.Job) batch.Result {
	if w.folder != s.Cache {
		w.folder = s.Cache
		w.store, _ = openCache(w.engine, s.Cache, s.CacheMax) // without a cache it only takes longer
		w.cache = nil
		if w.store != nil {
			get, put := w.store.Funcs()
			w.cache = &cache.Cache{Get: get, Put: put}
		}
	}
	defer w.store.Flush()
	if err := w.load(s.Options); err != nil {
		return batch.Result{Reason: batch.ReasonOf(err), Message: limit.Plain(err.Error())}
	}
	job := convert.Job{
		Cache: w.cache, Pipeline: w.pipeline, In: j.In, Out: j.Out, Format: s.Format, Strict: s.Strict,
		Model: inputfile.IsModel(j.In),
	}
	var seen []byte
	if j.Picture {
		job.Show = func(ctx context.Context, scene *scene.Scene) error {
			// If only the picture fails, the map still counts as converted.
			_ = par.Guard(func() (err error) { seen, err = thumb.Card(ctx, scene, job.Model, w.cache); return err })()
			return ctx.Err()
		}
	}
	report, err := w.convert(invocation.With(limits.With(ctx, s.Limits), invocation.Call{Derived: true}), job)
	var r batch.Result
	if report != nil {
		r.SHA256, r.Summary = report.Input.SHA256, batch.SummaryOf(report)
	}
	if err != nil {
		r.Reason, r.Message = batch.ReasonOf(err), message(err, j)
		return r
	}
	r.Picture = seen
	for _, f := range report.Output.Files {
		r.Files = append(r.Files, filepath.FromSlash(f.Name))
	}
	return r
}

func (w *worker) load(options string) error {
	if w.options == options {
		return nil
	}
	c, err := pipeline.Load(pipeline.FileLayer("options", []byte(options)))
	if err != nil {
		return err
	}
	w.options, w.pipeline = options, c.Pipeline
	return nil
}

// message returns an error's text without the names of the job's files, because they are printed beside it.
func message(err error, j *batch.Job) string {
	m := limit.Plain(err.Error())
	for _, name := range []string{j.In, j.Out, strings.SplitN(j.In, ":", 2)[0]} {
		m = strings.TrimPrefix(m, "open "+name+": ")
		m = strings.TrimPrefix(m, name+": ")
	}
	return human.Clean(m, human.MaxMessage)
}
