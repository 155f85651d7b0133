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
	Pending uint64               `json:"pending"`           // messages not delivered to a worker
	Leased  int                  `json:"leased"`            // messages delivered and not yet acknowledged
	Jobs    []Status             `json:"jobs,omitempty"`
}

// Overview returns the state of the queue. If jobs is set, it includes every job, sorted by output.
func (q *Queue) Overview(ctx context.Context, jobs bool) (*Overview, error) {
	o := &Overview{Counts: map[State]int{Queued: 0, Running: 0, Done: 0, Failed: 0}, Reasons: map[batch.Reason]int{}}
	info, err := q.consumer.Info(ctx)
	if err != nil {
		return nil, unreachable(err)
	}
	o.Pending, o.Leased = info.NumPending, info.NumAckPending
	err = q.each(ctx, func(_ string, v *value, _ uint64) {
		o.Total++
		o.Counts[v.State]++
		if v.State == Failed && v.Record != nil {
			o.Reasons[v.Record.Reason]++
		}
		if jobs {
			o.Jobs = append(o.Jobs, v.Status)
		}
	})
	slices.SortFunc(o.Jobs, func(a, b Status) int {
		return cmp.Or(cmp.Compare(a.Job.Out, b.Job.Out), cmp.Compare(a.Job.Output, b.Job.Output), a.Time.Compare(b.Time))
	})
	return o, err
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
