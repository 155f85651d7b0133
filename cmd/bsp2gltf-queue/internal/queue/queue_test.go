package queue_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/cmd/bsp2gltf-queue/internal/queue"
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
		if err := workFor(os.Getenv("QUEUE_TEST_WORKER"), os.Getenv("QUEUE_TEST_SCRATCH")); err != nil {
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
	switch {
	case strings.HasPrefix(string(text), "corrupt"):
		return batch.Result{Reason: batch.Corrupt, Message: "lump 7: bad"}
	case strings.HasPrefix(string(text), "flaky"): // crashes the first time
		if f, err := os.OpenFile(os.Getenv("QUEUE_TEST_FLAKY"), os.O_CREATE|os.O_EXCL, 0o644); err == nil {
			f.Close()
			os.Exit(3)
		}
	}
	if n, ok := strings.CutPrefix(string(text), "files "); ok {
		return fakeFiles(j.Out, n)
	}
	if name, ok := strings.CutPrefix(string(text), "until "); ok {
		for _, err := os.Stat(name); err != nil && ctx.Err() == nil; _, err = os.Stat(name) {
			time.Sleep(10 * time.Millisecond)
		}
	}
	if string(text) == "stuck" {
		<-ctx.Done()
		return batch.Result{Reason: batch.ReasonOf(ctx.Err())}
	}
	summary := &batch.Summary{Map: "x"}
	if string(text) == "long" {
		summary = longSummary()
	}
	side := strings.TrimSuffix(j.Out, ".glb") + "_side.png"
	if os.WriteFile(side, []byte("side"), 0o644) != nil || os.WriteFile(j.Out, []byte(s.Options+string(text)), 0o644) != nil {
		return batch.Result{Reason: batch.NoWrite}
	}
	return batch.Result{Files: []string{side, j.Out}, Summary: summary}
}

// fakeFiles writes as many files as the map says.
func fakeFiles(out, number string) batch.Result {
	n, err := strconv.Atoi(number)
	if err != nil {
		return batch.Result{Reason: batch.Corrupt, Message: err.Error()}
	}
	dir := strings.TrimSuffix(out, ".glb") + "_textures"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return batch.Result{Reason: batch.NoWrite, Message: err.Error()}
	}
	var files []string
	for i := range n - 1 {
		files = append(files, filepath.Join(dir, fmt.Sprintf("%s_%d.png", strings.Repeat("long_name_", 12), i)))
	}
	files = append(files, out)
	for _, f := range files {
		if err := os.WriteFile(f, []byte(filepath.Base(f)), 0o644); err != nil {
			return batch.Result{Reason: batch.NoWrite, Message: err.Error()}
		}
	}
	return batch.Result{Files: files, Summary: &batch.Summary{Map: "x"}}
}

// longSummary returns the summary of a map with the longest texts that a report can have.
func longSummary() *batch.Summary {
	s := &batch.Summary{Map: "x", Title: strings.Repeat("\x01", 64<<10), Lacking: 9999}
	for range 500 {
		s.Missing = append(s.Missing, strings.Repeat("\U0001f5fa", 200))
	}
	return s
}

// worker is one whose processes are this program.
func worker(scratch string) jobs.Worker {
	return jobs.Worker{
		Name: "test", Jobs: 2, Scratch: scratch, UntilEmpty: true,
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

// workFor returns a worker process, whose jobs go to another soon after it was killed. It says when a job has ended.
func workFor(url, scratch string) error {
	lease, err := time.ParseDuration(cmp.Or(os.Getenv("QUEUE_TEST_LEASE"), "1s"))
	if err != nil {
		return err
	}
	q, err := queue.Open(context.Background(), jobs.Options{URL: url, Tool: cmp.Or(os.Getenv("QUEUE_TEST_TOOL"), tool), Lease: lease})
	if err != nil {
		return err
	}
	defer q.Close()
	w := worker(scratch)
	w.Event = func(s *jobs.Status) { fmt.Println(s.State, s.Job.Output) }
	return q.Work(context.Background(), w)
}

// tool is the version that tests have where it does not matter.
const tool = "test 1"

func open(t *testing.T, url string) *queue.Queue {
	t.Helper()
	return openAs(t, url, tool)
}

// openAs opens a queue as a version of the program.
func openAs(t *testing.T, url, tool string) *queue.Queue {
	t.Helper()
	q, err := queue.Open(t.Context(), jobs.Options{URL: url, Tool: tool, Lease: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// fileURL returns a folder as the URL of a store.
func fileURL(dir string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()
}

// requests writes maps into a folder and returns requests for them.
func requests(t *testing.T, dir, out string, texts map[string]string) []jobs.Request {
	t.Helper()
	var all []jobs.Request
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		p := filepath.Join(dir, name+".bsp")
		if err := os.WriteFile(p, []byte(texts[name]), 0o644); err != nil {
			t.Fatal(err)
		}
		all = append(all, jobs.Request{In: p, Out: out, Output: "maps/" + name + ".glb"})
	}
	return all
}

func setup() *jobs.Setup {
	return &jobs.Setup{Setup: batch.Setup{Options: "options ", Format: "glb"}, Timeout: 10 * time.Minute}
}

// submit submits, and checks how many jobs are new, in the queue, done and refused.
func submit(t *testing.T, q *queue.Queue, all []jobs.Request, s *jobs.Setup, force bool, want ...int) {
	t.Helper()
	got, err := q.Submit(t.Context(), all, s, force)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, []int{got.New, got.Underway, got.Before, got.Refused}); diff != "" {
		t.Errorf("new, underway, before, refused: %s", diff)
	}
}

func overview(t *testing.T, q *queue.Queue) *jobs.Overview {
	t.Helper()
	o, err := q.Overview(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// files returns the content of all files below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
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

func TestJobsAreDoneOnce(t *testing.T) {
	in, scratch := t.TempDir(), t.TempDir()
	t.Setenv("QUEUE_TEST_FLAKY", filepath.Join(in, "tried"))
	setup := func() *jobs.Setup {
		s := setup()
		s.Timeout = time.Hour
		return s
	}
	for _, out := range []string{t.TempDir(), fileURL(filepath.Join(t.TempDir(), "deep"))} {
		// No lease ends here: on a busy machine a short one does, and its job is rightly done again.
		q, err := queue.Open(t.Context(), jobs.Options{URL: "embed:" + t.TempDir(), Tool: tool, Lease: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		defer q.Close()
		os.Remove(filepath.Join(in, "tried"))
		all := requests(t, in, out, map[string]string{"a": "ok a", "b": "ok b", "bad": "corrupt", "f": "flaky"})
		submit(t, q, all, setup(), false, 4, 0, 0, 0)
		submit(t, q, all, setup(), false, 0, 4, 0, 0)
		if o := overview(t, q); o.Counts[jobs.Queued] != 4 || o.Pending != 4 {
			t.Errorf("%+v", o)
		}
		attempts := map[string]int{}
		w := worker(scratch)
		w.Event = func(s *jobs.Status) { attempts[filepath.Base(s.Job.Output)]++ }
		if err := q.Work(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"a.glb": 1, "b.glb": 1, "bad.glb": 1, "f.glb": 2}
		if diff := gocmp.Diff(want, attempts); diff != "" {
			t.Error(diff)
		}
		o := overview(t, q)
		records := 0
		_ = o.Each(func(*batch.Record) error { records++; return nil })
		if o.Counts[jobs.Done] != 3 || o.Counts[jobs.Failed] != 1 || o.Reasons[batch.Corrupt] != 1 || o.Pending != 0 || !o.Empty() ||
			records != 4 {
			t.Errorf("%+v", o)
		}
		dir := strings.TrimPrefix(out, "file://")
		wantFiles := map[string]string{
			"maps/a.glb": "options ok a", "maps/b.glb": "options ok b", "maps/f.glb": "options flaky",
			"maps/a_side.png": "side", "maps/b_side.png": "side", "maps/f_side.png": "side",
		}
		if diff := gocmp.Diff(wantFiles, files(t, dir)); diff != "" {
			t.Error(diff)
		}
		for _, j := range o.Jobs {
			if j.State == jobs.Done && len(j.Record.Files) != 2 {
				t.Errorf("%+v", j.Record)
			}
		}
		submit(t, q, all, setup(), false, 0, 0, 3, 1)
		other := setup()
		other.Strict = true
		submit(t, q, all[:1], other, false, 1, 0, 0, 0)
		submit(t, q, all[1:], setup(), true, 3, 0, 0, 0)
		if err := q.Work(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(wantFiles, files(t, dir)); diff != "" || overview(t, q).Counts[jobs.Done] != 4 {
			t.Error("after force:", diff)
		}
		q.Close()
	}
	checkScratch(t, scratch)
}

// Two jobs in the queue never write one output: which of them ends last would decide what it is.
func TestOneOutputHasOneJob(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	q := open(t, "embed:"+t.TempDir())
	defer q.Close()
	all := requests(t, in, out, map[string]string{"a": "ok a", "b": "ok b"})
	submit(t, q, all[:1], setup(), false, 1, 0, 0, 0)
	other := setup()
	other.Strict = true
	refused := func(list []jobs.Request, s *jobs.Setup, made int, want string) {
		t.Helper()
		got, err := q.Submit(t.Context(), list, s, true)
		if err != nil || got.New != made || len(got.Problems) != 1 || !errors.Is(got.Problems[0].Err, limit.ErrOutput) ||
			!strings.Contains(got.Problems[0].Err.Error(), want) {
			t.Errorf("%v, %+v, want %q", err, got, want)
		}
	}
	refused(all, other, 1, "with other settings is in the queue")
	same := all[1]
	same.Output = all[0].Output
	refused([]jobs.Request{same}, setup(), 0, "of "+strconv.Quote(all[0].In))
	twice := []jobs.Request{{In: all[0].In, Out: out, Output: "c.glb"}, {In: all[1].In, Out: out, Output: "c.glb"}}
	refused(twice, setup(), 1, "of "+strconv.Quote(all[0].In))
	submit(t, q, all[:1], setup(), false, 0, 1, 0, 0)
	if err := q.Work(t.Context(), worker(t.TempDir())); err != nil {
		t.Fatal(err)
	}
	submit(t, q, all[:1], other, false, 1, 0, 0, 0) // it has ended
}

func TestMapsAndGamesOfAStore(t *testing.T) {
	dir, out, scratch := t.TempDir(), t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"maps/x/a b.bsp": "ok", "maps/c.bsp": "ok", "maps/c.txt": "", "baseq9/autoexec.cfg": "!",
		"baseq9/maps/z.bsp": ""} {
		p := filepath.Join(dir, name)
		_ = os.MkdirAll(filepath.Dir(p), 0o755)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stores, err := queue.Engine().Stores(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer stores.Close()
	for _, pattern := range []string{"/maps/**/*.bsp", "/maps/", "/maps/c.bsp"} {
		found, err := stores.List(t.Context(), fileURL(dir)+pattern, false)
		var names []string
		for _, f := range found {
			names = append(names, f.Rel)
		}
		want := []string{"c.bsp", "x/a b.bsp"}
		if strings.HasSuffix(pattern, "c.bsp") {
			want = want[:1]
		}
		if diff := gocmp.Diff(want, names); diff != "" || err != nil {
			t.Errorf("%s: %v %s", pattern, err, diff)
		}
	}
	found, _ := stores.List(t.Context(), fileURL(dir)+"/maps/", false)
	var all []jobs.Request
	for _, f := range found {
		all = append(all, jobs.Request{In: f.URL, Identity: f.URL, Out: out, Output: strings.TrimSuffix(f.Rel, ".bsp") + ".glb"})
	}
	q := open(t, "embed:"+t.TempDir())
	defer q.Close()
	s := setup()
	s.Game = []string{fileURL(dir) + "/baseq9"}
	submit(t, q, all, s, false, 2, 0, 0, 0)
	if err := q.Work(t.Context(), worker(scratch)); err != nil {
		t.Fatal(err)
	}
	got := files(t, out)
	if len(got) != 4 || got["x/a b.glb"] != "options baseq9!ok" {
		t.Errorf("%q; %+v", got, overview(t, q).Jobs)
	}
	checkScratch(t, scratch, "autoexec.cfg")
}

func TestRefusesWhatIsNoQueue(t *testing.T) {
	dir := t.TempDir()
	q := open(t, "embed:"+dir)
	defer q.Close()
	for url, want := range map[string]error{
		"":                               limit.ErrUsage,
		"http://localhost":               limit.ErrUsage,
		"nats://user:secret@localhost":   limit.ErrUsage,
		"nats://a,tls://u:p@b":           limit.ErrUsage,
		"embed:":                         limit.ErrUsage,
		"embed:" + dir:                   limit.ErrOutput, // another has it
		"nats://127.0.0.1:1":             limit.ErrInput,
		"embed:" + os.Args[0] + "/below": limit.ErrOutput,
	} {
		if _, err := queue.Open(t.Context(), jobs.Options{URL: url}); !errors.Is(err, want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", url, err)
		}
	}
	stores, err := queue.Engine().Stores(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer stores.Close()
	for _, name := range []string{"s3://key:secret@bucket/x", "ftp://x/y", "file://host/x", "s3://%zz"} {
		if _, err := stores.List(t.Context(), name, false); !errors.Is(err, limit.ErrUsage) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
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

// many returns the maps of the tests that kill.
func many(n int) map[string]string {
	texts := map[string]string{}
	for i := range n {
		texts[fmt.Sprintf("m%03d", i)] = fmt.Sprint("ok ", i)
	}
	return texts
}

// checkMany checks that each map has its output, and that there is nothing else.
func checkMany(t *testing.T, q *queue.Queue, dir string, texts map[string]string) {
	t.Helper()
	if o := overview(t, q); o.Counts[jobs.Done] != len(texts) || o.Total != len(texts) || o.Pending != 0 {
		t.Errorf("%+v of %d", o.Counts, len(texts))
	}
	want := map[string]string{}
	for name, text := range texts {
		want["maps/"+name+".glb"], want["maps/"+name+"_side.png"] = "options "+text, "side"
	}
	if diff := gocmp.Diff(want, files(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// A queue in a folder goes on after a kill of the process that has it.
func TestEmbeddedQueueSurvivesKills(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir, out, texts := t.TempDir(), t.TempDir(), many(120)
	q := open(t, "embed:"+dir)
	submit(t, q, requests(t, t.TempDir(), fileURL(out), texts), setup(), false, 120, 0, 0, 0)
	q.Close()
	for round := range 4 {
		c, said := start(t, "embed:"+dir, t.TempDir())
		for range 10 + rand.IntN(15) {
			if !said.Scan() {
				t.Fatalf("round %d: the worker ended", round)
			}
		}
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	_, said := start(t, "embed:"+dir, t.TempDir())
	for said.Scan() {
	}
	q = open(t, "embed:"+dir)
	defer q.Close()
	checkMany(t, q, out, texts)
}

// Workers on a server: one is killed, and the server is restarted.
func TestWorkersAndServerSurviveKills(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		store := t.TempDir()
		s := serve(serverConfig{Store: store})
		out, texts := t.TempDir(), many(150)
		q := open(t, s.URL)
		defer q.Close()
		submit(t, q, requests(t, t.TempDir(), fileURL(out), texts), setup(), false, 150, 0, 0, 0)
		a, said := start(t, s.URL, t.TempDir())
		_, other := start(t, s.URL, t.TempDir())
		for range 15 {
			if !said.Scan() {
				t.Fatal("the worker ended")
			}
		}
		_ = a.Process.Kill()
		for range 15 {
			if !other.Scan() {
				t.Fatal("the other worker ended")
			}
		}
		s.stop()
		serve(serverConfig{Port: portOf(t, s.URL), Store: store})
		for other.Scan() {
		}
		checkMany(t, q, out, texts)
	})
}

// A map that can't be converted is tried once, and its job leaves the queue, whatever the server's version.
func TestFailedJobsLeaveTheQueue(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		q := open(t, serve(serverConfig{}).URL)
		defer q.Close()
		all := requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "ok", "b": "corrupt", "c": "corrupt"})
		submit(t, q, all, setup(), false, 3, 0, 0, 0)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w, ended := worker(t.TempDir()), map[string]int{}
		w.Event = func(s *jobs.Status) {
			if ended[s.Job.Output]++; ended[s.Job.Output] > 1 {
				cancel() // the worker would not end
			}
		}
		if err := q.Work(ctx, w); err != nil {
			t.Fatalf("a job came back: %v, %v", ended, err)
		}
		if o := overview(t, q); o.Counts[jobs.Done] != 1 || o.Counts[jobs.Failed] != 2 || o.Pending != 0 || o.Leased != 0 {
			t.Errorf("%+v", o)
		}
	})
}

// A job whose outcome is stored but whose message was not acknowledged is not run again.
func TestEndedJobsAreNotRunAgain(t *testing.T) {
	onEachServer(t, func(t *testing.T, serve func(serverConfig) *natsServer) {
		at := serve(serverConfig{}).URL
		q := open(t, at)
		defer q.Close()
		submit(t, q, requests(t, t.TempDir(), t.TempDir(), map[string]string{"a": "ok", "b": "ok"}), setup(), false, 2, 0, 0, 0)
		states := []jobs.State{jobs.Done, jobs.Failed}
		for i, j := range overview(t, q).Jobs {
			change(t, at, j.Job.ID, "state", states[i])
		}
		w := worker(t.TempDir())
		w.Event = func(s *jobs.Status) { t.Errorf("%s was run", s.Job.Output) }
		if err := q.Work(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		if o := overview(t, q); o.Counts[jobs.Done] != 1 || o.Counts[jobs.Failed] != 1 || o.Pending != 0 || o.Leased != 0 {
			t.Errorf("%+v", o)
		}
	})
}

// BenchmarkJob measures what the queue adds to a job: the time of jobs through it less that of the same jobs without it, whose
// converter waits for 20 ms.
func BenchmarkJob(b *testing.B) {
	dir := b.TempDir()
	q, err := queue.Open(b.Context(), jobs.Options{URL: "embed:" + b.TempDir(), Tool: tool})
	if err != nil {
		b.Fatal(err)
	}
	defer q.Close()
	var all []jobs.Request
	for i := range b.N {
		p := filepath.Join(dir, fmt.Sprint(i, ".bsp"))
		_ = os.WriteFile(p, []byte(fmt.Sprint("ok ", i)), 0o644)
		all = append(all, jobs.Request{In: p, Out: filepath.Join(dir, "out"), Output: fmt.Sprint(i, ".glb")})
	}
	p := &batch.Pool{Command: worker("").Command, Workers: 1}
	p.Start(b.Context())
	defer p.Close()
	var alone time.Time
	if err := os.MkdirAll(filepath.Join(dir, "alone"), 0o755); err != nil {
		b.Fatal(err)
	}
	for i, r := range all {
		s := &setup().Setup
		p.Do(b.Context(), batch.Job{ID: i, In: r.In, Out: filepath.Join(dir, "alone", r.Output), Setup: s}, 1, false, nil)
		if i == 0 {
			alone = time.Now()
		}
	}
	bare := time.Since(alone)
	b.ResetTimer()
	if _, err := q.Submit(b.Context(), all, setup(), false); err != nil {
		b.Fatal(err)
	}
	w := worker(b.TempDir())
	w.Jobs = 1
	var first, last time.Time // of the jobs' ends: the worker waits before it takes the queue for empty
	w.Event = func(*jobs.Status) {
		if last = time.Now(); first.IsZero() {
			first = last
		}
	}
	defer func() {
		if b.N > 1 {
			b.ReportMetric(float64((last.Sub(first)-bare).Microseconds())/float64(b.N-1)/1000, "ms/job")
		}
	}()
	if err := q.Work(b.Context(), w); err != nil {
		b.Fatal(err)
	}
}
