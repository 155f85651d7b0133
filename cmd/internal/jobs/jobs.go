// Package jobs says what the program with queues and stores, a module of its own (cmd/bsp2gltf-queue), does for the commands.
package jobs

import (
	"context"
	"os/exec"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
)

// Engine reaches queues and stores.
type Engine struct {
	// Stores reaches stores. Fetched files lie in the folder scratch, which processes may share.
	Stores func(scratch string) (batch.Stores, error)
	// Cache returns the cache in the folder of a store.
	Cache func(ctx context.Context, url string) (*diskcache.Far, error)
	// Submit puts the tasks into a queue, which it creates if it is missing. Out is the folder of their outputs. It leaves out those that
	// are in the queue already.
	Submit func(ctx context.Context, q Queue, s *Setup, out string, tasks []batch.Task) (*Submitted, error)
	// Work runs jobs until ctx is done or, with UntilEmpty, until the queue has none. Unfinished jobs then go back to the queue.
	Work func(ctx context.Context, q Queue, w *Worker) error
}

// Queue names a queue.
type Queue struct {
	URL      string // nats://HOST,HOST
	Tool     string // name and version of this program; only workers of the same run the jobs that it submits
	Replicas int    // of what is created, 1 to 5; 0 means 1
}

// Setup holds what many jobs share.
type Setup struct {
	batch.Setup
	Timeout  time.Duration `json:"timeout,omitempty"`
	Pictures bool          `json:"pictures,omitempty"`
	Tool     string        `json:"tool"` // name and version of the program that must use it
}

// Submitted counts what became of tasks.
type Submitted struct {
	New, Underway int             // now in the queue; in the queue already
	Problems      []batch.Problem // tasks whose outputs other jobs in the queue write
}

// Worker takes jobs from a queue.
type Worker struct {
	Command    func() *exec.Cmd // starts a process that converts
	Jobs       int              // run at a time
	Memory     int64            // bytes for all jobs together; 0 means no limit
	Scratch    string           // folder for fetched files and outputs that are not stored yet; workers may share it
	Cache      string           // folder of the image cache; "" means none
	CacheMax   int64
	UntilEmpty bool     // end when the queue has no jobs, instead of waiting for more
	AllowIn    []string // prefixes of paths and URLs that jobs may read; none allow everything
	AllowOut   []string // prefixes of paths and URLs below which outputs may be written; none allow everything
	// WithGames returns the options with game folders added before those that they list.
	WithGames func(options string, game []string) (string, error)
	Ready     func()                                 // called when the queue and the scratch folder can be used
	Reads     func(options string) ([]string, error) // returns the files and folders that the options name
	Event     func(batch.Event)                      // called after each attempt, one call at a time
}
