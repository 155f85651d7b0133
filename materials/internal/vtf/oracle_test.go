package vtf

import "encoding/binary"

// A second decoder of blocks, written from OpenGL's EXT_texture_compression_s3tc and EXT_texture_compression_rgtc. Its
// numbers are exact: they are rounded nowhere.

// texel is a pixel as R, G, B, A of 255.
type texel [4]float64

// mix is a of one and b of the other.
func mix(x, y texel, a, b float64) (z texel) {
	for k := range z {
		z[k] = (a*x[k] + b*y[k]) / (a + b)
	}
	return z
}

// colour is one of 16 bits.
func colour(c uint16) texel {
	return texel{float64(c>>11) * 255 / 31, float64(c>>5&63) * 255 / 63, float64(c&31) * 255 / 31, 255}
}

// s3tc decodes two colours and two bits a pixel. three says that the order of the colours may make it three and a fourth.
func s3tc(src []byte, three bool, fourth texel) (pixels [16]texel) {
	c0, c1 := binary.LittleEndian.Uint16(src), binary.LittleEndian.Uint16(src[2:])
	p := [4]texel{colour(c0), colour(c1)}
	if three && c0 <= c1 {
		p[2], p[3] = mix(p[0], p[1], 1, 1), fourth
	} else {
		p[2], p[3] = mix(p[0], p[1], 2, 1), mix(p[0], p[1], 1, 2)
	}
	for i := range pixels {
		pixels[i] = p[src[4+i/4]>>(2*(i%4))&3]
	}
	return pixels
}

// rgtc decodes two numbers and three bits a pixel.
func rgtc(src []byte) (values [16]float64) {
	word := binary.LittleEndian.Uint64(src)
	a, b := float64(src[0]), float64(src[1])
	n := [8]float64{a, b}
	steps := 5.0
	if a > b {
		steps = 7
	}
	for i := 1.0; i < steps; i++ {
		n[1+int(i)] = ((steps-i)*a + i*b) / steps
	}
	if a <= b {
		n[6], n[7] = 0, 255
	}
	for i := range values {
		values[i] = n[word>>(16+3*i)&7]
	}
	return values
}

// oracle decodes blocks, by the format's number.
var oracle = map[int32]func(src []byte) [16]texel{
	13:     func(src []byte) [16]texel { return s3tc(src, true, texel{0, 0, 0, 255}) },
	oneBit: func(src []byte) [16]texel { return s3tc(src, true, texel{}) },
	14: func(src []byte) [16]texel {
		p := s3tc(src[8:], false, texel{})
		for i := range p {
			p[i][3] = float64(src[i/2] >> (4 * (i % 2)) & 15 * 17)
		}
		return p
	},
	15: func(src []byte) [16]texel {
		p := s3tc(src[8:], false, texel{})
		for i, a := range rgtc(src) {
			p[i][3] = a
		}
		return p
	},
	34: func(src []byte) (p [16]texel) { // V, then U; the third is TestBlocks's
		us, vs := rgtc(src[8:]), rgtc(src)
		for i := range p {
			p[i] = texel{us[i], vs[i], -1, 255}
		}
		return p
	},
	35: func(src []byte) (p [16]texel) {
		for i, v := range rgtc(src) {
			p[i] = texel{v, v, v, 255}
		}
		return p
	},
}

// disagrees returns the first byte of a decoded picture that is more than a step from the oracle's, or -1.
func disagrees(pix []byte, number int32, src []byte, w, h int) int {
	size := formatOf(number, 5).size
	for y := 0; y < h; y += 4 {
		for x := 0; x < w; x += 4 {
			block := oracle[number](src[:size])
			src = src[size:]
			for i, p := range block {
				if x+i%4 >= w || y+i/4 >= h {
					continue
				}
				at := 4 * ((y+i/4)*w + x + i%4)
				for k, want := range p {
					if d := float64(pix[at+k]) - want; want >= 0 && (d < -1.001 || d > 1.001) {
						return at + k
					}
				}
			}
		}
	}
	return -1
}
