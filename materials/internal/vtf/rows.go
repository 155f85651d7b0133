package vtf

import "encoding/binary"

// order holds the byte offsets of red, green, blue and alpha in a pixel.
type order [4]int

// none marks a channel that is not stored and is full.
const none = -1

// shift returns the position of a channel in a pixel's word, and its value if it is not stored.
func (o order) shift(k int) (shift int, full uint32) {
	if o[k] == none {
		return 24, 0xff
	}
	return 8 * o[k], 0
}

// four unpacks pixels of four bytes.
func (o order) four(dst, src []byte) {
	r, _ := o.shift(0)
	g, _ := o.shift(1)
	b, _ := o.shift(2)
	a, full := o.shift(3)
	for len(src) >= 4 && len(dst) >= 4 {
		v := binary.LittleEndian.Uint32(src)
		binary.LittleEndian.PutUint32(dst, v>>r&0xff|v>>g&0xff<<8|v>>b&0xff<<16|(v>>a&0xff|full)<<24)
		dst, src = dst[4:], src[4:]
	}
}

// three unpacks pixels of three bytes.
func (o order) three(dst, src []byte) {
	r, g, b := o[0], o[1], o[2]
	for len(src) >= 3 && len(dst) >= 4 {
		p := src[:3]
		dst[0], dst[1], dst[2], dst[3] = p[r], p[g], p[b], 255
		dst, src = dst[4:], src[3:]
	}
}

// blueScreen unpacks pixels of three bytes; full blue is transparent.
func blueScreen(o order) func(dst, src []byte) {
	return func(dst, src []byte) {
		o.three(dst, src)
		for ; len(dst) >= 4; dst = dst[4:] {
			if binary.LittleEndian.Uint32(dst) == 0xffff0000 {
				clear(dst[:4])
			}
		}
	}
}

// grey unpacks one channel to red, green and blue.
func grey(dst, src []byte) {
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(v)*0x010101|0xff000000)
	}
}

// redOnly unpacks red.
func redOnly(dst, src []byte) {
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(v)|0xff000000)
	}
}

// alphaOnly unpacks alpha; the colour is black.
func alphaOnly(dst, src []byte) {
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(v)<<24)
	}
}

// channel16 is the position of a channel in a 16-bit word. If count is 0, a colour is 0 and alpha is full.
type channel16 struct{ shift, count int }

// words16 returns a function that unpacks pixels of two bytes with these channels.
func words16(r, g, b, a channel16) func(dst, src []byte) {
	channels := [4]channel16{r, g, b, a}
	var table [4][256]byte // by channel: from stored bits to 8 bits
	table[3][0] = 255
	for k, c := range channels {
		for v := 0; c.count > 0 && v < 1<<c.count; v++ {
			x := v << (8 - c.count)
			for s := c.count; s < 8; s *= 2 {
				x |= x >> s // repeats its highest bits, so that the greatest value becomes 255
			}
			table[k][v] = byte(x)
		}
	}
	return func(dst, src []byte) {
		for len(src) >= 2 && len(dst) >= 4 {
			v := binary.LittleEndian.Uint16(src)
			for k, c := range channels {
				dst[k] = table[k][byte(v>>c.shift&(1<<c.count-1))]
			}
			dst, src = dst[4:], src[2:]
		}
	}
}

// tens returns a function that unpacks pixels of 32 bits: ten each of red and blue, which start at these bits, green
// between them, and two of alpha.
func tens(red, blue int) func(dst, src []byte) {
	return func(dst, src []byte) {
		eight := func(v uint32) byte { return byte((v&1023*255 + 511) / 1023) }
		for len(src) >= 4 && len(dst) >= 4 {
			v := binary.LittleEndian.Uint32(src)
			dst[0], dst[1], dst[2], dst[3] = eight(v>>red), eight(v>>10), eight(v>>blue), byte(v>>30*85)
			dst, src = dst[4:], src[4:]
		}
	}
}

// paletteSize is the size in bytes of 256 colours in BGRA8888.
const paletteSize = 4 * 256

// indexed unpacks indices into a palette.
func indexed(dst, src, palette []byte) {
	for i, v := range src {
		p := palette[4*int(v):][:4]
		dst[4*i], dst[4*i+1], dst[4*i+2], dst[4*i+3] = p[2], p[1], p[0], p[3]
	}
}
