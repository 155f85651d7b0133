package materials

import (
	"encoding/binary"
	"fmt"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// paletteBytes is the size of a palette: 256 colours of three bytes.
const paletteBytes = 768

// Palette returns the palette of a file, as Options have it: the last bytes of a .pcx, or the first of any other. It fails
// with limit.ErrCorrupt where they are too few.
func Palette(data []byte) (string, error) {
	if n := len(data); n > paletteBytes && data[0] == 10 && data[n-paletteBytes-1] == 12 { // ZSoft's mark, and that of a palette
		return string(data[n-paletteBytes:]), nil
	}
	if len(data) < paletteBytes {
		return "", fmt.Errorf("palette: %d bytes are less than %d: %w", len(data), paletteBytes, limit.ErrCorrupt)
	}
	return string(data[:paletteBytes]), nil
}

// The files that have the palettes of Quake and Quake II.
const (
	quakePalette  = "gfx/palette.lmp"
	quake2Palette = "pics/colormap.pcx"
)

// palette returns the game's palette, or nil where there is none. A .wal has Quake II's.
func (ip *indexedPlanner) palette(wal bool) [][3]uint8 {
	k, files := 0, []string{quakePalette}
	if wal {
		k, files = 1, []string{quake2Palette, quakePalette}
	}
	if ip.asked[k] {
		return ip.palettes[k]
	}
	ip.asked[k] = true
	text := ip.o.Palette
	for _, file := range files {
		if text != "" {
			break
		}
		data, err := ip.files.text(file)
		if err != nil {
			continue
		}
		if text, err = Palette(data); err != nil {
			ip.plan.issue(world.Issue{Code: "image-broken", Where: file, Detail: err.Error()})
		}
	}
	if text != "" {
		ip.palettes[k] = miptex.Colours([]byte(text))
	}
	return ip.palettes[k]
}

// firstShining is the first of the colours of Quake's palette that light does not touch: 224 to 255. Neither Half-Life's
// palettes nor Quake II's have any.
const firstShining = 224

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

func paletteFile(wal bool) string {
	if wal {
		return quake2Palette
	}
	return quakePalette
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

// greys stands for a palette that is not there.
var greys = func() [][3]uint8 {
	c := make([][3]uint8, 256)
	for i := range c {
		c[i] = [3]uint8{uint8(i), uint8(i), uint8(i)}
	}
	return c
}()

// table returns the pixel of every index: red in the lowest byte, alpha in the highest. One without a colour is black.
func table(palette [][3]uint8, hole, gradient bool) (t [256]uint32) {
	for i := range t {
		if i < len(palette) {
			c := palette[i]
			t[i] = uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16
		}
		t[i] |= 255 << 24
	}
	if gradient {
		last := t[max(len(palette), 1)-1] &^ (255 << 24)
		for i := range t {
			t[i] = last | uint32(i)<<24
		}
	}
	if hole {
		t[255] = 0
	}
	return t
}

// paint makes an image of indices.
func paint(t *world.Texture, colours *[256]uint32) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, t.Width, t.Height))
	for i, p := range t.Pixels {
		binary.LittleEndian.PutUint32(im.Pix[4*i:], colours[p])
	}
	return im
}

// cloud returns the right half of an image with the left half over it, but for where its index is 0.
func cloud(im *image.NRGBA, indices []byte) *image.NRGBA {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	half := w / 2
	out := image.NewNRGBA(image.Rect(0, 0, half, h))
	for y := range h {
		for x := range half {
			from := y*w + x
			if indices[from] == 0 {
				from += half
			}
			copy(out.Pix[4*(y*half+x):], im.Pix[4*from:4*from+4])
		}
	}
	return out
}
