package command

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// queueFlag adds the flag that names a queue; does says what the command does with it.
func queueFlag(flags *pflag.FlagSet, url *string, does string) {
	flags.StringVar(url, "queue", "",
		does+", nats://HOST,HOST as `URL`; NATS_CREDS, NATS_NKEY, NATS_CA, NATS_CERT and NATS_KEY name files")
}

// toQueue makes a batch put its maps into a queue instead of converting them.
func (f *batchFlags) toQueue(o *batch.Options, engine *jobs.Engine, v *view) error {
	if f.watch || f.failFast {
		return usagef("--queue can't be combined with --watch or --fail-fast")
	}
	if f.replicas < 0 || f.replicas > 5 {
		return usagef("--replicas: %d is not from 1 to 5", f.replicas)
	}
	out := f.out
	if !batch.IsURL(out) {
		var err error
		if out, err = filepath.Abs(out); err != nil {
			return err
		}
	}
	s := &jobs.Setup{Setup: o.Setup, Timeout: f.timeout, Pictures: o.Pictures, Tool: tool}
	s.Cache, s.CacheMax = "", 0 // a worker has its own
	o.Queue = func(ctx context.Context, p *batch.Plan) error {
		n, err := engine.Submit(ctx, jobs.Queue{URL: f.queue, Tool: tool, Replicas: f.replicas}, s, out, p.Tasks)
		if err != nil {
			return err
		}
		for _, problem := range n.Problems {
			v.warn("not queued", "path", problem.Path, "error", limit.Plain(problem.Err.Error()))
		}
		if v.json != nil {
			v.json.Info("queued", "new", n.New, "underway", n.Underway, "before", p.Done, "refused", len(p.Refused))
		} else if !v.app.quiet {
			fmt.Fprintf(v.app.stderr, "%s queued, %s in the queue already, %s done before, %s refused before\n", human.Many(n.New, v.noun),
				human.Count(n.Underway), human.Count(p.Done), human.Count(len(p.Refused)))
		}
		if len(n.Problems) > 0 {
			return &someFailed{len(n.Problems), len(o.Inputs), v.noun}
		}
		return nil
	}
	return nil
}

// addQueueWorker makes the hidden command "worker" the one for queues.
func (a *app) addQueueWorker(c *cobra.Command) func(context.Context) error {
	var f batchFlags
	var w jobs.Worker
	c.Use, c.Short = "worker --queue URL", "Convert the maps of a queue"
	c.Long = `Convert the maps that "batch --queue" puts into a queue, until a signal ends the worker.

The maps are converted in several processes, so that a map that fails does not stop the others. SIGTERM ends a worker within
5 seconds; its maps go back to the queue. When a worker dies, its maps go to others after 30 seconds. A map that fails for a
temporary reason (a crash, a store that can't be reached) is tried 5 times, with growing pauses.

A job names what is read and where its output goes, so whoever can post to the queue reads and writes as this worker's user.
--allow-in and --allow-out limit that; a URL is allowed only with the same parameters, so also with the same endpoint.`
	c.Example = `  bsp2gltf worker --queue nats://n1,n2,n3 --jobs 4
  bsp2gltf worker --queue nats://n1 --allow-in /srv/maps --allow-in /srv/baseq3 --allow-out 's3://glb?region=eu-central-1'`
	c.Hidden = false
	flags := c.Flags()
	queueFlag(flags, &f.queue, "take maps from a queue")
	f.addWorkers(c)
	listFlag(flags, &w.AllowIn, "allow-in",
		"`PREFIX` of a path or URL below which jobs may read maps and game folders; repeatable (default anything)")
	listFlag(flags, &w.AllowOut, "allow-out",
		"`PREFIX` of a path or URL below which jobs may write; repeatable (default anywhere)")
	flags.BoolVar(&w.UntilEmpty, "until-empty", false, "end when the queue is empty")
	return func(ctx context.Context) error {
		if f.queue == "" {
			return usagef("no queue is given: --queue nats://HOST")
		}
		engine, err := a.cluster()
		if err != nil {
			return err
		}
		v, err := a.view(cmp.Or(f.log, "text"))
		if err != nil {
			return err
		}
		if w.Jobs, w.Memory, err = f.workers(); err != nil {
			return err
		}
		if w.Cache, w.CacheMax, err = f.cache.place(); err != nil {
			return err
		}
		w.Command, w.Scratch = workerCommand(w.Jobs), scratchFolder(f.scratch)
		w.WithGames, w.Reads, w.Event = withGames, reads, v.event
		a.grace.Store(int64(5 * time.Second))
		if len(w.AllowIn) == 0 || len(w.AllowOut) == 0 {
			v.warn("whoever can post to the queue can read and write what this user can; --allow-in and --allow-out limit that")
		}
		w.Ready = func() {
			if !a.quiet && v.json == nil {
				fmt.Fprintf(a.stderr, "taking maps, %d at a time\n", w.Jobs)
			}
		}
		return engine.Work(ctx, jobs.Queue{URL: f.queue, Tool: tool}, &w)
	}
}
