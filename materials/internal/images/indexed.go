package images

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Blue is the last colour of a palette in which that index is transparent. A decal with another last colour has a
// gradient: the index is the opacity of that colour (Half-Life's decals.wad).
var Blue = [3]uint8{0, 0, 255}

// makeIndexed makes the image of a texture of palette indices, and a second one of its glowing texels if there are any.
func (mk *Maker) makeIndexed(m *Made, j *plan.Job, b *limit.Budget) error {
	x := j.Indexed
	t, err := indicesOf(mk, j, b)
	if err != nil {
		return m.broken(j.Name, err)
	}
	if j.File != "" {
		m.Files = append(m.Files, j.File)
	}
	own := t.Palette != nil
	if !own {
		if t.Palette = x.Game; t.Palette == nil {
			t.Palette = paint.Greys
			m.Issues = append(m.Issues, world.Issue{Code: "palette-missing", Where: plan.PaletteFile(x.WAL), Detail: "pictures without a palette of their own are grey: game.palette names the file, or --game the game that has it"})
		}
	}
	gradient := t.AlphaIndex || x.Decal && own && len(t.Palette) == 256 && t.Palette[255] != Blue
	hole := (x.Hole || x.Decal) && !gradient
	n := t.Width * t.Height
	if err := b.Pixels(t.Width, t.Height); err != nil {
		return m.broken(j.Name, err)
	}
	cost := 4 * n
	if hole {
		cost += paint.FillCost * n
	}
	if x.Shines {
		cost += 4 * n
	}
	if err := b.Reserve(int64(cost)); err != nil {
		return err
	}
	defer b.Release(int64(cost))

	colours := paint.Table(t.Palette, hole, gradient)
	im := paint.Paint(&t, &colours)
	switch {
	case x.Clouds:
		im = paint.Cloud(im, t.Pixels)
	case hole:
		paint.FillHoles(im)
	}
	paint.Change(x.Pixels, im)
	if err := mk.encode(m, j.Name, im, j.Alpha && !im.Opaque()); err != nil || !x.Shines || own {
		return err
	}
	last := byte(255)
	if hole {
		last = 254
	}
	for i := range colours {
		if i < paint.FirstShining || i > int(last) {
			colours[i] = 255 << 24 // black
		}
	}
	for _, p := range t.Pixels {
		if p >= paint.FirstShining && p <= last {
			return mk.encode(m, j.Name+"_glow", paint.Paint(&t, &colours), false)
		}
	}
	return nil
}

// indicesOf returns the texture that a job is made from. It has as many pixels as its size says.
func indicesOf(mk *Maker, j *plan.Job, b *limit.Budget) (world.Texture, error) {
	if j.File == "" {
		t := *j.Indexed.Texture
		if t.Width < 1 || t.Height < 1 || t.Width > len(t.Pixels) || t.Height > len(t.Pixels)/t.Width {
			return t, fmt.Errorf("%d x %d pixels in %d bytes: %w", t.Width, t.Height, len(t.Pixels), limit.ErrCorrupt)
		}
		t.Pixels = t.Pixels[:t.Width*t.Height]
		return t, nil
	}
	data, err := mk.read(j.File, b)
	if err != nil {
		return world.Texture{}, err
	}
	var x miptex.Texture
	if j.Indexed.WAL {
		x, err = miptex.DecodeWAL(data)
	} else {
		x, err = miptex.Decode(data, true)
	}
	if err == nil && x.Pixels == nil {
		err = fmt.Errorf("miptex: it has no picture: %w", limit.ErrCorrupt)
	}
	return world.Texture{Width: x.Width, Height: x.Height, Pixels: x.Pixels, Palette: x.Palette}, err
}
