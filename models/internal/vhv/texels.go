package vhv

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Texels is the light of a prop's surfaces.
type Texels struct {
	Checksum uint32 // of the model's file
	Pictures []Picture
}

// Picture is the light of a strip group's triangles, placed by their texture coordinates.
type Picture struct {
	LOD           int
	Width, Height int // at most 4096
	format        int
	data          []byte
}

// The pixel formats, with their numbers in VTF files.
const (
	rgb888 = 2
	dxt1   = 13
)

const (
	pplHeadSize    = 32
	pplPictureSize = 32
	widest         = 4096
)

// DecodeTexels reads a .ppl file. It fails like Decode.
func DecodeTexels(data []byte) (*Texels, error) {
	t, err := decodeTexels(data)
	if err != nil {
		return nil, fmt.Errorf("ppl: %w", err)
	}
	return t, nil
}

func decodeTexels(data []byte) (*Texels, error) {
	c := le.NewCursor("header", data)
	v := c.Int32()
	t := &Texels{Checksum: c.Uint32()}
	format, count := int(c.Int32()), c.Int32()
	c.Bytes(16)
	if err := c.Err(); err != nil {
		return nil, err
	}
	switch {
	case v != 0 && v != 1:
		return nil, fmt.Errorf("version %d: %w", v, errors.ErrUnsupported)
	case format != rgb888 && format != dxt1:
		return nil, fmt.Errorf("pixels of format %d: %w", format, errors.ErrUnsupported)
	}
	if err := fits(count, len(data)-pplHeadSize, pplPictureSize); err != nil {
		return nil, err
	}
	t.Pictures = make([]Picture, count)
	for i := range t.Pictures {
		p := Picture{LOD: int(c.Uint32()), format: format}
		offset, length := int64(c.Uint32()), int64(c.Uint32())
		p.Width, p.Height = int(c.Uint32()), int(c.Uint32())
		c.Bytes(12)
		if p.Width > widest || p.Height > widest {
			return nil, fmt.Errorf("mesh %d: %d x %d pixels are more than %d a side: %w", i, p.Width, p.Height, widest, limit.ErrCorrupt)
		}
		// The largest image is first; its mipmaps follow.
		size := int64(3 * p.Width * p.Height)
		if format == dxt1 {
			size = int64(8 * ((p.Width + 3) / 4) * ((p.Height + 3) / 4))
		}
		if p.data = part(data, offset, size); p.data == nil || size > length {
			return nil, fmt.Errorf("mesh %d: %d x %d pixels in %d bytes at byte %d of %d: %w", i, p.Width, p.Height, length, offset,
				len(data), limit.ErrCorrupt)
		}
		t.Pictures[i] = p
	}
	return t, nil
}

// Light returns the linear light of the pixels, row by row from the top.
func (p *Picture) Light() []world.RGB {
	linear := linear()
	luxels := make([]world.RGB, p.Width*p.Height)
	if p.format == rgb888 {
		for i := range luxels {
			c := p.data[3*i:][:3]
			luxels[i] = world.NewRGB(linear[c[0]], linear[c[1]], linear[c[2]])
		}
		return luxels
	}
	across := (p.Width + 3) / 4
	for i := range len(p.data) / 8 {
		colors := blockColors(p.data[8*i:])
		codes := binary.LittleEndian.Uint32(p.data[8*i+4:])
		for pixel := range 16 {
			x, y := 4*(i%across)+pixel%4, 4*(i/across)+pixel/4
			if x < p.Width && y < p.Height {
				c := colors[codes>>(2*pixel)&3]
				luxels[y*p.Width+x] = world.NewRGB(linear[c[0]], linear[c[1]], linear[c[2]])
			}
		}
	}
	return luxels
}

// blockColors returns the four colours of a block of DXT1: two of 16 bits, and two between them or, if the first
// number is not greater than the second, one half way and black.
func blockColors(block []byte) (c [4][3]uint8) {
	var v [2]int
	for i := range v {
		v[i] = int(binary.LittleEndian.Uint16(block[2*i:]))
		r, g, b := v[i]>>11, v[i]>>5&63, v[i]&31
		c[i] = [3]uint8{uint8(r<<3 | r>>2), uint8(g<<2 | g>>4), uint8(b<<3 | b>>2)}
	}
	for k := range 3 {
		a, b := int(c[0][k]), int(c[1][k])
		if v[0] > v[1] {
			c[2][k], c[3][k] = uint8((2*a+b)/3), uint8((a+2*b)/3)
		} else {
			c[2][k] = uint8((a + b) / 2)
		}
	}
	return c
}
