package queue

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/store"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// work is the state of Work.
type work struct {
	q          *Queue
	name       string // of the worker
	untilEmpty bool
	converter  *converter
	outcomes   outcomes
	ends       errgroup.Group // stores the outcomes of jobs while the next jobs run
}

// Work runs jobs until ctx is done or, with UntilEmpty, until the queue has none. Unfinished jobs then go back to
// the queue.
func (q *Queue) Work(ctx context.Context, w jobs.Worker) error {
	stores, err := store.Open(w.Scratch)
	if err != nil {
		return err
	}
	defer stores.Close()
	pool := &batch.Pool{Command: w.Command, Workers: w.Jobs, Memory: w.Memory}
	c, err := newConverter(w, q.options.Tool, stores, q.setups, pool)
	if err != nil {
		return err
	}
	pool.Start(ctx)
	defer pool.Close()
	k := &work{q: q, name: w.Name, untilEmpty: w.UntilEmpty, converter: c, outcomes: outcomes{bucket: q.status, event: w.Event}}
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
		if !got && w.untilEmpty && w.q.idle(ctx) {
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
	v := &stored{value: value{Status: jobs.Status{Job: *j, Worker: w.name}, Message: m.Headers().Get(jetstream.MsgIDHeader)}}
	if err != nil {
		w.outcomes.refuse(m, v, err)
		return
	}
	beat := heartbeat(m, w.q.Lease())
	old, err := readStatus(w.q.status, j.ID)
	if err != nil { // the message comes again when its lease is over
		w.outcomes.notStored(v, err)
		beat()
		return
	}
	v.revision, v.Record, v.Interrupted = old.revision, old.Record, old.Interrupted
	if old.Message != v.Message {
		v.Interrupted = 0
	}
	v.Attempt = delivered(m) - v.Interrupted
	switch {
	case old.ended(v.Message): // the acknowledgement was lost
		_ = acknowledge(m)
		beat()
		return
	case v.Attempt > attempts:
		w.outcomes.giveUp(m, v)
		beat()
		return
	}
	o := w.converter.convert(ctx, j)
	w.ends.Go(func() error { // the next job does not wait for the queue's answers: they take as long as a small map
		defer beat()
		w.outcomes.settle(m, v, o, ctx.Err() != nil)
		return nil
	})
}

// delivered returns how often the server has delivered a message, this time included.
func delivered(m jetstream.Msg) int {
	meta, err := m.Metadata()
	if err != nil {
		return 1 // no server says less
	}
	return int(meta.NumDelivered)
}

// heartbeat renews the lease of a job until the function that it returns is called.
func heartbeat(m jetstream.Msg, lease time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		tick := time.NewTicker(lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = m.InProgress() // the next one may succeed
			case <-ctx.Done():
				return
			}
		}
	}()
	return cancel
}
