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
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Names of the stream, the consumer and the buckets in JetStream.
const (
	streamName   = "BSP2GLTF"
	subject      = "bsp2gltf.jobs"
	consumerName = "workers"
	statusBucket = "bsp2gltf-status"
	setupBucket  = "bsp2gltf-setups"
)

// Options names a queue and says how it is stored.
type Options struct {
	URL      string        // nats://HOST,HOST or embed:FOLDER
	Replicas int           // of the stream and the buckets, 1 to 5; 0 keeps those of existing ones and creates new ones with 1
	Lease    time.Duration // time after which a silent worker's job goes to another; 0 means DefaultLease
}

// DefaultLease is how long a worker may be silent.
const DefaultLease = 30 * time.Second

// Queue is a connection to a queue.
type Queue struct {
	options  Options
	conn     *nats.Conn
	js       jetstream.JetStream
	consumer jetstream.Consumer
	stream   jetstream.Stream
	status   jetstream.KeyValue
	setups   jetstream.KeyValue
	embedded *server.Server
	lock     *flock.Flock
}

// Open connects to a queue and creates its stream and buckets if they are missing. It fails with ErrInput if no server can
// be reached, and with ErrUsage if the URL is invalid.
func Open(ctx context.Context, o Options) (*Queue, error) {
	if o.Lease == 0 {
		o.Lease = DefaultLease
	}
	q := &Queue{options: o}
	if err := q.open(ctx); err != nil {
		q.Close()
		return nil, err
	}
	return q, nil
}

func (q *Queue) open(ctx context.Context) error {
	if err := q.connect(); err != nil {
		return err
	}
	var err error
	if q.js, err = jetstream.New(q.conn); err != nil {
		return unreachable(err)
	}
	// A cluster that has just started has no leader yet.
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		if err = q.make(ctx); err == nil || ctx.Err() != nil || q.embedded != nil {
			break
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	if err != nil {
		return unreachable(err)
	}
	return nil
}

func unreachable(err error) error { return fmt.Errorf("the queue: %w: %w", limit.ErrInput, err) }

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
	// The consumer does not limit deliveries: the workers count the attempts, so that they can record the failure.
	q.consumer, err = q.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.options.Lease, MaxDeliver: -1, MaxAckPending: 100_000,
	})
	if err != nil {
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

// connect connects to the servers that the URL lists, or starts an embedded one.
func (q *Queue) connect() error {
	if dir, ok := strings.CutPrefix(q.options.URL, "embed:"); ok {
		return q.embed(dir)
	}
	servers, err := serverURLs(q.options.URL)
	if err != nil {
		return err
	}
	options := []nats.Option{nats.Name("bsp2gltf"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond), nats.Timeout(5 * time.Second)}
	auth, err := credentials(os.Getenv)
	if err != nil {
		return err
	}
	if q.conn, err = nats.Connect(servers, append(options, auth...)...); err != nil {
		return fmt.Errorf("%s: %w: %w", servers, limit.ErrInput, err)
	}
	return nil
}

// serverURLs checks a list of servers. It rejects users and passwords, because other users can see a command line.
func serverURLs(list string) (string, error) {
	scheme, _, ok := strings.Cut(list, "://")
	if !ok || scheme != "nats" && scheme != "tls" && scheme != "ws" && scheme != "wss" {
		return "", fmt.Errorf("%.200q is no queue: nats://HOST,HOST or embed:FOLDER: %w", list, limit.ErrUsage)
	}
	var all []string
	for _, s := range strings.Split(list, ",") {
		if !strings.Contains(s, "://") {
			s = scheme + "://" + s
		}
		u, err := url.Parse(s)
		if err != nil || u.Host == "" {
			return "", fmt.Errorf("%.200q is no server: %w", s, limit.ErrUsage)
		}
		if u.User != nil {
			return "", fmt.Errorf("%s: no user or password on the command line: NATS_CREDS names a file: %w", u.Host, limit.ErrUsage)
		}
		all = append(all, s)
	}
	return strings.Join(all, ","), nil
}

// credentials returns the options that the environment sets, by the variable names that the nats command uses.
func credentials(getenv func(string) string) (options []nats.Option, err error) {
	if f := getenv("NATS_CREDS"); f != "" {
		options = append(options, nats.UserCredentials(f))
	}
	if f := getenv("NATS_NKEY"); f != "" {
		o, err := nats.NkeyOptionFromSeed(f)
		if err != nil {
			return nil, fmt.Errorf("NATS_NKEY: %w: %w", limit.ErrInput, err)
		}
		options = append(options, o)
	}
	if u := getenv("NATS_USER"); u != "" {
		options = append(options, nats.UserInfo(u, getenv("NATS_PASSWORD")))
	}
	if f := getenv("NATS_CERT"); f != "" {
		options = append(options, nats.ClientCert(f, getenv("NATS_KEY")))
	}
	if f := getenv("NATS_CA"); f != "" {
		options = append(options, nats.RootCAs(f))
	}
	return options, nil
}

// embed starts a server in this process that listens on no port. Only one process at a time can use its folder.
func (q *Queue) embed(dir string) error {
	if dir == "" {
		return fmt.Errorf("embed: needs a folder, as in embed:queue: %w", limit.ErrUsage)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("%s: %w: %w", dir, limit.ErrOutput, err)
	}
	q.lock = flock.New(filepath.Join(dir, "lock"))
	if ok, err := q.lock.TryLock(); err != nil || !ok {
		return fmt.Errorf("%s: %w: %w", dir, limit.ErrOutput, errors.Join(err, errors.New("another process has this queue")))
	}
	s, err := server.NewServer(&server.Options{JetStream: true, StoreDir: dir, DontListen: true, NoSigs: true, NoLog: true})
	if err != nil {
		return fmt.Errorf("%s: %w: %w", dir, limit.ErrOutput, err)
	}
	q.embedded = s
	go s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		return fmt.Errorf("%s: the queue does not start: %w", dir, limit.ErrOutput)
	}
	if q.conn, err = nats.Connect("", nats.InProcessServer(s)); err != nil {
		return unreachable(err)
	}
	return nil
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
