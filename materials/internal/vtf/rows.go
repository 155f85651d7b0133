package vtf

import "encoding/binary"

// order holds the byte offsets of red, green, blue and alpha in a pixel.
type order [4]int

// none marks a channel that is not stored, and reads as 255.
const none = -1

// shift returns the position of channel k in a pixel's 32-bit word, and the bits to set if it is not stored.
func (o order) shift(k int) (shift int, full uint32) {
	if o[k] == none {
		return 24, 0xff
	}
	return 8 * o[k], 0
}

// four converts pixels of four bytes to R, G, B, A.
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

// three converts pixels of three bytes to R, G, B, A with alpha 255.
func (o order) three(dst, src []byte) {
	r, g, b := o[0], o[1], o[2]
	for len(src) >= 3 && len(dst) >= 4 {
		p := src[:3]
		dst[0], dst[1], dst[2], dst[3] = p[r], p[g], p[b], 255
		dst, src = dst[4:], src[3:]
	}
}

// blueScreen converts pixels of three bytes; pure blue becomes transparent.
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

// grey converts one channel to opaque grey.
func grey(dst, src []byte) {
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(v)*0x010101|0xff000000)
	}
}

// redOnly converts one channel to opaque red.
func redOnly(dst, src []byte) {
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(v)|0xff000000)
	}
}

// alphaOnly converts one channel to black with that alpha.
func alphaOnly(dst, src []byte) {
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(v)<<24)
	}
}

// channel16 is the position of a channel in a 16-bit word. With a count of 0, a colour reads as 0 and alpha as 255.
type channel16 struct{ shift, count int }

// words16 returns a function that converts pixels of two bytes with these channels.
func words16(r, g, b, a channel16) func(dst, src []byte) {
	channels := [4]channel16{r, g, b, a}
	var table [4][256]byte // by channel: from stored bits to 8 bits
	table[3][0] = 255
	for k, c := range channels {
		for v := 0; c.count > 0 && v < 1<<c.count; v++ {
			x := v << (8 - c.count)
			for s := c.count; s < 8; s *= 2 {
				x |= x >> s // repeats the highest bits below, so that the greatest value becomes 255
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

// tens returns a function that converts pixels of 32 bits: ten bits each of red and blue, which start at the given
// bits, ten of green between them, and two of alpha on top.
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

// indexed converts 8-bit indices into a palette of BGRA8888.
func indexed(dst, src, palette []byte) {
	for i, v := range src {
		p := palette[4*int(v):][:4]
		dst[4*i], dst[4*i+1], dst[4*i+2], dst[4*i+3] = p[2], p[1], p[0], p[3]
	}
}
