// Package vp8l encodes lossless WebP. It is made for what maps have most: lightmap pages and alpha planes. Colours
// are predicted from their neighbours, repeated pixels are copied, and different parts of a picture get codes of
// their own.
//
// Source: RFC 9649, section 3. docs/internals/codecs.md has the measurements.
package vp8l

import (
	"encoding/binary"
	"slices"
)

// MaxSide is the most pixels that a side can have.
const MaxSide = 1 << 14

// Encode returns the content of a VP8L chunk with a picture of red, green, blue and alpha, whose rows are stride
// bytes apart. alpha states that some pixel may be transparent. Sides are 1 to MaxSide. The same picture always gives
// the same bytes.
func Encode(pix []byte, stride, width, height int, alpha bool) []byte {
	p := picture{make([]uint32, 0, width*height), width, height}
	for y := range height {
		row := pix[y*stride:][:4*width]
		for x := 0; x < len(row); x += 4 {
			v := binary.LittleEndian.Uint32(row[x:]) // ABGR
			p.px = append(p.px, v&0xff00ff00|v>>16&0xff|v&0xff<<16)
		}
	}
	w := &writer{}
	w.put(signature, 8)
	w.put(uint64(width-1)|uint64(height-1)<<14, 28)
	w.put(b2u(alpha), 1)
	w.put(0, 3)
	p.encode(w)
	return w.bytes()
}

// Plane returns what Encode returns for an opaque picture whose green is the plane and whose red and blue are 0. WebP
// stores alpha so, without the first HeaderSize bytes.
func Plane(values []byte, width, height int) []byte {
	pix := make([]byte, 4*width*height)
	for i, v := range values {
		pix[4*i+1], pix[4*i+3] = v, 255
	}
	return Encode(pix, 4*width, width, height, false)
}

// HeaderSize is the size of the signature, width, height and version, before the transforms.
const HeaderSize = 5

const signature = 0x2f

// encode writes a picture's transforms and pixels. It may modify the pixels.
func (p *picture) encode(w *writer) {
	if colours := palette(p.px); colours != nil && len(colours) <= maxPacked {
		p.index(w, colours)
		w.put(0, 1)
		p.pixels(w, true)
		return
	}
	if !grey(p.px) {
		w.put(1, 1)
		w.put(greenTransform, 2)
		subtractGreen(p.px)
	}
	var other writer
	if distinct(p.px, fewColours) {
		other = *w
		other.out = slices.Clone(w.out)
		other.put(0, 1)
		p.pixels(&other, true)
	}
	w.put(1, 1)
	w.put(predictorTransform, 2)
	p.predict(w)
	w.put(0, 1)
	p.pixels(w, true)
	if len(other.out) > 0 && len(other.out) < len(w.out) {
		*w = other
	}
}

// fewColours is the most colours of a picture for which an encoding with copies only is tried as well.
const fewColours = 512

// distinct reports whether a picture has at most most colours.
func distinct(px []uint32, most int) bool {
	seen := make(map[uint32]struct{}, most)
	last := px[0]
	seen[last] = struct{}{}
	for _, v := range px {
		if v == last {
			continue
		}
		last = v
		if seen[v] = struct{}{}; len(seen) > most {
			return false
		}
	}
	return true
}

// grey reports whether red and blue are 0 everywhere.
func grey(px []uint32) bool {
	var all uint32
	for _, v := range px {
		all |= v
	}
	return all&0xff00ff == 0
}

func subtractGreen(px []uint32) {
	for i, v := range px {
		g := v >> 8 & 0xff
		px[i] = v&0xff00ff00 | (v&0xff00ff+0x1000100-(g<<16|g))&0xff00ff
	}
}
