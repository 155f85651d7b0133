package outfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Place returns the name for a companion. It is name itself if that is free, if the existing file has the same bytes (then
// Stage writes nothing), or if replace is set. Otherwise it is name with eight hex digits of the content's SHA-256, so the
// same content gets the same name every time. Files to keep, read-only files, links and anything but regular files are never
// replaced.
func (s *Set) Place(ctx context.Context, name string, replace bool, write func(io.Writer) error) (string, error) {
	if err := s.open(); err != nil {
		return "", err
	}
	sum := ""
	for i := 1; ; i++ {
		candidate := name
		if i > 1 {
			if sum == "" {
				h := sha256.New()
				if _, err := Stream(ctx, h, write); err != nil {
					return "", WriteError(ctx, s.path(name), err)
				}
				sum = fmt.Sprintf("%x", h.Sum(nil)[:4])
			}
			ext := path.Ext(name)
			candidate = strings.TrimSuffix(name, ext) + "-" + sum
			if i > 2 {
				candidate += fmt.Sprintf("-%d", i-1)
			}
			candidate += ext
		}
		p, ok, err := s.plan(ctx, candidate, replace && i == 1, write)
		if err != nil {
			return "", err
		}
		if ok {
			s.taken[fold(candidate)] = true
			s.plans[candidate] = p
			return candidate, nil
		}
	}
}

// plan decides whether a file can have a name, and whether it shares the file there.
func (s *Set) plan(ctx context.Context, name string, replace bool, write func(io.Writer) error) (p plan, ok bool, err error) {
	at := s.path(name)
	if s.taken[fold(name)] || s.kept(at) != "" {
		return p, false, nil
	}
	info, err := s.root.Lstat(filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return plan{shared: -1, fresh: true}, true, nil
	case err != nil:
		return p, false, s.createError(at, err)
	case info.Mode()&fs.ModeSymlink != 0:
		replace = false
		if info, err = s.root.Stat(filepath.FromSlash(name)); err != nil {
			return p, false, nil // the link is broken or leads out of the folder
		}
	}
	if !info.Mode().IsRegular() {
		return p, false, nil
	}
	same, err := s.same(ctx, name, write)
	switch {
	case err != nil:
		return p, false, err
	case same:
		return plan{shared: info.Size()}, true, nil
	case replace && !s.policy.NoClobber && writable(at, info):
		return plan{shared: -1}, true, nil
	}
	return p, false, nil
}

// same reports whether a file has the bytes that write writes. A file that can't be read is taken to differ.
func (s *Set) same(ctx context.Context, name string, write func(io.Writer) error) (bool, error) {
	file, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return false, nil
	}
	defer file.Close()
	c := &comparer{r: file}
	switch _, err := Stream(ctx, c, write); {
	case errors.Is(err, errDiffers):
		return false, nil
	case err != nil:
		return false, WriteError(ctx, s.path(name), err)
	}
	n, err := file.Read(make([]byte, 1))
	return n == 0 && errors.Is(err, io.EOF), nil
}

var errDiffers = errors.New("the bytes differ")

// comparer is a writer that fails if the bytes differ from those of r.
type comparer struct {
	r io.Reader
	b []byte
}

func (c *comparer) Write(p []byte) (int, error) {
	if cap(c.b) < len(p) {
		c.b = make([]byte, len(p))
	}
	if _, err := io.ReadFull(c.r, c.b[:len(p)]); err != nil || !bytes.Equal(c.b[:len(p)], p) {
		return 0, errDiffers
	}
	return len(p), nil
}

// kept returns the file to keep that a path refers to, or "".
func (s *Set) kept(name string) string {
	for _, k := range s.policy.Keep {
		if Same(k, name) {
			return k
		}
	}
	return ""
}

// Same reports whether two paths lead to the same file, following links. Files that don't exist yet are compared by folder
// and by name, ignoring case. "-" and "" are never the same as anything.
func Same(a, b string) bool {
	if a == "-" || b == "-" || a == "" || b == "" {
		return false
	}
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(x, y)
	}
	if (errA == nil) != (errB == nil) {
		return false
	}
	if !strings.EqualFold(filepath.Base(a), filepath.Base(b)) {
		return false
	}
	x, errA = os.Stat(filepath.Dir(a))
	y, errB = os.Stat(filepath.Dir(b))
	if errA == nil && errB == nil {
		return os.SameFile(x, y)
	}
	p, errA := filepath.Abs(a)
	q, errB := filepath.Abs(b)
	return errA == nil && errB == nil && strings.EqualFold(p, q)
}

// writable reports whether an existing file may be written: its mode must allow it, and so must the system. For root only
// the mode counts.
func writable(name string, info fs.FileInfo) bool {
	if info.Mode().Perm()&0o222 == 0 {
		return false
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return !errors.Is(err, fs.ErrPermission)
	}
	f.Close()
	return true
}
