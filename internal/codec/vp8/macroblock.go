package vp8

// macroblock is the macroblock being encoded: its source pixels, and the pixels that a decoder will show.
type macroblock struct {
	source, shown [256]uint8    // luma
	chroma        [2]chroma     // U and V
	tried         [256]uint8    // scratch for a prediction
	rest          [16][16]int32 // coefficients by block
	levels        [25][16]int16 // by block: luma, U, V, and the block of first luma coefficients
	counts        [25]int       // number of levels up to the last that is not 0
	firsts        [16]int32
}

// chroma is one chroma plane of a macroblock.
type chroma struct{ source, shown, tried [64]uint8 }

// macroblock predicts and encodes a macroblock, and counts its tokens.
func (e *encoder) macroblock(column, row int) {
	b, up, has := &e.block, &e.above[column], [2]bool{row > 0, column > 0}
	e.load(column, row)
	if !has[1] {
		e.left.set(noneLeft)
		e.corner = [3]uint8{noneLeft, noneLeft, noneLeft}
	}
	if !has[0] {
		up.set(noneAbove)
		e.corner = [3]uint8{noneAbove, noneAbove, noneAbove}
	}
	m := &e.modes[row*e.width+column]
	m.luma = b.predictLuma(&border{up.y[:], e.left.y[:], e.corner[0], has})
	m.chroma = b.predictChroma(&[2]border{{up.u[:], e.left.u[:], e.corner[1], has}, {up.v[:], e.left.v[:], e.corner[2], has}})
	some := b.codeLuma(&e.steps)
	some = b.codeChroma(&e.steps[chromaBlock]) || some
	m.empty = !some
	if some {
		e.write(up)
	} else {
		up.filled, e.left.filled = [9]uint8{}, [9]uint8{}
	}
	e.handOn(up)
}

// set sets all pixels of an edge to v.
func (e *edge) set(v uint8) {
	for i := range e.y {
		e.y[i] = v
	}
	for i := range e.u {
		e.u[i], e.v[i] = v, v
	}
}

// load copies the macroblock's source pixels.
func (e *encoder) load(column, row int) {
	b, stride := &e.block, e.width*16
	for y := range 16 {
		copy(b.source[y*16:y*16+16], e.plain.y[(row*16+y)*stride+column*16:])
	}
	for y := range 8 {
		at := (row*8+y)*stride/2 + column*8
		copy(b.chroma[0].source[y*8:y*8+8], e.plain.u[at:])
		copy(b.chroma[1].source[y*8:y*8+8], e.plain.v[at:])
	}
}

// handOn stores the pixels that predict the neighbours below and to the right.
func (e *encoder) handOn(up *edge) {
	b := &e.block
	e.corner = [3]uint8{up.y[15], up.u[7], up.v[7]}
	copy(up.y[:], b.shown[240:])
	copy(up.u[:], b.chroma[0].shown[56:])
	copy(up.v[:], b.chroma[1].shown[56:])
	for y := range 16 {
		e.left.y[y] = b.shown[y*16+15]
	}
	for y := range 8 {
		e.left.u[y], e.left.v[y] = b.chroma[0].shown[y*8+7], b.chroma[1].shown[y*8+7]
	}
}

// predictLuma finds the prediction closest to the source, and leaves its pixels in shown.
func (b *macroblock) predictLuma(from *border) (best prediction) {
	least := int32(-1)
	for how := range predictions {
		from.predict(how, b.tried[:], 16)
		if d := distance(b.source[:], b.tried[:]); least < 0 || d < least {
			least, best, b.shown = d, how, b.tried
		}
	}
	return best
}

// predictChroma finds the prediction closest for both planes together, and leaves its pixels in shown.
func (b *macroblock) predictChroma(from *[2]border) (best prediction) {
	least := int32(-1)
	for how := range predictions {
		d := int32(0)
		for k := range b.chroma {
			c := &b.chroma[k]
			from[k].predict(how, c.tried[:], 8)
			d += distance(c.source[:], c.tried[:])
		}
		if least < 0 || d < least {
			least, best = d, how
			for k := range b.chroma {
				b.chroma[k].shown = b.chroma[k].tried
			}
		}
	}
	return best
}

// codeLuma transforms and quantizes the difference between luma and its prediction, and adds the decoded difference
// to shown. It reports whether any level is not 0.
func (b *macroblock) codeLuma(s *[kinds]steps) (some bool) {
	for i := range 16 {
		at := i>>2*64 + i&3*4
		forward(b.source[at:], b.shown[at:], 16, &b.rest[i])
		b.firsts[i] = b.rest[i][0]
	}
	var w [16]int32
	hadamard(&b.firsts, &w)
	b.counts[24] = s[firsts].quantize(&w, 0, &b.levels[24])
	some = b.counts[24] > 0
	hadamardBack(&w, &b.firsts)
	for i := range 16 {
		c := &b.rest[i]
		b.counts[i] = s[lumaRest].quantize(c, 1, &b.levels[i])
		some = some || b.counts[i] > 0
		c[0] = b.firsts[i]
		restore(c, b.counts[i], b.shown[i>>2*64+i&3*4:], 16)
	}
	return some
}

// codeChroma is codeLuma for both chroma planes.
func (b *macroblock) codeChroma(s *steps) (some bool) {
	for k := range b.chroma {
		c := &b.chroma[k]
		for i := range 4 {
			at, n := i>>1*32+i&1*4, 16+k*4+i
			rest := &b.rest[i]
			forward(c.source[at:], c.shown[at:], 8, rest)
			b.counts[n] = s.quantize(rest, 0, &b.levels[n])
			some = some || b.counts[n] > 0
			restore(rest, b.counts[n], c.shown[at:], 8)
		}
	}
	return some
}

// restore adds the inverse transform of coefficients to pixels. count is the number of coefficients up to the last
// that is not 0, ignoring the first.
func restore(c *[16]int32, count int, pixels []uint8, stride int) {
	if count > 1 {
		back(c, pixels, stride)
	} else if c[0] != 0 {
		backFlat(c[0], pixels, stride)
	}
}

// write adds the tokens of a macroblock.
func (e *encoder) write(up *edge) {
	b, t, left := &e.block, &e.tokens, &e.left
	v := t.block(firsts, up.filled[8]+left.filled[8], 0, &b.levels[24], b.counts[24])
	up.filled[8], left.filled[8] = v, v
	for i := range 16 {
		x, y := i&3, i>>2
		v = t.block(lumaRest, up.filled[x]+left.filled[y], 1, &b.levels[i], b.counts[i])
		up.filled[x], left.filled[y] = v, v
	}
	for i := range 8 {
		x, y := 4+i>>2*2+i&1, 4+i>>2*2+i>>1&1
		v = t.block(chromaBlock, up.filled[x]+left.filled[y], 0, &b.levels[16+i], b.counts[16+i])
		up.filled[x], left.filled[y] = v, v
	}
}
