package queue

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Names of the stream and the buckets in JetStream.
const (
	streamName   = "BSP2GLTF"
	subjects     = "bsp2gltf.jobs.*"
	statusBucket = "bsp2gltf-status"
	setupBucket  = "bsp2gltf-setups"
)

// subjectOf returns the subject of the jobs that a tool runs. Versions have different ones, so that a worker of another version does
// not receive them: it would make other bytes.
func subjectOf(tool string) string { return strings.TrimSuffix(subjects, "*") + token(tool) }

// consumerOf returns the name of the consumer that a tool's workers share.
func consumerOf(tool string) string { return "workers-" + token(tool) }

// token returns a text with everything replaced that names and parts of subjects may not have.
func token(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, s)
}

// make opens the stream, the consumer and the buckets, and creates those that are missing.
func (q *Queue) make(ctx context.Context) (err error) {
	replicas := max(q.options.Replicas, 1)
	stream := jetstream.StreamConfig{
		Name: streamName, Subjects: []string{subjects}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		Duplicates: 24 * time.Hour, Replicas: replicas,
	}
	if q.stream, err = q.js.Stream(ctx, streamName); q.options.Replicas > 0 || errors.Is(err, jetstream.ErrStreamNotFound) {
		q.stream, err = q.js.CreateOrUpdateStream(ctx, stream)
	}
	if err != nil {
		return err
	}
	if q.consumer, err = q.openConsumer(ctx); err != nil {
		return err
	}
	for _, b := range []struct {
		name string
		kv   *jetstream.KeyValue
	}{{statusBucket, &q.status}, {setupBucket, &q.setups}} {
		if *b.kv, err = q.js.KeyValue(ctx, b.name); q.options.Replicas > 0 || errors.Is(err, jetstream.ErrBucketNotFound) {
			*b.kv, err = q.js.CreateOrUpdateKeyValue(ctx,
				jetstream.KeyValueConfig{Bucket: b.name, Storage: jetstream.FileStorage, Replicas: replicas})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// find opens the stream and the bucket of statuses, if they exist.
func (q *Queue) find(ctx context.Context) (err error) {
	if q.stream, err = q.js.Stream(ctx, streamName); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	if q.status, err = q.js.KeyValue(ctx, statusBucket); err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) {
		return err
	}
	return nil
}

// openConsumer opens the consumer that all workers of this version share, or creates it with the wanted lease. An existing one keeps its
// lease: its workers were promised that one.
//
// The consumer does not limit deliveries (MaxDeliver), because those that the end of a worker interrupted don't count, and the last one
// must have an outcome: the workers count, by the number of deliveries that each message has.
func (q *Queue) openConsumer(ctx context.Context) (jetstream.Consumer, error) {
	name := consumerOf(q.options.Tool)
	c, err := q.stream.Consumer(ctx, name)
	if !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return c, err
	}
	c, err = q.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: name, FilterSubject: subjectOf(q.options.Tool), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: cmp.Or(q.options.Lease, DefaultLease), MaxDeliver: -1, MaxAckPending: 100_000,
	})
	if errors.Is(err, jetstream.ErrConsumerExists) { // another process was faster, and wants another lease
		return q.stream.Consumer(ctx, name)
	}
	return c, err
}

// Lease returns how long a worker may be silent before its jobs go to another one.
func (q *Queue) Lease() time.Duration { return q.consumer.CachedInfo().Config.AckWait }
