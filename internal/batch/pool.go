package batch

import (
	"context"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// Pool runs jobs in worker processes. It is safe for concurrent use after Start.
type Pool struct {
	Command func() *exec.Cmd // a process that runs Serve on its standard input and output
	Setup   Setup
	Workers int           // the most processes
	Memory  int64         // bytes for all processes together; 0 is no cap
	Timeout time.Duration // of a job; 0 is none

	memory *semaphore.Weighted
	free   chan *slot
	ending chan struct{}
	end    sync.Once
}

// slot is the place of a process. It is empty before the first job, and after one that its process did not outlive.
type slot struct {
	number  int
	process *process
}

// Start makes the pool ready. Processes are started when they are needed.
func (p *Pool) Start() {
	p.free = make(chan *slot, p.Workers)
	for i := range p.Workers {
		p.free <- &slot{number: i}
	}
	p.memory = semaphore.NewWeighted(max(p.Memory, 1))
	p.ending = make(chan struct{})
}

// Do does a job when a process and the memory for it are free. Begun is called when it begins, with the number of the
// process; it may be nil. Alone gives the job all memory and waits until nothing else runs. The result is Canceled if ctx
// is done before it began, or End was called before it ended; a begun job does not heed ctx.
func (p *Pool) Do(ctx context.Context, j Job, size int64, alone bool, begun func(worker int)) Result {
	weight := min(Weight(size), p.Memory)
	if p.Memory > 0 {
		j.Memory = max(p.Memory/int64(p.Workers), weight)
		if alone {
			weight, j.Memory = p.Memory, p.Memory
		}
		if p.memory.Acquire(ctx, weight) != nil {
			return Result{ID: j.ID, Reason: Canceled}
		}
		defer p.memory.Release(weight)
	}
	var s *slot
	select {
	case s = <-p.free:
	case <-ctx.Done():
		return Result{ID: j.ID, Reason: Canceled}
	}
	defer func() { p.free <- s }()
	if ctx.Err() != nil { // select may choose either
		return Result{ID: j.ID, Reason: Canceled}
	}
	if begun != nil {
		begun(s.number)
	}
	if s.process == nil {
		var err error
		if s.process, err = startProcess(p.Command, &p.Setup); err != nil {
			return Result{ID: j.ID, Reason: Internal, Message: err.Error()}
		}
	}
	if j.Timeout == 0 {
		j.Timeout = p.Timeout
	}
	r, alive := s.process.do(&j, p.ending)
	if !alive {
		s.process = nil
	}
	return r
}

// End tells all jobs to end; those that don't are made to.
func (p *Pool) End() { p.end.Do(func() { close(p.ending) }) }

// Close waits for the jobs and ends the processes. Nothing may be handed to the pool any more.
func (p *Pool) Close() {
	var all sync.WaitGroup
	for range p.Workers {
		s := <-p.free
		all.Go(s.process.stop)
	}
	all.Wait()
}
