// Package queue hands jobs to workers on many machines, over NATS JetStream.
//
// A job is a message of a work-queue stream. A worker acknowledges it when its outcome is stored, and sends progress
// messages until then; a worker that is silent for the length of a lease loses the job to another. The status of a job is in
// a key-value bucket under the job's ID. The ID is the hash of the map, the options, the tool and the output's name, so a
// job that is submitted or delivered twice is done once. Every worker produces the same bytes, so even a worker that was
// wrongly believed dead does no harm.
package queue

import (
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
)

// DefaultLease is the lease of a new queue for which none is given.
const DefaultLease = 30 * time.Second

// Queue is a connection to a queue.
type Queue struct {
	options  jobs.Options
	conn     *nats.Conn
	js       jetstream.JetStream
	embedded *server.Server
	lock     *flock.Flock

	// A queue consists of these. Look leaves those nil that do not exist.
	stream   jetstream.Stream
	consumer jetstream.Consumer // nil also after Look
	status   jetstream.KeyValue
	setups   jetstream.KeyValue
}

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
