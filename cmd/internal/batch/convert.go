package batch

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Converter converts maps into a folder of outputs, for a batch or for a worker of a queue. It is safe for concurrent
// use.
type Converter struct {
	Setup    *Setup // as requested: records identify options by it
	Local    *Setup // with paths of this machine; nil uses the setup of the pool
	Tool     string
	Stores   Stores
	Timeout  time.Duration // of a map; 0 means none
	Pictures bool
	Outputs  Outputs
	Pool     *Pool
}

// Convert converts a map, keeps its output and its picture, and returns its record without storing it. If alone is
// set, nothing else runs meanwhile and no picture is drawn, because drawing may have taken too much memory. begun may
// be nil. The reason is Canceled only if ctx is done.
func (c *Converter) Convert(ctx context.Context, id int, t *Task, alone bool, begun func(worker int)) *Record {
	r, files := c.convert(ctx, id, t, alone, begun)
	if r.Reason == Canceled && ctx.Err() == nil { // only the worker process was stopped
		r.Reason, r.Message = Crash, "the worker process was ended"
	}
	rec := t.record(c.Tool)
	rec.SHA256, rec.Options, rec.Reason, rec.Message = r.SHA256, c.Setup.OptionsHash(), r.Reason, r.Message
	rec.Files, rec.Summary = files, r.Summary
	if rec.SHA256 == "" && r.Reason.Final() {
		o := Options{Setup: *c.Setup, Stores: c.Stores}
		rec.SHA256, _ = o.hash(ctx, &t.Input) // "" if it can't be read
	}
	return rec
}

// record returns the record of a task before its outcome.
func (t *Task) record(tool string) *Record {
	now := time.Now().UTC()
	if !t.After.IsZero() && !now.After(t.After) { // this clock was set back, or that of another machine is ahead
		now = t.After.Add(time.Millisecond)
	}
	return &Record{
		Time: now, Path: t.Input.Path, Source: absolute(t.Input.Path), Output: t.Output, Stamp: t.Input.Stamp, Tool: tool, Attempts: 1,
	}
}

// Failed returns the record of a task that could not begin.
func (t *Task) Failed(tool string, err error) *Record {
	r := t.record(tool)
	r.Reason, r.Message = ReasonOf(err), limit.Plain(err.Error())
	return r
}

// WithGames returns a setup whose options name local copies of game folders that are URLs. add adds folders to
// options.
func WithGames(ctx context.Context, s Setup, stores Stores, add func(options string, game []string) (string, error)) (Setup, error) {
	if len(s.Game) == 0 {
		return s, nil
	}
	folders := make([]string, len(s.Game))
	for i, g := range s.Game {
		var err error
		if folders[i], err = stores.Game(ctx, g); err != nil {
			return s, err
		}
	}
	var err error
	s.Options, err = add(s.Options, folders)
	return s, err
}

func (c *Converter) convert(ctx context.Context, id int, t *Task, alone bool, begun func(worker int)) (Result, []File) {
	failed := func(err error) (Result, []File) {
		r := Result{Reason: ReasonOf(err), Message: limit.Plain(err.Error())}
		if ctx.Err() != nil {
			r.Reason = Canceled
		}
		return r, nil
	}
	in, release, err := c.fetch(ctx, t)
	defer release()
	if err != nil {
		return failed(err)
	}
	place, err := c.Outputs.Place(t.Output)
	if err != nil {
		return failed(err)
	}
	defer place.Done()
	j := Job{ID: id, In: in, Out: place.Out, Timeout: c.Timeout, Picture: c.Pictures && !alone, Setup: c.Local}
	r := c.Pool.Do(ctx, j, t.Input.Size, alone, begun)
	if r.Reason != "" {
		return r, nil
	}
	// A finished conversion is kept even if the batch is ending.
	ctx = context.WithoutCancel(ctx)
	files, err := c.Outputs.Keep(ctx, place, r.Files)
	if err != nil {
		return failed(err)
	}
	c.Outputs.Picture(ctx, t.Output, r.Picture)
	return r, files
}

// fetch returns the path of a task's input on this machine, within the timeout of a map.
func (c *Converter) fetch(ctx context.Context, t *Task) (in string, release func(), err error) {
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Timeout)
		defer cancel()
	}
	o := Options{Setup: *c.Setup, Stores: c.Stores}
	return o.local(ctx, &t.Input)
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
