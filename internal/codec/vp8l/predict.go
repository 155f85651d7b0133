package vp8l

// predict writes the predictor of each tile, and replaces pixels by their differences from the prediction.
func (p *picture) predict(w *writer) {
	const bits = 4
	across, down := (p.width+1<<bits-1)>>bits, (p.height+1<<bits-1)>>bits
	modes := picture{make([]uint32, across*down), across, down}
	costs := differenceCosts()
	out := make([]uint32, len(p.px))
	var guess [1 << bits]uint32
	before := 11
	for ty := range down {
		for tx := range across {
			x0, y0 := tx<<bits, ty<<bits
			x1, y1 := min(x0+1<<bits, p.width), min(y0+1<<bits, p.height)
			best, least := before, p.cost(before, x0, x1, y0, y1, guess[:], costs, 1<<62)
			for mode := 1; mode < modeCount && least > 0; mode++ {
				if mode == before {
					continue
				}
				if c := p.cost(mode, x0, x1, y0, y1, guess[:], costs, least); c < least {
					best, least = mode, c
				}
			}
			before = best
			modes.px[ty*across+tx] = 0xff000000 | uint32(best)<<8
			for y := y0; y < y1; y++ {
				p.guess(best, x0, x1, y, guess[:])
				for x := x0; x < x1; x++ {
					out[y*p.width+x] = subtract(p.px[y*p.width+x], guess[x-x0])
				}
			}
		}
	}
	p.px = out
	w.put(bits-2, 3)
	modes.pixels(w, false)
}

// cost estimates the bits of a tile's differences from a prediction. It may stop once it reaches most.
func (p *picture) cost(mode, x0, x1, y0, y1 int, guess []uint32, costs *[256]int, most int) (sum int) {
	for y := y0; y < y1 && sum < most; y++ {
		p.guess(mode, x0, x1, y, guess)
		for i, v := range p.px[y*p.width:][x0:x1] {
			if g := guess[i]; g != v {
				d := subtract(v, g)
				sum += costs[d>>24] + costs[d>>16&0xff] + costs[d>>8&0xff] + costs[d&0xff]
			}
		}
	}
	return sum
}

// differenceCosts returns approximate costs of a difference, by its lowest byte, in eighths of a bit.
func differenceCosts() *[256]int {
	var t [256]int
	for i := range t {
		d := int(int8(i))
		t[i] = int(logarithm(uint32(1+max(d, -d)))*3/2) >> (fraction - 3)
		if d != 0 {
			t[i] += 8
		}
	}
	return &t
}

// modeCount is the number of predictors.
const modeCount = 14

// guess predicts the pixels x0 to x1 of a row. For the first row and column the format allows one predictor only.
func (p *picture) guess(mode, x0, x1, y int, out []uint32) {
	at := y * p.width
	if y == 0 {
		for x := x0; x < x1; x++ {
			if x == 0 {
				out[0] = 0xff000000
			} else {
				out[x-x0] = p.px[x-1]
			}
		}
		return
	}
	first := x0
	if x0 == 0 {
		out[0] = p.px[at-p.width]
		first = 1
	}
	if first >= x1 {
		return
	}
	n := x1 - first
	out = out[first-x0:][:n]
	left, top := p.px[at+first-1:][:n], p.px[at-p.width+first:][:n+1] // after the last column comes the first pixel of this row
	corner := p.px[at-p.width+first-1:][:n]
	rows(mode, out, left, top, corner)
}

// rows predicts pixels from those to the left (left), above (top) and above left (corner). top has one more pixel:
// the last one is above right.
func rows(mode int, out, left, top, corner []uint32) {
	top, right := top[:len(out)], top[1:]
	left, corner, right = left[:len(out)], corner[:len(out)], right[:len(out)]
	switch mode {
	case 0:
		for i := range out {
			out[i] = 0xff000000
		}
	case 1:
		copy(out, left)
	case 2:
		copy(out, top)
	case 3:
		copy(out, right)
	case 4:
		copy(out, corner)
	case 5:
		for i := range out {
			out[i] = mean(mean(left[i], right[i]), top[i])
		}
	case 6:
		for i := range out {
			out[i] = mean(left[i], corner[i])
		}
	case 7:
		for i := range out {
			out[i] = mean(left[i], top[i])
		}
	case 8:
		for i := range out {
			out[i] = mean(corner[i], top[i])
		}
	case 9:
		for i := range out {
			out[i] = mean(top[i], right[i])
		}
	case 10:
		for i := range out {
			out[i] = mean(mean(left[i], corner[i]), mean(top[i], right[i]))
		}
	case 11:
		for i := range out {
			out[i] = nearer(left[i], top[i], corner[i])
		}
	case 12:
		for i := range out {
			out[i] = plane(left[i], top[i], corner[i])
		}
	case 13:
		for i := range out {
			out[i] = half(mean(left[i], top[i]), corner[i])
		}
	}
}

// mean returns the channels' means of two pixels, rounded down.
func mean(a, b uint32) uint32 { return (a^b)&0xfefefefe>>1 + a&b }

// nearer returns the pixel to the left or above, whichever is closer to left + top - corner.
func nearer(left, top, corner uint32) uint32 {
	if left == corner {
		return top
	}
	if top == corner {
		return left
	}
	d := 0
	for s := 0; s < 32; s += 8 {
		l, t, c := int(left>>s&0xff), int(top>>s&0xff), int(corner>>s&0xff)
		d += max(t-c, c-t) - max(l-c, c-l)
	}
	if d < 0 {
		return left
	}
	return top
}

// plane returns left + top - corner by channel, clamped to 0 to 255.
func plane(left, top, corner uint32) (out uint32) {
	if left == corner {
		return top
	}
	if top == corner {
		return left
	}
	for s := 0; s < 32; s += 8 {
		v := int(left>>s&0xff) + int(top>>s&0xff) - int(corner>>s&0xff)
		out |= uint32(min(max(v, 0), 255)) << s
	}
	return out
}

// half returns a + (a - b) / 2 by channel, clamped to 0 to 255.
func half(a, b uint32) (out uint32) {
	if a == b {
		return a
	}
	for s := 0; s < 32; s += 8 {
		v := int(a >> s & 0xff)
		v += (v - int(b>>s&0xff)) / 2
		out |= uint32(min(max(v, 0), 255)) << s
	}
	return out
}
