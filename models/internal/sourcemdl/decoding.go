package sourcemdl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decoding is shared by all steps: the files that the model consists of, the memory that it takes, and the issues found so far.
type decoding struct {
	ctx    context.Context
	name   string
	open   func(name string) ([]byte, error)
	memory memory
	files  map[string]file // files of animations, by name; without data if missing
	issues []world.Issue
}

// memory records what a model has reserved in a budget.
type memory struct {
	budget   *limit.Budget
	reserved int64 // bytes of the result
	borrowed int64 // bytes of temporary data
}

// issue adds an issue, once for each code.
func (j *decoding) issue(code, format string, args ...any) {
	if !slices.ContainsFunc(j.issues, func(i world.Issue) bool { return i.Code == code }) {
		j.note(code, format, args...)
	}
}

// note adds an issue.
func (j *decoding) note(code, format string, args ...any) {
	j.issues = append(j.issues, world.Issue{Code: code, Detail: j.name + ": " + fmt.Sprintf(format, args...)})
}

// companion returns the first existing file that has the model's name with one of the extensions.
func (j *decoding) companion(what string, extensions ...string) (file, error) {
	stem := strings.TrimSuffix(j.name, ".mdl")
	var err error
	for _, e := range extensions {
		var data []byte
		if data, err = j.open(stem + e); err == nil {
			return file{data: data, what: what}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return file{}, fmt.Errorf("%s, %s%s: %w", what, stem, extensions[0], err)
}

// other returns a file that the model names; ok is false if it can't be read, which is an issue with its consequence.
func (j *decoding) other(name, what, consequence string) (f file, ok bool, err error) {
	name = clean(name)
	if f, ok = j.files[name]; !ok {
		f.what = what + " " + name
		f.data, err = j.open(name)
		if err == nil {
			err = j.memory.borrow(int64(len(f.data)))
		}
		if fatal(err) {
			return f, false, fmt.Errorf("%s: %w", f.what, err)
		}
		if err != nil {
			j.issue("model-animation", "%s: %v: %s", f.what, err, consequence)
			f.data = nil
		}
		j.files[name] = f
	}
	return f, f.data != nil, nil
}

// clean returns the name by which a file is opened.
func clean(name string) string { return path.Clean(strings.TrimLeft(entlump.Lower(name), "/")) }

// fatal reports whether an error ends the whole conversion.
func fatal(err error) bool {
	return errors.Is(err, limit.ErrLimit) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// reserve reserves bytes of the result in the budget.
func (m *memory) reserve(n int64) error {
	if err := m.budget.Reserve(n); err != nil {
		return err
	}
	m.reserved += n
	return nil
}

// borrow reserves bytes that Decode releases.
func (m *memory) borrow(n int64) error {
	if err := m.budget.Reserve(n); err != nil {
		return err
	}
	m.borrowed += n
	return nil
}

// sane reports whether all numbers are finite and within the range of a map.
func sane[T float32 | float64](v ...T) bool {
	for _, x := range v {
		if !(math.Abs(float64(x)) < 1<<24) {
			return false
		}
	}
	return true
}

func fault(code, where, format string, args ...any) *le.FormatError {
	return &le.FormatError{Code: code, Lump: where, Index: -1, Offset: -1, Detail: fmt.Sprintf(format, args...)}
}
