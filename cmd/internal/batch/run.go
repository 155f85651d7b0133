package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
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
	Dir      string // the output folder
	Setup    Setup
	Tool     string // name and version
	Command  func() *exec.Cmd
	Workers  int
	Memory   int64         // bytes for all workers together; 0 means no limit
	Timeout  time.Duration // of a map; 0 means none
	Shard    Shard
	Force    bool // also convert maps that are done
	Verify   bool // compare contents instead of size and time
	FailFast bool // stop at the first map that fails
	DryRun   bool // only plan
	Pictures bool // draw a small picture of each map, for the report
	Event    func(Event)
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
	Before    int       // maps that were done before
	Failed    []*Record // sorted by Output; includes those that were refused
	Left      int       // maps that were not tried or not finished
	Problems  []Problem

	// Counted over the maps that were converted, now or before: how many lack materials, and how many materials they lack together.
	Incomplete, Missing int
}

// Lacks counts the missing materials of a map that was converted.
func (t *Tally) Lacks(r *Record) {
	if r != nil && r.Summary != nil && r.Summary.Lacking > 0 {
		t.Incomplete++
		t.Missing += r.Summary.Lacking
	}
}

// batch is the state of Run.
type batch struct {
	asked    Options
	manifest *Manifest
	root     *os.Root
	pictures pictures
	pool     *Pool
	tally    Tally
	options  string // hash of the options
	cancel   context.CancelCauseFunc

	mu    sync.Mutex // guards the fields below, the tally, the manifest and the events
	again []retry
}

type retry struct {
	task  Task
	first *Record
}

var errFailFast = errors.New("a map failed")

// Run converts the inputs that are not done. Maps that fail are in the tally. The error concerns the batch as a whole:
// the output folder can't be written, or ctx is done. The manifest then holds the maps that had ended.
func Run(ctx context.Context, o Options) (*Tally, error) {
	b := &batch{asked: o, options: o.Setup.OptionsHash()}
	b.tally.Problems = o.Problems
	b.asked.Inputs = slices.DeleteFunc(slices.Clone(o.Inputs), func(i Input) bool { return !o.Shard.Has(&i) })
	if b.asked.Event == nil {
		b.asked.Event = func(Event) {}
	}
	if o.DryRun {
		return b.rehearse(ctx)
	}
	var err error
	if b.manifest, err = OpenManifest(o.Dir, o.Shard); err != nil {
		return nil, err
	}
	defer b.manifest.Close()
	if b.root, err = os.OpenRoot(o.Dir); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", o.Dir, limit.ErrOutput, outfile.Cause(err))
	}
	defer b.root.Close()
	if b.pictures, err = openPictures(b.manifest.state, o.Pictures); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", o.Dir, limit.ErrOutput, outfile.Cause(err))
	}
	defer b.pictures.close()
	b.sweep(".")
	plan, err := b.asked.plan(ctx, b.manifest)
	if err != nil {
		return nil, err
	}
	if err := b.asked.otherMaps(ctx, b.manifest, plan); err != nil {
		return nil, err
	}
	b.planned(plan)
	if len(plan.Tasks) == 0 {
		return &b.tally, nil
	}
	return &b.tally, b.work(ctx, plan)
}

// rehearse plans without writing anything.
func (b *batch) rehearse(ctx context.Context) (*Tally, error) {
	m := &Manifest{Dir: b.asked.Dir, Records: map[string]*Record{}}
	defer m.Close()
	var err error
	if m.state, err = openState(b.asked.Dir, false); err == nil {
		err = m.read()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: %w", b.asked.Dir, limit.ErrInput, outfile.Cause(err))
	}
	plan, err := b.asked.plan(ctx, m)
	if err != nil {
		return nil, err
	}
	b.planned(plan)
	return &b.tally, b.asked.otherMaps(ctx, m, plan)
}

func (b *batch) planned(p *Plan) {
	b.tally.Before, b.tally.Left = len(p.Done), len(p.Tasks)
	b.tally.Failed = append(b.tally.Failed, p.Refused...)
	for _, r := range p.Done {
		b.tally.Lacks(r)
	}
	b.asked.Event(Event{Planned: p})
}

// work runs the tasks in parallel, then retries failed ones one by one.
func (b *batch) work(ctx context.Context, plan *Plan) error {
	ctx, b.cancel = context.WithCancelCause(ctx)
	defer b.cancel(nil)
	workers := max(1, min(b.asked.Workers, len(plan.Tasks)))
	b.pool = &Pool{Command: b.asked.Command, Setup: b.asked.Setup, Workers: workers, Memory: b.asked.Memory, Timeout: b.asked.Timeout}
	b.pool.Start(ctx)
	defer b.pool.Close()
	tasks := make(chan int)
	var all sync.WaitGroup
	for range workers {
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
	b.tidy()
	b.sweep(".") // again: a process that was killed just before the batch began may have taken a while to die
	slices.SortFunc(b.tally.Failed, func(x, y *Record) int { return cmp.Compare(x.Output, y.Output) })
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errFailFast) {
		return cause
	}
	return nil
}

// do runs a task. First is the record of the failed first attempt, or nil. A retry runs alone.
func (b *batch) do(ctx context.Context, id int, t Task, first *Record) {
	if ctx.Err() != nil {
		return
	}
	var r Result
	if err := b.makeFolder(t.Output); err != nil {
		r = Result{Reason: NoOutput, Message: err.Error()}
	} else {
		j := Job{ID: id, In: t.Input.Path, Out: filepath.Join(b.asked.Dir, filepath.FromSlash(t.Output))}
		j.Picture = b.asked.Pictures && first == nil // a retry draws no picture: drawing may have taken too much memory
		r = b.pool.Do(ctx, j, t.Input.Size, first != nil, func(worker int) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.asked.Event(Event{Begun: &Begun{t, worker}})
		})
		if r.Reason == "" {
			b.pictures.keep(t.Output, r.Picture) // without one, that of an earlier conversion goes
		}
	}
	record := b.record(t, r)
	if first != nil {
		record.Attempts = first.Attempts + 1
	}
	if r.Reason != "" {
		outfile.Sweep(b.root, filepath.Dir(filepath.FromSlash(t.Output)))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended(ctx, t, record, first == nil)
}

// ended counts and records a result. The caller holds the lock.
func (b *batch) ended(ctx context.Context, t Task, r *Record, mayRetry bool) {
	again := r.Reason == Crash || r.Reason == Timeout || r.Reason == Memory
	switch {
	case r.Reason == Canceled && ctx.Err() != nil:
		return
	case r.Reason == Canceled: // only the worker itself was stopped
		r.Reason, r.Message = Crash, "the worker process was ended"
		again = true
	case r.Reason == NoWrite && (strings.Contains(r.Message, syscall.ENOSPC.Error()) ||
		strings.Contains(r.Message, syscall.EDQUOT.Error())):
		// This is not the map's fault: the other maps would fail the same way, and their failures could not be
		// recorded.
		b.cancel(fmt.Errorf("%s: %w: %w", b.asked.Dir, limit.ErrWrite, syscall.ENOSPC))
		return
	}
	if again && mayRetry {
		b.again = append(b.again, retry{t, r})
		b.asked.Event(Event{Retried: r})
		return
	}
	if err := b.manifest.Add(r); err != nil {
		b.cancel(err)
		return
	}
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

// record returns the record of a result.
func (b *batch) record(t Task, r Result) *Record {
	rec := &Record{
		Time: time.Now().UTC(), Path: t.Input.Path, Source: absolute(t.Input.Path), Output: t.Output, SHA256: r.SHA256,
		Stamp: t.Input.Stamp, Options: b.options,
		Tool: b.asked.Tool, Reason: r.Reason, Message: r.Message, Attempts: 1, Summary: r.Summary,
	}
	if rec.SHA256 == "" && r.Reason.Final() {
		rec.SHA256, _ = HashInput(t.Input.Path, limit.NewBudget(b.asked.Setup.Limits)) // "" if it can't be read
	}
	if r.Reason != "" {
		return rec
	}
	for _, name := range r.Files {
		f, err := FileOf(b.asked.Dir, name)
		if err != nil {
			rec.Reason, rec.Message, rec.Files = NoWrite, err.Error(), nil
			return rec
		}
		rec.Files = append(rec.Files, f)
	}
	return rec
}

// FileOf describes a file that was written below dir.
func FileOf(dir, name string) (File, error) {
	rel, err := filepath.Rel(dir, name)
	if err != nil {
		return File{}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return File{}, err
	}
	sum, err := hashFile(name)
	return File{filepath.ToSlash(rel), sum, stampOf(info)}, err
}

// makeFolder creates the folder of an output. A symbolic link that leads out of the output folder is an error.
func (b *batch) makeFolder(output string) error {
	dir := path.Dir(output)
	if dir == "." {
		return nil
	}
	if err := b.root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
		return fmt.Errorf("%s: %w: %w", filepath.Join(b.asked.Dir, filepath.FromSlash(dir)), limit.ErrOutput, outfile.Cause(err))
	}
	return nil
}

// tidy removes the empty folders that were created for maps that failed.
func (b *batch) tidy() {
	for _, r := range b.tally.Failed {
		for dir := path.Dir(r.Output); dir != "."; dir = path.Dir(dir) {
			if b.root.Remove(filepath.FromSlash(dir)) != nil {
				break
			}
		}
	}
}

// sweep removes the temporary files that killed processes on this machine left below a folder.
func (b *batch) sweep(dir string) {
	_ = fs.WalkDir(b.root.FS(), dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			outfile.Sweep(b.root, filepath.FromSlash(p))
		}
		return nil
	})
}
