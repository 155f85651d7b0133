package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/internal/batch"
)

// start says how the status of a running job was stored.
type start struct {
	revision uint64 // of the status that settle replaces
	attempt  int
	ended    bool // the job's outcome was stored already
	err      error
}

// outcome is what a conversion returned.
type outcome struct {
	record *batch.Record
	files  *FileList
}

// settle stores the outcome of a job, then answers its message.
func (w *work) settle(ctx context.Context, m jetstream.Msg, v *value, s start, o outcome) {
	if s.ended {
		_ = acknowledge(m)
		return
	}
	if s.err != nil && !final(s.err) {
		w.notStored(v, s.err)
		return
	}
	r := o.record
	v.Attempt, r.Attempts = s.attempt, s.attempt
	shorten(r)
	answer := func() error { return acknowledge(m) }
	switch {
	case r.Reason == "":
		v.State, v.Record, v.Files = Done, r, o.files
	case r.Reason == batch.Canceled && ctx.Err() != nil: // not the job's fault
		v.State, v.Attempt = Queued, v.Attempt-1
		answer = m.Nak
	case r.Reason.Final() || v.Attempt >= attempts:
		v.State, v.Record = Failed, r
	default:
		v.State, v.Record = Queued, r
		answer = func() error { return m.NakWithDelay(waits[min(v.Attempt, len(waits))-1]) }
	}
	w.end(m, v, s.revision, answer, v.Record == r)
}

// giveUp ends a job whose last attempt has no outcome.
func (w *work) giveUp(m jetstream.Msg, v *value, last uint64) {
	v.Attempt--
	v.State, v.Record = Failed, &batch.Record{
		Path: v.Job.In, Output: v.Job.Output, SHA256: v.Job.SHA256, Options: v.Job.Setup, Reason: batch.Crash, Attempts: v.Attempt, Time: time.Now().UTC(),
		Message: fmt.Sprintf("attempt %d of %d has no outcome: its worker died or lost the queue", v.Attempt, attempts),
	}
	w.end(m, v, last, func() error { return acknowledge(m) }, true)
}

// end stores the status of a job, answers its message and, with tell, reports the attempt.
func (w *work) end(m jetstream.Msg, v *value, last uint64, answer func() error, tell bool) {
	_, err := w.put(v, last)
	if final(err) {
		// Another attempt would have an outcome of the same size.
		v = brief(v, batch.Limited, fmt.Sprintf("the queue can't store the outcome, state %q: %v", v.State, err))
		answer, tell = func() error { return acknowledge(m) }, true
		_, err = w.put(v, last)
	}
	switch {
	case errors.Is(err, errTaken): // the job is the other worker's, and so is its message
		return
	case err != nil && !final(err):
		w.notStored(v, err)
		return
	}
	_ = answer() // if it is lost, the job is delivered again and found to have ended
	if tell {
		w.tell(v)
	}
}

// acknowledge removes the message of a job that has an outcome, good or bad, and waits until the server has done so. A failed
// job is not terminated with its reason instead: NATS before 2.10.4 ignores that, and delivers the message again for ever.
func acknowledge(m jetstream.Msg) error { return m.DoubleAck(context.Background()) }

// refuse ends a message that brings no job that could run.
func (w *work) refuse(m jetstream.Msg, j *Job, why error) {
	v := brief(&value{Status{Job: *j, Worker: w.Name}, m.Headers().Get(jetstream.MsgIDHeader)}, batch.Usage, textOf(why))
	if isHash(j.ID) { // otherwise no status can have this key
		if old, err := w.status(j.ID); err == nil && !old.ended(v.Message) {
			_, _ = w.put(v, old.revision) // what is posted by hand may have no status
		}
	}
	_ = acknowledge(m)
	w.tell(v)
}

// notStored reports that the queue did not take the status of a job. The job is delivered again when its lease is over.
func (w *work) notStored(v *value, err error) {
	again := *v
	again.State = Queued
	again.Record = &batch.Record{Path: v.Job.In, Output: v.Job.Output, Reason: batch.NoWrite, Attempts: v.Attempt, Time: time.Now().UTC(),
		Message: fmt.Sprintf("the queue did not store the state of the job: %v", err)}
	w.tell(&again)
}

func (w *work) tell(v *value) {
	if w.Event != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.Event(&v.Status)
	}
}
