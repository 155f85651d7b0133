package batch

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is a running worker process.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	results chan Result // closed when the process has ended
	said    *tail       // its standard error
}

// startProcess starts a worker process. It fails only if the program can't be started.
func startProcess(command func() *exec.Cmd, setup *Setup, folder *os.File) (*process, error) {
	p := &process{cmd: command(), results: make(chan Result, 1), said: &tail{}}
	p.cmd.Stderr = p.said
	if folder != nil {
		inherit(p.cmd, folder)
	}
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
	_ = p.send(request{Setup: setup}) // if the process has already ended, the first job notices
	return p, nil
}

// read forwards the process's results to p.results until the process ends.
func (p *process) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r Result
		if json.Unmarshal(lines.Bytes(), &r) == nil {
			p.results <- r
		}
	}
	_ = p.cmd.Wait() // the state is read later, from ProcessState
	close(p.results)
}

func (p *process) send(q request) error {
	line, err := json.Marshal(q)
	if err == nil {
		_, err = p.in.Write(append(line, '\n'))
	}
	return err
}

// stop ends the process, by force if needed, and waits for its end. It does not wait if the process can't be killed
// because it waits for a dead disk, or if child processes keep its output open. p may be nil.
func (p *process) stop() {
	if p == nil {
		return
	}
	p.in.Close()
	t := time.AfterFunc(lastWords, p.kill)
	defer t.Stop()
	ended := make(chan struct{})
	go func() {
		for range p.results { // until it is closed
		}
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(2 * lastWords):
	}
}

func (p *process) kill() { _ = p.cmd.Process.Kill() } // it may have ended already

// late is how long after its deadline a job may still report that it timed out.
const late = 2 * time.Second

// do runs a job in the process. Alive is false if the process ended, by itself or because do killed it. When ending is
// closed, do cancels the job, and kills the process if it does not answer within lastWords.
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
				if r.Reason == Timeout {
					r.Message = fmt.Sprintf("not done within %s; --timeout allows more", j.Timeout)
				}
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

// died returns the result of a job whose process has ended, with the reason for that.
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

// tail is a writer that keeps the beginning and the end of what is written to it.
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
