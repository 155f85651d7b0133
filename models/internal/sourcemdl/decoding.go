package sourcemdl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decoding is what all steps share: the model's files, the memory that it takes, and the issues found so far.
type decoding struct {
	ctx context.Context
	modelfile.Notes
	open   func(name string) ([]byte, error)
	memory modelfile.Reservation
	files  map[string]file // by name; without data if missing
}

// issue adds an issue, only the first one of each code.
func (j *decoding) issue(code, format string, args ...any) {
	if !slices.ContainsFunc(j.Issues, func(i world.Issue) bool { return i.Code == code }) {
		j.Note(code, format, args...)
	}
}

// companion opens the first existing file that has the model's name with one of the extensions.
func (j *decoding) companion(what string, extensions ...string) (file, error) {
	stem := strings.TrimSuffix(j.Model, ".mdl")
	var err error
	for _, e := range extensions {
		var data []byte
		if data, err = j.open(stem + e); err == nil {
			return file{File: modelfile.File{Data: data, What: what}}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return file{}, fmt.Errorf("%s, %s%s: %w", what, stem, extensions[0], err)
}

// other opens a file that the model names; ok is false if it can't be read, which is an issue that states the
// consequence.
func (j *decoding) other(name, what, consequence string) (f file, ok bool, err error) {
	name = clean(name)
	if f, ok = j.files[name]; !ok {
		f.What = what + " " + name
		f.Data, err = j.open(name)
		if err == nil {
			err = j.memory.Borrow(int64(len(f.Data)))
		}
		if limit.Fatal(err) {
			return f, false, fmt.Errorf("%s: %w", f.What, err)
		}
		if err != nil {
			j.issue("model-animation", "%s: %v: %s", f.What, err, consequence)
			f.Data = nil
		}
		j.files[name] = f
	}
	return f, f.Data != nil, nil
}

// clean returns the name by which a file is opened.
func clean(name string) string { return path.Clean(strings.TrimLeft(entlump.Lower(name), "/")) }
