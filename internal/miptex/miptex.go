// Package miptex reads the pictures of Quake's engines: rows of palette indices, one byte per pixel.
//
// A miptex is a header of 40 bytes and four mip levels, each half as wide and high as the one before. It is stored in
// a map or in a .wad archive. Half-Life's are followed by their palette; Quake's use the game's. A miptex without
// levels only names a picture in an archive. Quake II's .wal is the same with a longer header. A pic (.qpic, .lmp) is
// a size and one picture, for menus.
//
// Nothing is decoded or copied: a Texture's pixels share the memory of the bytes from which it was read. Only the first
// mip level is returned. Quake, wad.h, model.c; Quake II, qfiles.h; Half-Life SDK, utils/common/bspfile.h.
package miptex

import (
	"encoding/binary"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// Texture is a picture of palette indices.
type Texture struct {
	Name          string // lower case, forward slashes
	Width, Height int
	Pixels        []byte     // row by row from the top; nil if the picture is in an archive, under Name
	Palette       [][3]uint8 // sRGB, at most 256; nil for the game's palette
	Next          string     // of a .wal: the name of the next picture of its animation, or ""
}

// Header is the size of a miptex header in bytes.
const Header = 40

// levels is the number of mip levels, the last of which has an eighth of the width and height.
const levels = 4

// maxSide bounds both sides, so that a product of the pixels and a few small numbers can't overflow. No engine's textures come near.
const maxSide = 1 << 16

// Decode reads the miptex at the start of data; data may be longer. Coloured means that the palette follows the levels, as
// in Half-Life; if it is missing, Palette is nil. Decode fails with limit.ErrCorrupt if the first level is not within
// data.
func Decode(data []byte, coloured bool) (Texture, error) {
	if len(data) < Header {
		return Texture{}, corrupt("miptex", "incomplete: the header ends behind its %d bytes", len(data))
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
	// The engine expects the palette after width*height*85/64 bytes of levels. If a side is not a multiple of 8,
	// compilers round levels down, so the palette follows the last level.
	last := u32(data[24+4*(levels-1):]) + (width>>(levels-1))*(height>>(levels-1))
	if t.Palette = counted(data, offset+width*height*85/64); t.Palette == nil {
		t.Palette = counted(data, last)
	}
	return t, nil
}

// Info reads the header of a miptex: the texture without its pixels.
func Info(head []byte) (Texture, error) {
	if len(head) < Header {
		return Texture{}, corrupt("miptex", "incomplete: the header ends behind its %d bytes", len(head))
	}
	t := Texture{Name: name(head[:16])}
	return t, t.size("miptex", u32(head[16:]), u32(head[20:]))
}

// WALHeader is the size of a .wal header in bytes. The first level may be anywhere after it.
const WALHeader = 100

// DecodeWAL reads a .wal file. It fails with limit.ErrCorrupt if the first level is not within data.
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
		return t, 0, 0, corrupt("wal", "incomplete: the header ends behind its %d bytes", len(data))
	}
	t = Texture{Name: name(data[:32]), Next: name(data[56:88])}
	return t, u32(data[32:]), u32(data[36:]), nil
}

// DecodePic reads a pic: its size, its pixels and, in Half-Life's, a palette. It fails with limit.ErrCorrupt if the
// pixels are not within data.
func DecodePic(data []byte) (Texture, error) {
	var t Texture
	if len(data) < 8 {
		return t, corrupt("pic", "incomplete: the header ends behind its %d bytes", len(data))
	}
	width, height := u32(data), u32(data[4:])
	if err := t.level("pic", data, width, height, 8); err != nil {
		return t, err
	}
	t.Palette = counted(data, 8+width*height)
	return t, nil
}

// Colours reads a palette of 256 colours, or fewer if data is shorter.
func Colours(data []byte) [][3]uint8 {
	colours := make([][3]uint8, min(len(data)/3, 256))
	for i := range colours {
		colours[i] = [3]uint8(data[3*i:])
	}
	return colours
}

// counted reads a palette that is preceded by its number of colours, at an offset. It returns nil if there is none.
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

// size sets the size of a texture. It fails if either side is 0 or too large.
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
		return corrupt(kind, "incomplete: %d x %d pixels at byte %d end behind its %d bytes", width, height, offset, len(data))
	}
	t.Pixels = data[offset : offset+n : offset+n]
	return nil
}

// name returns the text of a field in lower case with forward slashes, because the engines ignore case and the kind
// of slash.
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
