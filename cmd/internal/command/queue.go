package command

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// queueFlags holds the flags that name a queue.
type queueFlags struct {
	url      string
	replicas int
	lease    time.Duration
}

// addURL adds the flag for a command that looks at a queue.
func (f *queueFlags) addURL(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "queue", "",
		"the queue: nats://HOST,HOST, or embed:DIR for one in this process, as `URL`; NATS_CREDS, NATS_NKEY, NATS_CA, NATS_CERT and NATS_KEY name files")
}

// add adds the flags for a command that changes a queue.
func (f *queueFlags) add(flags *pflag.FlagSet) {
	f.addURL(flags)
	flags.DurationVar(&f.lease, "lease",
		0,
		"`DURATION` of silence after which a worker's job goes to another worker, for a new queue (default 30s)")
}

// check returns an error if the flags name no queue or have invalid values.
func (f *queueFlags) check() error {
	switch {
	case f.url == "":
		return usagef("no queue is given: --queue nats://HOST or --queue embed:DIR")
	case f.lease != 0 && f.lease < time.Second:
		return usagef("--lease: %s is below 1s", f.lease)
	case f.replicas < 0 || f.replicas > 5:
		return usagef("--replicas: %d is not from 1 to 5", f.replicas)
	}
	return nil
}

// addCluster adds the flags and subcommands of "batch" that need a queue.
func (a *app) addCluster(c *cobra.Command, f *batchFlags) {
	f.queue.add(c.Flags())
	c.AddCommand(submitCommand(a), statusCommand(a))
}

// submitCommand returns the command "batch submit".
func submitCommand(a *app) *cobra.Command {
	var f batchFlags
	var q queueFlags
	c := &cobra.Command{
		Use:   "submit MAP|FOLDER|GLOB|ARCHIVE|URL|-... -o DIR|URL --queue URL",
		Short: "Put maps into a queue, for workers on many machines",
		Long: `Put maps into a queue, for workers on many machines.

Paths must be visible to the workers: a folder that all of them share. A URL is s3://bucket/folder or file:///folder, with
wildcards; S3's parameters follow a "?" (region, endpoint), credentials come from the environment or AWS's files. Maps that
are finished or queued are not added again.`,
		Example: `  bsp2gltf batch submit 's3://maps/q3/**/*.bsp?region=eu-central-1' -o 's3://out?region=eu-central-1' --queue nats://n1,n2,n3
  bsp2gltf batch submit /srv/maps -o /srv/out --game /srv/baseq3 --queue nats://n1`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if err := q.check(); err != nil {
				return err
			}
			c, err := a.cluster()
			if err != nil {
				return err
			}
			return c.submit(cmd.Context(), &f, &q, args)
		}),
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.addEach(c, "")
	q.add(flags)
	flags.IntVar(&q.replicas, "replicas", 0, "number of nodes that keep each job, `N` from 1 to 5 (default unchanged, or 1)")
	return c
}

// addQueueWorker turns the hidden command "worker" into the one for queues.
func (a *app) addQueueWorker(c *cobra.Command) func(context.Context) error {
	var f batchFlags
	var q queueFlags
	once := false
	c.Use, c.Short = "worker --queue URL", "Convert the maps of a queue"
	c.Long = `Convert the maps that batch submit puts into a queue, until a signal ends the worker.

The maps are converted in several processes, so that a map that fails does not stop the others. SIGTERM ends a worker within
5 seconds; its jobs go back to the queue. When a worker dies, its jobs go to others after --lease. A job that fails for a
temporary reason (a crash, a store that can't be reached) is tried 5 times, with growing pauses.

A job names what is read and where its output goes, so whoever can post to the queue reads and writes as this worker's user.
--allow-in and --allow-out limit that; a URL is allowed only with the same parameters, so also with the same endpoint.`
	c.Example = `  bsp2gltf worker --queue nats://n1,n2,n3 --jobs 4
  bsp2gltf worker --queue nats://n1 --allow-in /srv/maps --allow-in /srv/baseq3 --allow-out 's3://glb?region=eu-central-1'`
	c.Hidden = false
	flags := c.Flags()
	q.add(flags)
	f.addWorkers(c)
	listFlag(flags, &f.allow.in, "allow-in",
		"`PREFIX` of a path or URL below which jobs may read maps and game folders; repeatable (default anything)")
	listFlag(flags, &f.allow.out, "allow-out",
		"`PREFIX` of a path or URL below which jobs may write; repeatable (default anywhere)")
	flags.BoolVar(&once, "until-empty", false, "end when the queue is empty")
	return func(ctx context.Context) error {
		if err := q.check(); err != nil {
			return err
		}
		c, err := a.cluster()
		if err != nil {
			return err
		}
		return c.work(ctx, &f, &q, once)
	}
}

// statusCommand returns the command "batch status".
func statusCommand(a *app) *cobra.Command {
	var q queueFlags
	asJSON, html := false, ""
	c := &cobra.Command{
		Use:   "status --queue URL [--json] [--html FILE]",
		Short: "Show the status of a queue's jobs",
		Args:  cobra.NoArgs,
		RunE: a.start(func(cmd *cobra.Command, _ []string) error {
			if err := q.check(); err != nil {
				return err
			}
			c, err := a.cluster()
			if err != nil {
				return err
			}
			return c.status(cmd.Context(), &q, asJSON, html)
		}),
	}
	q.addURL(c.Flags())
	jsonFlag(c.Flags(), &asJSON, "print everything known about each job as JSON")
	pageFlag(c.Flags(), &html)
	return c
}
