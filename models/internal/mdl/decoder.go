package mdl

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

// Look is what is seen of a model: a sequence by its name (lower case) or else its number, the variants of its parts, a
// skin. What the file does not have is taken to be 0.
type Look struct {
	Animation            string
	Sequence, Body, Skin int
}

// MostLevels is the last level of detail that a model may have. Source SDK 2013, public/studio.h (MAX_NUM_LODS).
const MostLevels = 7

// Options are what is wanted of a model.
type Options struct {
	LOD   int  // level of detail; a model that has fewer shows its last
	Skins bool // fill the surfaces' Skins
}

// Model is a file that has been read.
type Model struct {
	Checksum uint32
	Center   [3]float32 // the place whose light the engine puts on all of the model
	LOD      int        // the level of detail of what is shown
	// Materials are the names that each material may have, without "materials/" and extension, the most likely first; the
	// surfaces' Materials and Skins are indices into it.
	Materials [][]string
	Shown     []Shown // by look
	// Issues have no place.
	Issues []world.Issue
}

// Shown is a model in a look. Looks that come to the same share it, and surfaces that differ in their materials alone
// share their shapes.
type Shown struct {
	Model  *world.Model
	Posed  bool      // bones have moved the vertices
	Groups [][]Group // by surface
}

// Group is a strip group of a mesh. Mesh is its place in the list of all strip groups of the file, which runs through
// body parts, their variants, levels of detail, meshes and strip groups; Vertices is how many vertices it has.
type Group struct{ Mesh, Vertices int }

// decoder is a model while it is read.
type decoder struct {
	ctx     context.Context
	name    string
	open    func(name string) ([]byte, error)
	options Options
	memory  memory

	file     file
	parts    []part
	vertices vertices
	triangle file // of triangles
	level    int  // of detail that is shown
	skins    skins
	bones    []bone
	poses    []pose
	posed    map[int]int    // index into poses by the sequence; -1 is none
	labels   map[string]int // numbers of the sequences by their names; nil where none was asked for
	shapes   map[shapeKey]shape
	seen     map[string]Shown
	files    map[string]file // of animations, by name; without data where there is none
	issues   []world.Issue
}

// memory is what a model takes of a budget.
type memory struct {
	budget   *limit.Budget
	reserved int64 // bytes of what is returned
	borrowed int64 // bytes of what is not
}

// issue notes something survived, once for each code.
func (d *decoder) issue(code, format string, args ...any) {
	if !slices.ContainsFunc(d.issues, func(i world.Issue) bool { return i.Code == code }) {
		d.issues = append(d.issues, world.Issue{Code: code, Detail: d.name + ": " + fmt.Sprintf(format, args...)})
	}
}

// beside returns the first file there is of those that are called as the model with another extension.
func (d *decoder) beside(what string, extensions ...string) (file, error) {
	stem := strings.TrimSuffix(d.name, ".mdl")
	var err error
	for _, e := range extensions {
		var data []byte
		if data, err = d.open(stem + e); err == nil {
			return file{data: data, what: what}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return file{}, fmt.Errorf("%s, %s%s: %w", what, stem, extensions[0], err)
}

// other returns a file that is named in the model; ok is false where there is none that can be read, which is an issue.
func (d *decoder) other(name, what string) (f file, ok bool, err error) {
	name = path.Clean(strings.TrimLeft(entlump.Lower(name), "/"))
	if f, ok = d.files[name]; !ok {
		f.what = what + " " + name
		f.data, err = d.open(name)
		if fatal(err) {
			return f, false, fmt.Errorf("%s: %w", f.what, err)
		}
		if err != nil {
			d.issue("model-animation", "%s: %v: its bones stay where they are", f.what, err)
			f.data = nil
		}
		d.files[name] = f
	}
	return f, f.data != nil, nil
}

// fatal says whether an error is of the whole conversion.
func fatal(err error) bool {
	return errors.Is(err, limit.ErrLimit) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// reserve takes bytes of what is returned from the budget.
func (m *memory) reserve(n int64) error {
	if err := m.budget.Reserve(n); err != nil {
		return err
	}
	m.reserved += n
	return nil
}

// borrow takes bytes that Decode gives back.
func (m *memory) borrow(n int64) error {
	if err := m.budget.Reserve(n); err != nil {
		return err
	}
	m.borrowed += n
	return nil
}

// sane reports whether all numbers are finite and such as a map can have.
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
