package images

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
)

// Texture is the image of a texture whose pixels are converted.
type Texture struct {
	File string
	Form Form
}

// Form describes how a texture's pixels are converted.
type Form struct {
	Frame  int
	Pixels paint.Pixels
	Bump   bool       // of a normal map: it holds the light of three directions, even if the file's flags don't say so
	Tint   [3]float32 // of surfaces that multiply the background: display values that multiply its colour
	Over   float32    // of panes and of surfaces that multiply the background: the opacity
}

// TextureOf returns the image of a file in a form: the file itself if nothing has to be changed.
func TextureOf(file string, f Form) Work {
	if !lookup.IsVTF(file) && f == (Form{}) {
		return File(file)
	}
	return Texture{File: file, Form: f}
}

// NameOf returns the name of the image that TextureOf describes.
func NameOf(file string, f Form) string {
	name := Name(file)
	if f.Frame > 0 {
		name = fmt.Sprintf("%s_frame%d", name, f.Frame)
	}
	if end := "_" + f.Pixels.String(); f.Pixels != paint.AsStored && !strings.HasSuffix(name, end) {
		name += end
	}
	return name
}

// Key returns the texture itself, so that no field can be forgotten.
func (x Texture) Key() any { return x }

// Reads returns the texture's file.
func (x Texture) Reads() []string { return []string{x.File} }

func (x Texture) identify(w io.Writer) { fmt.Fprintf(w, "%#v", x) }

func (x Texture) room(mk *Maker, _ *Task) int64 { return mk.roomOf(x) }

func (x Texture) draw(_ context.Context, mk *Maker, t *Task, m *Made) error {
	f := &x.Form
	tx, err := mk.decode(x.File, f.Frame, mk.o.Output.MaxSize)
	if err != nil {
		return m.broken(x.File, err)
	}
	defer tx.Release()
	m.readTexture(x.File, tx)
	switch f.Pixels {
	case paint.Normal:
		paint.ToNormals(tx.Im, tx.Bump || f.Bump, true)
	case paint.Modulated, paint.Multiplied, paint.Doubling:
		paint.Product(f.Pixels, tx.Im, f.Tint, f.Over)
	case paint.Pane:
		paint.PaintPane(tx.Im, f.Over)
	case paint.Passed:
		paint.PaintPassed(tx.Im, f.Over)
	default:
		paint.Change(f.Pixels, tx.Im)
	}
	return mk.encode(m, t.Name, tx.Im, t.Alpha == Shown && !tx.Im.Opaque())
}
