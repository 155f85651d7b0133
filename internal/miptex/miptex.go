// Package miptex reads the pictures of Quake's engines: rows of palette indices, a byte a pixel.
//
// A miptex is a header of 40 bytes and four mip levels, each half as wide and high as the one before; it lies in the
// textures of a map or in a .wad archive. Half-Life's are followed by their palette, Quake's have the game's. A miptex
// without levels only names a picture that lies in an archive. Quake II's .wal is the same with a longer header, and a
// pic (.qpic, .lmp) is a size and one picture, for menus.
//
// Nothing is decoded and nothing is copied: a Texture's pixels are a part of the bytes that it was read from. Of the mip
// levels only the first is returned. Quake, wad.h, model.c; Quake II, qfiles.h; Half-Life SDK, utils/common/bspfile.h.
package miptex

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Texture is a picture of palette indices.
type Texture struct {
	Name          string // lower case, forward slashes
	Width, Height int
	Pixels        []byte     // row by row from the top; nil where the picture is elsewhere, under its name
	Palette       [][3]uint8 // sRGB, at most 256; nil where it is the game's
	Next          string     // of a .wal: the next picture of its animation, as Name; "" where there is none
}

// Header is how many bytes stand before the pixels of a miptex.
const Header = 40

// Levels are stored down to an eighth of the size.
const levels = 4

// maxSide is more than any side has: a product of two stays exact.
const maxSide = math.MaxInt32

// Decode reads a miptex that starts with data, which may go on behind it. coloured says that its palette follows its
// levels, as Half-Life's does; one that is not there is nil. It fails with limit.ErrCorrupt where the first level does not
// lie in data.
func Decode(data []byte, coloured bool) (Texture, error) {
	if len(data) < Header {
		return Texture{}, corrupt("miptex", "%d bytes are no header", len(data))
	}
	t := Texture{Name: name(data[:16])}
	width, height, offset := u32(data[16:]), u32(data[20:]), u32(data[24:])
	if offset == 0 {
		if width > maxSide || height > maxSide {
			return t, corrupt("miptex", "%d x %d pixels", width, height)
		}
		t.Width, t.Height = int(width), int(height)
		return t, nil
	}
	if err := t.level("miptex", data, width, height, offset); err != nil {
		return t, err
	}
	if !coloured {
		return t, nil
	}
	// The engine multiplies; where a side is no multiple of 8, compilers leave out what remains.
	last := u32(data[24+4*(levels-1):]) + (width>>(levels-1))*(height>>(levels-1))
	if t.Palette = counted(data, offset+width*height*85/64); t.Palette == nil {
		t.Palette = counted(data, last)
	}
	return t, nil
}

// Info reads the header of a miptex: the texture without its pixels.
func Info(head []byte) (Texture, error) {
	if len(head) < Header {
		return Texture{}, corrupt("miptex", "%d bytes are no header", len(head))
	}
	t := Texture{Name: name(head[:16])}
	return t, t.size("miptex", u32(head[16:]), u32(head[20:]))
}

// WALHeader is how many bytes stand before the pixels of a .wal, whose first level may lie anywhere behind them.
const WALHeader = 100

// DecodeWAL reads a .wal file. It fails with limit.ErrCorrupt where the first level does not lie in it.
func DecodeWAL(data []byte) (Texture, error) {
	t, width, height, err := walHeader(data)
	if err == nil {
		err = t.level("wal", data, width, height, u32(data[40:]))
	}
	return t, err
}

// WALInfo reads the header of a .wal file: the texture without its pixels.
func WALInfo(head []byte) (Texture, error) {
	t, width, height, err := walHeader(head)
	if err != nil {
		return t, err
	}
	return t, t.size("wal", width, height)
}

func walHeader(data []byte) (t Texture, width, height int64, err error) {
	if len(data) < WALHeader {
		return t, 0, 0, corrupt("wal", "%d bytes are no header", len(data))
	}
	t = Texture{Name: name(data[:32]), Next: name(data[56:88])}
	return t, u32(data[32:]), u32(data[36:]), nil
}

// DecodePic reads a pic: its size, its pixels and, of Half-Life's, a palette. It fails with limit.ErrCorrupt where the
// pixels do not lie in data.
func DecodePic(data []byte) (Texture, error) {
	var t Texture
	if len(data) < 8 {
		return t, corrupt("pic", "%d bytes are no header", len(data))
	}
	width, height := u32(data), u32(data[4:])
	if err := t.level("pic", data, width, height, 8); err != nil {
		return t, err
	}
	t.Palette = counted(data, 8+width*height)
	return t, nil
}

// Colours reads a palette of 256 colours, or as many as there are.
func Colours(data []byte) [][3]uint8 {
	colours := make([][3]uint8, min(len(data)/3, 256))
	for i := range colours {
		colours[i] = [3]uint8(data[3*i:])
	}
	return colours
}

// counted reads the palette that follows its number of colours at an offset, or returns nil where there is none.
func counted(data []byte, offset int64) [][3]uint8 {
	if offset < 0 || offset > int64(len(data))-2 {
		return nil
	}
	data = data[offset:]
	n := int(binary.LittleEndian.Uint16(data))
	if n < 1 || n > 256 || len(data) < 2+3*n {
		return nil
	}
	return Colours(data[2 : 2+3*n])
}

// size sets the size of a texture. It fails where it has no pixels.
func (t *Texture) size(kind string, width, height int64) error {
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return corrupt(kind, "%d x %d pixels", width, height)
	}
	t.Width, t.Height = int(width), int(height)
	return nil
}

// level sets the size and the pixels of a texture.
func (t *Texture) level(kind string, data []byte, width, height, offset int64) error {
	if err := t.size(kind, width, height); err != nil {
		return err
	}
	n := width * height
	if offset > int64(len(data)) || n > int64(len(data))-offset {
		return corrupt(kind, "%d x %d pixels at byte %d exceed its %d bytes", width, height, offset, len(data))
	}
	t.Pixels = data[offset : offset+n : offset+n]
	return nil
}

// name is the text of a field. Case and slashes do not count in the engines.
func name(field []byte) string {
	b := []byte(le.String(field))
	for i, c := range b {
		switch {
		case 'A' <= c && c <= 'Z':
			b[i] += 'a' - 'A'
		case c == '\\':
			b[i] = '/'
		}
	}
	return string(b)
}

func u32(b []byte) int64 { return int64(binary.LittleEndian.Uint32(b)) }

func corrupt(kind, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", kind, fmt.Sprintf(format, args...), limit.ErrCorrupt)
}
