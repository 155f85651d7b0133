package paint

import "image"

// FillCost is the number of bytes that FillHoles needs for each pixel.
const FillCost = 1 + 2*8

// FillHoles gives pixels of alpha 0 the colours of the pixels around them, and keeps their alpha. Otherwise filtering and downscaling would
// show the colour of a hole, often the bright blue of index 255, at its edge. Each ring around the visible pixels gets
// the mean of the previous ring; rings continue across the edges, because textures repeat.
func FillHoles(im *image.NRGBA) { fillRings(im, len(im.Pix)) }

// CloseHoles makes pixels of alpha 0, whose colour is black, opaque. Pixels next to visible ones get their mean, the others stay black.
// Xash3D does the same for materials that do not show holes (gl_image.c, GL_BoxFilter3x3).
func CloseHoles(im *image.NRGBA) {
	fillRings(im, 1)
	for i := 3; i < len(im.Pix); i += 4 {
		im.Pix[i] = 255
	}
}

// fillRings fills a number of rings around the visible pixels.
func fillRings(im *image.NRGBA, rings int) {
	f := filler{im: im, w: im.Rect.Dx(), h: im.Rect.Dy()}
	f.state = make([]byte, f.w*f.h)
	for i := range f.state {
		if im.Pix[4*i+3] != 0 {
			f.state[i] = done
		}
	}
	var ring, next []int
	for i, s := range f.state {
		if s == done {
			ring = f.reach(ring, i)
		}
	}
	for ; len(ring) > 0 && rings > 0; rings-- {
		for _, i := range ring {
			f.fill(i)
		}
		next = next[:0]
		for _, i := range ring {
			f.state[i] = done
		}
		for _, i := range ring {
			next = f.reach(next, i)
		}
		ring, next = next, ring
	}
}

// The states of a pixel.
const (
	empty byte = iota
	queued
	done
)

type filler struct {
	im    *image.NRGBA
	w, h  int
	state []byte
}

// around returns the eight pixels around a pixel, wrapping at the edges.
func (f *filler) around(i int) [8]int {
	x, y := i%f.w, i/f.w
	left, right := (x+f.w-1)%f.w, (x+1)%f.w
	up, down := (y+f.h-1)%f.h*f.w, (y+1)%f.h*f.w
	y *= f.w
	return [8]int{up + left, up + x, up + right, y + left, y + right, down + left, down + x, down + right}
}

// reach appends to ring the empty pixels around pixel i.
func (f *filler) reach(ring []int, i int) []int {
	for _, k := range f.around(i) {
		if f.state[k] == empty {
			f.state[k] = queued
			ring = append(ring, k)
		}
	}
	return ring
}

// fill gives a pixel the mean colour of the finished pixels around it; there must be at least one.
func (f *filler) fill(i int) {
	var sum [3]int
	n := 0
	for _, k := range f.around(i) {
		if f.state[k] != done {
			continue
		}
		n++
		for c := range sum {
			sum[c] += int(f.im.Pix[4*k+c])
		}
	}
	for c := range sum {
		f.im.Pix[4*i+c] = byte((sum[c] + n/2) / n)
	}
}
