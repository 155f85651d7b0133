package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/closed"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/jobs"
	"github.com/bsp2gltf/bsp2gltf/cmd/internal/progress"
	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/inspect"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// app is the command with its streams, environment and global flags.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	terminal       bool // stderr is a terminal
	width          int  // of the terminal
	getenv         func(string) string
	convert        func(context.Context, convert.Job) (*report.Report, error)
	open           func(file string) bool // in the browser
	engine         *jobs.Engine           // nil in the program without queues
	inspect        func(context.Context, string, []string, io.Reader) (*inspect.Info, error)

	// Flags of every command.
	quiet bool
	color string
	debug string

	words    []string // arguments of the command line
	cancel   context.CancelCauseFunc
	started  bool          // the command line was parsed; until then errors are usage errors
	files    []string      // names of the map and the output, with which a message may start
	patience time.Duration // value of --timeout, for its message
	grace    atomic.Int64  // nanoseconds that a command has to stop after a signal
}

func newApp(engine *jobs.Engine) *app {
	a := &app{
		engine: engine,
		stdin:  os.Stdin, stdout: &sticky{w: os.Stdout}, stderr: os.Stderr,
		getenv: os.Getenv, convert: convert.Run, open: openInBrowser, inspect: inspect.Inspect,
	}
	if closed.Stdout() {
		a.stdout = &sticky{w: closedWriter{}}
	}
	fd := int(os.Stderr.Fd())
	if a.terminal = term.IsTerminal(fd); a.terminal {
		a.width, _, _ = term.GetSize(fd)
	}
	a.grace.Store(int64(2 * time.Second))
	return a
}

// progress returns the progress line, or nil without a terminal, on a build server, and on a terminal without cursor
// control. A program that runs this one sets BSP2GLTF_PROGRESS to "lines".
func (a *app) progress() *progress.Line {
	if a.getenv("BSP2GLTF_PROGRESS") == "lines" {
		return progress.NewLines(a.stderr)
	}
	if !a.terminal || a.quiet || a.getenv("CI") != "" || a.getenv("TERM") == "dumb" {
		return nil
	}
	return progress.NewLine(a.stderr, a.width)
}

// sticky is a writer that keeps its first error.
type sticky struct {
	w   io.Writer
	err error
}

// closedWriter stands for a standard output that was closed before the start.
type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, errors.New("it is closed") }

func (s *sticky) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// panicked is a panic turned into an error. It is a limit.ErrInternal.
type panicked struct {
	value any
	stack []byte
}

func (e *panicked) Error() string { return fmt.Sprintf("internal error: %v", e.value) }

// Is reports whether target is limit.ErrInternal.
func (e *panicked) Is(target error) bool { return target == limit.ErrInternal }

// Stack returns the goroutine's stack at the panic.
func (e *panicked) Stack() []byte { return e.stack }

// signalled is the error of a command that a signal ended.
type signalled struct{ os.Signal }

func (e *signalled) Error() string {
	switch e.Signal {
	case syscall.SIGHUP:
		return "the terminal was closed"
	case os.Interrupt:
		return "interrupted"
	}
	return "terminated"
}

// colour is an ANSI colour code.
type colour string

const (
	red    colour = "\x1b[1;31m"
	yellow colour = "\x1b[33m"
	dim    colour = "\x1b[2m"
	bold   colour = "\x1b[1m"
)

// paint returns s in a colour if standard error shows colours.
func (a *app) paint(c colour, s string) string {
	wanted := a.color == "always"
	if a.color == "auto" || a.color == "" {
		wanted = a.terminal && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb"
	}
	if !wanted {
		return s
	}
	return string(c) + s + "\x1b[0m"
}
