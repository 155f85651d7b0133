package queue

import (
	"cmp"
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
	"github.com/bsp2gltf/bsp2gltf/limits"
)

// newJob returns the job for a request.
func newJob(ctx context.Context, r *jobs.Request, setup, tool string, l limit.Limits) (jobs.Job, error) {
	j := jobs.Job{In: r.In, Size: r.Size, Out: r.Out, Output: r.Output, Setup: setup, Tool: tool}
	identity := r.Identity
	if identity == "" {
		var err error
		if j.SHA256, err = batch.HashInput(limits.With(ctx, l), r.In); err != nil {
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
// force it leaves out only those in the queue. A job whose output another one in the queue writes, with other settings or of another
// map, is a problem: which of them ended last would decide what the output is.
func (q *Queue) Submit(ctx context.Context, requests []jobs.Request, s *jobs.Setup, force bool) (*jobs.Submitted, error) {
	s.Tool = q.options.Tool
	key, text, err := keyOf(s)
	if err != nil {
		return nil, err
	}
	if _, err := q.setups.Put(ctx, key, text); err != nil {
		return nil, queueError(err)
	}
	out := &jobs.Submitted{}
	made, err := q.makeJobs(ctx, requests, key, s, out)
	if err != nil {
		return nil, err
	}
	if made, err = q.unclaimed(ctx, made, out); err != nil {
		return nil, err
	}
	known, err := q.create(ctx, made)
	if err != nil {
		return nil, err
	}
	var add []message
	var again []stored // that ended, and are to run again
	for i := range made {
		j := made[i]
		out.IDs = append(out.IDs, j.ID)
		k := known[i]
		// A message has the ID of its job, by which the server drops duplicates. Submitting a job again after it ended needs a new ID,
		// which is the same for all who submit it now.
		id := j.ID
		switch {
		case k == nil:
			out.New++
		case k.State == jobs.Done && !force:
			out.Before++
			continue
		case k.State == jobs.Failed && k.Record != nil && k.Record.Reason.Final() && !force:
			out.Refused++
			continue
		case k.State == jobs.Done || k.State == jobs.Failed:
			out.New++
			id = fmt.Sprintf("%s-%d", id, k.revision)
			again = append(again, stored{value{Status: jobs.Status{State: jobs.Queued, Job: j}, Message: id}, k.revision})
		default:
			// The message may be missing if a submitter was killed after storing the status. Publishing it again is safe.
			out.Underway++
			id = cmp.Or(k.Message, id)
		}
		add = append(add, message{j, id})
	}
	// Another submitter may be faster, and a worker even have ended the job: their status stays.
	_, err = par.Map(ctx, len(again), func(i int) (struct{}, error) {
		if err := putStatus(q.status, &again[i]); err != nil && !errors.Is(err, errTaken) {
			return struct{}{}, queueError(err)
		}
		return struct{}{}, nil
	})
	if err != nil {
		return nil, err
	}
	return out, q.publish(ctx, add)
}

// makeJobs returns the jobs for requests. What can't be read is added to the problems.
func (q *Queue) makeJobs(ctx context.Context, requests []jobs.Request, key string, s *jobs.Setup, out *jobs.Submitted) ([]jobs.Job, error) {
	type result struct {
		job jobs.Job
		err error
	}
	all, err := par.Map(ctx, len(requests), func(i int) (result, error) {
		j, err := newJob(ctx, &requests[i], key, s.Tool, s.Limits)
		return result{j, err}, nil
	})
	var made []jobs.Job
	for i, m := range all {
		if m.err != nil {
			out.Problems = append(out.Problems, batch.Problem{Path: requests[i].In, Err: m.err})
			continue
		}
		made = append(made, m.job)
	}
	return made, err
}

// unclaimed returns those of the jobs whose outputs no other one in the queue, or before them, writes. The others are added to the
// problems.
func (q *Queue) unclaimed(ctx context.Context, made []jobs.Job, out *jobs.Submitted) (free []jobs.Job, err error) {
	info, err := q.stream.Info(ctx)
	if err != nil {
		return nil, unreachable(err)
	}
	var statuses map[string]entry
	if info.State.Msgs > 0 { // otherwise no job is in the queue, however many have ended
		if statuses, err = q.statuses(ctx); err != nil {
			return nil, err
		}
	}
	type place struct{ out, output string }
	claims := map[place]jobs.Job{}
	for _, e := range statuses {
		if j := e.value.Job; e.value.State == jobs.Queued {
			claims[place{j.Out, j.Output}] = j
		}
	}
	for _, j := range made {
		at := place{j.Out, j.Output}
		if other, ok := claims[at]; ok && (other.In != j.In || other.Setup != j.Setup || other.Tool != j.Tool) {
			what := "with other settings"
			switch {
			case other.In != j.In:
				what = fmt.Sprintf("of %.200q", other.In)
			case other.Tool != j.Tool:
				what = "for " + other.Tool
			}
			out.Problems = append(out.Problems, batch.Problem{Path: j.In, Err: fmt.Errorf(
				"%w: a job %s is in the queue that writes %.200q: wait until it has ended, or give another folder", limit.ErrOutput, what, j.Output)})
			continue
		}
		claims[at] = j
		free = append(free, j)
	}
	return free, nil
}

// create stores the first status of jobs, and returns what is stored of those that have one already; nil for others. Statuses are stored
// before the messages are, so that a worker's status comes after ours.
func (q *Queue) create(ctx context.Context, made []jobs.Job) ([]*stored, error) {
	known := make([]*stored, len(made))
	var pending publications
	for i, j := range made {
		text, err := json.Marshal(value{Status: jobs.Status{State: jobs.Queued, Job: j, Time: time.Now().UTC()}, Message: j.ID})
		if err != nil {
			return nil, err
		}
		there := func() error {
			old, err := readStatus(q.status, j.ID)
			known[i] = &old
			return err
		}
		f, err := q.js.PublishAsync("$KV."+statusBucket+"."+j.ID, text, jetstream.WithExpectLastSequencePerSubject(0))
		if err := pending.add(ctx, f, err, there); err != nil {
			return nil, err
		}
	}
	return known, pending.wait(ctx)
}

// message is a job to publish, with the ID by which the server drops duplicates.
type message struct {
	job jobs.Job
	id  string
}

// publish puts jobs on the queue.
func (q *Queue) publish(ctx context.Context, add []message) error {
	var pending publications
	for _, m := range add {
		text, err := json.Marshal(m.job)
		if err != nil {
			return err
		}
		f, err := q.js.PublishAsync(subjectOf(m.job.Tool), text, jetstream.WithMsgID(m.id))
		if err := pending.add(ctx, f, err, nil); err != nil {
			return err
		}
	}
	return pending.wait(ctx)
}

// publications collects messages that the server has not confirmed yet.
type publications []publication

type publication struct {
	jetstream.PubAckFuture
	there func() error // called if the server has a message already
}

// most is how many messages may be unconfirmed at a time.
const most = 1000

func (p *publications) add(ctx context.Context, f jetstream.PubAckFuture, err error, there func() error) error {
	if err != nil {
		return queueError(err)
	}
	*p = append(*p, publication{f, there})
	if len(*p) >= most {
		return p.wait(ctx)
	}
	return nil
}

// wait waits until the server has stored the messages.
func (p *publications) wait(ctx context.Context) error {
	late := time.After(time.Minute)
	for _, f := range *p {
		select {
		case <-f.Ok():
		case err := <-f.Err():
			if !conflict(err) || f.there == nil {
				return queueError(err)
			}
			if err := f.there(); err != nil {
				return queueError(err)
			}
		case <-late:
			return unreachable(errors.New("no answer within a minute"))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	*p = nil
	return nil
}
