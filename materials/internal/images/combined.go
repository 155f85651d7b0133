package images

import (
	"context"
	"fmt"
	"image"
	"io"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Combined is the image of a shader's stages, drawn over each other.
type Combined struct{ Recipe *paint.Recipe }

// Key returns the whole recipe as text, because a recipe is not comparable.
func (c Combined) Key() any {
	var b strings.Builder
	r := c.Recipe
	fmt.Fprintf(&b, "%d %g %t %t %t %t %t", r.Light, r.Finer, r.Detailed, r.Environment, r.Behind, r.WordOnly, r.Apart)
	for i := range r.Stages {
		l := &r.Stages[i]
		fmt.Fprintf(&b, "|%q %d %t %g %g %g %t %v %d %t", l.Image, l.Gen, l.Clamp, l.UV, l.Color, l.Alpha, l.Lit, l.Blend, l.Test, l.Eye &&
			r.Environment)
	}
	return b.String()
}

// Reads returns the files of the stages.
func (c Combined) Reads() (files []string) {
	for i := range c.Recipe.Stages {
		if file := c.Recipe.Stages[i].Image; file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

func (c Combined) identify(w io.Writer) { fmt.Fprint(w, c.Key()) }

func (c Combined) room(mk *Maker, _ *Task) int64 {
	sum, width, height := mk.sizes(c.Reads())
	return sum + 2*paint.MaxPixels(width, height)*4 // the base and the glow
}

func (c Combined) draw(ctx context.Context, mk *Maker, t *Task, m *Made) error {
	decoded := map[string]*image.NRGBA{}
	var reserved int64
	defer func() { mk.budget.Release(reserved) }()
	for _, file := range c.Reads() {
		data, err := mk.read(file)
		var im *image.NRGBA
		if err == nil {
			im, _, err = picture.Decode(data, file, mk.budget)
		}
		if err != nil {
			if err := m.broken(file, err); err != nil {
				return err
			}
			continue
		}
		decoded[file] = im
		m.Files = append(m.Files, file)
		if err := reserve(mk.budget, &reserved, len(im.Pix)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if len(m.Files) == 0 {
		return nil
	}
	r, pictures := without(c.Recipe, decoded)
	p := paint.LayOut(r, pictures)
	if err := mk.budget.Pixels(p.Width, p.Height); err != nil {
		return m.broken(t.Name, err)
	}
	if err := reserve(mk.budget, &reserved, p.Room(r)); err != nil {
		return err
	}
	// Nothing is kept longer than it is needed: the pictures are far larger than the files made from them.
	clear(decoded)
	clear(pictures)
	p.DrawOver = true
	m.Combined = p
	return p.Draw(ctx, r, func(part paint.Part, im *image.NRGBA) error {
		return mk.encode(m, t.Name+partSuffixes[part], im, part == paint.BasePart && p.Alpha != pbr.Opaque)
	})
}

// partSuffixes are added to the names of a recipe's pictures.
var partSuffixes = map[paint.Part]string{
	paint.BasePart: "", paint.GlowPart: "_glow", paint.SharePart: "_environment", paint.BehindPart: "_behind",
}

// without returns the recipe without the stages whose image is not in decoded, and the images of the others by stage.
// If such a stage replaces all before it, it stays, in grey.
func without(r *paint.Recipe, decoded map[string]*image.NRGBA) (*paint.Recipe, []*image.NRGBA) {
	out := *r
	out.Stages = nil
	var pictures []*image.NRGBA
	for _, l := range r.Stages {
		im := decoded[l.Image]
		if l.Image != "" && im == nil {
			if l.Blend != nil {
				continue
			}
			l.Image, l.Color = "", [3]float64{0.5, 0.5, 0.5}
		}
		out.Stages = append(out.Stages, l)
		pictures = append(pictures, im)
	}
	return &out, pictures
}
