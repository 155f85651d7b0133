package vp8l

// pixels writes a picture's pixels. Only the main picture, not the data of a transform, may have several groups of
// codes.
func (p *picture) pixels(w *writer, main bool) {
	tokens := newMatcher(p).match()
	cache := cacheBits(tokens, p.px)
	w.put(b2u(cache > 0), 1)
	if cache > 0 {
		w.put(uint64(cache), 4)
	}
	symbols := symbolise(tokens, p, cache)
	groups := oneGroup()
	if main {
		groups = group(symbols, p, cache)
		w.put(b2u(groups.n > 1), 1)
		if groups.n > 1 {
			w.put(uint64(groups.bits-2), 3)
			of := picture{make([]uint32, len(groups.of)), groups.across, len(groups.of) / groups.across}
			for i, g := range groups.of {
				of.px[i] = 0xff000000 | uint32(g)<<8
			}
			of.pixels(w, false)
		}
	}
	w.body(symbols, groups, p.width, cache)
}
