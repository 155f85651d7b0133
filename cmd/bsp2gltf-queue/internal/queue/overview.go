package queue

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// Overview returns the state of the queue. With all it includes every job, sorted by output.
func (q *Queue) Overview(ctx context.Context, all bool) (*jobs.Overview, error) {
	o := &jobs.Overview{
		Counts:  map[jobs.State]int{jobs.Queued: 0, jobs.Running: 0, jobs.Done: 0, jobs.Failed: 0},
		Reasons: map[batch.Reason]int{}, Waiting: map[string]int{},
	}
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
		if v.State == jobs.Failed && v.Record != nil {
			o.Reasons[v.Record.Reason]++
		}
		if v.State == jobs.Queued {
			o.Waiting[v.Job.Tool]++
		}
		if all {
			o.Jobs = append(o.Jobs, v.Status)
		}
	}
	// No status says that a worker has the job: the server knows how many they have.
	o.Counts[jobs.Running] = min(o.Leased, o.Counts[jobs.Queued])
	o.Counts[jobs.Queued] -= o.Counts[jobs.Running]
	slices.SortFunc(o.Jobs, func(a, b jobs.Status) int {
		return cmp.Or(cmp.Compare(a.Job.Out, b.Job.Out), cmp.Compare(a.Job.Output, b.Job.Output), a.Time.Compare(b.Time))
	})
	return o, nil
}

// messages counts the messages that wait, and those that workers have.
func (q *Queue) messages(ctx context.Context, o *jobs.Overview) error {
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
