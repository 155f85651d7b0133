package queue

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/store"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// Engine returns what this package can do for the command.
func Engine() *jobs.Engine {
	return &jobs.Engine{
		Open: func(ctx context.Context, o jobs.Options) (jobs.Queue, error) { return asQueue(Open(ctx, o)) },
		Look: func(ctx context.Context, o jobs.Options) (jobs.Queue, error) { return asQueue(Look(ctx, o)) },
		Stores: func(scratch string) (batch.Stores, error) {
			s, err := store.Open(scratch)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
		Cache: store.OpenCache,
	}
}

// asQueue returns nil instead of an interface that holds a nil pointer.
func asQueue(q *Queue, err error) (jobs.Queue, error) {
	if err != nil {
		return nil, err
	}
	return q, nil
}
