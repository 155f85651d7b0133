package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/store"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// setups holds the setups of jobs that a worker has fetched.
type setups struct {
	bucket    jetstream.KeyValue
	tool      string
	cache     string // folder of the image cache; "" means none
	cacheMax  int64
	allowIn   places
	withGames func(options string, game []string) (string, error)
	reads     func(options string) ([]string, error)
	stores    *store.Stores

	mu      sync.Mutex
	fetched map[string]*jobs.Setup // by key
	local   map[string]string      // local options by what they were made from
}

// get returns the setup of a key with the options of this machine: it fetches the game folders. The setup is that of the bucket
// otherwise.
func (s *setups) get(ctx context.Context, key string) (*jobs.Setup, error) {
	shared, err := s.fetch(ctx, key)
	if err != nil {
		return nil, err
	}
	local := *shared
	local.Cache, local.CacheMax = s.cache, s.cacheMax
	if len(shared.Game) == 0 {
		return &local, nil
	}
	folders := make([]string, len(shared.Game))
	for i, g := range shared.Game {
		if folders[i], err = s.stores.Game(ctx, g); err != nil {
			return nil, err
		}
	}
	id := fmt.Sprint(key, folders)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.local[id]; !ok {
		text, err := s.withGames(shared.Options, folders)
		if err != nil {
			return nil, err
		}
		s.local[id] = text
	}
	local.Options = s.local[id]
	return &local, nil
}

// fetch returns a setup as the bucket has it. It fails with ErrUsage if the setup is of another tool, or names what jobs may not
// read.
func (s *setups) fetch(ctx context.Context, key string) (*jobs.Setup, error) {
	s.mu.Lock()
	setup := s.fetched[key]
	s.mu.Unlock()
	if setup != nil {
		return setup, nil
	}
	e, err := s.bucket.Get(ctx, key)
	if err != nil {
		return nil, unreachable(err)
	}
	setup = &jobs.Setup{}
	if err := json.Unmarshal(e.Value(), setup); err != nil {
		return nil, fmt.Errorf("the job's options: %w: %w", limit.ErrUsage, err)
	}
	if setup.Tool != s.tool {
		return nil, fmt.Errorf("the job's options are of %s, and this is %s: %w", clip(setup.Tool), s.tool, limit.ErrUsage)
	}
	if err := s.mayRead(setup); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetched[key] = setup
	return setup, nil
}

// mayRead returns an error if a setup names files that jobs may not read.
func (s *setups) mayRead(setup *jobs.Setup) error {
	if len(s.allowIn) == 0 {
		return nil
	}
	names, err := s.reads(setup.Options)
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(names, setup.Game) {
		if err := s.allowIn.check(name, "read", "--allow-in"); err != nil {
			return err
		}
	}
	return nil
}
