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
func (s *outcomes) settle(m jetstream.Msg, v *stored, o outcome, stopped bool) {
	r := o.record
	r.Attempts = v.Attempt
	shorten(r)
	answer, tell := acknowledge, true
	switch {
	case r.Reason == "":
		v.State, v.Record, v.Files = jobs.Done, r, o.files
	case r.Reason == batch.Canceled && stopped: // not the job's fault
		v.State, v.Attempt, v.Interrupted = jobs.Queued, v.Attempt-1, v.Interrupted+1
		answer, tell = jetstream.Msg.Nak, false
	case r.Reason.Final() || v.Attempt >= attempts:
		v.State, v.Record = jobs.Failed, r
	default:
		v.State, v.Record = jobs.Queued, r
		answer = func(m jetstream.Msg) error { return m.NakWithDelay(waits[min(v.Attempt, len(waits))-1]) }
	}
	s.end(m, v, answer, tell)
}

// giveUp ends a job whose last attempt has no outcome. The server would say so only to those who listen at that moment
// (MAX_DELIVERIES), and keep the message.
func (s *outcomes) giveUp(m jetstream.Msg, v *stored) {
	v.Attempt = attempts
	v.State, v.Record = jobs.Failed, &batch.Record{
		Path: v.Job.In, Output: v.Job.Output, SHA256: v.Job.SHA256, Options: v.Job.Setup, Attempts: v.Attempt, Time: time.Now().UTC(),
		Reason: batch.Crash, Message: fmt.Sprintf("attempt %d of %d has no outcome: its worker died or lost the queue",
			v.Attempt, attempts),
	}
	s.end(m, v, acknowledge, true)
}

// end stores the status of a job, answers its message and, with tell, reports the attempt. If another worker, which had the job too, has
// stored the job's outcome meanwhile, that one stays.
func (s *outcomes) end(m jetstream.Msg, v *stored, answer func(jetstream.Msg) error, tell bool) {
	err := putStatus(s.bucket, v)
	if final(err) {
		// Another attempt would have an outcome of the same size.
		v.value = *brief(&v.value, batch.Limited, fmt.Sprintf("the queue can't store the outcome, state %q: %v", v.State, err))
		answer, tell = acknowledge, true
		err = putStatus(s.bucket, v)
	}
	if errors.Is(err, errTaken) {
		if now, err := readStatus(s.bucket, v.Job.ID); err == nil && now.ended(v.Message) {
			_ = acknowledge(m)
		}
		return
	}
	if err != nil && !final(err) {
		s.notStored(v, err)
		return
	}
	_ = answer(m) // if it is lost, the job is delivered again and found to have ended
	if tell {
		s.tell(&v.value)
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
	return &value{Status: jobs.Status{State: jobs.Failed, Job: j, Worker: v.Worker, Attempt: v.Attempt, Record: r}, Message: v.Message}
}

// acknowledge removes the message of a job that has an outcome, good or bad, and waits until the server has done so. A failed
// job is not terminated with its reason instead: NATS before 2.10.4 ignores that, and delivers the message again for ever.
func acknowledge(m jetstream.Msg) error { return m.DoubleAck(context.Background()) }

// refuse ends a message that brings no job that could run.
func (s *outcomes) refuse(m jetstream.Msg, v *stored, why error) {
	v.value = *brief(&v.value, batch.Usage, textOf(why))
	if isHash(v.Job.ID) { // otherwise no status can have this key
		if old, err := readStatus(s.bucket, v.Job.ID); err == nil && !old.ended(v.Message) {
			v.revision = old.revision
			_ = putStatus(s.bucket, v) // what is posted by hand may have no status
		}
	}
	_ = acknowledge(m)
	s.tell(&v.value)
}

// notStored reports that the queue did not take the status of a job. The job is delivered again when its lease is over.
func (s *outcomes) notStored(v *stored, err error) {
	again := v.value
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
