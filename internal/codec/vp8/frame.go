package vp8

// frame returns the frame: header, modes, tokens. index is the quantizer's. RFC 6386, sections 9 and 19.2.
func (e *encoder) frame(width, height, index int) []byte {
	probs, replaced := e.tokens.probabilities()
	first := newBitWriter(nil)
	first.number(0, 2) // colour space, clamping
	first.number(0, 1) // no segments
	first.number(0, 1) // normal filter
	first.number(smoothing(index), 6)
	first.number(0, 3) // filter sharpness
	first.number(0, 1) // same filter for all macroblocks
	first.number(0, 2) // one partition of tokens
	first.number(index, 7)
	first.number(0, 5) // no quantizer deltas
	first.number(0, 1) // the probabilities apply to this frame only
	for i, p := range probs {
		first.bit(updateProbs[i], replaced[i])
		if replaced[i] {
			first.number(int(p), 8)
		}
	}
	empty := 0
	for i := range e.modes {
		if e.modes[i].empty {
			empty++
		}
	}
	n := len(e.modes)
	skip := uint8(min(max(((n-empty)*256+n/2)/n, 1), 255))
	first.number(1, 1)
	first.number(int(skip), 8)
	for i := range e.modes {
		first.bit(skip, e.modes[i].empty)
		first.mode(&e.modes[i])
	}
	head := first.close()
	if len(head) >= 1<<19 {
		return nil
	}
	tag := len(head)<<5 | 1<<4 // a key frame that is shown
	out := make([]byte, 0, 10+len(head)+len(e.tokens.list)/6)
	out = append(out, byte(tag), byte(tag>>8), byte(tag>>16), 0x9d, 0x01, 0x2a, byte(width), byte(width>>8), byte(height), byte(height>>8))
	w := newBitWriter(append(out, head...))
	for _, t := range e.tokens.list {
		p := uint8(t)
		if t&fixed == 0 {
			p = probs[t&(fixed-1)]
		}
		w.bit(p, t&one != 0)
	}
	return w.close()
}

// mode writes how a macroblock is predicted. RFC 6386, section 11.
func (w *bitWriter) mode(m *mode) {
	w.bit(145, true) // luma predicted as a whole
	switch m.luma {
	case flat, vertical:
		w.bit(156, false)
		w.bit(163, m.luma == vertical)
	default:
		w.bit(156, true)
		w.bit(128, m.luma == slanted)
	}
	w.bit(142, m.chroma != flat)
	if m.chroma != flat {
		w.bit(114, m.chroma != vertical)
		if m.chroma != vertical {
			w.bit(183, m.chroma == slanted)
		}
	}
}

// smoothing returns the strength, 0 to 63, of the filter that smooths block edges: about a quarter of the quantizer,
// or 0 if it would hardly be visible.
func smoothing(index int) int {
	s := int(acSteps[index]) * 300 / 1024
	if s < 2 {
		return 0
	}
	return min(s, 63)
}
