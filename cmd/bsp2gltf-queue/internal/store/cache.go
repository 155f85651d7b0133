package store

import (
	"context"
	"io"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/bsp2gltf/bsp2gltf/internal/diskcache"
)

// farPatience is how long a conversion waits for an entry of a shared cache. It is longer than making an entry
// takes.
const farPatience = 3 * time.Second

// OpenCache returns the cache in the folder of a URL. It stays open until the process ends.
func OpenCache(ctx context.Context, name string) (*diskcache.Far, error) {
	s := &buckets{}
	b, prefix, err := s.folder(ctx, name)
	if err != nil {
		return nil, err
	}
	return &diskcache.Far{
		Get: func(name string, most int64) ([]byte, error) {
			ctx, cancel := context.WithTimeout(context.Background(), farPatience)
			defer cancel()
			r, err := b.NewReader(ctx, prefix+name, nil)
			if gcerrors.Code(err) == gcerrors.NotFound {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			defer func() { _ = r.Close() }() // only read
			if r.Size() > most {
				return nil, nil
			}
			return io.ReadAll(io.LimitReader(r, most))
		},
		Put: func(name string, entry []byte) error {
			ctx, cancel := context.WithTimeout(context.Background(), 10*farPatience)
			defer cancel()
			err := b.WriteAll(ctx, prefix+name, entry, &blob.WriterOptions{IfNotExist: true})
			if gcerrors.Code(err) == gcerrors.FailedPrecondition {
				return nil // another machine has stored it first
			}
			return err
		},
	}, nil
}
