package vtf

import (
	"encoding/binary"
	"math"
)

// A block is 4 x 4 pixels. S3TC (DXT1, 3, 5) gives it two colours of 16 bits and two bits a pixel that choose them or
// one in between; DXT5 and ATI's formats do the same with 8-bit numbers and three bits. OpenGL's
// EXT_texture_compression_s3tc and EXT_texture_compression_rgtc are the specifications.

// pixels is a decoded block, row by row, each a little-endian word of R, G, B, A.
type pixels [16]uint32

// blocks returns the unpacking of a row of blocks of size bytes.
func blocks(size int, decode func(*pixels, []byte)) unpack {
	return func(dst, src []byte, width int) {
		var p pixels
		stride := 4 * width
		for x := 0; x < width && len(src) >= size; x += 4 {
			decode(&p, src[:size])
			src = src[size:]
			across := min(width-x, 4)
			for y := 0; y < 4 && y*stride < len(dst); y++ {
				row := dst[y*stride+4*x:]
				if across == 4 {
					row = row[:16]
					binary.LittleEndian.PutUint64(row, uint64(p[4*y])|uint64(p[4*y+1])<<32)
					binary.LittleEndian.PutUint64(row[8:], uint64(p[4*y+2])|uint64(p[4*y+3])<<32)
					continue
				}
				for i := range across {
					binary.LittleEndian.PutUint32(row[4*i:], p[4*y+i])
				}
			}
		}
	}
}

const opaque = 0xff000000

// expand returns a colour of 16 bits as R, G, B, with full alpha.
func expand(c uint32) (r, g, b uint32) {
	r, g, b = c>>11, c>>5&63, c&31
	return r<<3 | r>>2, g<<2 | g>>4, b<<3 | b>>2
}

// palette returns the four colours of a block. three says that the order of the first two may make it three and black;
// black is the fourth then.
func palette(src []byte, three bool, black uint32) (colors [4]uint32) {
	c0, c1 := uint32(binary.LittleEndian.Uint16(src)), uint32(binary.LittleEndian.Uint16(src[2:]))
	r0, g0, b0 := expand(c0)
	r1, g1, b1 := expand(c1)
	colors[0] = r0 | g0<<8 | b0<<16 | opaque
	colors[1] = r1 | g1<<8 | b1<<16 | opaque
	if three && c0 <= c1 {
		colors[2] = (r0+r1)/2 | (g0+g1)/2<<8 | (b0+b1)/2<<16 | opaque
		colors[3] = black
		return colors
	}
	colors[2] = (2*r0+r1)/3 | (2*g0+g1)/3<<8 | (2*b0+b1)/3<<16 | opaque
	colors[3] = (r0+2*r1)/3 | (g0+2*g1)/3<<8 | (b0+2*b1)/3<<16 | opaque
	return colors
}

// choose sets the pixels to the colours that two bits each name.
func (p *pixels) choose(colors *[4]uint32, bits uint32) {
	for i := range p {
		p[i] = colors[bits&3]
		bits >>= 2
	}
}

func dxt1(p *pixels, src []byte) {
	colors := palette(src, true, opaque)
	p.choose(&colors, binary.LittleEndian.Uint32(src[4:]))
}

// dxt1Alpha has holes where dxt1 has black.
func dxt1Alpha(p *pixels, src []byte) {
	colors := palette(src, true, 0)
	p.choose(&colors, binary.LittleEndian.Uint32(src[4:]))
}

// dxt3 has four bits of alpha a pixel before the colours.
func dxt3(p *pixels, src []byte) {
	colors := palette(src[8:], false, 0)
	p.choose(&colors, binary.LittleEndian.Uint32(src[12:]))
	alpha := binary.LittleEndian.Uint64(src)
	for i := range p {
		p[i] = p[i]&^opaque | uint32(alpha&15)*17<<24
		alpha >>= 4
	}
}

// dxt5 has a block of numbers for alpha before the colours.
func dxt5(p *pixels, src []byte) {
	colors := palette(src[8:], false, 0)
	p.choose(&colors, binary.LittleEndian.Uint32(src[12:]))
	alphas, bits := numbers(src)
	for i := range p {
		p[i] = p[i]&^opaque | alphas[bits&7]<<24
		bits >>= 3
	}
}

// numbers returns the eight numbers of a block of one channel, and three bits a pixel that name them.
func numbers(src []byte) (n [8]uint32, bits uint64) {
	word := binary.LittleEndian.Uint64(src)
	a, b := uint32(word&0xff), uint32(word>>8&0xff)
	n[0], n[1] = a, b
	if a > b {
		for i := range uint32(6) {
			n[2+i] = ((6-i)*a + (1+i)*b) / 7
		}
	} else {
		for i := range uint32(4) {
			n[2+i] = ((4-i)*a + (1+i)*b) / 5
		}
		n[6], n[7] = 0, 255
	}
	return n, word >> 16
}

// ati1n is grey.
func ati1n(p *pixels, src []byte) {
	n, bits := numbers(src)
	for i := range p {
		p[i] = n[bits&7]*0x010101 | opaque
		bits >>= 3
	}
}

// ati2n is the U and V of a normal, V first as ATI has it; its third number follows from its length.
func ati2n(p *pixels, src []byte) {
	vs, vBits := numbers(src)
	us, uBits := numbers(src[8:])
	for i := range p {
		u, v := us[uBits&7], vs[vBits&7]
		x, y := float64(u)/127.5-1, float64(v)/127.5-1
		z := math.Sqrt(max(1-float64(x*x)-float64(y*y), 0))
		p[i] = u | v<<8 | uint32(float64(z*127.5)+128)<<16 | opaque
		uBits >>= 3
		vBits >>= 3
	}
}
