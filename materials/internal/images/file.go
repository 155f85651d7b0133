package images

import (
	"context"
	"fmt"
	"io"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// File is the image of a file as it is: the file itself where possible, else its pixels in another format.
type File string

// Key returns the file's name.
func (f File) Key() any { return f }

// Reads returns the file.
func (f File) Reads() []string { return []string{string(f)} }

func (f File) identify(w io.Writer) { fmt.Fprintf(w, "%#v", f) }

func (f File) room(mk *Maker, t *Task) int64 {
	if data, err := mk.peek(string(f)); err == nil {
		info, err := picture.Sniff(data, string(f), mk.budget)
		if err == nil && info.Format == picture.JPEG && passesThrough(mk, info, t.Numbers) {
			if _, ok := picture.Stripped(data); ok {
				return 0 // it is checked without decoding its pixels
			}
		}
	}
	return mk.roomOf(f)
}

func (f File) draw(_ context.Context, mk *Maker, t *Task, m *Made) error {
	file := string(f)
	data, err := mk.read(file)
	if err != nil {
		return m.broken(file, err)
	}
	if info, err := picture.Sniff(data, file, mk.budget); err == nil && passesThrough(mk, info, t.Numbers) {
		if stripped, ok := picture.Stripped(data); ok {
			// Viewers treat broken files differently, and only the pixels show whether there is alpha.
			if info, err = picture.Check(stripped, file, mk.budget); err != nil {
				return m.broken(file, err)
			}
			if info.Passable && (!info.Alpha || t.Alpha != Removed) {
				m.pass(file, t.Name, data, stripped, info)
				return nil
			}
		}
	}
	im, info, err := picture.Decode(data, file, mk.budget)
	if err != nil {
		return m.broken(file, err)
	}
	m.Files = []string{file}
	err = mk.encode(m, t.Name, im, t.Alpha == Shown && info.Alpha)
	kept := fits(mk, info) && !(info.Alpha && t.Alpha == Removed)
	if err == nil && kept && mk.o.Output.Encoding.Format == picture.WebP {
		if stripped, ok := picture.Stripped(data); ok && len(stripped) <= len(m.Images[0].Data) {
			if info, err := picture.Check(stripped, file, mk.budget); err == nil && info.Passable {
				m.pass(file, t.Name, data, stripped, info) // the file was compressed better, or with more loss
			}
		}
	}
	return err
}

// pass makes what Stripped left of a file the image.
func (m *Made) pass(file, name string, data, stripped []byte, info picture.Info) {
	m.Files, m.passed = []string{file}, len(stripped) == len(data)
	m.Images = []Image{{Name: name, MIME: info.Format.MIME(), Data: stripped, Width: info.Width, Height: info.Height, Alpha: info.Alpha}}
}

// fits reports whether a file is in a format that clients read, and within the limit on pixels.
func fits(mk *Maker, info picture.Info) bool {
	return info.Passable && (mk.o.Output.MaxSize == 0 || max(info.Width, info.Height) <= mk.o.Output.MaxSize)
}

// passesThrough reports whether a file is written unchanged, whatever other encodings are possible.
func passesThrough(mk *Maker, info picture.Info, numbers bool) bool {
	want := mk.o.Output.Encoding.Format
	return fits(mk, info) && (mk.o.Output.Keep || want == info.Format || numbers && want == picture.WebP)
}
