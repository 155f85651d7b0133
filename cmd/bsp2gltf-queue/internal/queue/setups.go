package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// setup is a setup of jobs, as the jobs name it and with the paths of this machine.
type setup struct {
	jobs.Setup
	local   batch.Setup
	checked time.Time // when the game folders were last compared with their stores
}

// setups holds the setups of jobs that a worker has fetched, by key.
type setups struct {
	sync.Mutex
	all map[string]*setup
}

// gamesEvery is how often a worker checks whether a game folder in a store has changed.
const gamesEvery = time.Minute

// setup returns the setup with a key. It fails with ErrUsage if the setup is for another tool, or names files that
// jobs may not read. While it fetches a game, other jobs wait.
func (w *worker) setup(ctx context.Context, key string) (*setup, error) {
	w.setups.Lock()
	defer w.setups.Unlock()
	s := w.setups.all[key]
	if s != nil && (len(s.Game) == 0 || time.Since(s.checked) < gamesEvery) {
		return s, nil
	}
	if s == nil {
		e, err := w.q.setups.Get(ctx, key)
		if err != nil {
			return nil, queueError(err)
		}
		s = &setup{}
		if err := json.Unmarshal(e.Value(), &s.Setup); err != nil {
			return nil, fmt.Errorf("the job's options: %w: %w", limit.ErrUsage, err)
		}
		if s.Tool != w.q.tool {
			return nil, fmt.Errorf("the job's options are of %.200s, and this is %s: %w", s.Tool, w.q.tool, limit.ErrUsage)
		}
		if err := w.mayRead(&s.Setup); err != nil {
			return nil, err
		}
	}
	local, err := batch.WithGames(ctx, s.Setup.Setup, w.stores, w.WithGames)
	if err != nil {
		return nil, err
	}
	local.Cache, local.CacheMax = w.Cache, w.CacheMax
	s = &setup{s.Setup, local, time.Now()} // a new one, because running jobs use the previous one
	w.setups.all[key] = s
	return s, nil
}

// mayRead returns an error if a setup names files that jobs may not read.
func (w *worker) mayRead(s *jobs.Setup) error {
	if len(w.AllowIn) == 0 {
		return nil
	}
	names, err := w.Reads(s.Options)
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(names, s.Game) {
		if err := places(w.AllowIn).check(name, "read", "--allow-in"); err != nil {
			return err
		}
	}
	return nil
}
