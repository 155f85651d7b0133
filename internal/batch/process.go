package batch

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is a worker process.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	results chan Result // closed when the process has ended
	said    *tail       // on standard error
}

// startProcess starts a worker process. It fails if the program can't be run.
func startProcess(command func() *exec.Cmd, setup *Setup) (*process, error) {
	p := &process{cmd: command(), results: make(chan Result, 1), said: &tail{}}
	p.cmd.Stderr = p.said
	p.cmd.WaitDelay = time.Second
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("a worker process: %w", err)
	}
	go p.read(out)
	_ = p.send(request{Setup: setup}) // a process that is gone already is noticed with the job
	return p, nil
}

// read passes the results on until the process ends.
func (p *process) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r Result
		if json.Unmarshal(lines.Bytes(), &r) == nil {
			p.results <- r
		}
	}
	_ = p.cmd.Wait() // its state is read below
	close(p.results)
}

func (p *process) send(q request) error {
	line, err := json.Marshal(q)
	if err == nil {
		_, err = p.in.Write(append(line, '\n'))
	}
	return err
}

// stop ends the process; where it does not end by itself, by force. A nil process is none.
func (p *process) stop() {
	if p == nil {
		return
	}
	p.in.Close()
	t := time.AfterFunc(lastWords, p.kill)
	for range p.results { // until it is closed
	}
	t.Stop()
}

func (p *process) kill() { _ = p.cmd.Process.Kill() } // it may have ended

// late is how long after its deadline a job may still answer that it has passed.
const late = 2 * time.Second

// do has the process do a job. Alive is false if the process has ended with it, by its own doing or ours. When ending is
// closed, the job is told to end, and made to within lastWords.
func (p *process) do(j *Job, ending <-chan struct{}) (r Result, alive bool) {
	if err := p.send(request{Job: j}); err != nil {
		p.stop()
		return p.died(j), false
	}
	var deadline, force <-chan time.Time
	if j.Timeout > 0 {
		deadline = time.After(j.Timeout + late)
	}
	for {
		select {
		case r, ok := <-p.results:
			if !ok {
				if force != nil {
					return Result{ID: j.ID, Reason: Canceled}, false
				}
				return p.died(j), false
			}
			if r.ID == j.ID {
				return r, true
			}
		case <-deadline:
			p.kill()
			p.stop()
			return Result{ID: j.ID, Reason: Timeout, Message: fmt.Sprintf("not done within %s, and did not stop", j.Timeout)}, false
		case <-ending:
			ending, force = nil, time.After(lastWords)
			_ = p.send(request{Cancel: true})
		case <-force:
			p.kill()
			p.stop()
			return Result{ID: j.ID, Reason: Canceled}, false
		}
	}
}

// died says why a process has ended.
func (p *process) died(j *Job) Result {
	r := Result{ID: j.ID, Reason: Crash, Message: p.cmd.ProcessState.String()}
	said := p.said.String()
	switch {
	case p.cmd.ProcessState.ExitCode() == exitMemory:
		r.Reason, r.Message = Memory, strings.TrimSpace(said)
	case strings.Contains(said, "out of memory") || strings.Contains(said, "cannot allocate memory"):
		r.Reason, r.Message = Memory, "the system gave it no more memory"
	default:
		for _, line := range strings.Split(said, "\n") {
			if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
				r.Message = line
				break
			}
		}
	}
	return r
}

// tail keeps the beginning and the end of what is written to it.
type tail struct {
	mu          sync.Mutex
	first, last []byte
}

const tailSize = 8 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	k := min(n, tailSize-len(t.first))
	t.first = append(t.first, b[:k]...)
	t.last = append(t.last, b[k:]...)
	if len(t.last) > 2*tailSize {
		t.last = append([]byte(nil), t.last[len(t.last)-tailSize:]...)
	}
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.first) + string(t.last)
}
