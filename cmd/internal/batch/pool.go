package batch

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// Pool runs jobs in worker processes. It is safe for concurrent use after Start.
type Pool struct {
	Command func() *exec.Cmd // starts a process that runs Serve on its standard input and output
	Setup   Setup
	Workers int      // maximum number of processes
	Memory  int64    // bytes for all processes together; 0 means no limit
	Folder  *os.File // the working folder of all processes; nil means the current one

	memory *semaphore.Weighted
	free   chan *slot
	ending chan struct{} // closed when all jobs must end
	stop   func() bool   // stops watching the context
}

// drain is how long jobs may continue after the context is done. Then they are cancelled, and killed if they don't
// end.
const drain = 2 * time.Second

// slot holds a process. It is empty before the first job and after a job that ended the process.
type slot struct {
	number  int
	process *process
}

// Start makes the pool ready. Do starts the processes when they are needed. Two seconds after ctx is done, all jobs
// are cancelled, and processes whose jobs don't end are killed.
func (p *Pool) Start(ctx context.Context) {
	p.Workers = min(p.Workers, startable())
	p.free = make(chan *slot, p.Workers)
	for i := range p.Workers {
		p.free <- &slot{number: i}
	}
	p.memory = semaphore.NewWeighted(max(p.Memory, 1))
	p.ending = make(chan struct{})
	p.stop = context.AfterFunc(ctx, func() { time.AfterFunc(drain, func() { close(p.ending) }) })
}

// Do waits until a process and enough memory are free, then runs the job. It calls begun, if not nil, with the number
// of the process when the job begins. If alone is set, it waits until nothing else runs and gives the job all memory.
// The result is Canceled if ctx is done before the job begins, or if the pool ends before the job does. A job that
// has begun ignores ctx.
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
	if ctx.Err() != nil { // if both are ready, select chooses at random
		return Result{ID: j.ID, Reason: Canceled}
	}
	if begun != nil {
		begun(s.number)
	}
	if s.process == nil {
		var err error
		if s.process, err = startProcess(p.Command, &p.Setup, p.Folder); err != nil {
			return Result{ID: j.ID, Reason: Internal, Message: err.Error()}
		}
	}
	r, alive := s.process.do(&j, p.ending)
	if !alive {
		s.process = nil
	}
	return r
}

// Close waits for the jobs and ends the processes. Do must not be called afterwards.
func (p *Pool) Close() {
	p.stop()
	var all sync.WaitGroup
	for range p.Workers {
		s := <-p.free
		all.Go(s.process.stop)
	}
	all.Wait()
}
