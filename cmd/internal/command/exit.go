package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/bsp2gltf/bsp2gltf/cmd/internal/human"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// kinds lists the exit codes, mostly those of sysexits.h. The first that fits an error wins: a missing output folder
// counts as an output that can't be created, a strict conversion with a missing texture as a corrupt map. 2 is not
// used, because a Go program that crashes exits with it.
var kinds = []struct {
	err  error
	code int
	help string
}{
	{errSomeFailed, 1, "some maps of a batch failed; the others are converted"},
	{context.DeadlineExceeded, 124, "not done within --timeout"},
	{limit.ErrInternal, 70, "an internal error of bsp2gltf; please report it"},
	{limit.ErrUsage, 64, "wrong options, arguments or pipeline file"},
	{limit.ErrLimit, 68, "the map exceeds a limit; --limit raises it"},
	{limit.ErrOutput, 73, "the output can't be created"},
	{limit.ErrWrite, 74, "writing the output failed"},
	{limit.ErrCorrupt, 65, "the map is corrupt, or --strict found something missing or wrong"},
	{errors.ErrUnsupported, 67, "the map's format or version is not supported"},
	{fs.ErrNotExist, 66, "the map, or another input, is missing or can't be read"},
	{fs.ErrPermission, 66, ""},
	{limit.ErrInput, 66, ""},
}

// exitCode returns the exit code for an error.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	var s *signalled
	if errors.As(err, &s) {
		switch s.Signal {
		case os.Interrupt:
			return 130
		case syscall.SIGHUP:
			return 129
		}
		return 143
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.code
		}
	}
	if e := syscall.Errno(0); errors.As(err, &e) {
		return 66 // an error of the system, like too many open files or a failing disk
	}
	return 70 // an error without a kind is a bug of bsp2gltf
}

// usageError is a mistake on the command line. It is a limit.ErrUsage.
type usageError struct{ message string }

func (e *usageError) Error() string        { return e.message }
func (e *usageError) Is(target error) bool { return target == limit.ErrUsage }

// mistakes is several errors, each of which is explained.
type mistakes []error

func (m mistakes) Error() string   { return errors.Join(m...).Error() }
func (m mistakes) Unwrap() []error { return m }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// fail explains the error that ends the command, and returns the exit code.
func (a *app) fail(err error) int {
	var s *signalled
	if !a.started && !errors.As(err, &s) && !errors.Is(err, limit.ErrInternal) && !errors.Is(err, limit.ErrWrite) {
		err = &usageError{err.Error()} // from cobra
	}
	return explain(a, err)
}

// explain prints an error on one line, with an excerpt below it if a text is at fault, and returns the exit code.
func explain(a *app, err error) int {
	var all mistakes
	if errors.As(err, &all) {
		for _, err := range all {
			explain(a, err)
		}
		return exitCode(err)
	}
	code := exitCode(err)
	fmt.Fprintf(a.stderr, "%s %s\n", a.paint(red, "bsp2gltf:"), a.message(err, code))
	var c *pipeline.ConfigError
	if errors.As(err, &c) && c.Excerpt != "" {
		fmt.Fprintln(a.stderr, c.Excerpt)
	}
	if code == 70 && a.debug != "" {
		if err := writeFile(context.Background(), a.debug, false, func(w io.Writer) error {
			_, err := io.WriteString(w, stackOf(err))
			return err
		}); err != nil {
			fmt.Fprintf(a.stderr, "%s %s\n", a.paint(yellow, "warning:"), human.Clean(err.Error(), human.MaxMessage))
		}
	}
	return code
}

// message returns the text of an error on one line, beginning with the file concerned.
func (a *app) message(err error, code int) string {
	m := err.Error()
	// Of "open a.bsp: no such file" the first word is dropped, and the names of temporary files, which mean nothing
	// to users.
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p) && strings.Contains(p.Path, ".bsp2gltf-"):
		m = strings.Replace(m, p.Error(), p.Err.Error(), 1)
	case errors.As(err, &p):
		m = strings.Replace(m, p.Error(), p.Path+": "+p.Err.Error(), 1)
	case errors.As(err, &l):
		m = strings.Replace(m, l.Error(), l.Err.Error(), 1)
	}
	m = limit.Plain(m) // the exit code states the kind
	if errors.Is(err, fs.ErrNotExist) && p != nil && strings.HasSuffix(m, "no such file or directory") {
		m += missingFile(p)
	}
	if code == 124 {
		m = fmt.Sprintf("not done within %s; --timeout allows more", a.patience)
	}
	if code == 70 && a.debug == "" {
		m += " (please report it; --debug FILE keeps the details)"
	}
	if errors.Is(err, limit.ErrUsage) || len(a.files) == 0 {
		return human.Clean(m, human.MaxMessage)
	}
	for _, f := range a.files {
		if f != "" && strings.HasPrefix(m, f+":") {
			return human.Clean(m, human.MaxMessage)
		}
	}
	about := a.files[0]
	if len(a.files) > 1 && (errors.Is(err, limit.ErrOutput) || errors.Is(err, limit.ErrWrite)) {
		about = a.files[1]
	}
	return human.Clean(about, human.MaxName) + ": " + human.Clean(m, human.MaxMessage)
}

// stackOf returns the stack of an internal error, for the --debug file.
func stackOf(err error) string {
	text := err.Error() + "\n"
	var s interface{ Stack() []byte }
	if errors.As(err, &s) {
		text += "\n" + string(s.Stack())
	}
	return text
}
