package images

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/miptex"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/lookup"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Indexed is the image of a picture of palette indices, in a file or in the map.
type Indexed struct {
	File    string         // "" if the picture is in the map
	Texture *world.Texture // the map's; nil for a file
	WAL     bool           // the file is a .wal, otherwise a miptex
	Palette string         // the game's, for a picture without one; "" if the game has none
	Hole    bool           // index 255 is transparent
	Filled  bool           // index 255 is a hole that is not shown
	Decal   bool           // it is used as a decal
	Clouds  paint.Clouds   // what is shown of a sky
	Pixels  paint.Pixels
}

// The files that hold the palettes of Quake and Quake II.
const (
	QuakePalette  = "gfx/palette.lmp"
	Quake2Palette = "pics/colormap.pcx"
)

// Key returns the picture itself, so that no field can be forgotten. Pictures of the map are the same if they are one in memory.
func (x Indexed) Key() any { return x }

// Reads returns the file, if there is one.
func (x Indexed) Reads() []string {
	if x.File == "" {
		return nil
	}
	return []string{x.File}
}

// identify writes the content of the map's picture in place of its address.
func (x Indexed) identify(w io.Writer) {
	t := x.Texture
	x.Texture = nil
	fmt.Fprintf(w, "%#v", x)
	if t == nil {
		return
	}
	header := *t
	header.Pixels = nil
	fmt.Fprintf(w, "%#v", header)
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(t.Pixels)))
	_, _ = w.Write(n[:]) // a hash takes everything
	_, _ = w.Write(t.Pixels)
}

func (x Indexed) room(mk *Maker, _ *Task) int64 { return mk.roomOf(x) }

// Blue is the last colour of a palette in which that index is transparent. A decal with another last colour has a
// gradient: the index is the opacity of that colour (Half-Life's decals.wad).
var Blue = [3]uint8{0, 0, 255}

// draw makes the image, and a second one of the texels that glow if a material needs it and there are any.
func (x Indexed) draw(_ context.Context, mk *Maker, task *Task, m *Made) error {
	t, err := x.indices(mk)
	if err != nil {
		return m.broken(task.Name, err)
	}
	if x.File != "" {
		m.Files = append(m.Files, x.File)
	}
	hasPalette := t.Palette != nil
	if !hasPalette {
		t.Palette = x.gamePalette(m)
	}
	gradient := t.AlphaIndex || x.Decal && hasPalette && len(t.Palette) == 256 && t.Palette[255] != Blue
	hole := (x.Hole || x.Decal || x.Filled) && !gradient
	n := t.Width * t.Height
	if err := mk.budget.Pixels(t.Width, t.Height); err != nil {
		return m.broken(task.Name, err)
	}
	cost := 4 * n
	if hole {
		cost += paint.FillCost * n
	}
	if task.Glow {
		cost += 4 * n
	}
	if err := mk.budget.Reserve(int64(cost)); err != nil {
		return err
	}
	defer mk.budget.Release(int64(cost))

	colours := paint.Table(t.Palette, hole, gradient)
	im := paint.Paint(&t, &colours)
	switch {
	case x.Clouds != paint.NoClouds:
		im = paint.Cloud(im, t.Pixels, x.Clouds)
	case hole && x.Filled:
		paint.CloseHoles(im)
	case hole:
		paint.FillHoles(im)
	}
	last := byte(255)
	if hole {
		last = 254
	}
	shines := func(p byte) bool { return p >= paint.FirstShining && p <= last }
	glows := task.Glow && !hasPalette && slices.ContainsFunc(t.Pixels, shines)
	for i, p := range t.Pixels {
		if glows && task.Apart && shines(p) && 4*i < len(im.Pix) {
			clear(im.Pix[4*i : 4*i+3])
		}
	}
	paint.Change(x.Pixels, im)
	if err := mk.encode(m, task.Name, im, task.Alpha == Shown && !im.Opaque()); err != nil || !glows {
		return err
	}
	for i := range colours {
		if !shines(byte(i)) {
			colours[i] = 255 << 24 // black
		}
	}
	return mk.encode(m, task.Name+"_glow", paint.Paint(&t, &colours), false)
}

// gamePalette returns the game's palette. Without one it returns colours like Quake's, for a .wal like Quake II's, and adds an issue to m.
func (x *Indexed) gamePalette(m *Made) [][3]uint8 {
	if x.Palette != "" {
		return miptex.Colours([]byte(x.Palette))
	}
	file, colours := QuakePalette, paint.Ranges()
	if x.WAL {
		file, colours = Quake2Palette, paint.Quake2Ranges()
	}
	m.Issues = append(m.Issues, world.Issue{Code: "palette-missing", Where: file, Detail: "pictures without a palette of their own are " +
		"in colours near the game's: game.palette names the file, or --game the game that has it"})
	return colours
}

// indices returns the texture that the image is made from. It has as many pixels as its size says.
func (x *Indexed) indices(mk *Maker) (world.Texture, error) {
	if x.File == "" {
		t := *x.Texture
		if t.Width < 1 || t.Height < 1 || t.Width > len(t.Pixels) || t.Height > len(t.Pixels)/t.Width {
			return t, fmt.Errorf("%d x %d pixels in %d bytes: %w", t.Width, t.Height, len(t.Pixels), limit.ErrCorrupt)
		}
		t.Pixels = t.Pixels[:t.Width*t.Height]
		return t, nil
	}
	data, err := mk.read(x.File)
	if err != nil {
		return world.Texture{}, err
	}
	var p miptex.Texture
	switch {
	case x.WAL:
		p, err = miptex.DecodeWAL(data)
	case lookup.IsPic(x.File):
		p, err = miptex.DecodePic(data)
	default:
		p, err = miptex.Decode(data, true)
	}
	if err == nil && p.Pixels == nil {
		err = fmt.Errorf("miptex: it has no picture: %w", limit.ErrCorrupt)
	}
	return world.Texture{Width: p.Width, Height: p.Height, Pixels: p.Pixels, Palette: p.Palette}, err
}
