package vtf

import (
	"encoding/binary"
	"image"
)

// blocks returns the image in blocks of 4 × 4 pixels: DXT1, which has one bit of alpha, or DXT5. What is beyond the edge repeats
// it.
func blocks(m *image.NRGBA, alpha bool) (b []byte) {
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
			if alpha {
				b = alphaBlock(b, px)
			}
			b = colorBlock(b, px, !alpha)
		}
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

// alphaBlock appends the greatest and the least alpha and three bits for each pixel, which choose among them and six in between.
func alphaBlock(b []byte, px [16][4]int) []byte {
	lo, hi := 255, 0
	for _, p := range px {
		lo, hi = min(lo, p[3]), max(hi, p[3])
	}
	var bits uint64
	for i, p := range px {
		if hi == lo {
			break
		}
		step := (7*(hi-p[3]) + (hi-lo)/2) / (hi - lo) // 0 is the greatest, 7 the least
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
	for k := range 6 {
		b = append(b, uint8(bits>>(8*k)))
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
