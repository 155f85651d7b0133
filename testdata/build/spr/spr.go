// Package spr writes sprites: Quake's (version 1) and Half-Life's (version 2).
package spr

import (
	"bytes"
	"encoding/binary"
)

// The ways in which a sprite of version 2 is drawn.
const (
	Normal     = 0
	Additive   = 1
	IndexAlpha = 2
	AlphaTest  = 3
)

// Sprite is a sprite before it is written.
type Sprite struct {
	Version int32
	Type    int32 // how it turns to the viewer: 0 upright, 1 likewise to his place, 2 to him, 3 as its entity
	Format  int32 // of version 2
	Palette [][3]byte
	Frames  []Frame
}

// Frame is a picture, or a group of several.
type Frame []Picture

// Picture is a picture with its upper left corner as seen from the sprite's place, right and up.
type Picture struct {
	X, Y, Width, Height int32
	Pixels              []byte
}

// Bytes returns the file.
func (s *Sprite) Bytes() []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
				panic(err)
			}
		}
	}
	put([]byte("IDSP"), s.Version, s.Type)
	if s.Version == 2 {
		put(s.Format)
	}
	first := s.Frames[0][0]
	put(float32(max(first.Width, first.Height))/2, first.Width, first.Height, int32(len(s.Frames)), float32(0), int32(0))
	if s.Version == 2 {
		put(int16(len(s.Palette)), s.Palette)
	}
	for _, f := range s.Frames {
		if len(f) > 1 {
			put(int32(1), int32(len(f)))
			for i := range f {
				put(float32(i+1) / 10)
			}
		} else {
			put(int32(0))
		}
		for _, p := range f {
			put(p.X, p.Y, p.Width, p.Height, p.Pixels)
		}
	}
	return b.Bytes()
}
