package picture

import "image"

// palette holds up to 256 colours and a hash table to find them.
type palette struct {
	colours [256]uint32 // R, G, B and A from the lowest byte, in order of appearance
	n       int
	slots   [1024]uint16 // 1 + index into colours; 0 is empty
}

// choose returns the smallest colour type that holds im, and fills p for pngPalette. If alpha is false, it ignores
// the alpha of im. It stops as soon as no smaller type is possible, which takes a few rows of a photo.
func (p *palette) choose(im *image.NRGBA, alpha bool) byte {
	width, height := im.Rect.Dx(), im.Rect.Dy()
	var ignore uint32
	if !alpha {
		ignore = 0xff000000
	}
	grey, few, opaque := true, true, !alpha
	if alpha {
		opaque = !hasAlpha(im)
	}
	for y := 0; y < height && (grey || few); y++ {
		row := im.Pix[y*im.Stride:][:width*4]
		last := ^(le.Uint32(row) | ignore)
		for ; len(row) >= 4 && (grey || few); row = row[4:] {
			c := le.Uint32(row) | ignore
			if c == last {
				continue
			}
			last = c
			grey = grey && (c^c>>8)&0xffff == 0
			few = few && p.add(c)
		}
	}
	// A palette costs 12 bytes plus 3 per colour, which is more than it saves in a tiny picture.
	few = few && width*height > 4*p.n
	switch {
	case grey && opaque && !(few && p.n <= 16):
		return pngGrey
	case few:
		return pngPalette
	case grey:
		return pngGreyAlpha
	case opaque:
		return pngRGB
	}
	return pngRGBA
}

// slot returns the slot of colour c, or the empty slot where it belongs.
func (p *palette) slot(c uint32) *uint16 {
	for i := c * 0x9e3779b1 >> 22; ; i = (i + 1) & 1023 {
		if s := &p.slots[i]; *s == 0 || p.colours[*s-1] == c {
			return s
		}
	}
}

// add adds a colour. It returns false if the palette already has 256 others.
func (p *palette) add(c uint32) bool {
	s := p.slot(c)
	if *s != 0 {
		return true
	}
	if p.n == len(p.colours) {
		return false
	}
	p.colours[p.n] = c
	p.n++
	*s = uint16(p.n)
	return true
}

// pick sets d to the indices of the pixels of s. All of their colours must have been added. It ignores the alpha of
// s if choose did.
func (p *palette) pick(d, s []byte) {
	var ignore uint32
	if p.opaque() {
		ignore = 0xff000000
	}
	last, index := ^(le.Uint32(s) | ignore), byte(0)
	for i := range d {
		if c := le.Uint32(s[i*4:]) | ignore; c != last {
			last, index = c, byte(*p.slot(c)-1)
		}
		d[i] = index
	}
}

// opaque reports whether every colour has an alpha of 255.
func (p *palette) opaque() bool {
	for _, c := range p.colours[:p.n] {
		if c < 0xff000000 {
			return false
		}
	}
	return true
}

func pickGrey(d, s []byte) {
	for i := range d {
		d[i] = s[i*4]
	}
}

func pickGreyAlpha(d, s []byte) {
	for ; len(d) >= 2 && len(s) >= 4; d, s = d[2:], s[4:] {
		d[0], d[1] = s[0], s[3]
	}
}

func pickRGB(d, s []byte) {
	// Copy two pixels at a time as six bytes, while a word of eight fits.
	for ; len(d) >= 8 && len(s) >= 8; d, s = d[6:], s[8:] {
		v := le.Uint64(s)
		le.PutUint64(d, v&0xffffff|v>>8&0xffffff000000)
	}
	for ; len(d) >= 3 && len(s) >= 4; d, s = d[3:], s[4:] {
		d[0], d[1], d[2] = s[0], s[1], s[2]
	}
}
