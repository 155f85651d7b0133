package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/nolink"
)

// Worker takes jobs from a queue.
type Worker struct {
	Name       string // for people: the machine and process
	Command    func() *exec.Cmd
	Jobs       int    // run at a time
	Memory     int64  // bytes for all jobs together; 0 means no limit
	Scratch    string // folder for fetched files and outputs that are not stored yet
	Cache      string // folder of the image cache; "" means none
	CacheMax   int64
	UntilEmpty bool // end when the queue has no jobs, instead of waiting for more
	// WithGames returns the options with game folders added before those that they list.
	WithGames func(options string, game []string) (string, error)
	Event     func(*Status) // called after each attempt, one call at a time
}

// attempts is how often a job is tried that fails for a reason that is not Final, or whose worker died.
const attempts = 5

// waits holds the pauses before the next attempt.
var waits = []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second}

// drain is how long running jobs may continue when the worker is stopped.
const drain = 2 * time.Second

// work is the state of Work.
type work struct {
	Worker
	q      *Queue
	pool   *batch.Pool
	stores stores
	games  games
	number atomic.Int64   // counts jobs
	ends   errgroup.Group // stores the outcomes of jobs while the next jobs run

	mu     sync.Mutex
	setups map[string]*Setup
	local  map[string]string // local options by what they were made from
}

// Work runs jobs until ctx is done or, with UntilEmpty, until the queue has none. Unfinished jobs then go back to
// the queue.
func (q *Queue) Work(ctx context.Context, w Worker) error {
	k := &work{Worker: w, q: q, setups: map[string]*Setup{}, local: map[string]string{}}
	if err := makeScratch(w.Scratch); err != nil {
		return fmt.Errorf("%s: %w: %w", w.Scratch, limit.ErrOutput, err)
	}
	k.games = games{dir: filepath.Join(w.Scratch, "games"), stores: &k.stores}
	defer k.stores.close()
	k.pool = &batch.Pool{Command: w.Command, Workers: w.Jobs, Memory: w.Memory}
	k.pool.Start()
	defer k.pool.Close()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-ctx.Done():
		case <-ended:
			return
		}
		select {
		case <-time.After(drain):
			k.pool.End()
		case <-ended:
		}
	}()
	k.ends.SetLimit(4 * max(w.Jobs, 1))
	var all sync.WaitGroup
	for range w.Jobs {
		all.Go(func() { k.take(ctx) })
	}
	all.Wait()
	_ = k.ends.Wait() // its functions don't fail
	return context.Cause(ctx)
}

// makeScratch makes the folders for fetched files and outputs. It fails if one of them is a link: somebody else has prepared it.
func makeScratch(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range []string{"in", "out", "games"} {
		folder, err := nolink.Folder(root, name, true, 0o755)
		if err != nil {
			return err
		}
		folder.Close()
	}
	return nil
}

// take takes jobs from the queue and runs them, one at a time.
func (w *work) take(ctx context.Context) {
	const patience = 2 * time.Second
	for ctx.Err() == nil {
		got := false
		messages, err := w.q.consumer.Fetch(1, jetstream.FetchMaxWait(patience))
		if err == nil {
			for m := range messages.Messages() {
				got = true
				w.handle(ctx, m)
			}
		}
		if !got && w.UntilEmpty && w.q.idle(ctx) {
			return
		}
		if err != nil { // the queue can't be reached; the connection recovers by itself
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
	}
}

// handle runs the job of a message.
func (w *work) handle(ctx context.Context, m jetstream.Msg) {
	var j Job
	meta, err := m.Metadata()
	if err != nil || json.Unmarshal(m.Data(), &j) != nil || j.ID == "" {
		_ = m.Term() // otherwise it would be delivered again
		return
	}
	id := m.Headers().Get(jetstream.MsgIDHeader)
	old := w.status(j.ID)
	if old != nil && (old.State == Done || old.State == Failed) && old.Message == id { // the acknowledgement was lost
		_ = acknowledge(m)
		return
	}
	beat := w.heartbeat(m)
	v := &value{Status{State: Running, Job: j, Worker: w.Name, Attempt: int(meta.NumDelivered)}, id}
	if v.Attempt > attempts {
		v.State, v.Record = Failed, &batch.Record{Path: j.In, Output: j.Output, Reason: batch.Crash, Attempts: v.Attempt - 1,
			Message: fmt.Sprintf("%d workers that had it died or lost the queue", v.Attempt-1), Time: time.Now().UTC()}
		if old != nil && old.Record != nil {
			v.Record = old.Record
		}
		if w.put(v, 0) != 0 {
			_ = acknowledge(m)
			w.tell(v)
		}
		beat()
		return
	}
	// Don't wait for the queue's answers: they take as long as a small map.
	running, begun := *v, make(chan uint64, 1)
	go func() { begun <- w.put(&running, 0) }()
	v.Record = w.convert(ctx, &j)
	v.Record.Attempts = v.Attempt
	w.ends.Go(func() error {
		defer beat()
		if revision := <-begun; revision != 0 { // otherwise it is delivered again when the lease is over
			w.settle(ctx, m, v, revision)
		}
		return nil
	})
}

// settle stores the outcome of a job, then answers its message.
func (w *work) settle(ctx context.Context, m jetstream.Msg, v *value, revision uint64) {
	r := v.Record
	var answer func() error
	switch {
	case r.Reason == "":
		v.State = Done
		answer = func() error { return acknowledge(m) }
	case r.Reason == batch.Canceled && ctx.Err() != nil: // not the job's fault
		v.State, v.Record = Queued, nil
		answer = m.Nak
	case r.Reason.Final() || v.Attempt >= attempts:
		v.State = Failed
		answer = func() error { return acknowledge(m) }
	default:
		v.State = Queued
		answer = func() error { return m.NakWithDelay(waits[min(v.Attempt, len(waits))-1]) }
	}
	// put fails if another worker has received the job since and stored a status: then ours is out of date.
	if w.put(v, revision) == 0 {
		return
	}
	_ = answer() // if it is lost, the job is delivered again and found to be done
	if v.Record != nil {
		w.tell(v)
	}
}

// acknowledge removes the message of a job that has an outcome, good or bad, and waits until the server has done so. A failed
// job is not terminated with its reason instead: NATS before 2.10.4 ignores that, and delivers the message again for ever.
func acknowledge(m jetstream.Msg) error { return m.DoubleAck(context.Background()) }

func (w *work) tell(v *value) {
	if w.Event != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.Event(&v.Status)
	}
}

// heartbeat renews the lease of a job until the function that it returns is called.
func (w *work) heartbeat(m jetstream.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		tick := time.NewTicker(w.q.options.Lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = m.InProgress() // the next one may succeed
			case <-ctx.Done():
				return
			}
		}
	}()
	return cancel
}

// status returns the stored status of a job, or nil.
func (w *work) status(id string) *value {
	var v *value
	w.persist(func(ctx context.Context) error {
		e, err := w.q.status.Get(ctx, id)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		if err == nil {
			v = &value{}
			err = json.Unmarshal(e.Value(), v)
		}
		return err
	})
	return v
}

// put stores the status of a job and returns its revision, or 0 if it was not stored. If last is not 0, put stores the
// status only if last is still the latest revision.
func (w *work) put(v *value, last uint64) (revision uint64) {
	v.Time = time.Now().UTC()
	text, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	w.persist(func(ctx context.Context) error {
		var err error
		if last == 0 {
			revision, err = w.q.status.Put(ctx, v.Job.ID, text)
			return err
		}
		revision, err = w.q.status.Update(ctx, v.Job.ID, text, last)
		var api *jetstream.APIError
		if errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
			// The stored value may be ours, whose answer was lost, or another worker's.
			if e, err := w.q.status.Get(ctx, v.Job.ID); err == nil && string(e.Value()) == string(text) {
				revision = e.Revision()
			}
			return nil
		}
		return err
	})
	return revision
}

// persist repeats f until it succeeds, for up to two minutes, because calls fail while a node of the queue
// restarts.
func (w *work) persist(f func(context.Context) error) {
	end := time.Now().Add(2 * time.Minute)
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		err := f(ctx)
		cancel()
		if err == nil || time.Now().After(end) {
			return
		}
		time.Sleep(wait)
	}
}

// setup returns the setup of a job with local options: it fetches the game folders.
func (w *work) setup(ctx context.Context, key string) (*Setup, error) {
	w.mu.Lock()
	s := w.setups[key]
	w.mu.Unlock()
	if s == nil {
		e, err := w.q.setups.Get(ctx, key)
		if err != nil {
			return nil, unreachable(err)
		}
		s = &Setup{}
		if err := json.Unmarshal(e.Value(), s); err != nil {
			return nil, fmt.Errorf("the job's options: %w: %w", limit.ErrUsage, err)
		}
		w.mu.Lock()
		w.setups[key] = s
		w.mu.Unlock()
	}
	local := *s
	local.Cache, local.CacheMax = w.Cache, w.CacheMax
	if len(s.Game) == 0 {
		return &local, nil
	}
	folders := make([]string, len(s.Game))
	for i, g := range s.Game {
		var err error
		if folders[i], err = w.games.folder(ctx, g); err != nil {
			return nil, err
		}
	}
	id := fmt.Sprint(key, folders)
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.local[id]; !ok {
		text, err := w.WithGames(s.Options, folders)
		if err != nil {
			return nil, err
		}
		w.local[id] = text
	}
	local.Options = w.local[id]
	return &local, nil
}

// convert runs a job and returns its record.
func (w *work) convert(ctx context.Context, j *Job) *batch.Record {
	r := &batch.Record{Path: j.In, Output: j.Output, SHA256: j.SHA256, Options: j.Setup}
	fail := func(err error) *batch.Record {
		r.Time, r.Reason, r.Message = time.Now().UTC(), batch.ReasonOf(err), err.Error()
		if ctx.Err() != nil {
			r.Reason = batch.Canceled
		}
		return r
	}
	setup, err := w.setup(ctx, j.Setup)
	if err != nil {
		return fail(err)
	}
	r.Tool = setup.Tool
	in, clean, err := w.fetch(ctx, j, setup)
	defer clean()
	if err != nil {
		return fail(err)
	}
	out, dir, remote, err := w.place(j)
	if err != nil {
		return fail(err)
	}
	if remote {
		defer func() { _ = os.RemoveAll(dir) }() // leftovers are only scratch files
	}
	if err := makeFolder(dir, path.Dir(j.Output)); err != nil {
		return fail(err)
	}
	bj := batch.Job{ID: int(w.number.Add(1)), In: in, Out: out, Timeout: setup.Timeout, Setup: &setup.Setup}
	result := w.pool.Do(ctx, bj, j.Size, false, nil)
	r.Time, r.Reason, r.Message, r.Summary = time.Now().UTC(), result.Reason, result.Message, result.Summary
	if result.SHA256 != "" {
		r.SHA256 = result.SHA256
	}
	if r.Reason == batch.Canceled && ctx.Err() == nil {
		r.Reason, r.Message = batch.Crash, "the worker process was ended"
	}
	if r.Reason != "" {
		return r
	}
	for _, name := range result.Files {
		f, err := batch.FileOf(dir, name)
		if err != nil {
			return fail(err)
		}
		r.Files = append(r.Files, f)
	}
	if remote {
		if err := w.store(context.WithoutCancel(ctx), j, dir, r.Files); err != nil {
			r.Files = nil
			return fail(err)
		}
	}
	return r
}

// fetch returns the path of a job's map on disk, and downloads the map if necessary.
func (w *work) fetch(ctx context.Context, j *Job, s *Setup) (name string, clean func(), err error) {
	if !IsURL(j.In) {
		return j.In, func() {}, nil
	}
	dir, err := os.MkdirTemp(filepath.Join(w.Scratch, "in"), "map-")
	if err != nil {
		return "", func() {}, err
	}
	_, key, err := split(j.In)
	name = filepath.Join(dir, path.Base(key))
	if err == nil {
		err = w.stores.fetch(ctx, j.In, name, s.Limits.OrDefaults().MaxFile)
	}
	return name, func() { _ = os.RemoveAll(dir) }, err
}

// place returns the path to which a job's output is written, and the folder that its name is relative to. Remote reports
// whether the output must then be copied to a store.
func (w *work) place(j *Job) (out, dir string, remote bool, err error) {
	dir, local := folderOf(j.Out)
	if !local { // a name that nobody can know before
		if dir, err = os.MkdirTemp(filepath.Join(w.Scratch, "out"), fmt.Sprintf("%.16s-%d-", j.ID, os.Getpid())); err != nil {
			return "", "", false, fmt.Errorf("%w: %w", limit.ErrOutput, err)
		}
	}
	return filepath.Join(dir, filepath.FromSlash(j.Output)), dir, !local, nil
}

// makeFolder creates a folder below dir and never outside it.
func makeFolder(dir, name string) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var root *os.Root
		if root, err = os.OpenRoot(dir); err == nil {
			err = root.MkdirAll(filepath.FromSlash(name), 0o755)
			root.Close()
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", dir, limit.ErrOutput, err)
	}
	return nil
}

// store copies the files of an output to its store, the main file last.
func (w *work) store(ctx context.Context, j *Job, dir string, files []batch.File) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	b, prefix, err := w.stores.folder(ctx, j.Out)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := put(ctx, b, prefix+f.Name, filepath.Join(dir, filepath.FromSlash(f.Name)), f.SHA256); err != nil {
			return err
		}
	}
	return nil
}
