package queue

import (
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

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// connect connects to the servers that the URL lists, or starts an embedded one. Complain is called with later complaints of the server.
func (q *Queue) connect(complain nats.ErrHandler) error {
	if dir, ok := strings.CutPrefix(q.options.URL, "embed:"); ok {
		return q.embed(dir)
	}
	servers, err := serverURLs(q.options.URL)
	if err != nil {
		return err
	}
	settings := []nats.Option{nats.Name("bsp2gltf"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.Timeout(5 * time.Second),
		nats.ErrorHandler(complain)}
	auth, err := credentials(os.Getenv)
	if err != nil {
		return err
	}
	if q.conn, err = nats.Connect(servers, append(settings, auth...)...); err != nil {
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
