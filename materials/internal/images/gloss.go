package images

import (
	"context"
	"fmt"
	"image"
	"io"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
)

// Gloss is the image of a surface's reflection (see paint.Gloss).
type Gloss struct {
	Masks     [3]Mask // those without a file count for nothing
	Roughness float64
}

// Mask is a texture whose alpha or colour is the amount of reflection.
type Mask struct {
	File     string
	Frame    int
	Color    bool
	Inverted bool
}

// Key returns the gloss itself, so that no field can be forgotten.
func (g Gloss) Key() any { return g }

// Reads returns the files of the masks.
func (g Gloss) Reads() (files []string) {
	for _, k := range g.Masks {
		if k.File != "" && !slices.Contains(files, k.File) {
			files = append(files, k.File)
		}
	}
	return files
}

func (g Gloss) identify(w io.Writer) { fmt.Fprintf(w, "%#v", g) }

func (g Gloss) room(mk *Maker, _ *Task) int64 { return mk.roomOf(g) }

// frameOf returns the frame of a file that is shown: that of the first mask which it is.
func (g *Gloss) frameOf(file string) int {
	for _, k := range g.Masks {
		if k.File == file {
			return k.Frame
		}
	}
	return 0
}

// draw makes the picture as large as the largest texture. If it is uniform, only its pixel is kept.
func (g Gloss) draw(_ context.Context, mk *Maker, t *Task, m *Made) error {
	pictures := map[string]*image.NRGBA{}
	var decoded []*Texels
	defer func() {
		for _, t := range decoded {
			t.Release()
		}
	}()
	w, h := 0, 0
	for i, file := range g.Reads() {
		t, err := mk.decode(file, g.frameOf(file), mk.o.Output.MaxSize)
		if err != nil {
			return m.broken(file, err)
		}
		decoded = append(decoded, t)
		m.Files = append(m.Files, file)
		m.Clamp = m.Clamp || i == 0 && t.clamp
		pictures[file] = t.Im
		if size := t.Im.Rect; size.Dx()*size.Dy() > w*h {
			w, h = size.Dx(), size.Dy()
		}
	}
	size := int64(4*w*h) * int64(len(pictures)+1) // including all resized textures
	if err := mk.budget.Reserve(size); err != nil {
		return err
	}
	defer mk.budget.Release(size)
	for file, im := range pictures {
		pictures[file] = picture.Resize(im, w, h)
	}
	p := paint.Gloss{Roughness: g.Roughness}
	for _, k := range g.Masks {
		if k.File != "" {
			p.Masks = append(p.Masks, paint.GlossMask{Picture: pictures[k.File], Color: k.Color, Inverted: k.Inverted})
		}
	}
	out := p.Draw(w, h)
	if px, ok := paint.Uniform(out); ok {
		m.Flat = &px
		return nil
	}
	return mk.encode(m, t.Name, out, !out.Opaque())
}
