package q3shader

import (
	"fmt"
	"slices"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Library holds the shaders of a game by name. Add all files first; after that Find is safe for concurrent use.
type Library struct {
	entries map[string]*entry // by the name in the file, in lower case with forward slashes
	files   int
	count   int // definitions seen, including overridden ones
}

// entry is the definition used for a name: its position, and its content once requested.
type entry struct {
	file   int // in the order of Add, from 1
	name   string
	text   []byte
	block  block
	once   sync.Once
	shader *Shader
}

// NewLibrary returns an empty library.
func NewLibrary() *Library { return &Library{entries: map[string]*entry{}} }

// Add adds a script. Call it in the order in which the engine lists its files, which is ascending: a shader of a later
// file wins; within one file the first wins (the engine joins the files last to first and takes the first match). Only
// the names are read now; the text is kept and must not change. Issues outside of the shaders are returned. It fails only
// if a word is longer than limit.Defaults.MaxToken or there are more than 131072 shaders, both with limit.ErrLimit; the
// shaders before that stay in the library.
func (l *Library) Add(name string, text []byte) ([]Issue, error) {
	l.files++
	s := newScanner(text)
	for {
		b, ok, err := s.next()
		if err != nil || !ok {
			return s.issues.list, err
		}
		if l.count++; l.count > maxShaders {
			return s.issues.list, fmt.Errorf("more than %d shaders: %w", maxShaders, limit.ErrLimit)
		}
		key := path(b.name)
		e := l.entries[key]
		if e == nil || e.file != l.files {
			l.entries[key] = &entry{file: l.files, name: name, text: text, block: b}
		}
	}
}

// Find returns the shader of a name, or nil if no file defines it. Case, an extension and the kind of slashes don't
// matter. All calls for a name return the same Shader, which must not be changed.
func (l *Library) Find(name string) *Shader {
	name = path(name)
	e := l.entries[trimExt(name)]
	if e == nil {
		// The engine never finds a shader that is defined with an extension. We do.
		if e = l.entries[name]; e == nil {
			return nil
		}
	}
	e.once.Do(func() { e.shader = parseBlock(e.name, e.text, e.block) })
	return e.shader
}

// Names returns the names as defined in the files, in lower case with forward slashes, sorted.
func (l *Library) Names() []string {
	names := make([]string, 0, len(l.entries))
	for name := range l.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
