package vp8l

import "slices"

// maxPacked is the most colours of a palette that is used. Up to this number, several indices fit in a byte; with
// more colours, prediction gives smaller files.
const maxPacked = 16

// palette returns the colours of a picture in ascending order, or nil if there are more than maxPacked.
func palette(px []uint32) []uint32 {
	var list []uint32
	last := px[0] + 1
	for _, v := range px {
		if v == last {
			continue
		}
		last = v
		if at, ok := slices.BinarySearch(list, v); !ok {
			if len(list) == maxPacked {
				return nil
			}
			list = slices.Insert(list, at, v)
		}
	}
	return list
}

// index writes a palette and replaces the pixels by indices, several per pixel.
func (p *picture) index(w *writer, colours []uint32) {
	w.put(1, 1)
	w.put(paletteTransform, 2)
	w.put(uint64(len(colours)-1), 8)
	steps := make([]uint32, len(colours))
	var before uint32
	for i, v := range colours {
		steps[i] = subtract(v, before)
		before = v
	}
	(&picture{steps, len(steps), 1}).pixels(w, false)
	shift := 1 // binary logarithm of the pixels per byte
	switch {
	case len(colours) <= 2:
		shift = 3
	case len(colours) <= 4:
		shift = 2
	}
	each, width := 8>>shift, (p.width+1<<shift-1)>>shift
	out := make([]uint32, width*p.height)
	last, number := colours[0], 0
	for y := range p.height {
		for x, v := range p.px[y*p.width:][:p.width] {
			if v != last {
				last = v
				number, _ = slices.BinarySearch(colours, v)
			}
			out[y*width+x>>shift] |= uint32(number) << (8 + x&(1<<shift-1)*each)
		}
	}
	for i := range out {
		out[i] |= 0xff000000
	}
	p.px, p.width = out, width
}
