package queue_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/store"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/batch"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv("QUEUE_TEST_PIPE") != "":
		if err := batch.Serve(context.Background(), os.Stdin, os.Stdout, fake); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case os.Getenv("QUEUE_TEST_WORKER") != "":
		w := worker(os.Getenv("QUEUE_TEST_SCRATCH"))
		w.Event = func(e batch.Event) { fmt.Println(outcome(e)) }
		o := jobs.Queue{URL: os.Getenv("QUEUE_TEST_WORKER"), Tool: cmp.Or(os.Getenv("QUEUE_TEST_TOOL"), tool)}
		if err := queue.Work(context.Background(), o, w); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fake does what the map's text says, after a while.
func fake(ctx context.Context, s *batch.Setup, j *batch.Job) batch.Result {
	text, err := os.ReadFile(j.In)
	if err != nil {
		return batch.Result{Reason: batch.ReasonOf(err), Message: err.Error()}
	}
	select {
	case <-time.After(20 * time.Millisecond):
	case <-ctx.Done():
		return batch.Result{Reason: batch.ReasonOf(ctx.Err())}
	}
	word, rest, _ := strings.Cut(string(text), " ")
	switch word {
	case "corrupt":
		return batch.Result{Reason: batch.Corrupt, Message: "lump 7: bad"}
	case "flaky": // crashes the first time
		if f, err := os.OpenFile(rest, os.O_CREATE|os.O_EXCL, 0o644); err == nil {
			f.Close()
			os.Exit(3)
		}
	case "until":
		for _, err := os.Stat(rest); err != nil && ctx.Err() == nil; _, err = os.Stat(rest) {
			time.Sleep(10 * time.Millisecond)
		}
	}
	if ctx.Err() != nil {
		return batch.Result{Reason: batch.ReasonOf(ctx.Err())}
	}
	side := strings.TrimSuffix(j.Out, ".glb") + "_side.png"
	if os.WriteFile(side, []byte("side"), 0o644) != nil || os.WriteFile(j.Out, []byte(s.Options+string(text)), 0o644) != nil {
		return batch.Result{Reason: batch.NoWrite}
	}
	sum, _ := batch.HashInput(context.Background(), j.In)
	return batch.Result{SHA256: sum, Files: []string{side, j.Out}, Summary: &batch.Summary{Map: "x"}}
}

// worker is one whose processes are this program.
func worker(scratch string) *jobs.Worker {
	return &jobs.Worker{
		Jobs: 2, Scratch: scratch, UntilEmpty: true,
		Command: func() *exec.Cmd {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), "QUEUE_TEST_PIPE=1")
			return c
		},
		WithGames: func(options string, game []string) (string, error) {
			text, err := os.ReadFile(filepath.Join(game[0], "autoexec.cfg"))
			return options + filepath.Base(game[0]) + string(text), err
		},
	}
}

// outcome says what an event tells: "done maps/a.glb", "failed corrupt maps/a.glb", "again crash maps/a.glb".
func outcome(e batch.Event) string {
	switch {
	case e.Retried != nil:
		return fmt.Sprintf("again %s %s", e.Retried.Reason, e.Retried.Output)
	case e.Ended.Reason != "":
		return fmt.Sprintf("failed %s %s", e.Ended.Reason, e.Ended.Output)
	}
	return "done " + e.Ended.Output
}

// tool is the version that tests have where it does not matter.
const tool = "test 1"

// fileURL returns a folder as the URL of a store.
func fileURL(dir string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()
}

// put writes maps into a folder.
func put(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// submission is a batch that goes into a queue.
type submission struct {
	url, tool, in, out string
	options            string
	game               []string
	force              bool
	base               string
}

// submit puts the maps of a folder into a queue. It returns the numbers and problems, how many were done before, and how many refused.
func (s submission) submit(t *testing.T) (n *jobs.Submitted, before, refused int) {
	t.Helper()
	stores, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer stores.Close()
	o := batch.Options{
		Dir: s.out, Stores: stores, Tool: cmp.Or(s.tool, tool), Force: s.force,
		Setup: batch.Setup{Options: cmp.Or(s.options, "options "), Format: "glb", Game: s.game},
	}
	o.Inputs, o.Problems, err = batch.Find(t.Context(), batch.Sources{Args: []string{s.in}, Base: s.base, Stores: stores})
	if err != nil || len(o.Problems) > 0 || len(o.Inputs) == 0 {
		t.Fatal(err, o.Problems, len(o.Inputs))
	}
	o.Queue = func(ctx context.Context, p *batch.Plan) error {
		before, refused = p.Done, len(p.Refused)
		setup := &jobs.Setup{Setup: o.Setup, Timeout: time.Hour, Tool: o.Tool}
		n, err = queue.Submit(ctx, jobs.Queue{URL: s.url, Tool: o.Tool}, setup, s.out, p.Tasks)
		return err
	}
	if _, err := batch.Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return n, before, refused
}

// want submits, and checks how many jobs are new, in the queue, done, refused and problems.
func (s submission) want(t *testing.T, want ...int) {
	t.Helper()
	n, before, refused := s.submit(t)
	if diff := gocmp.Diff(want, []int{n.New, n.Underway, before, refused, len(n.Problems)}); diff != "" {
		t.Errorf("new, underway, before, refused, problems: %s%v", diff, n.Problems)
	}
}

// work runs a worker until the queue is empty, and returns how often each outcome was told.
func work(t *testing.T, url, tool string, w *jobs.Worker) map[string]int {
	t.Helper()
	all := map[string]int{}
	w.Event = func(e batch.Event) { all[outcome(e)]++ }
	if err := queue.Work(t.Context(), jobs.Queue{URL: url, Tool: tool}, w); err != nil {
		t.Fatal(err)
	}
	return all
}

// records returns the records of a folder of outputs, by output.
func records(t *testing.T, out string) map[string]batch.Record {
	t.Helper()
	r, err := batch.OpenReport(t.Context(), strings.TrimPrefix(out, "file://"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all := map[string]batch.Record{}
	if err := r.Each(func(r *batch.Record) error { all[r.Output] = *r; return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// files returns the content of all files below a folder, without the batch's own.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == ".bsp2gltf" {
			return filepath.SkipDir
		}
		if err == nil && !d.IsDir() {
			text, _ := os.ReadFile(p)
			rel, _ := filepath.Rel(dir, p)
			all[filepath.ToSlash(rel)] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every map is converted once, into a folder and into a store; what is done or refused is not queued again.
func TestJobsAreDoneOnce(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at, in, scratch := serve(serverConfig{}).URL, t.TempDir(), t.TempDir()
		tried := filepath.Join(t.TempDir(), "tried")
		put(t, in, map[string]string{"a.bsp": "ok a", "deep/b.bsp": "ok b", "bad.bsp": "corrupt", "f.bsp": "flaky " + tried})
		for _, out := range []string{t.TempDir(), fileURL(filepath.Join(t.TempDir(), "deep"))} {
			os.Remove(tried)
			s := submission{url: at, in: in, out: out}
			s.want(t, 4, 0, 0, 0, 0)
			s.want(t, 0, 4, 0, 0, 0)
			want := map[string]int{"done a.glb": 1, "done deep/b.glb": 1, "failed corrupt bad.glb": 1, "again crash f.glb": 1, "done f.glb": 1}
			if diff := gocmp.Diff(want, work(t, at, tool, worker(scratch))); diff != "" {
				t.Error(diff)
			}
			wantFiles := map[string]string{
				"a.glb": "options ok a", "deep/b.glb": "options ok b", "f.glb": "options flaky " + tried,
				"a_side.png": "side", "deep/b_side.png": "side", "f_side.png": "side",
			}
			if diff := gocmp.Diff(wantFiles, files(t, strings.TrimPrefix(out, "file://"))); diff != "" {
				t.Error(diff)
			}
			r := records(t, out)
			if len(r) != 4 || r["f.glb"].Attempts != 2 || r["bad.glb"].Reason != batch.Corrupt || len(r["a.glb"].Files) != 2 ||
				r["a.glb"].Source != filepath.Join(in, "a.bsp") {
				t.Errorf("%+v", r)
			}
			s.want(t, 0, 0, 3, 1, 0)
			s.force = true
			s.want(t, 4, 0, 0, 0, 0)
			if diff := gocmp.Diff(map[string]int{"done a.glb": 1, "done deep/b.glb": 1, "failed corrupt bad.glb": 1, "done f.glb": 1},
				work(t, at, tool, worker(scratch))); diff != "" {
				t.Error(diff)
			}
		}
		checkScratch(t, scratch)
	})
}

// Two jobs in the queue never write one output: which of them ends last would decide what it is. The second may have other settings, be of
// another map, or be for another version.
func TestOneOutputHasOneJob(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at, in, other, out := serve(serverConfig{}).URL, t.TempDir(), t.TempDir(), t.TempDir()
		put(t, in, map[string]string{"a.bsp": "ok a"})
		put(t, other, map[string]string{"a.bsp": "ok a", "b.bsp": "ok b"})
		first := submission{url: at, in: in, out: out}
		first.want(t, 1, 0, 0, 0, 0)
		for _, test := range []struct {
			name string
			submission
			made int
			want string
		}{
			{"settings", submission{url: at, in: in, out: out, options: "others "}, 0, "a job with other settings is in the queue"},
			{"map", submission{url: at, in: other, out: out}, 1, fmt.Sprintf("a job of %q is in the queue", filepath.Join(in, "a.bsp"))},
			{"version", submission{url: at, in: in, out: out, tool: "test 2"}, 0, "is in the queue that writes \"a.glb\""},
		} {
			n, _, _ := test.submit(t)
			if n.New != test.made || len(n.Problems) != 1 || !strings.Contains(n.Problems[0].Err.Error(), test.want) {
				t.Errorf("%s: %+v", test.name, n)
			}
		}
		first.want(t, 0, 1, 0, 0, 0)
		if diff := gocmp.Diff(map[string]int{"done a.glb": 1, "done b.glb": 1}, work(t, at, tool, worker(t.TempDir()))); diff != "" {
			t.Error(diff)
		}
		submission{url: at, in: in, out: out, options: "others "}.want(t, 1, 0, 0, 0, 0) // it has ended
	})
}

// Many who submit the same at once make one job of it.
func TestSubmittersAtOnce(t *testing.T) {
	at, in, out := serveHere(t, serverConfig{}).URL, t.TempDir(), t.TempDir()
	put(t, in, many(50))
	var all sync.WaitGroup
	var mu sync.Mutex
	made, underway := 0, 0
	for range 4 {
		all.Go(func() {
			n, _, _ := submission{url: at, in: in, out: out}.submit(t)
			mu.Lock()
			defer mu.Unlock()
			made, underway = made+n.New, underway+n.Underway
		})
	}
	all.Wait()
	if made != 50 || underway != 150 {
		t.Errorf("%d are new, %d in the queue already", made, underway)
	}
}

// Workers of another version leave a job where it is; its record names the version that ran it.
func TestJobsGoToWorkersOfTheirVersion(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at, in := serve(serverConfig{}).URL, t.TempDir()
		put(t, in, map[string]string{"a.bsp": "ok"})
		for _, tool := range []string{"bsp2gltf 1.0", "bsp2gltf 1.1-rc.1"} {
			submission{url: at, in: in, out: filepath.Join(in, tool), tool: tool}.want(t, 1, 0, 0, 0, 0)
		}
		for _, tool := range []string{"bsp2gltf 1.1-rc.1", "bsp2gltf 1.0"} {
			if diff := gocmp.Diff(map[string]int{"done a.glb": 1}, work(t, at, tool, worker(t.TempDir()))); diff != "" {
				t.Error(diff)
			}
			if r := records(t, filepath.Join(in, tool)); r["a.glb"].Tool != tool {
				t.Errorf("%+v", r)
			}
		}
	})
}

// A worker fetches the maps and the games of a store.
func TestMapsAndGamesOfAStore(t *testing.T) {
	at, dir, out, scratch := serveHere(t, serverConfig{}).URL, t.TempDir(), t.TempDir(), t.TempDir()
	put(t, dir, map[string]string{"maps/x/a b.bsp": "ok", "maps/c.bsp": "ok", "maps/c.txt": "", "baseq9/autoexec.cfg": "!", "baseq9/maps/z.bsp": ""})
	submission{url: at, in: fileURL(dir) + "/maps/", out: out, game: []string{fileURL(dir) + "/baseq9"}}.want(t, 2, 0, 0, 0, 0)
	work(t, at, tool, worker(scratch))
	got := files(t, out)
	if len(got) != 4 || got["x/a_b-c8687a08.glb"] != "options baseq9!ok" {
		t.Errorf("%q; %+v", got, records(t, out))
	}
	checkScratch(t, scratch, "autoexec.cfg")
}

// Messages that bring no job that could run are told once and leave the queue; the jobs beside them are done.
func TestMessagesThatAreNoJobs(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at, in, out := serve(serverConfig{}).URL, t.TempDir(), t.TempDir()
		put(t, in, map[string]string{"a.bsp": "ok"})
		submission{url: at, in: in, out: out}.want(t, 1, 0, 0, 0, 0)
		want := map[string]int{"done a.glb": 1}
		for event, message := range map[string]string{
			"failed usage ":     "what?",
			"failed usage ../v": fmt.Sprintf(`{"output": "../v", "tool": %q}`, tool),
			"failed usage t":    `{"output": "t", "tool": "test 2"}`,
			"failed usage s":    fmt.Sprintf(`{"output": "s", "tool": %q, "out": "s3://%%zz"}`, tool),
		} {
			want[event] = 1
			if _, err := client(t, at).Publish(t.Context(), "bsp2gltf.jobs.test_1."+fmt.Sprint(len(want)), []byte(message)); err != nil {
				t.Fatal(err)
			}
		}
		if diff := gocmp.Diff(want, work(t, at, tool, worker(t.TempDir()))); diff != "" {
			t.Error(diff)
		}
		checkEmpty(t, at)
	})
}

// checkEmpty checks that the queue has no message left.
func checkEmpty(t *testing.T, at string) {
	t.Helper()
	s, err := client(t, at).Stream(t.Context(), "BSP2GLTF")
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Msgs; n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

// deliver lets a worker that dies take the queue's only job some times.
func deliver(t *testing.T, at string, times int) {
	t.Helper()
	c, err := client(t, at).Consumer(t.Context(), "BSP2GLTF", "workers-test_1")
	if err != nil {
		t.Fatal(err)
	}
	for range times {
		m, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Nak(); err != nil {
			t.Fatal(err)
		}
	}
}

// A job whose last worker died without an outcome fails, and its record says so.
func TestJobThatKillsItsWorkers(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at, in, out := serve(serverConfig{}).URL, t.TempDir(), t.TempDir()
		put(t, in, map[string]string{"a.bsp": "ok"})
		submission{url: at, in: in, out: out}.want(t, 1, 0, 0, 0, 0)
		deliver(t, at, 5)
		if diff := gocmp.Diff(map[string]int{"failed crash a.glb": 1}, work(t, at, tool, worker(t.TempDir()))); diff != "" {
			t.Fatal(diff)
		}
		if r := records(t, out)["a.glb"]; r.Message != "attempt 5 of 5 has no outcome: its worker died or lost the queue" || r.Attempts != 5 {
			t.Errorf("%+v", r)
		}
		checkEmpty(t, at)
	})
}

// An attempt that the worker's end interrupts does not count, so a job is not given up because its workers are often restarted.
func TestInterruptedAttemptsDoNotCount(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at, in, out := serve(serverConfig{}).URL, t.TempDir(), t.TempDir()
		now := filepath.Join(t.TempDir(), "now")
		put(t, in, map[string]string{"a.bsp": "until " + now})
		submission{url: at, in: in, out: out}.want(t, 1, 0, 0, 0, 0)
		deliver(t, at, 3) // these count
		for range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- queue.Work(ctx, jobs.Queue{URL: at, Tool: tool}, worker(t.TempDir())) }()
			for taken(t, at) == 0 {
				time.Sleep(10 * time.Millisecond)
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		put(t, filepath.Dir(now), map[string]string{"now": ""})
		if diff := gocmp.Diff(map[string]int{"done a.glb": 1}, work(t, at, tool, worker(t.TempDir()))); diff != "" {
			t.Error(diff)
		}
		if r := records(t, out)["a.glb"]; r.Attempts != 4 {
			t.Errorf("%+v", r)
		}
	})
}

// Numbers that a stream of the same name left do no harm.
func TestInterruptedAttemptsOfAnEarlierStream(t *testing.T) {
	at, in, out := serveHere(t, serverConfig{}).URL, t.TempDir(), t.TempDir()
	put(t, in, map[string]string{"a.bsp": "flaky " + filepath.Join(t.TempDir(), "tried")})
	submission{url: at, in: in, out: out}.want(t, 1, 0, 0, 0, 0)
	kv, err := client(t, at).KeyValue(t.Context(), "bsp2gltf-interrupted")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.PutString(t.Context(), "1", "9"); err != nil {
		t.Fatal(err)
	}
	deliver(t, at, 1)
	if diff := gocmp.Diff(map[string]int{"again crash a.glb": 1, "done a.glb": 1}, work(t, at, tool, worker(t.TempDir()))); diff != "" {
		t.Error(diff)
	}
}

// taken returns how many jobs workers have.
func taken(t *testing.T, at string) int {
	t.Helper()
	c, err := client(t, at).Consumer(t.Context(), "BSP2GLTF", "workers-test_1")
	if err != nil {
		t.Fatal(err)
	}
	return c.CachedInfo().NumAckPending
}

// A job whose outputs can't be written is not given up: it is not the map's fault.
func TestOutputsThatCanNotBeWritten(t *testing.T) {
	at, in, out := serveHere(t, serverConfig{}).URL, t.TempDir(), filepath.Join(t.TempDir(), "out")
	put(t, in, map[string]string{"a.bsp": "ok"})
	submission{url: at, in: in, out: out}.want(t, 1, 0, 0, 0, 0)
	deliver(t, at, 4)
	put(t, filepath.Dir(out), map[string]string{"out": "is no folder"})
	ctx, cancel := context.WithCancel(t.Context())
	w := worker(t.TempDir())
	var said []string
	w.Event = func(e batch.Event) {
		said = append(said, outcome(e))
		cancel()
	}
	if err := queue.Work(ctx, jobs.Queue{URL: at, Tool: tool}, w); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if diff := gocmp.Diff([]string{"again output a.glb"}, said); diff != "" {
		t.Error(diff)
	}
}

// A record replaces an earlier one, also if the clock of the machine that wrote that one is ahead.
func TestRecordIsTheLatestWhateverTheClocks(t *testing.T) {
	at, in, out := serveHere(t, serverConfig{}).URL, t.TempDir(), t.TempDir()
	put(t, in, map[string]string{"a.bsp": "corrupt"})
	put(t, out, map[string]string{".bsp2gltf/manifest.jsonl": fmt.Sprintf(`{"time": %q, "output": "a.glb", "reason": "crash"}`+"\n",
		time.Now().Add(time.Hour).Format(time.RFC3339))})
	submission{url: at, in: in, out: out}.want(t, 1, 0, 0, 0, 0)
	work(t, at, tool, worker(t.TempDir()))
	if r := records(t, out)["a.glb"]; r.Reason != batch.Corrupt {
		t.Errorf("%+v", r)
	}
}

func TestRefusesWhatIsNoQueue(t *testing.T) {
	for url, want := range map[string]error{
		"":                             limit.ErrUsage,
		"http://localhost":             limit.ErrUsage,
		"nats://user:secret@localhost": limit.ErrUsage,
		"nats://a,tls://u:p@b":         limit.ErrUsage,
		"nats://127.0.0.1:1":           limit.ErrInput,
	} {
		err := queue.Work(t.Context(), jobs.Queue{URL: url, Tool: tool}, worker(t.TempDir()))
		if !errors.Is(err, want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// A server that is in no cluster keeps each job once, and says so.
func TestReplicasNeedACluster(t *testing.T) {
	at := serveHere(t, serverConfig{}).URL
	_, err := queue.Submit(t.Context(), jobs.Queue{URL: at, Tool: tool, Replicas: 3}, &jobs.Setup{Tool: tool}, t.TempDir(), nil)
	if !errors.Is(err, limit.ErrInput) || !strings.HasSuffix(err.Error(), "replicas > 1 not supported in non-clustered mode") ||
		strings.Contains(err.Error(), "err_code") {
		t.Error(err)
	}
}

// start starts a worker process and returns it with what it says.
func start(t *testing.T, url, scratch string, env ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), "QUEUE_TEST_WORKER="+url, "QUEUE_TEST_SCRATCH="+scratch), env...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return c, bufio.NewScanner(out)
}

// many returns maps.
func many(n int) map[string]string {
	texts := map[string]string{}
	for i := range n {
		texts[fmt.Sprintf("m%03d.bsp", i)] = fmt.Sprint("ok ", i)
	}
	return texts
}

// shortLease makes jobs of workers that were killed go to others soon.
func shortLease(t *testing.T, at string) {
	t.Helper()
	c, err := client(t, at).Consumer(t.Context(), "BSP2GLTF", "workers-test_1")
	if err != nil {
		t.Fatal(err)
	}
	config := c.CachedInfo().Config
	config.AckWait = time.Second
	if _, err := client(t, at).UpdateConsumer(t.Context(), "BSP2GLTF", config); err != nil {
		t.Fatal(err)
	}
}

// Workers on a server: some are killed, and the server is killed and restarted. Each map has its output and one record.
func TestWorkersAndServerSurviveKills(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		kept, in, out, texts := t.TempDir(), t.TempDir(), t.TempDir(), many(150)
		s := serve(serverConfig{Store: kept})
		put(t, in, texts)
		submission{url: s.URL, in: in, out: fileURL(out)}.want(t, 150, 0, 0, 0, 0)
		shortLease(t, s.URL)
		_, other := start(t, s.URL, t.TempDir())
		for range 3 {
			killed, said := start(t, s.URL, t.TempDir())
			for range 5 + rand.IntN(10) {
				if !said.Scan() {
					t.Fatal("the worker ended")
				}
			}
			_ = killed.Process.Kill()
		}
		s.stop()
		serve(serverConfig{Port: portOf(t, s.URL), Store: kept})
		for other.Scan() {
		}
		want := map[string]string{}
		for name, text := range texts {
			stem := strings.TrimSuffix(name, ".bsp")
			want[stem+".glb"], want[stem+"_side.png"] = "options "+text, "side"
		}
		if diff := gocmp.Diff(want, files(t, out)); diff != "" {
			t.Error(diff)
		}
		for name, r := range records(t, out) {
			if r.Reason != "" || want[name] == "" {
				t.Errorf("%+v", r)
			}
			delete(want, name)
		}
		if len(want) != 150 { // of each output one file is no main file
			t.Errorf("%d records", 300-len(want))
		}
		// NATS 2.9 has messages that have ended in the stream again.
		submission{url: s.URL, in: in, out: fileURL(out), force: true}.want(t, 150, 0, 0, 0, 0)
		if n := work(t, s.URL, tool, worker(t.TempDir())); len(n) != 150 {
			t.Errorf("%d of 150 jobs are done again", len(n))
		}
	})
}

// A worker keeps a job that takes longer than the lease of the queue, whatever that is.
func TestHeartbeatFollowsTheQueue(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at, in, out := serve(serverConfig{}).URL, t.TempDir(), t.TempDir()
		now := filepath.Join(t.TempDir(), "now")
		put(t, in, map[string]string{"a.bsp": "until " + now})
		submission{url: at, in: in, out: out}.want(t, 1, 0, 0, 0, 0)
		shortLease(t, at)
		time.AfterFunc(3*time.Second, func() { _ = os.WriteFile(now, nil, 0o644) })
		work(t, at, tool, worker(t.TempDir()))
		if r := records(t, out)["a.glb"]; r.Attempts != 1 || r.Reason != "" {
			t.Errorf("%+v", r)
		}
	})
}
