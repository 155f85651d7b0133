package vtf

import (
	"encoding/binary"
	"image"
)

// blocks returns the image in blocks of 4 × 4 pixels. Blocks beyond the edge repeat its pixels. The holes of DXT1 are where
// alpha is less than a half.
func blocks(m *image.NRGBA, f Format) (b []byte) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	for y := 0; y < h; y += 4 {
		for x := 0; x < w; x += 4 {
			var px [16][4]int
			for i := range px {
				at := m.PixOffset(min(x+i%4, w-1), min(y+i/4, h-1))
				for k := range 4 {
					px[i][k] = int(m.Pix[at+k])
				}
			}
			b = block(b, px, f)
		}
	}
	return b
}

func block(b []byte, px [16][4]int, f Format) []byte {
	switch f {
	case DXT3:
		return colorBlock(fourBits(b, px), px, false)
	case DXT5:
		return colorBlock(alphaBlock(b, px, 3), px, false)
	case ATI1N:
		return alphaBlock(b, px, 0)
	case ATI2N: // green first
		return alphaBlock(alphaBlock(b, px, 1), px, 0)
	case BC7:
		return bc7Block(b, px)
	case BC6H:
		var light [16][3]float32
		for i, p := range px {
			for k := range light[i] {
				light[i][k] = linear(uint8(p[k]))
			}
		}
		return bc6hBlock(b, light)
	}
	return colorBlock(b, px, true)
}

// fourBits appends four bits of alpha a pixel.
func fourBits(b []byte, px [16][4]int) []byte {
	for i := 0; i < len(px); i += 2 {
		b = append(b, uint8((px[i][3]+8)/17|(px[i+1][3]+8)/17<<4))
	}
	return b
}

// colorBlock appends two colours of 16 bits and two bits for each pixel, which choose among them and two in between. Where the
// first colour is not the greater number there is one in between and one that is clear.
func colorBlock(b []byte, px [16][4]int, punch bool) []byte {
	lo, hi := [3]int{255, 255, 255}, [3]int{}
	seen, holes := 0, 0
	var mean [3]int
	for _, p := range px {
		if punch && p[3] < 128 {
			holes++
			continue
		}
		seen++
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
			mean[k] += p[k]
		}
	}
	if seen == 0 {
		return append(b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff)
	}
	// The ends are opposite corners of the box around the colours: those between which green and the others go along.
	for k := range 3 {
		mean[k] /= seen
	}
	for _, k := range [2]int{0, 2} {
		along := 0
		for _, p := range px {
			if !punch || p[3] >= 128 {
				along += (p[k] - mean[k]) * (p[1] - mean[1])
			}
		}
		if along < 0 {
			lo[k], hi[k] = hi[k], lo[k]
		}
	}
	for k := range 3 { // a little inwards, where most colours are
		in := (hi[k] - lo[k]) / 16
		lo[k], hi[k] = lo[k]+in, hi[k]-in
	}
	first, second := to565(hi), to565(lo)
	if (first < second) != (holes > 0) {
		first, second = second, first
	}
	table := [4][3]int{from565(first), from565(second)}
	choices := 4
	for k := range 3 {
		a, c := table[0][k], table[1][k]
		if first > second {
			table[2][k], table[3][k] = (2*a+c)/3, (a+2*c)/3
		} else {
			table[2][k] = (a + c) / 2
		}
	}
	if first <= second {
		choices = 3
	}
	var bits uint32
	for i, p := range px {
		best, at := 1<<30, 0
		for c := range choices {
			d := 0
			for k := range 3 {
				d += (p[k] - table[c][k]) * (p[k] - table[c][k])
			}
			if d < best {
				best, at = d, c
			}
		}
		if punch && p[3] < 128 {
			at = 3
		}
		bits |= uint32(at) << (2 * i)
	}
	b = binary.LittleEndian.AppendUint16(b, first)
	b = binary.LittleEndian.AppendUint16(b, second)
	return binary.LittleEndian.AppendUint32(b, bits)
}

// alphaBlock appends the greatest and the least of a channel and three bits for each pixel, which choose among them and six in
// between.
func alphaBlock(b []byte, px [16][4]int, k int) []byte {
	lo, hi := 255, 0
	for _, p := range px {
		lo, hi = min(lo, p[k]), max(hi, p[k])
	}
	var bits uint64
	for i, p := range px {
		if hi == lo {
			break
		}
		step := (7*(hi-p[k]) + (hi-lo)/2) / (hi - lo) // 0 is the greatest, 7 the least
		at := step + 1
		switch step {
		case 0:
			at = 0
		case 7:
			at = 1
		}
		bits |= uint64(at) << (3 * i)
	}
	b = append(b, uint8(hi), uint8(lo))
	for i := range 6 {
		b = append(b, uint8(bits>>(8*i)))
	}
	return b
}

func to565(c [3]int) uint16 {
	return uint16((c[0]*31+127)/255)<<11 | uint16((c[1]*63+127)/255)<<5 | uint16((c[2]*31+127)/255)
}

func from565(v uint16) [3]int {
	r, g, b := int(v>>11), int(v>>5&63), int(v&31)
	return [3]int{r<<3 | r>>2, g<<2 | g>>4, b<<3 | b>>2}
}
