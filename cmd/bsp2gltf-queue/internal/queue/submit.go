package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// newJob returns the job for a request.
func newJob(r *jobs.Request, setup, tool string, l limit.Limits) (jobs.Job, error) {
	j := jobs.Job{In: r.In, Size: r.Size, Out: r.Out, Output: r.Output, Setup: setup, Tool: tool}
	identity := r.Identity
	if identity == "" {
		var err error
		if j.SHA256, err = batch.HashInput(r.In, limit.NewBudget(l)); err != nil {
			return j, err
		}
		identity = j.SHA256
	}
	h := sha256.New()
	for _, part := range []string{identity, setup, r.Out, r.Output} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	j.ID = hex.EncodeToString(h.Sum(nil))
	return j, checkJob(&j, tool)
}

// Submit queues the requested jobs, except those that are done, failed for a Final reason or are in the queue already. With
// force it leaves out only those in the queue.
func (q *Queue) Submit(ctx context.Context, requests []jobs.Request, s *jobs.Setup, force bool) (*jobs.Submitted, error) {
	s.Tool = q.options.Tool
	key, text, err := keyOf(s)
	if err != nil {
		return nil, err
	}
	if _, err := q.setups.Put(ctx, key, text); err != nil {
		return nil, queueError(err)
	}
	type result struct {
		job jobs.Job
		err error
	}
	made, err := par.Map(ctx, len(requests), func(i int) (result, error) {
		j, err := newJob(&requests[i], key, s.Tool, s.Limits)
		return result{j, err}, nil
	})
	if err != nil {
		return nil, err
	}
	out := &jobs.Submitted{}
	known, err := q.known(ctx)
	if err != nil {
		return nil, err
	}
	var add []message
	for i, m := range made {
		if m.err != nil {
			out.Problems = append(out.Problems, batch.Problem{Path: requests[i].In, Err: m.err})
			continue
		}
		out.IDs = append(out.IDs, m.job.ID)
		k := known[m.job.ID]
		switch {
		case k.state == jobs.Done && !force:
			out.Before++
			continue
		case k.state == jobs.Failed && k.final && !force:
			out.Refused++
			continue
		case k.state == jobs.Queued || k.state == jobs.Running:
			// The message may be missing if a submitter was killed after storing the status. Publishing it again is
			// safe: the server drops duplicates.
			out.Underway++
		default:
			out.New++
		}
		// Submitting a job again after it ended needs a new message ID, which is the same for all who submit it
		// now.
		id := m.job.ID
		if k.state == jobs.Done || k.state == jobs.Failed {
			id = fmt.Sprintf("%s-%d", id, k.revision)
		} else if k.message != "" {
			id = k.message
		}
		add = append(add, message{m.job, id})
	}
	return out, q.publish(ctx, add, known)
}

// message is a job to publish, with the ID by which the server drops duplicates.
type message struct {
	job jobs.Job
	id  string
}

// publish stores the status of jobs and puts them on the queue.
func (q *Queue) publish(ctx context.Context, add []message, known map[string]knownJob) error {
	// Store the statuses before publishing, so that a worker's status comes after ours.
	var pending publications
	for _, m := range add {
		k := known[m.job.ID]
		if k.state == jobs.Queued || k.state == jobs.Running {
			continue
		}
		text, err := json.Marshal(value{jobs.Status{State: jobs.Queued, Job: m.job, Time: time.Now().UTC()}, m.id})
		if err != nil {
			return err
		}
		// Another submitter may be faster, and a worker even have ended the job: their status stays.
		last := jetstream.WithExpectLastSequencePerSubject(k.revision)
		if err := pending.add(q.js.PublishAsync("$KV."+statusBucket+"."+m.job.ID, text, last)); err != nil {
			return err
		}
	}
	if err := pending.wait(ctx); err != nil {
		return err
	}
	for _, m := range add {
		text, err := json.Marshal(m.job)
		if err != nil {
			return err
		}
		if err := pending.add(q.js.PublishAsync(subjectOf(m.job.Tool), text, jetstream.WithMsgID(m.id))); err != nil {
			return err
		}
	}
	return pending.wait(ctx)
}

// knownJob holds what Submit needs to know of a job that has a status.
type knownJob struct {
	state    jobs.State
	final    bool // failed for a Final reason
	message  string
	revision uint64
}

// known returns all jobs that have a status.
func (q *Queue) known(ctx context.Context) (map[string]knownJob, error) {
	statuses, err := q.statuses(ctx)
	all := make(map[string]knownJob, len(statuses))
	for id, e := range statuses {
		v := &e.value
		all[id] = knownJob{v.State, v.Record != nil && v.Record.Reason.Final(), v.Message, e.revision}
	}
	return all, err
}

// publications collects messages that the server has not confirmed yet.
type publications struct {
	futures []jetstream.PubAckFuture
}

// most is how many messages may be unconfirmed at a time.
const most = 1000

func (p *publications) add(f jetstream.PubAckFuture, err error) error {
	if err != nil {
		return queueError(err)
	}
	p.futures = append(p.futures, f)
	if len(p.futures) >= most {
		return p.wait(context.Background())
	}
	return nil
}

// wait waits until the server has stored the messages, or has refused them because it has newer ones.
func (p *publications) wait(ctx context.Context) error {
	late := time.After(time.Minute)
	for _, f := range p.futures {
		select {
		case <-f.Ok():
		case err := <-f.Err():
			if !conflict(err) {
				return queueError(err)
			}
		case <-late:
			return unreachable(errors.New("no answer within a minute"))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	p.futures = nil
	return nil
}
