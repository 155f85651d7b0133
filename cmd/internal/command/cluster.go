package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bsp2gltf/bsp2gltf"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/handover"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/safejson"
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// cluster runs the commands that need queues and stores.
type cluster struct {
	app    *app
	engine *jobs.Engine
}

// cluster returns what runs the commands that need queues and stores. In the program without them it starts the other one.
func (a *app) cluster() (*cluster, error) {
	if a.engine == nil {
		return nil, handover.To(bsp2gltf.Version, a.words)
	}
	if from := os.Getenv(handover.Env); from != "" && from != bsp2gltf.Version {
		return nil, usagef("this bsp2gltf-queue is of version %s, bsp2gltf of %s: install both from one release", bsp2gltf.Version,
			human.Clean(from, 40))
	}
	return &cluster{a, a.engine}, nil
}

// stores returns what reaches stores. Fetched files lie in a folder, by default in the user's cache.
func (c *cluster) stores(scratch string) (batch.Stores, error) {
	return c.engine.Stores(scratchFolder(scratch))
}

// scratchFolder returns the folder for fetched files.
func scratchFolder(dir string) string {
	if dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "bsp2gltf-worker")
}

// open connects to the queue that the flags name. It warns if the queue does not have the wanted lease.
func (c *cluster) open(ctx context.Context, f *queueFlags) (jobs.Queue, error) {
	q, err := c.engine.Open(ctx, jobs.Options{URL: f.url, Tool: tool, Replicas: f.replicas, Lease: f.lease})
	if err != nil {
		return nil, err
	}
	if f.lease != 0 && q.Lease() != f.lease {
		fmt.Fprintf(c.app.stderr, "%s the queue of this version has a lease of %s, which stays\n",
			c.app.paint(yellow, "warning:"), q.Lease())
	}
	return q, nil
}

// requests returns the maps of a submission, and the problems of arguments that name no map.
func (c *cluster) requests(ctx context.Context, f *batchFlags, s *batch.Setup, args []string) ([]jobs.Request, []batch.Problem, error) {
	out, err := place(f.out)
	if err != nil {
		return nil, nil, err
	}
	sources := batch.Sources{Args: args, Base: f.base, Skip: f.out, List: c.app.stdin, Models: f.models, Timeout: f.timeout}
	if slices.ContainsFunc(args, batch.IsURL) {
		if sources.Stores, err = c.stores(f.scratch); err != nil {
			return nil, nil, err
		}
		defer sources.Stores.Close()
	}
	inputs, problems, err := batch.Find(limits.With(ctx, s.Limits), sources)
	if err != nil {
		return nil, nil, err
	}
	var requests []jobs.Request
	for i := range inputs {
		in := &inputs[i]
		r := jobs.Request{In: in.Path, Size: in.Size, Out: out, Output: in.Output(s.Format)}
		switch {
		case in.Local != "":
			return nil, nil, usagef("%s: models and archives in stores can't be queued: give --shard instead of --queue", human.Quote(in.Path))
		case batch.IsURL(in.Path):
			r.In, r.Identity = in.URL, fmt.Sprint(in.URL, in.Stamp)
		default:
			if r.In, err = filepath.Abs(in.Path); err != nil {
				return nil, nil, err
			}
		}
		requests = append(requests, r)
	}
	v, err := c.app.view(f.log)
	if err != nil {
		return nil, nil, err
	}
	return requests, problems, v.found(&batch.Options{Inputs: inputs, Problems: problems, Setup: *s})
}

// place returns where outputs go: a URL, or an absolute path.
func place(out string) (string, error) {
	if out == "" {
		return "", usagef("no output folder is given: -o DIR or -o URL")
	}
	if batch.IsURL(out) {
		return out, nil
	}
	return filepath.Abs(out)
}

// queueSetup returns the settings of all jobs from the flags. Workers fetch games that are URLs.
func (f *batchFlags) queueSetup() (*jobs.Setup, error) {
	if f.timeout < 0 {
		return nil, usagef("--timeout: %s is below 0", f.timeout)
	}
	setup, err := f.withStores()
	return &jobs.Setup{Setup: setup, Timeout: f.timeout}, err
}

// submit puts maps into a queue.
func (c *cluster) submit(ctx context.Context, f *batchFlags, q *queueFlags, args []string) error {
	return c.submitTo(ctx, f, q, args, nil)
}

// submitTo puts maps into a queue, and then calls then with the queue.
func (c *cluster) submitTo(ctx context.Context, f *batchFlags, qf *queueFlags, args []string,
	then func(jobs.Queue, *jobs.Submitted) error) error {
	if len(args) == 0 {
		return usagef("no map is given")
	}
	s, err := f.queueSetup()
	if err != nil {
		return err
	}
	requests, problems, err := c.requests(ctx, f, &s.Setup, args)
	if err != nil {
		return err
	}
	q, err := c.open(ctx, qf)
	if err != nil {
		return err
	}
	defer q.Close()
	sub, err := q.Submit(ctx, requests, s, f.force)
	if err != nil {
		return err
	}
	for _, p := range sub.Problems {
		what := "unreadable"
		if errors.Is(p.Err, limit.ErrOutput) {
			what = "not submitted"
		}
		fmt.Fprintf(c.app.stderr, "%s %s: %s: %s\n", c.app.paint(yellow, "warning:"), what, human.Clean(p.Path, human.MaxName),
			human.Clean(limit.Plain(p.Err.Error()), human.MaxMessage))
	}
	sub.Problems = append(problems, sub.Problems...)
	if !c.app.quiet {
		fmt.Fprintf(c.app.stderr, "%s submitted, %s in the queue already, %s done before, %s refused before\n", human.Many(sub.New, "job"),
			human.Count(sub.Underway), human.Count(sub.Before), human.Count(sub.Refused))
	}
	if then != nil {
		return then(q, sub)
	}
	if n := len(sub.Problems); n > 0 {
		return &someFailed{n, len(requests) + len(problems), "map"}
	}
	return nil
}

// batch converts maps through a queue, as its worker until it is empty.
func (c *cluster) batch(ctx context.Context, f *batchFlags, args []string) error {
	if f.watch || f.dryRun || f.shard != "" || f.failFast || f.verify {
		return usagef("--queue can't be combined with --watch, --dry-run, --shard, --fail-fast or --verify")
	}
	w, err := f.worker()
	if err != nil {
		return err
	}
	v, err := c.app.view(f.log)
	if err != nil {
		return err
	}
	c.app.grace.Store(int64(5 * time.Second))
	return c.submitTo(ctx, f, &f.queue, args, func(q jobs.Queue, sub *jobs.Submitted) error {
		v.start, v.total = time.Now(), sub.New+sub.Underway
		w.UntilEmpty, w.Event = true, v.attempt
		worked := q.Work(ctx, *w)
		over, err := q.Overview(context.WithoutCancel(ctx), true)
		if err != nil {
			return errors.Join(worked, err)
		}
		ours := map[string]bool{}
		for _, id := range sub.IDs {
			ours[id] = true
		}
		t := &batch.Tally{Before: sub.Before, Problems: sub.Problems}
		for i := range over.Jobs {
			switch s := &over.Jobs[i]; {
			case !ours[s.Job.ID]:
			case s.State == jobs.Failed:
				t.Failed = append(t.Failed, s.Record)
			case s.State == jobs.Done:
				t.Converted++
				t.Lacks(s.Record)
			default:
				t.Left++
			}
		}
		t.Converted = max(t.Converted-sub.Before, 0)
		v.end(t, "batch status --json --queue "+f.queue.url, worked)
		if failed := len(t.Failed) + len(t.Problems); worked == nil && failed > 0 {
			return &someFailed{failed, len(ours) + len(t.Problems), "map"}
		}
		return worked
	})
}

// attempt reports an attempt of a job.
func (v *view) attempt(s *jobs.Status) {
	if s.Record == nil {
		return
	}
	if s.State == jobs.Queued {
		v.event(batch.Event{Retried: s.Record})
		return
	}
	v.event(batch.Event{Ended: s.Record})
}

// worker returns a worker with the flags' settings.
func (f *batchFlags) worker() (*jobs.Worker, error) {
	if f.jobs < 0 {
		return nil, usagef("--jobs: %d is below 0", f.jobs)
	}
	memory := batch.AvailableMemory()
	if f.memory != "" {
		n, ok := parseSize(f.memory)
		if !ok {
			return nil, usagef("--memory: %s is not a size like 8G", human.Quote(f.memory))
		}
		memory = n
	}
	host, _ := os.Hostname() // "" also works
	w := &jobs.Worker{
		Name: fmt.Sprintf("%s/%d", host, os.Getpid()), Memory: memory, Jobs: cmp.Or(f.jobs, batch.Workers(memory)),
		AllowIn: f.allow.in, AllowOut: f.allow.out, WithGames: withGames, Reads: reads, Scratch: scratchFolder(f.scratch),
	}
	w.Command = workerCommand(w.Jobs)
	var err error
	if w.Cache, w.CacheMax, err = f.cache.place(); err != nil {
		return nil, err
	}
	return w, nil
}

// reads returns the files and folders that options name.
func reads(options string) ([]string, error) {
	c, err := pipeline.Load(pipeline.FileLayer("options", []byte(options)))
	if err != nil {
		return nil, err
	}
	names := c.Pipeline.Game.Paths
	if c.Pipeline.Game.Palette != "" {
		names = append(names, c.Pipeline.Game.Palette)
	}
	return names, nil
}

// withGames returns the options with game folders put before theirs.
func withGames(options string, game []string) (string, error) {
	c, err := pipeline.Load(pipeline.FileLayer("options", []byte(options)), pipeline.GameLayer(game...))
	if err != nil {
		return "", err
	}
	return pipelineText(c.Pipeline)
}

// work converts the maps of a queue.
func (c *cluster) work(ctx context.Context, f *batchFlags, q *queueFlags, once bool) error {
	w, err := f.worker()
	if err != nil {
		return err
	}
	v, err := c.app.view(cmp.Or(f.log, "text"))
	if err != nil {
		return err
	}
	c.app.grace.Store(int64(5 * time.Second))
	conn, err := c.open(ctx, q)
	if err != nil {
		return err
	}
	defer conn.Close()
	w.UntilEmpty, w.Event = once, v.attempt
	if shared := !strings.HasPrefix(q.url, "embed:"); shared && (len(w.AllowIn) == 0 || len(w.AllowOut) == 0) {
		v.warn("whoever can post to the queue can read and write what this user can; --allow-in and --allow-out limit that")
	}
	if !c.app.quiet && v.json == nil {
		fmt.Fprintf(c.app.stderr, "%s takes jobs, %d at a time\n", w.Name, w.Jobs)
	}
	return conn.Work(ctx, *w)
}

// status prints the status of a queue's jobs.
func (c *cluster) status(ctx context.Context, q *queueFlags, asJSON bool, html string) error {
	conn, err := c.engine.Look(ctx, jobs.Options{URL: q.url})
	if err != nil {
		return err
	}
	defer conn.Close()
	o, err := conn.Overview(ctx, true)
	if err != nil {
		return err
	}
	if html != "" {
		c.app.files = []string{html, html}
		err = c.app.writePage(ctx, html, func(w io.Writer) error { return batch.WritePage(w, o.Each, nil, ".") })
	}
	if err == nil && asJSON {
		return unwritable(safejson.Write(c.app.stdout, o))
	}
	if err == nil && html == "" {
		printOverview(c.app.stdout, o)
	}
	return err
}

// printOverview prints the numbers of a queue's jobs and its failures.
func printOverview(w io.Writer, o *jobs.Overview) {
	fmt.Fprintf(w, "%s: %s queued, %s running, %s done, %s failed\n", human.Many(o.Total, "job"), human.Count(o.Counts[jobs.Queued]),
		human.Count(o.Counts[jobs.Running]), human.Count(o.Counts[jobs.Done]), human.Count(o.Counts[jobs.Failed]))
	for _, other := range slices.Sorted(maps.Keys(o.Waiting)) {
		if other != tool {
			fmt.Fprintf(w, "  %s for workers of %s\n", human.Many(o.Waiting[other], "job"), human.Clean(other, human.MaxName))
		}
	}
	for i := range o.Jobs {
		if s := &o.Jobs[i]; s.State == jobs.Failed && s.Record != nil {
			fmt.Fprintf(w, "  %s: %s: %s\n", human.Clean(s.Job.In, human.MaxName), s.Record.Reason,
				human.Clean(s.Record.Message, human.MaxMessage))
		}
	}
}
