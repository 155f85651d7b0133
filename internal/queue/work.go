package queue

import (
	"context"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf/internal/batch"
)

// Worker takes jobs from a queue.
type Worker struct {
	Name       string // for people: the machine and process
	Command    func() *exec.Cmd
	Jobs       int    // run at a time
	Memory     int64  // bytes for all jobs together; 0 means no limit
	Scratch    string // folder for fetched files and outputs that are not stored yet; workers may share it
	Cache      string // folder of the image cache; "" means none
	CacheMax   int64
	UntilEmpty bool   // end when the queue has no jobs, instead of waiting for more
	AllowIn    Places // what jobs may read
	AllowOut   Places // where outputs may be written
	// WithGames returns the options with game folders added before those that they list.
	WithGames func(options string, game []string) (string, error)
	Reads     func(options string) ([]string, error) // returns the files and folders that the options name
	Event     func(*Status)                          // called after each attempt, one call at a time
}

// attempts is how often a job is tried that fails for a reason that is not Final, or whose worker died.
const attempts = 5

// waits holds the pauses before the next attempt.
var waits = []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second}

// drain is how long running jobs may continue when the worker is stopped.
const drain = 2 * time.Second

// work is the state of Work.
type work struct {
	Worker
	q       *Queue
	scratch string // folder of this process
	pool    *batch.Pool
	stores  stores
	games   games
	number  atomic.Int64   // counts jobs
	ends    errgroup.Group // stores the outcomes of jobs while the next jobs run

	mu     sync.Mutex
	setups map[string]*Setup
	local  map[string]string // local options by what they were made from
}

// Work runs jobs until ctx is done or, with UntilEmpty, until the queue has none. Unfinished jobs then go back to
// the queue.
func (q *Queue) Work(ctx context.Context, w Worker) error {
	own, err := newScratch(w.Scratch)
	if err != nil {
		return err
	}
	defer own.remove()
	k := &work{Worker: w, q: q, scratch: own.dir, setups: map[string]*Setup{}, local: map[string]string{}}
	k.games = games{dir: filepath.Join(w.Scratch, gamesDir), temp: own.dir, stores: &k.stores}
	defer k.stores.close()
	k.pool = &batch.Pool{Command: w.Command, Workers: w.Jobs, Memory: w.Memory}
	k.pool.Start()
	defer k.pool.Close()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-ctx.Done():
		case <-ended:
			return
		}
		select {
		case <-time.After(drain):
			k.pool.End()
		case <-ended:
		}
	}()
	k.ends.SetLimit(4 * max(w.Jobs, 1))
	var all sync.WaitGroup
	for range w.Jobs {
		all.Go(func() { k.take(ctx) })
	}
	all.Wait()
	_ = k.ends.Wait() // its functions don't fail
	return context.Cause(ctx)
}

// take takes jobs from the queue and runs them, one at a time.
func (w *work) take(ctx context.Context) {
	const patience = 2 * time.Second
	for ctx.Err() == nil {
		got := false
		messages, err := w.q.consumer.Fetch(1, jetstream.FetchMaxWait(patience))
		if err == nil {
			for m := range messages.Messages() {
				got = true
				w.handle(ctx, m)
			}
		}
		if !got && w.UntilEmpty && w.q.idle(ctx) {
			return
		}
		if err != nil { // the queue can't be reached; the connection recovers by itself
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
	}
}

// handle runs the job of a message.
func (w *work) handle(ctx context.Context, m jetstream.Msg) {
	j, err := jobOf(m.Data(), w.q.options.Tool)
	if err != nil {
		w.refuse(m, j, err)
		return
	}
	beat := w.heartbeat(m)
	old, err := w.status(j.ID)
	v := &value{Status{State: Running, Job: *j, Worker: w.Name, Attempt: old.Attempt + 1, Record: old.Record}, m.Headers().Get(jetstream.MsgIDHeader)}
	switch {
	case err != nil: // the message comes again when its lease is over
		w.notStored(v, err)
		beat()
		return
	case old.ended(v.Message): // the acknowledgement was lost
		_ = acknowledge(m)
		beat()
		return
	case v.Attempt > attempts:
		w.giveUp(m, v, old.revision)
		beat()
		return
	}
	// Don't wait for the queue's answers: they take as long as a small map.
	begun := make(chan start, 1)
	go func() { begun <- w.begin(*v, old.revision) }()
	record, files := w.convert(ctx, j)
	w.ends.Go(func() error {
		defer beat()
		w.settle(ctx, m, v, <-begun, outcome{record, files})
		return nil
	})
}

// slowestBeat is the longest pause between heartbeats. Workers then notice in time when somebody shortens a longer lease to the
// default one.
const slowestBeat = DefaultLease / 3

// heartbeat renews the lease of a job until the function that it returns is called. It follows the queue's lease.
func (w *work) heartbeat(m jetstream.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			select {
			case <-time.After(min(w.q.lease(ctx)/3, slowestBeat)):
				_ = m.InProgress() // the next one may succeed
			case <-ctx.Done():
				return
			}
		}
	}()
	return cancel
}
