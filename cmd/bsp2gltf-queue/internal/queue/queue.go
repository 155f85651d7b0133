// Package queue distributes maps to workers on many machines, over NATS JetStream.
//
// A job is a message of a work-queue stream, on a subject made from its output. A subject holds one message at a
// time. A worker converts the map as a batch does, stores the record in the manifests of the folder of outputs, and
// only then acknowledges the message. Until then it sends progress messages: if a worker is silent for the length of
// a lease, its job goes to another worker. All workers produce the same bytes, so a job that is done twice does no
// harm.
package queue

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/store"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Engine returns the commands' functions for queues and stores.
func Engine() *jobs.Engine {
	return &jobs.Engine{
		Submit: Submit, Work: Work, Cache: store.OpenCache,
		Stores: func(scratch string) (batch.Stores, error) {
			s, err := store.Open(scratch)
			if err != nil {
				return nil, err // not an interface that holds a nil pointer
			}
			return s, nil
		},
	}
}

// Names in JetStream.
const (
	streamName        = "BSP2GLTF"
	subjects          = "bsp2gltf.jobs." // then the tool, then the output
	setupBucket       = "bsp2gltf-setups"
	interruptedBucket = "bsp2gltf-interrupted"
)

// queue is a connection to a queue, and the queue's parts in JetStream.
type queue struct {
	tool        string
	conn        *nats.Conn
	js          jetstream.JetStream
	stream      jetstream.Stream
	consumer    jetstream.Consumer
	setups      jetstream.KeyValue // Setups by their hashes
	interrupted jetstream.KeyValue // by a message's number in the stream: how many of its deliveries ended because a worker ended
}

// subjectOf returns the prefix of the subjects of a tool's jobs. Each version has its own, so that no worker of
// another version, which would make other bytes, receives them.
func subjectOf(tool string) string { return subjects + token(tool) + "." }

// token replaces all characters that names and parts of subjects may not have.
func token(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, s)
}

// hashOf returns the hash of some texts, as a key or a part of a subject.
func hashOf(texts ...string) string {
	h := sha256.New()
	for _, s := range texts {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// open connects to a queue and creates its missing parts. It fails with ErrInput if no server can be reached, and
// with ErrUsage if the URL is invalid. It tries for up to 30 seconds, because a cluster that has just started has no
// leader yet.
func open(ctx context.Context, o jobs.Queue) (*queue, error) {
	ctx, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)
	q := &queue{tool: o.Tool}
	err := q.connect(o.URL, func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) {
			refuse(err) // without this, the error would only say that the request had no answer
		}
	})
	if err != nil {
		return nil, err
	}
	patient, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		err := q.make(patient, max(o.Replicas, 1))
		if err == nil {
			return q, nil
		}
		var api *jetstream.APIError
		if !errors.As(err, &api) || api.ErrorCode != noReplicas {
			select {
			case <-time.After(500 * time.Millisecond):
				continue
			case <-patient.Done():
			}
		}
		q.conn.Close()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, queueError(err)
	}
}

// noReplicas is the error of a server that is in no cluster (JSReplicasNotSupportedErr).
const noReplicas jetstream.ErrorCode = 10074

// make opens the stream, the consumer of this version's workers and the buckets, or creates them.
//
// The workers count deliveries, not the server (MaxDeliver), because deliveries that ended with their worker don't
// count, and because a record must be written after the last one.
func (q *queue) make(ctx context.Context, replicas int) (err error) {
	if q.stream, err = q.js.Stream(ctx, streamName); errors.Is(err, jetstream.ErrStreamNotFound) {
		q.stream, err = q.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: streamName, Subjects: []string{subjects + "*.*"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
			Replicas: replicas,
		})
	}
	if err != nil {
		return err
	}
	name := "workers-" + token(q.tool)
	if q.consumer, err = q.stream.Consumer(ctx, name); errors.Is(err, jetstream.ErrConsumerNotFound) {
		q.consumer, err = q.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: name, FilterSubject: subjectOf(q.tool) + "*", AckPolicy: jetstream.AckExplicitPolicy, AckWait: 30 * time.Second,
			MaxDeliver: -1, MaxAckPending: 100_000,
		})
	}
	for _, b := range []struct {
		kv   *jetstream.KeyValue
		name string
		ttl  time.Duration
	}{{&q.setups, setupBucket, 0}, {&q.interrupted, interruptedBucket, 7 * 24 * time.Hour}} {
		if err == nil {
			*b.kv, err = q.js.KeyValue(ctx, b.name)
		}
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			*b.kv, err = q.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: b.name, TTL: b.ttl, Replicas: replicas})
		}
	}
	return err
}

// connect connects to the servers that a URL lists. It rejects users and passwords in the URL, because other users
// can see a command line. complain is called with later errors of the server.
func (q *queue) connect(list string, complain nats.ErrHandler) error {
	scheme, _, ok := strings.Cut(list, "://")
	if !ok || scheme != "nats" && scheme != "tls" && scheme != "ws" && scheme != "wss" {
		return fmt.Errorf("%.200q is no queue: nats://HOST,HOST: %w", list, limit.ErrUsage)
	}
	for _, s := range strings.Split(list, ",") {
		if !strings.Contains(s, "://") {
			s = scheme + "://" + s
		}
		u, err := url.Parse(s)
		if err != nil || u.Host == "" {
			return fmt.Errorf("%.200q is no server: %w", s, limit.ErrUsage)
		}
		if u.User != nil {
			return fmt.Errorf("%s: no user or password on the command line: NATS_CREDS names a file: %w", u.Host, limit.ErrUsage)
		}
	}
	settings := []nats.Option{nats.Name("bsp2gltf"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.Timeout(5 * time.Second), nats.ErrorHandler(complain)}
	// Credentials are in the environment, under the names that the nats command uses.
	for name, option := range map[string]func(string) nats.Option{
		"NATS_CREDS": func(file string) nats.Option { return nats.UserCredentials(file) },
		"NATS_USER":  func(user string) nats.Option { return nats.UserInfo(user, os.Getenv("NATS_PASSWORD")) },
		"NATS_CERT":  func(file string) nats.Option { return nats.ClientCert(file, os.Getenv("NATS_KEY")) },
		"NATS_CA":    func(file string) nats.Option { return nats.RootCAs(file) },
		"NATS_NKEY": func(file string) nats.Option {
			o, err := nats.NkeyOptionFromSeed(file)
			if err != nil {
				return func(*nats.Options) error { return fmt.Errorf("NATS_NKEY: %w", err) }
			}
			return o
		},
	} {
		if value := os.Getenv(name); value != "" {
			settings = append(settings, option(value))
		}
	}
	var err error
	if q.conn, err = nats.Connect(list, settings...); err != nil {
		return fmt.Errorf("%s: %w: %w", list, limit.ErrInput, err)
	}
	q.js, err = jetstream.New(q.conn)
	return err
}

// queueError wraps an error of the queue with its kind.
func queueError(err error) error {
	var api *jetstream.APIError
	switch {
	case errors.Is(err, nats.ErrMaxPayload):
		return fmt.Errorf("the queue: %w: %w", limit.ErrLimit, err)
	case errors.As(err, &api):
		return fmt.Errorf("the queue: %w: %s", limit.ErrInput, api.Description)
	}
	return fmt.Errorf("the queue: %w: %w", limit.ErrInput, err)
}
