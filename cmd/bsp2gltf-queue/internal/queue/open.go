package queue

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// Open connects to a queue and creates its stream and buckets if they are missing. It fails with ErrInput if no server can
// be reached, and with ErrUsage if the URL is invalid.
func Open(ctx context.Context, o jobs.Options) (*Queue, error) {
	return connected(ctx, o, (*Queue).make)
}

// Look connects to a queue for Overview, and neither creates nor changes anything of it. It fails as Open does.
func Look(ctx context.Context, o jobs.Options) (*Queue, error) {
	if dir, ok := strings.CutPrefix(o.URL, "embed:"); ok && dir != "" {
		if _, err := os.Stat(dir); err != nil {
			return nil, unreachable(err)
		}
	}
	return connected(ctx, o, (*Queue).find)
}

// connected connects to a queue and prepares it for use.
func connected(ctx context.Context, o jobs.Options, prepare func(*Queue, context.Context) error) (*Queue, error) {
	ctx, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)
	q := &Queue{options: o}
	err := q.connect(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			refuse(err) // the request itself would only have no answer
		}
	})
	if err == nil {
		q.js, err = jetstream.New(q.conn)
	}
	if err == nil {
		err = q.patiently(ctx, prepare)
	}
	if err != nil {
		q.Close()
		return nil, err
	}
	return q, nil
}

// patiently prepares a queue, for up to 30 seconds: a cluster that has just started has no leader yet.
func (q *Queue) patiently(ctx context.Context, prepare func(*Queue, context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		err := prepare(q, limited)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return unreachable(context.Cause(ctx))
		case limited.Err() != nil || q.embedded != nil || final(err):
			return queueError(err)
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-limited.Done():
		}
	}
}
