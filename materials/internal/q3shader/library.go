package q3shader

import (
	"slices"
	"sync"
)

// Library is the shaders of a game, found by name. Add the files first; Find may then be called from many goroutines.
type Library struct {
	entries map[string]*entry // by the name as it is in the file: lower case, forward slashes
	files   int
	count   int // definitions seen, those that lost included
}

// entry is a definition that won: where it is, and what it says once it was asked for.
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

// Add adds a script. Call it in the order in which the engine lists its files, which is ascending: a shader of a
// later file wins, and of one file the first (the engine joins the files last to first and takes the first match).
// Only the names are read now; the text is kept and mustn't change. What is odd outside of the shaders is returned.
// It fails as Parse does; what came before in the file is then in the library.
func (l *Library) Add(name string, text []byte) ([]Issue, error) {
	l.files++
	s := newScanner(text)
	for {
		b, ok, err := s.next()
		if err != nil || !ok {
			return s.issues.list, err
		}
		if l.count++; l.count > maxShaders {
			return s.issues.list, tooManyShaders()
		}
		key := path(b.name)
		e := l.entries[key]
		if e == nil || e.file != l.files {
			l.entries[key] = &entry{file: l.files, name: name, text: text, block: b}
		}
	}
}

// Find returns the shader of a name, or nil if no file defines it. Case, an extension and the kind of slashes don't
// matter. All calls for a name return the same Shader: don't change it.
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

// Names returns the names as they are in the files, lower case with forward slashes, in order.
func (l *Library) Names() []string {
	names := make([]string, 0, len(l.entries))
	for name := range l.entries {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
