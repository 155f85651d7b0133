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

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/store"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// converter runs the jobs of a worker: it fetches maps, converts them in the pool, and stores outputs.
type converter struct {
	tool     string
	setups   *setups
	allowIn  places
	allowOut places
	stores   *store.Stores
	pool     *batch.Pool
	number   atomic.Int64 // counts jobs
}

// newConverter returns the converter of a worker whose setups are in a bucket. It fails with ErrUsage if the worker allows what is no
// place.
func newConverter(w jobs.Worker, tool string, stores *store.Stores, bucket jetstream.KeyValue, pool *batch.Pool) (*converter, error) {
	c := &converter{tool: tool, stores: stores, pool: pool}
	var err error
	if c.allowIn, err = parsePlaces(w.AllowIn); err != nil {
		return nil, err
	}
	if c.allowOut, err = parsePlaces(w.AllowOut); err != nil {
		return nil, err
	}
	c.setups = &setups{
		bucket: bucket, tool: tool, cache: w.Cache, cacheMax: w.CacheMax, allowIn: c.allowIn, withGames: w.WithGames, reads: w.Reads,
		stores: stores, fetched: map[string]*jobs.Setup{}, local: map[string]string{},
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
	dir, local := store.FolderOf(j.Out)
	if !local {
		var done func()
		dir, done = c.stores.Temp()
		defer done()
	}
	if err := makeFolder(dir, path.Dir(j.Output)); err != nil {
		return fail(err)
	}
	bj := batch.Job{
		ID: int(c.number.Add(1)), In: in, Out: filepath.Join(dir, filepath.FromSlash(j.Output)),
		Timeout: setup.Timeout, Setup: &setup.Setup,
	}
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
	if !local {
		if err := c.stores.Put(context.WithoutCancel(ctx), j.Out, dir, files); err != nil {
			return fail(err)
		}
	}
	if len(files) <= maxFiles {
		r.Files = files
	}
	return outcome{r, listOf(files)}
}

// fetch returns the path of a job's map on disk, and downloads the map if necessary.
func (c *converter) fetch(ctx context.Context, j *jobs.Job, s *jobs.Setup) (name string, clean func(), err error) {
	if !batch.IsURL(j.In) {
		return j.In, func() {}, nil
	}
	return c.stores.Fetch(ctx, &batch.Input{URL: j.In, Size: j.Size}, s.Limits.OrDefaults().MaxFile)
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
