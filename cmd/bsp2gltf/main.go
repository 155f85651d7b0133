// Command bsp2gltf converts compiled game maps to glTF 2.0 and OBJ.
//
//	bsp2gltf q3dm17.bsp                   writes q3dm17.glb into the current folder
//	bsp2gltf q3dm17.bsp out/q3dm17.gltf   writes .gltf, .bin and images
//	bsp2gltf info q3dm17.bsp              tells what the map is and holds
//	bsp2gltf batch maps -o out            converts all maps of a folder
//
// Standard output is data, standard error is talk. The exit codes are in exit.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/bsp2gltf/bsp2gltf/convert"
	"github.com/bsp2gltf/bsp2gltf/convert/ask"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func main() {
	cobra.MousetrapHelpText = "" // a map may be dropped on the program's icon
	if args := os.Args[1:]; startedByExplorer() && isDrop(args) {
		os.Exit(runDropped(newApp(), args))
	}
	os.Exit(newApp().run(os.Args[1:]))
}

// app is the command with what it talks to.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	terminal       bool // stderr is one
	width          int  // of the terminal
	getenv         func(string) string
	convert        func(context.Context, convert.Job) (*convert.Report, error)
	inspect        func(context.Context, string, []string, limit.Limits, io.Reader) (*ask.Info, error)

	// Flags of every command.
	quiet bool
	color string
	debug string

	words    []string // of the command line
	cancel   context.CancelCauseFunc
	started  bool          // the words were understood; what fails now is not usage
	files    []string      // the map and the output, which messages may begin with
	patience time.Duration // the flag --timeout, for its message
	grace    atomic.Int64  // nanoseconds that a command which was told to stop may take to do so
}

func newApp() *app {
	a := &app{
		stdin: os.Stdin, stdout: &sticky{w: os.Stdout}, stderr: os.Stderr,
		getenv: os.Getenv, convert: convert.Run, inspect: ask.Inspect,
	}
	if closedStdout() {
		a.stdout = &sticky{w: closed{}}
	}
	fd := int(os.Stderr.Fd())
	if a.terminal = term.IsTerminal(fd); a.terminal {
		a.width, _, _ = term.GetSize(fd)
	}
	a.grace.Store(int64(2 * time.Second))
	return a
}

// sticky is a writer that remembers its first error.
type sticky struct {
	w   io.Writer
	err error
}

// closed is a standard output that is not there.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("it is closed") }

func (s *sticky) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	s.err = err
	return n, err
}

// run runs the command and returns its exit code.
func (a *app) run(args []string) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	a.cancel = cancel
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		cancel(&signalled{<-signals})
		signal.Stop(signals) // the second one kills
	}()

	done := make(chan error, 1)
	go func() { done <- a.execute(ctx, args) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		case <-time.After(time.Duration(a.grace.Load())): // it waits for a terminal's input, or a dead disk
			err = ctx.Err()
		}
	}
	if s, ok := a.stdout.(*sticky); ok && s.err != nil && (err == nil || errors.Is(err, s.err)) {
		err = unwritable(fmt.Errorf("standard output: %w", cause(s.err))) // help and the like don't look
	}
	if err == nil {
		return 0
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return a.fail(err)
}

// execute runs the command. It is the only place that recovers; the library has its own net around a conversion.
func (a *app) execute(ctx context.Context, args []string) (err error) {
	defer func() {
		if recovers {
			if v := recover(); v != nil {
				err = &panicked{v, debug.Stack()}
			}
		}
	}()
	a.words = args
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	return root.ExecuteContext(ctx)
}

// panicked is a panic as an error. It is a limit.ErrInternal.
type panicked struct {
	value any
	stack []byte
}

func (e *panicked) Error() string { return fmt.Sprintf("internal error: %v", e.value) }

// Is makes every panic a limit.ErrInternal.
func (e *panicked) Is(target error) bool { return target == limit.ErrInternal }

// Stack is where it happened.
func (e *panicked) Stack() []byte { return e.stack }

// signalled is a signal that ended the command.
type signalled struct{ os.Signal }

func (e *signalled) Error() string {
	if e.Signal == os.Interrupt {
		return "interrupted"
	}
	return "terminated"
}
