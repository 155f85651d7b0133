package queue

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/batch"
)

// Overview is the state of a queue.
type Overview struct {
	Total   int                  `json:"total"`
	Counts  map[State]int        `json:"counts"`
	Reasons map[batch.Reason]int `json:"reasons,omitempty"` // of failed jobs
	Waiting map[string]int       `json:"waiting,omitempty"` // jobs that are queued or running, by the tool that must run them
	Pending uint64               `json:"pending"`           // messages not delivered to a worker
	Leased  int                  `json:"leased"`            // messages delivered and not yet acknowledged
	Jobs    []Status             `json:"jobs,omitempty"`
}

// Overview returns the state of the queue. If jobs is set, it includes every job, sorted by output.
func (q *Queue) Overview(ctx context.Context, jobs bool) (*Overview, error) {
	o := &Overview{Counts: map[State]int{Queued: 0, Running: 0, Done: 0, Failed: 0}, Reasons: map[batch.Reason]int{}, Waiting: map[string]int{}}
	if err := q.messages(ctx, o); err != nil {
		return nil, unreachable(err)
	}
	statuses, err := q.statuses(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range statuses {
		v := &e.value
		o.Total++
		o.Counts[v.State]++
		if v.State == Failed && v.Record != nil {
			o.Reasons[v.Record.Reason]++
		}
		if v.State == Queued || v.State == Running {
			o.Waiting[v.Job.Tool]++
		}
		if jobs {
			o.Jobs = append(o.Jobs, v.Status)
		}
	}
	slices.SortFunc(o.Jobs, func(a, b Status) int {
		return cmp.Or(cmp.Compare(a.Job.Out, b.Job.Out), cmp.Compare(a.Job.Output, b.Job.Output), a.Time.Compare(b.Time))
	})
	return o, nil
}

// messages counts the messages that wait, and those that workers have.
func (q *Queue) messages(ctx context.Context, o *Overview) error {
	if q.stream == nil {
		return nil
	}
	consumers := q.stream.ListConsumers(ctx)
	for info := range consumers.Info() {
		o.Pending += info.NumPending
		o.Leased += info.NumAckPending
	}
	return consumers.Err()
}

// Records returns the records of the jobs that have ended.
func (o *Overview) Records() []*batch.Record {
	var all []*batch.Record
	for i := range o.Jobs {
		if s := &o.Jobs[i]; (s.State == Done || s.State == Failed) && s.Record != nil {
			all = append(all, s.Record)
		}
	}
	return all
}

// Empty reports whether every job has ended.
func (o *Overview) Empty() bool { return o.Counts[Queued]+o.Counts[Running] == 0 }

// idle reports whether the workers have nothing to do: every message was delivered and acknowledged.
//
// The stream's messages say less: when NATS 2.9 is killed, messages that were acknowledged may be in the stream again, and are never
// delivered.
func (q *Queue) idle(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	info, err := q.consumer.Info(ctx)
	return err == nil && info.NumPending == 0 && info.NumAckPending == 0
}
