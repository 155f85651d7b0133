package jobs

import (
	"context"
	"os/exec"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
)

// Engine is the interface of a program with queues: reach queues and stores.
type Engine struct {
	// Open connects to a queue and creates it if it is missing. It fails with ErrInput if no server can be reached, and with
	// ErrUsage if the URL is invalid.
	Open func(context.Context, Options) (Queue, error)
	// Look connects to a queue for Overview, and neither creates nor changes anything of it. It fails as Open does.
	Look func(context.Context, Options) (Queue, error)
	// Stores reaches stores. Fetched files lie in the folder scratch, which processes may share.
	Stores func(scratch string) (batch.Stores, error)
	// Cache returns the cache in the folder of a store.
	Cache func(ctx context.Context, url string) (*diskcache.Far, error)
}

// Options names a queue and says how it is stored.
type Options struct {
	URL      string        // nats://HOST,HOST or embed:FOLDER
	Tool     string        // name and version of this program; only workers of the same run the jobs that it submits
	Replicas int           // of the stream and the buckets, 1 to 5; 0 keeps those of existing ones and creates new ones with 1
	Lease    time.Duration // time after which a silent worker's job goes to another; an existing queue keeps its own
}

// Queue is a connection to a queue.
type Queue interface {
	// Submit queues the requested jobs, except those that are done, failed for a Final reason or are in the queue already. With
	// force it leaves out only those in the queue.
	Submit(ctx context.Context, requests []Request, s *Setup, force bool) (*Submitted, error)
	// Work runs jobs until ctx is done or, with UntilEmpty, until the queue has none. Unfinished jobs then go back to the queue.
	Work(ctx context.Context, w Worker) error
	// Overview returns the state of the queue. With jobs it includes every job, sorted by output.
	Overview(ctx context.Context, jobs bool) (*Overview, error)
	// Lease returns how long a worker may be silent before its jobs go to another one.
	Lease() time.Duration
	// Close ends the connection.
	Close()
}

// Request is a map to submit.
type Request struct {
	In       string
	Size     int64
	Identity string // changes when the content changes; for a URL it comes from the store's listing; "" reads the map
	Out      string
	Output   string
}

// Submitted counts the outcomes of requests.
type Submitted struct {
	New      int // jobs that were added
	Underway int // jobs that were in the queue already
	Before   int // jobs that were done before
	Refused  int // jobs that failed before for a Final reason
	IDs      []string
	Problems []batch.Problem // maps that can't be read
}

// Worker takes jobs from a queue.
type Worker struct {
	Name       string // for people: the machine and process
	Command    func() *exec.Cmd
	Jobs       int    // run at a time
	Memory     int64  // bytes for all jobs together; 0 means no limit
	Scratch    string // folder for fetched files and outputs that are not stored yet; workers may share it
	Cache      string // folder of the image cache; "" means none
	CacheMax   int64
	UntilEmpty bool     // end when the queue has no jobs, instead of waiting for more
	AllowIn    []string // prefixes of paths and URLs that jobs may read; none allow everything
	AllowOut   []string // prefixes of paths and URLs below which outputs may be written; none allow everything
	// WithGames returns the options with game folders added before those that they list.
	WithGames func(options string, game []string) (string, error)
	Reads     func(options string) ([]string, error) // returns the files and folders that the options name
	Event     func(*Status)                          // called after each attempt, one call at a time
}
