package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/store"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// attempts is how many times a job is tried if it fails for a reason that is not Final, or if its worker dies.
const attempts = 5

// waits are the pauses before the next attempt.
var waits = [attempts]time.Duration{time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, 30 * time.Second}

// worker is the state of Work.
type worker struct {
	*jobs.Worker
	q      *queue
	lease  time.Duration
	stores *store.Stores
	pool   *batch.Pool
	setups setups
	number atomic.Int64 // counts jobs

	mu   sync.Mutex
	outs map[string]batch.Outputs // open folders of outputs, by name

	telling sync.Mutex // held while an event is reported
}

// Work runs jobs until ctx is done or, with UntilEmpty, until the queue has none. Unfinished jobs then go back to the queue.
func Work(ctx context.Context, o jobs.Queue, settings *jobs.Worker) error {
	w := &worker{Worker: settings, setups: setups{all: map[string]*setup{}}, outs: map[string]batch.Outputs{}}
	for _, p := range append(append(places{}, w.AllowIn...), w.AllowOut...) {
		if _, err := placeOf(p); err != nil {
			return err
		}
	}
	var err error
	if w.q, err = open(ctx, o); err != nil {
		return err
	}
	defer w.q.conn.Close()
	w.lease = w.q.consumer.CachedInfo().Config.AckWait
	if w.stores, err = store.Open(w.Scratch); err != nil {
		return err
	}
	defer w.stores.Close()
	defer func() {
		for _, out := range w.outs {
			out.Close()
		}
	}()
	w.pool = &batch.Pool{Command: w.Command, Workers: w.Jobs, Memory: w.Memory}
	w.pool.Start(ctx)
	defer w.pool.Close()
	if w.Ready != nil {
		w.Ready()
	}
	var all sync.WaitGroup
	for range 2 * w.Jobs { // more than Jobs: while some maps are converted, others are fetched or stored
		all.Go(func() { w.take(ctx) })
	}
	all.Wait()
	_ = w.q.conn.FlushTimeout(5 * time.Second) // if an acknowledgement is lost, the map is converted again, to the same bytes
	return context.Cause(ctx)
}

// take takes jobs from the queue and runs them one at a time.
func (w *worker) take(ctx context.Context) {
	patience := 2 * time.Second
	if w.UntilEmpty {
		patience /= 4
	}
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

// idle reports whether the workers have nothing to do: every message was delivered and acknowledged.
//
// The stream's messages say less: when NATS 2.9 is killed, messages that were acknowledged may be in the stream again, and are never
// delivered.
func (q *queue) idle(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	info, err := q.consumer.Info(ctx)
	return err == nil && info.NumPending == 0 && info.NumAckPending == 0
}

// handle runs the job of a message and answers the message.
func (w *worker) handle(ctx context.Context, m jetstream.Msg) {
	stop := heartbeat(m, w.lease)
	defer stop()
	j := &job{}
	info, err := m.Metadata()
	switch {
	case err != nil || json.Unmarshal(m.Data(), j) != nil:
		err = errors.New("the message is not a job")
	case j.Tool != w.q.tool:
		err = fmt.Errorf("it is for %.200s, and was delivered to %s", j.Tool, w.q.tool)
	case !filepath.IsLocal(filepath.FromSlash(j.Output)):
		err = errors.New("its output is outside the folder of outputs")
	}
	if err != nil { // the others would say the same
		w.tell(batch.Event{Ended: j.task().Failed(w.q.tool, fmt.Errorf("%w: %w", limit.ErrUsage, err))})
		_ = m.Term()
		return
	}
	interrupted, message := 0, strconv.FormatUint(info.Sequence.Stream, 10)
	kept := context.WithoutCancel(ctx) // what concerns the queue is done also if the worker ends
	if info.NumDelivered > 1 {
		e, err := w.q.interrupted.Get(kept, message)
		if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
			return // the message comes again when its lease is over
		}
		if err == nil {
			interrupted, _ = strconv.Atoi(string(e.Value()))
		}
	}
	out, r := w.run(ctx, j, max(int(info.NumDelivered)-interrupted, 1)) // the number may be of a stream that was made anew
	ended := r.Reason == "" || r.Reason.Final() || r.Attempts >= attempts
	if ended && out != nil {
		if err := out.Add(kept, r); err != nil {
			out, r.Reason, r.Message = nil, batch.NoWrite, limit.Plain(err.Error())
		}
	}
	switch {
	case r.Reason == batch.Canceled || out == nil && !r.Reason.Final(): // it does not count: it is not the job's fault
		_, _ = w.q.interrupted.PutString(kept, message, strconv.Itoa(interrupted+1))
		if r.Reason == batch.Canceled {
			_ = m.Nak()
			return
		}
		ended = false
	case out == nil: // no record can say it
		_ = m.Term()
	case ended:
		_ = m.Ack() // if it is lost, the map is converted again, to the same bytes
	}
	if ended {
		w.tell(batch.Event{Ended: r})
		return
	}
	_ = m.NakWithDelay(waits[r.Attempts-1])
	w.tell(batch.Event{Retried: r})
}

// run converts the map of a job. It returns the folder of outputs, in which the record belongs, and the record. The
// folder is nil if jobs may not write there, or if it can't be opened.
func (w *worker) run(ctx context.Context, j *job, attempt int) (batch.Outputs, *batch.Record) {
	t := j.task()
	out, err := w.outputs(ctx, j.Out)
	if err == nil {
		err = places(w.AllowIn).check(j.In, "read", "--allow-in")
	}
	var s *setup
	if err == nil {
		s, err = w.setup(ctx, j.Setup)
	}
	if err == nil && attempt > attempts {
		err = fmt.Errorf("attempt %d of %d has no outcome: its worker died or lost the queue", attempts, attempts)
	}
	if err != nil {
		r := t.Failed(w.q.tool, err)
		r.Attempts = min(attempt, attempts)
		switch {
		case ctx.Err() != nil:
			r.Reason = batch.Canceled
		case s != nil:
			r.Reason = batch.Crash
		}
		return out, r
	}
	c := batch.Converter{
		Setup: &s.Setup.Setup, Local: &s.local, Tool: w.q.tool, Stores: w.stores, Timeout: s.Timeout, Pictures: s.Pictures, Outputs: out,
		Pool: w.pool,
	}
	r := c.Convert(ctx, int(w.number.Add(1)), t, attempt > 2, nil)
	r.Attempts = attempt
	return out, r
}

// outputs opens a folder of outputs, unless it is open. It fails with ErrUsage if jobs may not write there.
func (w *worker) outputs(ctx context.Context, name string) (batch.Outputs, error) {
	if err := places(w.AllowOut).check(name, "write to", "--allow-out"); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if out := w.outs[name]; out != nil {
		return out, nil
	}
	out, err := w.stores.Outputs(ctx, name, batch.Shard{Of: batch.OfQueue}, true)
	if err == nil {
		w.outs[name] = out
	}
	return out, err
}

func (w *worker) tell(e batch.Event) {
	if w.Event != nil {
		w.telling.Lock()
		defer w.telling.Unlock()
		w.Event(e)
	}
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
