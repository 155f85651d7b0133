// Package vp8 encodes pictures as key frames of VP8, the lossy part of WebP (RFC 6386).
//
// A picture is converted to luma and, at half the size, chroma, in macroblocks of 16 x 16 pixels. Each macroblock is
// predicted from the pixels to its left and above; the difference is transformed in blocks of 4 x 4, quantized, and
// written as decisions with probabilities. The encoder collects all decisions first, then writes them with
// probabilities made for the picture.
//
// It is made for speed: it uses one quantizer, predicts whole macroblocks by the best of four predictions, and does
// not search for cheaper coefficients. The same picture gives the same bytes everywhere. docs/internals/codecs.md has
// the measurements.
package vp8

import (
	"image"
	"sync"
)

// MaxSide is the most pixels that a side can have.
const MaxSide = 1<<14 - 1

// encoder holds the buffers for a picture, for reuse.
type encoder struct {
	width, height int // in macroblocks
	plain         planes
	steps         [kinds]steps
	tokens        tokens
	modes         []mode // by macroblock
	above         []edge // of the row above, by column
	left          edge
	corner        [3]uint8 // the pixels above left of the macroblock: luma, U and V
	block         macroblock
}

// planes holds a picture's luma and chroma, extended to whole macroblocks by repeating the last pixels to the right
// and down.
type planes struct{ y, u, v []uint8 }

// edge holds what a macroblock's neighbour below or to the right needs of it.
type edge struct {
	y      [16]uint8 // last row or column
	u, v   [8]uint8
	filled [9]uint8 // 1 if a block has coefficients: four luma blocks, two of each chroma plane, one of first coefficients
}

// mode states how a macroblock is predicted.
type mode struct {
	luma, chroma prediction
	empty        bool // no coefficients
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

// Encode returns a picture as a VP8 frame without alpha. Its sides must be 1 to MaxSide; quality is 0 to 100, on the
// scale of other WebP encoders. It returns nil if the modes take too many bytes, which needs more than 100 million
// pixels.
func Encode(im *image.NRGBA, quality int) []byte {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.reset(im)
	index := quantizer(quality)
	e.setSteps(index)
	for row := range e.height {
		e.left = edge{}
		for column := range e.width {
			e.macroblock(column, row)
		}
	}
	return e.frame(im.Rect.Dx(), im.Rect.Dy(), index)
}

func (e *encoder) reset(im *image.NRGBA) {
	e.width, e.height = (im.Rect.Dx()+15)/16, (im.Rect.Dy()+15)/16
	n := e.width * e.height
	e.plain = planes{again(e.plain.y, n*256), again(e.plain.u, n*64), again(e.plain.v, n*64)}
	e.plain.fill(im, e.width*16)
	e.modes, e.above = again(e.modes, n), again(e.above, e.width)
	clear(e.above)
	e.tokens.reset()
}

// again returns a slice of n elements with undefined contents. It reuses old if that is large enough.
func again[T any](old []T, n int) []T {
	if cap(old) < n {
		return make([]T, n)
	}
	return old[:n]
}

// fill converts a picture: BT.601 luma from 16 to 235, and chroma from 16 to 240 of the mean of four pixels.
func (p *planes) fill(im *image.NRGBA, stride int) {
	width, height := im.Rect.Dx(), im.Rect.Dy()
	for y := 0; y < height; y += 2 {
		top := im.Pix[y*im.Stride:][:width*4]
		bottom := top
		yt := p.y[y*stride:][:stride]
		yb := p.y[(y+1)*stride:][:stride]
		if y+1 < height {
			bottom = im.Pix[(y+1)*im.Stride:][:width*4]
		}
		u, v := p.u[y/2*stride/2:][:stride/2], p.v[y/2*stride/2:][:stride/2]
		for x := 0; x < width; x += 2 {
			next := min(x+1, width-1)
			a, b := top[x*4:x*4+3:x*4+3], top[next*4:next*4+3:next*4+3]
			c, d := bottom[x*4:x*4+3:x*4+3], bottom[next*4:next*4+3:next*4+3]
			yt[x], yt[x+1], yb[x], yb[x+1] = luma(a), luma(b), luma(c), luma(d)
			red := int32(a[0]) + int32(b[0]) + int32(c[0]) + int32(d[0])
			green := int32(a[1]) + int32(b[1]) + int32(c[1]) + int32(d[1])
			blue := int32(a[2]) + int32(b[2]) + int32(c[2]) + int32(d[2])
			u[x/2] = uint8((-9714*red - 19070*green + 28784*blue + (128<<18 + 1<<17)) >> 18)
			v[x/2] = uint8((28784*red - 24103*green - 4681*blue + (128<<18 + 1<<17)) >> 18)
		}
		spread(yt, (width+1)&^1)
		spread(yb, (width+1)&^1)
		spread(u, (width+1)/2)
		spread(v, (width+1)/2)
	}
	for y := (height + 1) &^ 1; y < len(p.y)/stride; y++ {
		copy(p.y[y*stride:][:stride], p.y[(y-1)*stride:])
	}
	for y := (height + 1) / 2; y < len(p.u)*2/stride; y++ {
		copy(p.u[y*stride/2:][:stride/2], p.u[(y-1)*stride/2:])
		copy(p.v[y*stride/2:][:stride/2], p.v[(y-1)*stride/2:])
	}
}

func luma(c []uint8) uint8 {
	return uint8((16829*int32(c[0]) + 33039*int32(c[1]) + 6416*int32(c[2]) + (16<<16 + 1<<15)) >> 16)
}

// spread repeats element n - 1 up to the end of row.
func spread(row []uint8, n int) {
	for i := n; i < len(row); i++ {
		row[i] = row[n-1]
	}
}
