package vp8l

import "math/bits"

// The symbols of a picture belong to five codes, numbered consecutively: green with lengths and the colour cache;
// red; blue; alpha; distances.
const (
	lengthsFrom   = 256
	cacheFrom     = 256 + 24
	distanceCodes = 40
)

// bounds returns where the symbols of each code begin, and the total number. cache is the binary logarithm of the
// cache's size.
func bounds(cache uint) [6]int {
	green := cacheFrom
	if cache > 0 {
		green += 1 << cache
	}
	return [6]int{0, green, green + 256, green + 512, green + 768, green + 768 + distanceCodes}
}

// token is a pixel, or a copy of earlier pixels.
type token struct {
	length   uint32 // of a copy; 0 for a pixel
	distance uint32 // of a copy, in pixels
}

// symbol is how a token is written.
type symbol struct {
	main  uint32 // green, a length, or a cached colour
	pixel uint32 // all channels of a pixel
	at    int32  // index of the token's first pixel
	// Of a copy: the code of its distance, and both extra bits.
	distance                           uint32
	lengthExtra, distanceExtra         uint32
	lengthExtraBits, distanceExtraBits uint8
}

// symbolise converts tokens to symbols.
func symbolise(tokens []token, p *picture, cache uint) []symbol {
	out := make([]symbol, len(tokens))
	colours := make([]uint32, 1<<cache)
	keep := func(v uint32) {
		if cache > 0 {
			colours[hashed(v, cache)] = v
		}
	}
	i := 0
	for k, t := range tokens {
		s := symbol{at: int32(i)}
		if t.length == 0 {
			s.pixel = p.px[i]
			s.main = s.pixel >> 8 & 0xff
			if h := hashed(s.pixel, cache); cache > 0 && colours[h] == s.pixel {
				s.main = cacheFrom + h
			}
			keep(s.pixel)
			i++
		} else {
			s.main, s.lengthExtraBits, s.lengthExtra = prefix(t.length)
			s.main += lengthsFrom
			s.distance, s.distanceExtraBits, s.distanceExtra = prefix(planeCode(int(t.distance), p.width))
			for _, v := range p.px[i:][:t.length] {
				keep(v)
			}
			i += int(t.length)
		}
		out[k] = s
	}
	return out
}

// hashed returns the index of a colour in a cache of 2^bits colours.
func hashed(v uint32, bits uint) uint32 { return v * 0x1e35a7bd >> (32 - bits) & (1<<bits - 1) }

// each calls f with all symbols of a token.
func (s *symbol) each(b *[6]int, f func(int)) {
	f(int(s.main))
	if s.main < lengthsFrom {
		f(b[1] + int(s.pixel>>16&0xff))
		f(b[2] + int(s.pixel&0xff))
		f(b[3] + int(s.pixel>>24))
	} else if s.main < cacheFrom {
		f(b[4] + int(s.distance))
	}
}

// cacheBits returns the binary logarithm of the colour cache's size with which tokens take the fewest bits; 0 means
// no cache.
func cacheBits(tokens []token, px []uint32) (best uint) {
	least := ^uint64(0)
	for _, size := range []uint{0, 4, 7, 10} {
		counts := make([]uint32, cacheFrom+1<<size+768)
		other := counts[cacheFrom+1<<size:]
		colours := make([]uint32, 1<<size)
		i := 0
		for _, t := range tokens {
			if t.length == 0 {
				v := px[i]
				h := hashed(v, size)
				if size > 0 && colours[h] == v {
					counts[cacheFrom+h]++
				} else {
					counts[v>>8&0xff]++
					other[v>>16&0xff]++
					other[256+v&0xff]++
					other[512+v>>24]++
				}
				colours[h] = v
				i++
				continue
			}
			code, _, _ := prefix(t.length)
			counts[lengthsFrom+code]++
			if size > 0 {
				run := px[i:][:t.length]
				if t.distance == 1 { // all of these pixels are equal
					run = run[:1]
				}
				for _, v := range run {
					colours[hashed(v, size)] = v
				}
			}
			i += int(t.length)
		}
		sum := entropy(counts[:cacheFrom+1<<size]) + entropy(other[:256]) + entropy(other[256:512]) + entropy(other[512:])
		if sum < least {
			best, least = size, sum
		}
	}
	return best
}

// prefix returns the code of a length or distance (at least 1), the number of its extra bits, and these bits.
func prefix(n uint32) (code uint32, extraBits uint8, extra uint32) {
	n--
	if n < 4 {
		return n, 0, 0
	}
	high := uint32(bits.Len32(n) - 1)
	return 2*high + n>>(high-1)&1, uint8(high - 1), n & (1<<(high-1) - 1)
}

// planeCode returns the number of a distance. Distances to near pixels have numbers up to 120.
func planeCode(distance, width int) uint32 {
	y := distance / width
	x := distance - y*width
	switch {
	case x <= 8 && y < 8:
		return uint32(near[y*16+8-x]) + 1
	case x > width-8 && y < 7:
		return uint32(near[(y+1)*16+8+width-x]) + 1
	}
	return uint32(distance) + 120
}

// near holds the numbers, minus 1, of distances to near pixels: by row above, and from 8 columns to the left to 7 to
// the right. In the current row there are only those to the left.
var near = [128]uint8{
	96, 73, 55, 39, 23, 13, 5, 1, 255, 255, 255, 255, 255, 255, 255, 255,
	101, 78, 58, 42, 26, 16, 8, 2, 0, 3, 9, 17, 27, 43, 59, 79,
	102, 86, 62, 46, 32, 20, 10, 6, 4, 7, 11, 21, 33, 47, 63, 87,
	105, 90, 70, 52, 37, 28, 18, 14, 12, 15, 19, 29, 38, 53, 71, 91,
	110, 99, 82, 66, 48, 35, 30, 24, 22, 25, 31, 36, 49, 67, 83, 100,
	115, 108, 94, 76, 64, 50, 44, 40, 34, 41, 45, 51, 65, 77, 95, 109,
	118, 113, 103, 92, 80, 68, 60, 56, 54, 57, 61, 69, 81, 93, 104, 114,
	119, 116, 111, 106, 97, 88, 84, 74, 72, 75, 85, 89, 98, 107, 112, 117,
}
