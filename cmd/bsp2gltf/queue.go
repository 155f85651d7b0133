package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The commands of queues are the same in every build; what they do is in cluster.go (built with -tags cluster) and, for
// the others, in handover.go.

// queueFlags say which queue.
type queueFlags struct {
	url      string
	replicas int
	lease    time.Duration
}

// defaultLease is how long a worker may be silent.
const defaultLease = 30 * time.Second

// handedOver is a variable of the environment: the version of the program that handed its command line to another.
const handedOver = "BSP2GLTF_HANDED_OVER"

func (f *queueFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "queue", "", "the queue: nats://HOST,HOST, or embed:DIR for one in this process, as `URL`; NATS_CREDS, NATS_NKEY, NATS_CA, NATS_CERT and NATS_KEY name files")
	flags.DurationVar(&f.lease, "lease", defaultLease, "`DURATION` after which the job of a worker that is silent is given to another")
}

// check fails if the flags name no queue, or say of it what can't be.
func (f *queueFlags) check() error {
	switch {
	case f.url == "":
		return usagef("no queue is given: --queue nats://HOST or --queue embed:DIR")
	case f.lease < time.Second:
		return usagef("--lease: %s is below 1s", f.lease)
	case f.replicas < 0 || f.replicas > 5:
		return usagef("--replicas: %d is not from 1 to 5", f.replicas)
	}
	return nil
}

// addCluster adds to the command "batch" what needs a queue.
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

Paths are what the workers see, too: a folder that all of them share. A URL is s3://bucket/folder or file:///folder, with
wildcards; what S3 needs stands behind a "?" (region, endpoint), credentials in the environment or AWS's files. What is done
or in the queue is not put there again.`,
		Example: `  bsp2gltf batch submit 's3://maps/q3/**/*.bsp?region=eu-central-1' -o 's3://out?region=eu-central-1' --queue nats://n1,n2,n3
  bsp2gltf batch submit /srv/maps -o /srv/out --game /srv/baseq3 --queue nats://n1`,
		Args: cobra.ArbitraryArgs,
		RunE: a.start(func(cmd *cobra.Command, args []string) error {
			if err := q.check(); err != nil {
				return err
			}
			return a.submit(cmd.Context(), &f, &q, args)
		}),
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "output", "o", "", "folder or URL for the outputs, `DIR`")
	f.addJob(c, flags)
	flags.BoolVar(&f.force, "force", false, "convert what is done, too")
	q.add(flags)
	flags.IntVar(&q.replicas, "replicas", 0, "the nodes of the queue that keep each job, `N` from 1 to 5 (default as it is, or 1)")
	return c
}

// addQueueWorker makes the command "worker" one for people.
func (a *app) addQueueWorker(c *cobra.Command) func(context.Context) error {
	var f batchFlags
	var q queueFlags
	once := false
	c.Use, c.Short = "worker --queue URL", "Convert the maps of a queue"
	c.Long = `Convert the maps of a queue, which batch submit puts there, until it is told to stop.

Each map is converted by one of several processes, so that one that fails costs no other. SIGTERM ends a worker within 5
seconds; its jobs go back. When a worker dies, its jobs are given to others after --lease. A job that fails for a reason
that may not hold (a crash, a store that can't be reached) is tried 5 times, with growing pauses.`
	c.Example = `  bsp2gltf worker --queue nats://n1,n2,n3 --jobs 4`
	c.Hidden = false
	flags := c.Flags()
	q.add(flags)
	flags.IntVarP(&f.jobs, "jobs", "j", 0, "the most maps at a time, `N` (default one on each core, as far as there is memory)")
	flags.StringVar(&f.memory, "memory", "", "the most memory of all jobs together, `SIZE` like 8G (default four fifths of what is free)")
	f.cache.add(flags, "one for the user")
	flags.StringVar(&f.scratch, "scratch", "", "folder for what is fetched, `DIR` (default in the user's cache)")
	flags.BoolVar(&once, "until-empty", false, "end when the queue has no jobs")
	flags.StringVar(&f.log, "log", "", "`FORMAT` of what is told: text, json (an object on each line)")
	complete(c, "log", words("text", "json"))
	return func(ctx context.Context) error {
		if err := q.check(); err != nil {
			return err
		}
		return a.workQueue(ctx, &f, &q, once)
	}
}

// statusCommand returns the command "batch status".
func statusCommand(a *app) *cobra.Command {
	var q queueFlags
	asJSON, html := false, ""
	c := &cobra.Command{
		Use:   "status --queue URL [--json] [--html FILE]",
		Short: "Tell how the jobs of a queue stand",
		Args:  cobra.NoArgs,
		RunE: a.start(func(cmd *cobra.Command, _ []string) error {
			if err := q.check(); err != nil {
				return err
			}
			return a.queueStatus(cmd.Context(), &q, asJSON, html)
		}),
	}
	q.add(c.Flags())
	c.Flags().BoolVar(&asJSON, "json", false, "print all that is known of each job, as JSON")
	c.Flags().StringVar(&html, "html", "", "write a page with a card for each map to `FILE`")
	return c
}
