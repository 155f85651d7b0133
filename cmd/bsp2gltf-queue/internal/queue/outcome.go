package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// attempts is the number of times that a job is tried if it fails for a reason that is not Final, or if its worker dies.
const attempts = 5

// waits holds the pauses before the next attempt.
var waits = []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second}

// outcomes stores what became of jobs, answers their messages and tells the caller of Work.
type outcomes struct {
	bucket jetstream.KeyValue
	event  func(*jobs.Status) // may be nil
	mu     sync.Mutex         // one event at a time
}

// outcome is the result of a conversion.
type outcome struct {
	record *batch.Record
	files  *jobs.FileList // nil if it failed
}

// settle stores the outcome of a job, then answers its message. Stopped says that the worker was told to stop.
func (s *outcomes) settle(m jetstream.Msg, v *value, b begun, o outcome, stopped bool) {
	if b.ended {
		_ = acknowledge(m)
		return
	}
	if b.err != nil && !final(b.err) {
		s.notStored(v, b.err)
		return
	}
	r := o.record
	v.Attempt, r.Attempts = b.attempt, b.attempt
	shorten(r)
	answer := acknowledge
	switch {
	case r.Reason == "":
		v.State, v.Record, v.Files = jobs.Done, r, o.files
	case r.Reason == batch.Canceled && stopped: // not the job's fault
		v.State, v.Attempt = jobs.Queued, v.Attempt-1
		answer = jetstream.Msg.Nak
	case r.Reason.Final() || v.Attempt >= attempts:
		v.State, v.Record = jobs.Failed, r
	default:
		v.State, v.Record = jobs.Queued, r
		answer = func(m jetstream.Msg) error { return m.NakWithDelay(waits[min(v.Attempt, len(waits))-1]) }
	}
	s.end(m, v, b.revision, answer, v.Record == r)
}

// giveUp ends a job whose last attempt has no outcome.
func (s *outcomes) giveUp(m jetstream.Msg, v *value, last uint64) {
	v.Attempt--
	v.State, v.Record = jobs.Failed, &batch.Record{
		Path: v.Job.In, Output: v.Job.Output, SHA256: v.Job.SHA256, Options: v.Job.Setup, Attempts: v.Attempt, Time: time.Now().UTC(),
		Reason: batch.Crash, Message: fmt.Sprintf("attempt %d of %d has no outcome: its worker died or lost the queue",
			v.Attempt, attempts),
	}
	s.end(m, v, last, acknowledge, true)
}

// end stores the status of a job, answers its message and, with tell, reports the attempt.
func (s *outcomes) end(m jetstream.Msg, v *value, last uint64, answer func(jetstream.Msg) error, tell bool) {
	_, err := putStatus(s.bucket, v, last)
	if final(err) {
		// Another attempt would have an outcome of the same size.
		v = brief(v, batch.Limited, fmt.Sprintf("the queue can't store the outcome, state %q: %v", v.State, err))
		answer, tell = acknowledge, true
		_, err = putStatus(s.bucket, v, last)
	}
	switch {
	case errors.Is(err, errTaken): // the job is the other worker's, and so is its message
		return
	case err != nil && !final(err):
		s.notStored(v, err)
		return
	}
	_ = answer(m) // if it is lost, the job is delivered again and found to have ended
	if tell {
		s.tell(v)
	}
}

// brief returns a status for a job that failed, without what could be too long for the queue.
func brief(v *value, reason batch.Reason, message string) *value {
	j := jobs.Job{
		ID: clip(v.Job.ID), In: clip(v.Job.In), Size: v.Job.Size, SHA256: clip(v.Job.SHA256), Out: clip(v.Job.Out),
		Output: clip(v.Job.Output),
		Setup:  clip(v.Job.Setup), Tool: clip(v.Job.Tool),
	}
	r := &batch.Record{
		Time: time.Now().UTC(), Path: j.In, Output: j.Output, SHA256: j.SHA256, Options: j.Setup, Attempts: v.Attempt,
		Reason: reason, Message: clip(message),
	}
	return &value{jobs.Status{State: jobs.Failed, Job: j, Worker: v.Worker, Attempt: v.Attempt, Record: r}, v.Message}
}

// acknowledge removes the message of a job that has an outcome, good or bad, and waits until the server has done so. A failed
// job is not terminated with its reason instead: NATS before 2.10.4 ignores that, and delivers the message again for ever.
func acknowledge(m jetstream.Msg) error { return m.DoubleAck(context.Background()) }

// refuse ends a message that brings no job that could run.
func (s *outcomes) refuse(m jetstream.Msg, v *value, why error) {
	v = brief(v, batch.Usage, textOf(why))
	if isHash(v.Job.ID) { // otherwise no status can have this key
		if old, err := readStatus(s.bucket, v.Job.ID); err == nil && !old.ended(v.Message) {
			_, _ = putStatus(s.bucket, v, old.revision) // what is posted by hand may have no status
		}
	}
	_ = acknowledge(m)
	s.tell(v)
}

// notStored reports that the queue did not take the status of a job. The job is delivered again when its lease is over.
func (s *outcomes) notStored(v *value, err error) {
	again := *v
	again.State = jobs.Queued
	again.Record = &batch.Record{Path: v.Job.In, Output: v.Job.Output, Reason: batch.NoWrite, Attempts: v.Attempt, Time: time.Now().UTC(),
		Message: fmt.Sprintf("the queue did not store the state of the job: %v", err)}
	s.tell(&again)
}

func (s *outcomes) tell(v *value) {
	if s.event != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.event(&v.Status)
	}
}
