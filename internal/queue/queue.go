// Package queue hands jobs to workers on many machines, over NATS JetStream.
//
// A job is a message of a work-queue stream. A worker acknowledges it when its outcome is stored, and sends progress
// messages until then; a worker that is silent for the length of a lease loses the job to another. The status of a job is in
// a key-value bucket under the job's ID. The ID is the hash of the map, the options, the tool and the output's name, so a
// job that is submitted or delivered twice is done once. Every worker produces the same bytes, so even a worker that was
// wrongly believed dead does no harm.
package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Options names a queue and says how it is stored.
type Options struct {
	URL      string        // nats://HOST,HOST or embed:FOLDER
	Tool     string        // name and version of this program; only workers of the same run the jobs that it submits
	Replicas int           // of the stream and the buckets, 1 to 5; 0 keeps those of existing ones and creates new ones with 1
	Lease    time.Duration // time after which a silent worker's job goes to another; 0 keeps that of an existing queue
}

// DefaultLease is the lease of a new queue for which none is given.
const DefaultLease = 30 * time.Second

// Queue is a connection to a queue.
type Queue struct {
	options  Options
	conn     *nats.Conn
	js       jetstream.JetStream
	embedded *server.Server
	lock     *flock.Flock

	// What a queue consists of. Look leaves nil what does not exist.
	stream   jetstream.Stream
	consumer jetstream.Consumer // nil also after Look
	status   jetstream.KeyValue
	setups   jetstream.KeyValue
}

// Open connects to a queue and creates its stream and buckets if they are missing. It fails with ErrInput if no server can
// be reached, and with ErrUsage if the URL is invalid.
func Open(ctx context.Context, o Options) (*Queue, error) { return connected(ctx, o, (*Queue).make) }

// Look connects to a queue for Overview, and neither creates nor changes anything of it. It fails as Open does.
func Look(ctx context.Context, o Options) (*Queue, error) {
	if dir, ok := strings.CutPrefix(o.URL, "embed:"); ok && dir != "" {
		if _, err := os.Stat(dir); err != nil {
			return nil, unreachable(err)
		}
	}
	return connected(ctx, o, (*Queue).find)
}

// connected connects to a queue and prepares it for use.
func connected(ctx context.Context, o Options, prepare func(*Queue, context.Context) error) (*Queue, error) {
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

func unreachable(err error) error { return fmt.Errorf("the queue: %w: %w", limit.ErrInput, err) }

// Close ends the connection and stops an embedded server.
func (q *Queue) Close() {
	if q.conn != nil {
		q.conn.Close()
	}
	if q.embedded != nil {
		q.embedded.Shutdown()
		q.embedded.WaitForShutdown()
	}
	if q.lock != nil {
		_ = q.lock.Close() // the end of the process would release it, too
	}
}
