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
	"syscall"
	"time"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Setup holds what all jobs of a worker process share. It is the first line that the process reads.
type Setup struct {
	Options  string       `json:"options"` // a pipeline file
	Format   string       `json:"format"`  // glb, gltf, obj
	Strict   bool         `json:"strict,omitempty"`
	Limits   limit.Limits `json:"limits"`
	Game     []string     `json:"game,omitempty"`     // URLs of game folders, searched before those in the options
	Cache    string       `json:"cache,omitempty"`    // folder; "" means no cache
	CacheMax int64        `json:"cacheMax,omitempty"` // bytes
}

// Job is a map to convert: a line that a worker process reads.
type Job struct {
	ID      int           `json:"id"`
	In      string        `json:"in"`
	Out     string        `json:"out"`               // relative to the folder that the process inherited, or absolute
	Timeout time.Duration `json:"timeout"`           // 0 means none
	Memory  int64         `json:"memory"`            // bytes; 0 means no limit
	Picture bool          `json:"picture,omitempty"` // draw a small picture of the map
	Setup   *Setup        `json:"setup,omitempty"`   // replaces the setup of the process
}

// Result is the outcome of a job: a line that a worker process writes.
type Result struct {
	ID      int      `json:"id"`
	Reason  Reason   `json:"reason,omitempty"` // "" if it succeeded
	Message string   `json:"message,omitempty"`
	SHA256  string   `json:"sha256,omitempty"` // of the map
	Files   []string `json:"files,omitempty"`  // files that were written, the main file last
	Summary *Summary `json:"summary,omitempty"`
	Picture []byte   `json:"picture,omitempty"` // a small picture of the map, as WebP
}

// request is a line that is sent to a worker process. One of its fields is set.
type request struct {
	Setup  *Setup `json:"setup,omitempty"`
	Job    *Job   `json:"job,omitempty"`
	Cancel bool   `json:"cancel,omitempty"` // stop the job
}

// exitMemory is the code that a worker process exits with when its job takes more memory than it may.
const exitMemory = 112

// lastWords is how long a worker process may take to end a job after its parent has gone.
const lastWords = 2 * time.Second

// Serve runs the jobs that it reads from r, one after the other, and writes their results to w until r ends or ctx is
// done. Convert runs one job and must stop when its context is done. If a job exceeds its Memory, the process exits.
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
		os.Exit(1) // otherwise a job that does not stop would outlive the batch
	}()
	if err := enterFolder(); err != nil {
		return fmt.Errorf("the folder of outputs: %w: %w", limit.ErrOutput, err)
	}
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
	cancel func() // cancels the running job
	cap    int64  // bytes that the running job may take; 0 means no limit
}

// receive reads requests until r ends.
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
			s.setup = *q.Setup // before the first job: sending the job on the channel orders the two
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

// begin starts the timeout of a job. The function that it returns stops it.
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

// watchMemory exits the process when its job exceeds its memory, because a runaway job may not stop when it is
// cancelled.
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

// reasons maps kinds of errors to reasons, in the order of the exit codes. The first match wins.
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

// ReasonOf returns the reason for an error. An error of the system without a kind, like too many open files, is
// Unreadable; any other unknown error is Internal.
func ReasonOf(err error) Reason {
	for _, k := range reasons {
		if errors.Is(err, k.err) {
			return k.reason
		}
	}
	if e := syscall.Errno(0); errors.As(err, &e) {
		return Unreadable
	}
	return Internal
}
