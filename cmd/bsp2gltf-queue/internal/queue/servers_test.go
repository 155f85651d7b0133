package queue_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

// natsServer is a server of NATS, with JetStream's data in a folder.
type natsServer struct {
	URL  string
	stop func()
}

// serverConfig has the settings of a server that tests change.
type serverConfig struct {
	Port    int    // 0 is any free one
	Store   string // folder; "" is one of the test
	Payload int32  // bytes of a message; 0 is the default
	Users   string // a file with users and their rights; "" lets everybody do everything
}

// onEachServer runs a test on the server that this module has, and on the nats-server programs that BSP2GLTF_NATS_SERVERS lists
// as a PATH does. Without the variable it is the one that PATH has, if any.
func onEachServer(t *testing.T, test func(t *testing.T, start func(serverConfig) *natsServer)) {
	t.Helper()
	t.Run("nats "+server.VERSION, func(t *testing.T) {
		test(t, func(c serverConfig) *natsServer { return serveHere(t, c) })
	})
	list, named := os.LookupEnv("BSP2GLTF_NATS_SERVERS")
	programs := filepath.SplitList(list)
	if !named {
		if p, err := exec.LookPath("nats-server"); err == nil {
			programs = []string{p}
		}
	}
	for _, p := range programs {
		version, err := exec.Command(p, "--version").Output()
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		t.Run(fmt.Sprintf("program %.40s", version), func(t *testing.T) {
			test(t, func(c serverConfig) *natsServer { return serveProgram(t, p, c) })
		})
	}
}

// configFile writes the configuration of a server.
func configFile(t *testing.T, c serverConfig) string {
	t.Helper()
	text := fmt.Sprintf("listen: \"127.0.0.1:%d\"\njetstream: {store_dir: %q}\nmax_payload: %d\n",
		cmp.Or(c.Port, server.RANDOM_PORT), cmp.Or(c.Store, t.TempDir()), cmp.Or(c.Payload, 1<<20))
	if c.Users != "" {
		users, err := os.ReadFile(c.Users)
		if err != nil {
			t.Fatal(err)
		}
		text += string(users)
	}
	name := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// serveHere starts this module's server.
func serveHere(t *testing.T, c serverConfig) *natsServer {
	t.Helper()
	options, err := server.ProcessConfigFile(configFile(t, c))
	if err != nil {
		t.Fatal(err)
	}
	options.NoSigs, options.NoLog = true, true
	s, err := server.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	stop := func() {
		s.Shutdown()
		s.WaitForShutdown()
	}
	t.Cleanup(stop)
	return &natsServer{s.ClientURL(), stop}
}

// serveProgram starts a program.
func serveProgram(t *testing.T, program string, config serverConfig) *natsServer {
	t.Helper()
	file := configFile(t, config)
	c := exec.Command(program, "--config", file, "--ports_file_dir", filepath.Dir(file))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stop := func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	t.Cleanup(stop)
	for range 600 {
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.ports"))
		var said struct{ Nats []string }
		if len(files) == 1 {
			text, _ := os.ReadFile(files[0])
			if json.Unmarshal(text, &said) == nil && len(said.Nats) > 0 {
				return &natsServer{said.Nats[0], stop}
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s does not start", program)
	return nil
}

// portOf returns the port of a URL.
func portOf(t *testing.T, at string) int {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// client returns a connection of the current user that knows nothing of queues.
func client(t *testing.T, at string) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(connect(t, at))
	if err != nil {
		t.Fatal(err)
	}
	return js
}
