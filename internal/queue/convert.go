package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/bsp2gltf/bsp2gltf/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

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
		if s.Tool != w.q.options.Tool {
			return nil, fmt.Errorf("the job's options are of %s, and this is %s: %w", clip(s.Tool), w.q.options.Tool, limit.ErrUsage)
		}
		if err := w.mayRead(s); err != nil {
			return nil, err
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

// mayRead returns an error if a setup names files that jobs may not read.
func (w *work) mayRead(s *Setup) error {
	if len(w.AllowIn) == 0 {
		return nil
	}
	names, err := w.Reads(s.Options)
	if err != nil {
		return err
	}
	for _, name := range append(names, s.Game...) {
		if err := w.AllowIn.check(name, "read", "--allow-in"); err != nil {
			return err
		}
	}
	return nil
}

// may returns an error if a job names places that jobs may not read from or write to.
func (w *work) may(j *Job) error {
	if err := w.AllowIn.check(j.In, "read", "--allow-in"); err != nil {
		return err
	}
	return w.AllowOut.check(j.Out, "write to", "--allow-out")
}

// convert runs a job and returns its record and the list of its files, which is nil if it failed.
func (w *work) convert(ctx context.Context, j *Job) (*batch.Record, *FileList) {
	r := &batch.Record{Path: j.In, Output: j.Output, SHA256: j.SHA256, Options: j.Setup, Tool: w.q.options.Tool}
	fail := func(err error) (*batch.Record, *FileList) {
		r.Time, r.Reason, r.Message = time.Now().UTC(), batch.ReasonOf(err), textOf(err)
		if ctx.Err() != nil {
			r.Reason = batch.Canceled
		}
		return r, nil
	}
	if err := w.may(j); err != nil {
		return fail(err)
	}
	setup, err := w.setup(ctx, j.Setup)
	if err != nil {
		return fail(err)
	}
	in, clean, err := w.fetch(ctx, j, setup)
	defer clean()
	if err != nil {
		return fail(err)
	}
	out, dir, remote := w.place(j)
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
		return r, nil
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
		if err := w.store(context.WithoutCancel(ctx), j, dir, files); err != nil {
			return fail(err)
		}
	}
	if list.Name == "" {
		r.Files = files
	}
	return r, list
}

// fetch returns the path of a job's map on disk, and downloads the map if necessary.
func (w *work) fetch(ctx context.Context, j *Job, s *Setup) (name string, clean func(), err error) {
	if !IsURL(j.In) {
		return j.In, func() {}, nil
	}
	dir, err := os.MkdirTemp(filepath.Join(w.scratch, "in"), "map-")
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
func (w *work) place(j *Job) (out, dir string, remote bool) {
	dir, local := folderOf(j.Out)
	if !local {
		dir = filepath.Join(w.scratch, "out", fmt.Sprintf("%.16s-%d", j.ID, w.number.Add(1)))
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
func (w *work) store(ctx context.Context, j *Job, dir string, files []batch.File) error {
	b, prefix, err := w.stores.folder(ctx, j.Out)
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
