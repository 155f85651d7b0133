// Package outfile writes files that appear under their names only when they are complete, and that never replace files they
// should not.
//
// A Set holds the files of one output: a main file, whose name the user chose, and the companions that it refers to. All are
// written in full under temporary names; Commit renames them, the main file last. A companion replaces an existing file only if
// the caller says that it belonged to the main file's last version. Otherwise an existing file with the same bytes is shared,
// and one with other bytes stays: the companion gets a different name.
package outfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// File is a file that was written or that existed with the same bytes.
type File struct {
	Name string // path with which the caller can open it
	Size int64
}

// Policy restricts the files that a Set may replace.
type Policy struct {
	Keep      []string // files that are inputs or other outputs; "-" and "" are ignored
	NoClobber bool     // replace no existing file
}

// Set holds the files of an output until Commit gives them their names.
type Set struct {
	main   string // path of the main file as given by the caller
	dir    string // its folder
	policy Policy
	root   *os.Root
	plans  map[string]plan // decisions of Place, by name
	taken  map[string]bool // names used by this output, folded
	staged []staged
	shared []File
	made   []string        // folders inside root that were created, parents first
	above  []string        // folders above root that were created, parents first
	swept  map[string]bool // folders that were cleared of stale temporary files
}

// plan is the decision about a name.
type plan struct {
	shared int64 // size of the existing file with these bytes, or -1
	fresh  bool  // the name was free; a file that appears in the meantime stays
}

type staged struct {
	temp, name string
	size       int64
	fresh      bool
}

// New returns an empty set for the output whose main file is at path main.
func New(main string, p Policy) *Set {
	return &Set{
		main: main, dir: filepath.Dir(main), policy: p,
		plans: map[string]plan{}, taken: map[string]bool{fold(filepath.Base(main)): true}, swept: map[string]bool{},
	}
}

// Write writes one file under the rules of a main file. Its folder is created if missing.
func Write(ctx context.Context, name string, p Policy, write func(io.Writer) error) error {
	s := New(name, p)
	defer s.Clean()
	if err := s.Check(); err != nil {
		return err
	}
	if err := s.Stage(ctx, filepath.Base(name), write); err != nil {
		return err
	}
	_, err := s.Commit(ctx)
	return err
}

// Check returns an error if the main file can't be written: it is one of the files to keep, is read-only, is not a regular
// file, or exists and must not be replaced.
func (s *Set) Check() error { return s.CheckFile(filepath.Base(s.main)) }

// CheckFile does what Check does for another file whose name the user chose.
func (s *Set) CheckFile(name string) error {
	name = s.path(name)
	if k := s.kept(name); k != "" {
		return fmt.Errorf("the output %.200q is also %.200q, which is an input or another output: %w", name, k, limit.ErrUsage)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return s.createError(name, err)
	case !info.Mode().IsRegular(): // a rename would replace a device
		return fmt.Errorf("%.200s: %w: it is not a regular file", name, limit.ErrOutput)
	case s.policy.NoClobber:
		return fmt.Errorf("%.200s: %w: it exists, and existing files are not to be replaced", name, limit.ErrOutput)
	case !writable(name, info):
		return fmt.Errorf("%.200s: %w: it exists and is read-only", name, limit.ErrOutput)
	}
	return nil
}

// path returns the path of a file of the output as messages and reports show it.
func (s *Set) path(name string) string {
	if name == filepath.Base(s.main) {
		return s.main
	}
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

// open opens the folder of the output and creates it if it is missing.
func (s *Set) open() error {
	if s.root != nil {
		return nil
	}
	var missing []string
	for at := s.dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		missing = append(missing, at)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		switch err := os.Mkdir(missing[i], 0o755); {
		case err == nil:
			s.above = append(s.above, missing[i])
		case !errors.Is(err, fs.ErrExist):
			return s.createError(missing[i], err)
		}
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return s.createError(s.dir, err)
	}
	s.root = root
	s.sweep(".")
	return nil
}

// Stage writes a file in full under a temporary name in its folder. Name is the main file's name, or one that Place returned.
func (s *Set) Stage(ctx context.Context, name string, write func(io.Writer) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.open(); err != nil {
		return err
	}
	p, placed := s.plans[name]
	if !placed {
		p = plan{shared: -1, fresh: s.policy.NoClobber}
	}
	if p.shared >= 0 {
		s.shared = append(s.shared, File{s.path(name), p.shared})
		return nil
	}
	if err := s.mkdir(path.Dir(name)); err != nil {
		return err
	}
	at := filepath.FromSlash(name)
	temp := filepath.Join(filepath.Dir(at), tempName())
	file, err := s.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return s.createError(s.path(name), err)
	}
	s.staged = append(s.staged, staged{temp: temp, name: at, fresh: p.fresh})
	n, err := Stream(ctx, file, write)
	if err == nil {
		err = file.Sync()
	}
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return WriteError(ctx, s.path(name), err)
	}
	s.staged[len(s.staged)-1].size = n
	return nil
}

// mkdir creates a folder of the output with its parents.
func (s *Set) mkdir(dir string) error {
	if dir == "." {
		return nil
	}
	if err := s.mkdir(path.Dir(dir)); err != nil {
		return err
	}
	err := s.root.Mkdir(filepath.FromSlash(dir), 0o755)
	switch {
	case err == nil:
		s.made = append(s.made, dir)
	case !errors.Is(err, fs.ErrExist):
		return s.createError(s.path(dir), err)
	}
	if info, err := s.root.Lstat(filepath.FromSlash(dir)); err == nil && !info.IsDir() {
		return s.createError(s.path(dir), errors.New("it is no folder, or a link to one"))
	}
	s.sweep(dir)
	return nil
}

// Commit gives the files their names and returns them, the shared ones first. After an error it removes the files that
// replaced nothing.
func (s *Set) Commit(ctx context.Context) ([]File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	files := s.Files()
	var fresh []string
	for len(s.staged) > 0 {
		f := s.staged[0]
		if err := s.rename(f); err != nil {
			for _, name := range fresh {
				_ = s.root.Remove(name)
			}
			return nil, s.createError(s.path(f.name), err)
		}
		if f.fresh {
			fresh = append(fresh, f.name)
		}
		s.staged = s.staged[1:]
	}
	s.made, s.above = nil, nil
	if d, err := s.root.Open("."); err == nil {
		_ = d.Sync() // not every file system supports it
		d.Close()
	}
	return files, nil
}

// Files returns the files that Commit will return, the shared ones first.
func (s *Set) Files() []File {
	files := slices.Clone(s.shared)
	for _, f := range s.staged {
		files = append(files, File{filepath.ToSlash(s.path(f.name)), f.size})
	}
	return files
}

// rename gives a file its name. If the name was free, it must not replace a file that appeared since, so it creates
// a hard link, which fails if the name is taken. On file systems without links it checks the name, then renames.
func (s *Set) rename(f staged) error {
	if !f.fresh {
		return s.root.Rename(f.temp, f.name)
	}
	err := s.root.Link(f.temp, f.name)
	switch {
	case err == nil:
		return s.root.Remove(f.temp)
	case errors.Is(err, fs.ErrExist):
		return errors.New("another program has just made it; nothing of it was replaced")
	}
	if _, err := s.root.Lstat(f.name); err == nil {
		return errors.New("another program has just made it; nothing of it was replaced")
	}
	return s.root.Rename(f.temp, f.name)
}

// Clean removes what was not committed.
func (s *Set) Clean() {
	if s.root != nil {
		for _, f := range s.staged {
			_ = s.root.Remove(f.temp)
		}
		for i := len(s.made) - 1; i >= 0; i-- {
			_ = s.root.Remove(filepath.FromSlash(s.made[i])) // fails if it is not empty
		}
		s.root.Close()
	}
	for i := len(s.above) - 1; i >= 0; i-- {
		_ = os.Remove(s.above[i])
	}
}

// Staged returns the number of files that wait for Commit.
func (s *Set) Staged() int { return len(s.staged) + len(s.shared) }

// createError wraps an error from creating a file.
func (s *Set) createError(name string, err error) error {
	return fmt.Errorf("%.200s: %w: %w", name, limit.ErrOutput, Cause(err))
}

// WriteError returns the error for a failed write: the context's error, a bug of ours, a limit, or else
// limit.ErrWrite.
func WriteError(ctx context.Context, name string, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, limit.ErrInternal) || errors.Is(err, limit.ErrLimit):
		return fmt.Errorf("%.200s: %w", name, err)
	}
	return fmt.Errorf("%.200s: %w: %w", name, limit.ErrWrite, Cause(err))
}

// Cause returns an error of the file system without the name of its file, which may be a temporary one: it means nothing to the user.
func Cause(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// Stream calls write with a buffered writer to w that fails once ctx is done. It returns the number of bytes
// written.
func Stream(ctx context.Context, w io.Writer, write func(io.Writer) error) (int64, error) {
	count := &Counter{W: &patient{ctx, w}}
	b := bufio.NewWriterSize(count, 1<<16)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	return count.N, err
}

// patient is a writer that fails when the context is done.
type patient struct {
	ctx context.Context
	w   io.Writer
}

func (p *patient) Write(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.w.Write(b)
}

// Counter is a writer to W that counts the bytes written.
type Counter struct {
	W io.Writer
	N int64
}

func (c *Counter) Write(p []byte) (int, error) {
	n, err := c.W.Write(p)
	c.N += int64(n)
	return n, err
}

// fold returns a name in the form that case-insensitive file systems compare.
func fold(name string) string { return strings.ToLower(filepath.ToSlash(name)) }
