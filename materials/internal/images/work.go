package images

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
)

// Work is an image to make. Each kind has a file that says all about it: File, Texture, Overpaint, Gloss, Combined, Indexed.
type Work interface {
	// Key returns a comparable value that identifies the image among those of a map: different images have different keys.
	Key() any
	// Reads returns the files that the image is made from, each once.
	Reads() []string
	// identify writes the facts that determine the image, except its files. They are the same in every process, and differ for different
	// images.
	identify(w io.Writer)
	// room estimates the bytes of the pictures that are in memory while the image is made.
	room(mk *Maker, t *Task) int64
	// draw adds the image to m, or an issue if it can't be made. It fails if a limit is exceeded or ctx ends.
	draw(ctx context.Context, mk *Maker, t *Task, m *Made) error
}

// Task is an image to make, with the requirements of the materials that show it.
type Task struct {
	Work    Work
	Name    string // of the image, without extension
	Alpha   Alpha
	Numbers bool // some material reads the pixels as directions, roughness or the like, which suffer from changes that colours tolerate
	Glow    bool // some material needs to know where an Indexed glows
	Apart   bool // all do, so what glows is left out of the first image
}

// Alpha states how the materials that show an image use its alpha.
type Alpha uint8

const (
	Ignored Alpha = iota // they are opaque
	Shown                // some material is blended or masked by it
	Removed              // some material is blended, but not by this alpha, which means something else: the image must have none
)

// identify writes all that a task's images are made from, except the contents of files.
func (t *Task) identify(w io.Writer) {
	wishes := *t
	wishes.Work, wishes.Name = nil, "" // images of the same bytes may have different names
	fmt.Fprintf(w, "%T %#v\n", t.Work, wishes)
	t.Work.identify(w)
}

// HasAlpha reports whether the format of a file can hold alpha, by its name.
func HasAlpha(file string) bool {
	return !strings.HasSuffix(file, ".jpg") && !strings.HasSuffix(file, ".jpeg")
}

// Name returns the name of the image made from a file.
func Name(file string) string { return strings.TrimPrefix(lookup.Stem(file), "materials/") }
