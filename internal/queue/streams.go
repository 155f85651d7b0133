package queue

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Names of the stream, the consumer and the buckets in JetStream.
const (
	streamName   = "BSP2GLTF"
	subject      = "bsp2gltf.jobs"
	consumerName = "workers"
	statusBucket = "bsp2gltf-status"
	setupBucket  = "bsp2gltf-setups"
)

// make opens the stream, the consumer and the buckets, and creates those that are missing.
func (q *Queue) make(ctx context.Context) (err error) {
	replicas := max(q.options.Replicas, 1)
	stream := jetstream.StreamConfig{
		Name: streamName, Subjects: []string{subject}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
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
			*b.kv, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: b.name, Storage: jetstream.FileStorage, Replicas: replicas})
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

// openConsumer opens the consumer that all workers share, or creates it with the wanted lease. If a lease is wanted, it changes that
// of an existing consumer, unless it is shorter and workers have jobs: they were promised the longer one.
func (q *Queue) openConsumer(ctx context.Context) (jetstream.Consumer, error) {
	c, err := q.stream.Consumer(ctx, consumerName)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		// The consumer does not limit deliveries: the workers count the attempts, so that they can record the failure.
		c, err = q.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: cmp.Or(q.options.Lease, DefaultLease),
			MaxDeliver: -1, MaxAckPending: 100_000,
		})
		if errors.Is(err, jetstream.ErrConsumerExists) { // another process was faster, and wants another lease
			c, err = q.stream.Consumer(ctx, consumerName)
		}
	}
	if err != nil || q.options.Lease == 0 {
		return c, err
	}
	info := c.CachedInfo()
	if q.options.Lease == info.Config.AckWait || q.options.Lease < info.Config.AckWait && info.NumAckPending > 0 {
		return c, nil
	}
	config := info.Config
	config.AckWait = q.options.Lease
	return q.stream.UpdateConsumer(ctx, config)
}

// Lease returns how long a worker may be silent before its jobs go to another one.
func (q *Queue) Lease() time.Duration { return q.consumer.CachedInfo().Config.AckWait }

// lease asks the queue for its lease, which others may have changed. If it does not answer, lease returns the last known one.
func (q *Queue) lease(ctx context.Context) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if info, err := q.consumer.Info(ctx); err == nil {
		return info.Config.AckWait
	}
	return q.Lease()
}
