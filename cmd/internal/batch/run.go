package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
)

// Options holds the parameters of a batch.
type Options struct {
	Inputs   []Input
	Problems []Problem
	Dir      string // the output folder, a path or a URL
	Stores   Stores // for inputs and outputs in stores; nil if there are none
	Setup    Setup
	// Local returns the setup with paths of this machine instead of URLs of game folders. If it is nil, Setup is
	// used.
	Local    func(context.Context) (Setup, error)
	Tool     string // name and version
	Command  func() *exec.Cmd
	Workers  int
	Memory   int64         // bytes for all workers together; 0 means no limit
	Timeout  time.Duration // of a map; 0 means none
	Shard    Shard
	Force    bool // also convert maps that are done
	Verify   bool // compare contents instead of size and time
	FailFast bool // stop when the first map fails
	DryRun   bool // only plan
	Pictures bool // draw a small picture of each map, for the report
	// Queue puts the tasks into a queue for workers on other machines. If it is nil, they are converted here.
	Queue func(context.Context, *Plan) error
	Event func(Event)
}

// Event reports a batch's progress. One of its fields is set. Events arrive one at a time.
type Event struct {
	Planned *Plan   // before the first job
	Begun   *Begun  // a job began
	Retried *Record // a job failed for a reason that is not Final; it is tried again, alone, after the others
	Ended   *Record // a job ended
}

// Begun identifies a job that a worker has begun.
type Begun struct {
	Task   Task
	Worker int // from 0
}

// Tally is the outcome of a batch.
type Tally struct {
	Converted int
	Before    int       // maps that were converted before
	Failed    []*Record // sorted by Output; includes maps that failed before
	Left      int       // maps that were not tried or not finished
	Problems  []Problem

	// Of all converted maps: how many have missing materials, and the total of missing materials.
	Incomplete, Missing int
}

// Lacks counts the missing materials of a converted map.
func (t *Tally) Lacks(r *Record) {
	if r != nil && r.Summary != nil && r.Summary.Lacking > 0 {
		t.Incomplete++
		t.Missing += r.Summary.Lacking
	}
}

// batch is the state of Run.
type batch struct {
	asked   Options
	out     Outputs
	index   *Index
	convert Converter
	tally   Tally
	cancel  context.CancelCauseFunc

	mu    sync.Mutex // guards the fields below, the tally and the events
	again []retry
}

type retry struct {
	task  Task
	first *Record
}

var errFailFast = errors.New("a map failed")

// Run converts the inputs that are not up to date. Maps that fail are in the tally. The error is one of the whole
// batch: the output folder can't be written, or ctx is done. The manifest then has the maps that had ended.
func Run(ctx context.Context, o Options) (*Tally, error) {
	b := &batch{asked: o}
	b.tally.Problems = o.Problems
	b.asked.Inputs = slices.DeleteFunc(slices.Clone(o.Inputs), func(i Input) bool { return !o.Shard.Has(&i) })
	if b.asked.Event == nil {
		b.asked.Event = func(Event) {}
	}
	var err error
	if b.out, err = o.outputs(ctx); err != nil {
		return nil, err
	}
	defer b.out.Close()
	if b.index, err = ReadIndex(ctx, b.out); err != nil {
		kind := limit.ErrOutput
		if o.looks() {
			kind = limit.ErrInput
		}
		return nil, fmt.Errorf("%s: %w: %w", o.Dir, kind, outfile.Cause(err))
	}
	defer b.index.Close()
	if f, ok := b.out.(*Folder); ok && !o.looks() {
		if err := f.compact(b.index); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", o.Dir, limit.ErrOutput, outfile.Cause(err))
		}
	}
	plan, err := b.asked.plan(ctx, b.out, b.index)
	if err != nil {
		return nil, err
	}
	others := b.asked.otherMaps(ctx, b.out, b.index, plan)
	if others != nil && !o.DryRun {
		return nil, others
	}
	b.planned(plan)
	if o.Queue != nil && !o.DryRun {
		return &b.tally, o.Queue(ctx, plan)
	}
	if o.DryRun || len(plan.Tasks) == 0 {
		return &b.tally, others
	}
	return &b.tally, b.work(ctx, plan)
}

// looks reports whether the batch writes nothing itself.
func (o *Options) looks() bool { return o.DryRun || o.Queue != nil }

// outputs opens the folder of outputs.
func (o *Options) outputs(ctx context.Context) (Outputs, error) {
	switch {
	case o.looks():
	case IsURL(o.Dir) && o.Stores != nil:
		return o.Stores.Outputs(ctx, o.Dir, o.Shard, true)
	default:
		return OpenFolder(o.Dir, o.Shard, o.Pictures)
	}
	out, err := look(ctx, o.Dir, o.Stores)
	if errors.Is(err, ErrNoBatch) {
		return nothing{}, nil
	}
	return out, err
}

func (b *batch) planned(p *Plan) {
	b.tally.Before, b.tally.Left = p.Done, len(p.Tasks)
	b.tally.Incomplete, b.tally.Missing = p.incomplete, p.missing
	b.tally.Failed = append(b.tally.Failed, p.Refused...)
	b.asked.Event(Event{Planned: p})
}

// work runs the tasks in parallel, then retries failed ones one at a time.
func (b *batch) work(ctx context.Context, plan *Plan) error {
	ctx, b.cancel = context.WithCancelCause(ctx)
	defer b.cancel(nil)
	workers := max(1, min(b.asked.Workers, len(plan.Tasks)))
	setup := b.asked.Setup
	if b.asked.Local != nil {
		var err error
		if setup, err = b.asked.Local(ctx); err != nil {
			return err
		}
	}
	pool := &Pool{Command: b.asked.Command, Setup: setup, Workers: workers, Memory: b.asked.Memory}
	if f, ok := b.out.(*Folder); ok {
		pool.Folder = f.self
	}
	pool.Start(ctx)
	defer pool.Close()
	b.convert = Converter{
		Setup: &b.asked.Setup, Tool: b.asked.Tool, Stores: b.asked.Stores, Timeout: b.asked.Timeout, Pictures: b.asked.Pictures,
		Outputs: b.out, Pool: pool,
	}
	tasks := make(chan int)
	at := workers
	if b.asked.Stores != nil {
		at = 3 * workers // more than workers: while some maps are converted, others are fetched or stored
	}
	var all sync.WaitGroup
	for range at {
		all.Go(func() {
			for i := range tasks {
				b.do(ctx, i, plan.Tasks[i], nil)
			}
		})
	}
feed:
	for i := range plan.Tasks {
		select {
		case tasks <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(tasks)
	all.Wait()
	for i, r := range b.again {
		if ctx.Err() != nil {
			break
		}
		b.do(ctx, len(plan.Tasks)+i, r.task, r.first)
	}
	b.out.Tidy(b.tally.Failed)
	slices.SortFunc(b.tally.Failed, func(x, y *Record) int { return cmp.Compare(x.Output, y.Output) })
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errFailFast) {
		return cause
	}
	return b.out.Whole()
}

// do runs a task. first is the record of its failed first attempt, or nil. A retry runs alone.
func (b *batch) do(ctx context.Context, id int, t Task, first *Record) {
	if ctx.Err() != nil {
		return
	}
	record := b.convert.Convert(ctx, id, &t, first != nil, func(worker int) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.asked.Event(Event{Begun: &Begun{t, worker}})
	})
	if first != nil {
		record.Attempts = first.Attempts + 1
	}
	b.ended(ctx, t, record, first == nil)
}

// ended counts and records a result.
func (b *batch) ended(ctx context.Context, t Task, r *Record, mayRetry bool) {
	again := r.Reason == Crash || r.Reason == Timeout || r.Reason == Memory
	switch {
	case r.Reason == Canceled && ctx.Err() != nil:
		return
	case r.Reason == NoWrite && (strings.Contains(r.Message, syscall.ENOSPC.Error()) ||
		strings.Contains(r.Message, syscall.EDQUOT.Error())):
		// This is not the map's fault: all other maps would fail in the same way, and their failures could not be
		// recorded.
		if IsURL(b.asked.Dir) { // either the disk of this machine or the store may be full
			b.cancel(limit.Errorf(limit.ErrWrite, "%s", r.Message))
			return
		}
		b.cancel(fmt.Errorf("%s: %w: %w", b.asked.Dir, limit.ErrWrite, syscall.ENOSPC))
		return
	}
	if again && mayRetry {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.again = append(b.again, retry{t, r})
		b.asked.Event(Event{Retried: r})
		return
	}
	if err := b.out.Add(context.WithoutCancel(ctx), r); err != nil {
		b.cancel(err)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tally.Left--
	if r.Reason == "" {
		b.tally.Converted++
		b.tally.Lacks(r)
	} else {
		b.tally.Failed = append(b.tally.Failed, r)
		if b.asked.FailFast {
			b.cancel(errFailFast)
		}
	}
	b.asked.Event(Event{Ended: r})
}
