package vtf

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// bitWriter fills a block from its lowest bit on.
type bitWriter struct {
	block [16]byte
	at    int
}

func (w *bitWriter) put(v uint32, count int) {
	for k := range count {
		w.block[w.at/8] |= byte(v>>k&1) << (w.at % 8)
		w.at++
	}
}

// weights are the shares of the second colour, of 64, in each of the sixteen choices. (Khronos Data Format, BPTC.)
var weights = [16]int{0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}

// nearest returns the choice between two ends that comes nearest to a value.
func nearest(lo, hi [4]int, p [4]int) uint32 {
	best, at := math.MaxInt, 0
	for i, w := range weights {
		d := 0
		for k := range p {
			e := p[k] - ((64-w)*lo[k]+w*hi[k]+32)/64
			d += e * e
		}
		if d < best {
			best, at = d, i
		}
	}
	return uint32(at)
}

// bc7Block appends a block of mode 6: two colours of 7 bits a channel, with an eighth for all, and four bits a pixel.
func bc7Block(b []byte, px [16][4]int) []byte {
	lo, hi := px[0], px[0]
	for _, p := range px {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	for k := range lo { // the eighth bits are 0 and 1
		lo[k], hi[k] = lo[k]&^1, hi[k]|1
	}
	low, high := uint32(0), uint32(1)
	if nearest(lo, hi, px[0]) > 7 { // the first pixel has three bits
		lo, hi = hi, lo
		low, high = high, low
	}
	var w bitWriter
	w.put(1<<6, 7)
	for k := range lo {
		w.put(uint32(lo[k]>>1), 7)
		w.put(uint32(hi[k]>>1), 7)
	}
	w.put(low, 1)
	w.put(high, 1)
	for i, p := range px {
		if i == 0 {
			w.put(nearest(lo, hi, p), 3)
		} else {
			w.put(nearest(lo, hi, p), 4)
		}
	}
	return append(b, w.block[:]...)
}

// bc6hBlock appends a block of signed light whose colours have 10 bits a channel as they are, and four bits a pixel.
func bc6hBlock(b []byte, px [16][3]float32) []byte {
	// Numbers of 10 bits and a sign, 511 of which is the largest half; between them a half's bits go evenly.
	number := func(v float32) int { return min(int(world.NewHalf(v))*512/0x7c00, 511) }
	var numbers [16][4]int
	for i, p := range px {
		for k := range p {
			numbers[i][k] = number(p[k])
		}
	}
	lo, hi := numbers[0], numbers[0]
	for _, p := range numbers {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	if nearest(lo, hi, numbers[0]) > 7 {
		lo, hi = hi, lo
	}
	var w bitWriter
	w.put(3, 5)
	for _, end := range [2][4]int{lo, hi} {
		for k := range 3 {
			w.put(uint32(end[k]), 10)
		}
	}
	for i, p := range numbers {
		if i == 0 {
			w.put(nearest(lo, hi, p), 3)
		} else {
			w.put(nearest(lo, hi, p), 4)
		}
	}
	return append(b, w.block[:]...)
}
