package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// job is a message of the queue.
type job struct {
	In     string      `json:"in"` // a path that every worker can open, or a URL
	Size   int64       `json:"size"`
	Stamp  batch.Stamp `json:"stamp"`
	Beside []string    `json:"beside,omitempty"` // as in batch.Input
	Out    string      `json:"out"`              // the folder of outputs: a path that every worker can open, or a URL
	Output string      `json:"output"`           // the main file, relative to Out
	After  time.Time   `json:"after,omitzero"`
	Setup  string      `json:"setup"` // the key of a Setup
	Tool   string      `json:"tool"`  // name and version of the program that must run it
}

// task returns the job as a task of a batch.
func (j *job) task() *batch.Task {
	in := batch.Input{Path: j.In, Size: j.Size, Stamp: j.Stamp, Beside: j.Beside}
	if batch.IsURL(j.In) {
		in.Path, in.URL = strings.SplitN(j.In, "?", 2)[0], j.In
	}
	return &batch.Task{Input: in, Output: j.Output, After: j.After}
}

// newJob returns the job for a task.
func newJob(t *batch.Task, out, setup, tool string) (j job, err error) {
	j = job{
		In: t.Input.URL, Size: t.Input.Size, Stamp: t.Input.Stamp, Beside: t.Input.Beside, Out: out, Output: t.Output, After: t.After,
		Setup: setup, Tool: tool,
	}
	switch {
	case t.Input.Local != "":
		err = fmt.Errorf("%.200s: models and archives in stores can't be queued: give --shard instead of --queue: %w", t.Input.Path, limit.ErrUsage)
	case j.In == "":
		j.In, err = filepath.Abs(t.Input.Path)
	}
	return j, err
}

// atOnce is the greatest number of messages that wait for confirmation.
const atOnce = 1000

// Submit puts tasks into a queue. A task is a problem if another job in the queue writes the same output, with other
// settings, from another map or for another version: the output would depend on which job ends last.
func Submit(ctx context.Context, o jobs.Queue, s *jobs.Setup, out string, tasks []batch.Task) (*jobs.Submitted, error) {
	q, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer q.conn.Close()
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	setup := hashOf(string(text))
	if _, err := q.setups.Put(ctx, setup, text); err != nil {
		return nil, queueError(err)
	}
	versions, err := q.otherVersions(ctx)
	if err != nil {
		return nil, queueError(err)
	}
	n := &jobs.Submitted{}
	for some := range slices.Chunk(tasks, atOnce) {
		all := make([]job, len(some))
		for i := range some {
			if all[i], err = newJob(&some[i], out, setup, q.tool); err != nil {
				return nil, err
			}
		}
		if err := q.publish(ctx, all, versions, n); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// otherVersions returns the subject prefixes of jobs in the queue for other versions.
func (q *queue) otherVersions(ctx context.Context) (all []string, err error) {
	consumers := q.stream.ListConsumers(ctx)
	for c := range consumers.Info() {
		prefix := strings.TrimSuffix(c.Config.FilterSubject, "*")
		if prefix != subjectOf(q.tool) && c.NumPending+uint64(c.NumAckPending) > 0 {
			all = append(all, prefix)
		}
	}
	return all, consumers.Err()
}

// publish puts jobs into the queue and counts the outcomes. A subject accepts no second message while it has one.
func (q *queue) publish(ctx context.Context, all []job, versions []string, n *jobs.Submitted) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 2*time.Minute, errors.New("no answer"))
	defer cancel()
	sent := make([]jetstream.PubAckFuture, len(all))
	for i := range all {
		output := hashOf(all[i].Out, all[i].Output)
		other, err := q.queued(ctx, versions, output)
		switch {
		case err != nil:
			return queueError(err)
		case other != nil:
			count(n, &all[i], other)
			continue
		}
		if sent[i], err = q.send(&all[i], output, 0); err != nil {
			return queueError(err)
		}
	}
	for i, f := range sent {
		if f == nil {
			continue
		}
		err := confirmed(ctx, f)
		if conflict(err) {
			err = q.instead(ctx, &all[i], n)
		} else if err == nil {
			n.New++
		}
		if err != nil {
			return queueError(err)
		}
	}
	return nil
}

// send publishes a job, if the last message of its subject has the number last; 0 means that there is no message.
func (q *queue) send(j *job, output string, last uint64) (jetstream.PubAckFuture, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	return q.js.PublishAsync(subjectOf(q.tool)+output, text, jetstream.WithExpectLastSequencePerSubject(last))
}

// confirmed waits until the server has stored a message.
func confirmed(ctx context.Context, f jetstream.PubAckFuture) error {
	select {
	case <-f.Ok():
		return nil
	case err := <-f.Err():
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// instead handles a job whose subject has a message already: it counts the job, or publishes it if that message has
// ended.
//
// When NATS 2.9 is killed, acknowledged messages may be in the stream again, and are never delivered.
func (q *queue) instead(ctx context.Context, j *job, n *jobs.Submitted) error {
	output := hashOf(j.Out, j.Output)
	info, err := q.consumer.Info(ctx)
	if err != nil {
		return err
	}
	m, err := q.stream.GetLastMsgForSubject(ctx, subjectOf(q.tool)+output)
	last := uint64(0)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
	case err != nil:
		return err
	case m.Sequence > info.AckFloor.Stream:
		other := &job{}
		_ = json.Unmarshal(m.Data, other) // a message that is not a job differs from any job
		count(n, j, other)
		return nil
	default:
		last = m.Sequence
	}
	f, err := q.send(j, output, last)
	if err == nil {
		err = confirmed(ctx, f)
	}
	if err == nil {
		n.New++
	} else if conflict(err) { // another submitter was faster
		n.Underway++
		err = nil
	}
	return err
}

// queued returns the queued job for an output, on a subject with one of the prefixes, or nil if there is none.
func (q *queue) queued(ctx context.Context, prefixes []string, output string) (*job, error) {
	for _, prefix := range prefixes {
		m, err := q.stream.GetLastMsgForSubject(ctx, prefix+output)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		j := &job{}
		_ = json.Unmarshal(m.Data, j) // a message that is not a job differs from any job
		return j, nil
	}
	return nil, nil
}

// conflict reports whether a message was not stored because its subject has one.
func conflict(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) &&
		(api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// count counts a job whose output is written by a job that is in the queue, which may be the same job.
func count(n *jobs.Submitted, j, other *job) {
	what := "with other settings"
	switch {
	case other.In == j.In && other.Setup == j.Setup && other.Tool == j.Tool:
		n.Underway++
		return
	case other.In != j.In:
		what = fmt.Sprintf("of %.200q", other.In)
	case other.Tool != j.Tool:
		what = "for " + other.Tool
	}
	n.Problems = append(n.Problems, batch.Problem{Path: j.In, Err: fmt.Errorf(
		"a job %s is in the queue that writes %.200q: wait until it has ended, or give another folder", what, j.Output)})
}
