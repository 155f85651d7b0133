package queue

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// converter runs the jobs of a worker: it fetches maps, converts them in the pool, and stores outputs.
type converter struct {
	tool     string
	scratch  string // folder of this process
	setups   *setups
	allowIn  places
	allowOut places
	stores   *stores
	pool     *batch.Pool
	number   atomic.Int64 // counts jobs and scratch folders
}

// newConverter returns the converter of a worker whose setups are in a bucket. It fails with ErrUsage if the worker allows what is no
// place.
func newConverter(w jobs.Worker, tool, scratch string, bucket jetstream.KeyValue, pool *batch.Pool) (*converter, error) {
	c := &converter{tool: tool, scratch: scratch, stores: &stores{}, pool: pool}
	var err error
	if c.allowIn, err = parsePlaces(w.AllowIn); err != nil {
		return nil, err
	}
	if c.allowOut, err = parsePlaces(w.AllowOut); err != nil {
		return nil, err
	}
	c.setups = &setups{
		bucket: bucket, tool: tool, cache: w.Cache, cacheMax: w.CacheMax, allowIn: c.allowIn, withGames: w.WithGames, reads: w.Reads,
		games:   games{dir: filepath.Join(w.Scratch, gamesDir), temp: scratch, stores: c.stores},
		fetched: map[string]*jobs.Setup{}, local: map[string]string{},
	}
	return c, nil
}

// may returns an error if a job names places that jobs may not read from or write to.
func (c *converter) may(j *jobs.Job) error {
	if err := c.allowIn.check(j.In, "read", "--allow-in"); err != nil {
		return err
	}
	return c.allowOut.check(j.Out, "write to", "--allow-out")
}

// convert runs a job.
func (c *converter) convert(ctx context.Context, j *jobs.Job) outcome {
	r := &batch.Record{Path: j.In, Output: j.Output, SHA256: j.SHA256, Options: j.Setup, Tool: c.tool}
	fail := func(err error) outcome {
		r.Time, r.Reason, r.Message = time.Now().UTC(), batch.ReasonOf(err), textOf(err)
		if ctx.Err() != nil {
			r.Reason = batch.Canceled
		}
		return outcome{record: r}
	}
	if err := c.may(j); err != nil {
		return fail(err)
	}
	setup, err := c.setups.get(ctx, j.Setup)
	if err != nil {
		return fail(err)
	}
	in, clean, err := c.fetch(ctx, j, setup)
	defer clean()
	if err != nil {
		return fail(err)
	}
	out, dir, remote := c.place(j)
	if remote {
		defer func() { _ = os.RemoveAll(dir) }() // leftovers are only scratch files
	}
	if err := makeFolder(dir, path.Dir(j.Output)); err != nil {
		return fail(err)
	}
	bj := batch.Job{ID: int(c.number.Add(1)), In: in, Out: out, Timeout: setup.Timeout, Setup: &setup.Setup}
	result := c.pool.Do(ctx, bj, j.Size, false, nil)
	r.Time, r.Reason, r.Message, r.Summary = time.Now().UTC(), result.Reason, result.Message, result.Summary
	if result.SHA256 != "" {
		r.SHA256 = result.SHA256
	}
	if r.Reason == batch.Canceled && ctx.Err() == nil {
		r.Reason, r.Message = batch.Crash, "the worker process was ended"
	}
	if r.Reason != "" {
		return outcome{record: r}
	}
	var files []batch.File // the main file last
	for _, name := range result.Files {
		f, err := batch.FileOf(dir, name)
		if err != nil {
			return fail(err)
		}
		files = append(files, f)
	}
	list, files, err := keepList(ctx, dir, j.Output, files)
	if err != nil {
		return fail(err)
	}
	if remote {
		if err := c.store(context.WithoutCancel(ctx), j, dir, files); err != nil {
			return fail(err)
		}
	}
	if list.Name == "" {
		r.Files = files
	}
	return outcome{r, list}
}

// fetch returns the path of a job's map on disk, and downloads the map if necessary.
func (c *converter) fetch(ctx context.Context, j *jobs.Job, s *jobs.Setup) (name string, clean func(), err error) {
	if !jobs.IsURL(j.In) {
		return j.In, func() {}, nil
	}
	dir, err := os.MkdirTemp(filepath.Join(c.scratch, "in"), "map-")
	if err != nil {
		return "", func() {}, err
	}
	_, key, err := split(j.In)
	name = filepath.Join(dir, path.Base(key))
	if err == nil {
		err = c.stores.fetch(ctx, j.In, name, s.Limits.OrDefaults().MaxFile)
	}
	return name, func() { _ = os.RemoveAll(dir) }, err
}

// place returns the path to which a job's output is written, and the folder that its name is relative to. Remote reports
// whether the output must then be copied to a store.
func (c *converter) place(j *jobs.Job) (out, dir string, remote bool) {
	dir, local := folderOf(j.Out)
	if !local {
		dir = filepath.Join(c.scratch, "out", fmt.Sprintf("%.16s-%d", j.ID, c.number.Add(1)))
	}
	return filepath.Join(dir, filepath.FromSlash(j.Output)), dir, !local
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

// Limits of copying the files of an output to a store.
const (
	copies  = 16 // at a time
	copying = 10 * time.Minute
)

// store copies the files of an output to its store, the main file after all others.
func (c *converter) store(ctx context.Context, j *jobs.Job, dir string, files []batch.File) error {
	b, prefix, err := c.stores.folder(ctx, j.Out)
	if err != nil {
		return err
	}
	last := max(len(files)-1, 0)
	for _, part := range [][]batch.File{files[:last], files[last:]} {
		all, ctx := errgroup.WithContext(ctx)
		all.SetLimit(copies)
		for _, f := range part {
			all.Go(func() error {
				ctx, cancel := context.WithTimeout(ctx, copying)
				defer cancel()
				return put(ctx, b, prefix+f.Name, filepath.Join(dir, filepath.FromSlash(f.Name)), f.SHA256)
			})
		}
		if err := all.Wait(); err != nil {
			return err
		}
	}
	return nil
}
