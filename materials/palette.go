package materials

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// blue is the last colour of a palette of which it is a hole. A decal with another has a gradient: the index says how much
// of the last colour is there (Half-Life's decals.wad).
var blue = [3]uint8{0, 0, 255}

// makeIndexed makes the image of a picture of indices, and a second one of what shines in it where something does.
func (mk *maker) makeIndexed(m *made, j *job, b *limit.Budget) error {
	x := j.indexed
	t, err := mk.indices(j, b)
	if err != nil {
		return m.broken(j.name, err)
	}
	if j.file != "" {
		m.files = append(m.files, j.file)
	}
	own := t.Palette != nil
	if !own {
		if t.Palette = x.game; t.Palette == nil {
			t.Palette = greys
			m.issues = append(m.issues, world.Issue{Code: "palette-missing", Where: paletteFile(x.wal), Detail: "pictures without a palette of their own are grey: game.palette names the file, or --game the game that has it"})
		}
	}
	gradient := t.AlphaIndex || x.decal && own && len(t.Palette) == 256 && t.Palette[255] != blue
	hole := (x.hole || x.decal) && !gradient
	n := t.Width * t.Height
	if err := b.Pixels(t.Width, t.Height); err != nil {
		return m.broken(j.name, err)
	}
	cost := 4 * n
	if hole {
		cost += fillCost * n
	}
	if x.shines {
		cost += 4 * n
	}
	if err := b.Reserve(int64(cost)); err != nil {
		return err
	}
	defer b.Release(int64(cost))

	colours := table(t.Palette, hole, gradient)
	im := paint(&t, &colours)
	switch {
	case x.clouds:
		im = cloud(im, t.Pixels)
	case hole:
		fillHoles(im)
	}
	change(x.pixels, im)
	if err := mk.encode(m, j.name, im, j.alpha && !im.Opaque()); err != nil || !x.shines || own {
		return err
	}
	last := byte(255)
	if hole {
		last = 254
	}
	for i := range colours {
		if i < firstShining || i > int(last) {
			colours[i] = 255 << 24 // black
		}
	}
	for _, p := range t.Pixels {
		if p >= firstShining && p <= last {
			return mk.encode(m, j.name+"_glow", paint(&t, &colours), false)
		}
	}
	return nil
}

// indices returns the picture that a job is made of. It has as many pixels as its size says.
func (mk *maker) indices(j *job, b *limit.Budget) (world.Texture, error) {
	if j.file == "" {
		t := *j.indexed.texture
		if t.Width < 1 || t.Height < 1 || t.Width > len(t.Pixels) || t.Height > len(t.Pixels)/t.Width {
			return t, fmt.Errorf("%d x %d pixels in %d bytes: %w", t.Width, t.Height, len(t.Pixels), limit.ErrCorrupt)
		}
		t.Pixels = t.Pixels[:t.Width*t.Height]
		return t, nil
	}
	data, err := mk.read(j.file, b)
	if err != nil {
		return world.Texture{}, err
	}
	var x miptex.Texture
	if j.indexed.wal {
		x, err = miptex.DecodeWAL(data)
	} else {
		x, err = miptex.Decode(data, true)
	}
	if err == nil && x.Pixels == nil {
		err = fmt.Errorf("miptex: it has no picture: %w", limit.ErrCorrupt)
	}
	return world.Texture{Width: x.Width, Height: x.Height, Pixels: x.Pixels, Palette: x.Palette}, err
}
