package batch

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Setup is what all jobs of a worker process have in common: the first line that it reads.
type Setup struct {
	Options  string       `json:"options"` // a pipeline file
	Format   string       `json:"format"`  // glb, gltf, obj
	Strict   bool         `json:"strict,omitempty"`
	Limits   limit.Limits `json:"limits"`
	Cache    string       `json:"cache,omitempty"`    // a folder; "" is no cache
	CacheMax int64        `json:"cacheMax,omitempty"` // bytes
}

// Job is a map to convert: a line that a worker process reads.
type Job struct {
	ID      int           `json:"id"`
	In      string        `json:"in"`
	Out     string        `json:"out"`
	Timeout time.Duration `json:"timeout"`           // 0 is none
	Memory  int64         `json:"memory"`            // bytes; 0 is no cap
	Picture string        `json:"picture,omitempty"` // a file for a small picture of the map; "" is none
	Setup   *Setup        `json:"setup,omitempty"`   // in place of the process's
}

// Result is what became of a job: a line that a worker process writes.
type Result struct {
	ID      int      `json:"id"`
	Reason  Reason   `json:"reason,omitempty"` // "" where it is done
	Message string   `json:"message,omitempty"`
	SHA256  string   `json:"sha256,omitempty"` // of the map
	Files   []string `json:"files,omitempty"`  // that were written, the main file last
	Summary *Summary `json:"summary,omitempty"`
}

// request is a line to a worker process: one of its fields.
type request struct {
	Setup  *Setup `json:"setup,omitempty"`
	Job    *Job   `json:"job,omitempty"`
	Cancel bool   `json:"cancel,omitempty"` // end the job
}

// exitMemory is the code that a worker process exits with when its job takes more memory than it may.
const exitMemory = 112

// lastWords is how long a worker process whose reader has gone may take to end a job.
const lastWords = 2 * time.Second

// Serve answers the jobs that it reads from r, one after the other, until r ends or ctx is done. Convert does a job; it
// stops when its context is done. Where the job's Memory is exceeded, the process exits.
func Serve(ctx context.Context, r io.Reader, w io.Writer, convert func(context.Context, *Setup, *Job) Result) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{jobs: make(chan *Job), cancel: func() {}}
	go s.watchMemory(ctx)
	ready := make(chan error, 1)
	go func() {
		ready <- s.receive(ctx, r)
		stop()
		time.Sleep(lastWords)
		os.Exit(1) // a job that does not end would outlive the batch
	}()
	out := json.NewEncoder(w)
	for {
		select {
		case j := <-s.jobs:
			job, done := s.begin(ctx, j)
			setup := &s.setup
			if j.Setup != nil {
				setup = j.Setup
			}
			result := convert(job, setup, j)
			result.ID = j.ID
			done()
			if err := out.Encode(result); err != nil {
				return fmt.Errorf("%w: %w", limit.ErrWrite, err)
			}
		case err := <-ready:
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

// server is the state of Serve.
type server struct {
	setup Setup
	jobs  chan *Job

	mu     sync.Mutex
	cancel func() // ends the job
	cap    int64  // bytes that the job may have; 0 is no cap
}

// receive reads the requests until there are no more.
func (s *server) receive(ctx context.Context, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var q request
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return fmt.Errorf("a request that is none: %w: %w", limit.ErrUsage, err)
		}
		switch {
		case q.Setup != nil:
			s.setup = *q.Setup // before the first job, whose sending orders the two
		case q.Cancel:
			s.mu.Lock()
			s.cancel()
			s.mu.Unlock()
		case q.Job != nil:
			select {
			case s.jobs <- q.Job:
			case <-ctx.Done():
				return nil
			}
		}
	}
	return lines.Err()
}

// begin starts the clock of a job; the function it returns stops it.
func (s *server) begin(ctx context.Context, j *Job) (context.Context, func()) {
	var cancel context.CancelFunc
	if j.Timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, j.Timeout)
	} else {
		ctx, cancel = context.WithCancel(ctx)
	}
	if j.Memory > 0 {
		debug.SetMemoryLimit(j.Memory - j.Memory/8)
		limitAddressSpace(j.Memory)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel, s.cap = cancel, j.Memory
	return ctx, func() {
		s.mu.Lock()
		s.cancel, s.cap = func() {}, 0
		s.mu.Unlock()
		cancel()
	}
}

// watchMemory ends the process when its job takes more memory than it may: what has run away can't be trusted to stop.
func (s *server) watchMemory(ctx context.Context) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.mu.Lock()
			most := s.cap
			s.mu.Unlock()
			if most == 0 {
				continue
			}
			if used := usedMemory(); used > most {
				fmt.Fprintf(os.Stderr, "it takes %d MB, and may take %d MB\n", used>>20, most>>20)
				os.Exit(exitMemory)
			}
		}
	}
}

// reasons are the kinds of errors as reasons. The first that fits wins, in the order of the exit codes.
var reasons = []struct {
	err    error
	reason Reason
}{
	{context.DeadlineExceeded, Timeout},
	{context.Canceled, Canceled},
	{limit.ErrInternal, Internal},
	{limit.ErrUsage, Usage},
	{limit.ErrLimit, Limited},
	{limit.ErrOutput, NoOutput},
	{limit.ErrWrite, NoWrite},
	{limit.ErrCorrupt, Corrupt},
	{errors.ErrUnsupported, Unsupported},
	{fs.ErrNotExist, Unreadable},
	{fs.ErrPermission, Unreadable},
	{limit.ErrInput, Unreadable},
}

// ReasonOf returns the reason that an error is, Internal for one of no kind.
func ReasonOf(err error) Reason {
	for _, k := range reasons {
		if errors.Is(err, k.err) {
			return k.reason
		}
	}
	return Internal
}
