package paint

import "image"

// results keeps what texel returns for the bytes of one channel, so that a picture without a detail texture computes each pair of bytes
// once. A result is 0 as long as it is unknown, and otherwise has the lit byte, the glowing byte above it, and known.
type results [1 << 16]uint32

const known = 1 << 16

// byBytes reports whether each channel of the picture depends on two bytes only: the channel's own and that of the mask or the alpha.
// The base and the mask lie pixel for pixel on the picture.
func (d *drawing) byBytes(b *Brush, base, over, mask *image.NRGBA) bool {
	whole := image.Rect(0, 0, b.Width, b.Height)
	return over == nil && base.Rect == whole && (mask == nil || mask.Rect == whole && !d.surface.Places) && d.surface.Pixels != AddedByAlpha
}

// direct draws pictures byBytes.
type direct struct {
	drawing    *drawing
	base, mask *image.NRGBA // mask is nil if the base's alpha is the mask
	results    [3]*results  // of red, green and blue; channels that are drawn alike share theirs
}

func newDirect(d *drawing, base, mask *image.NRGBA) direct {
	out := direct{drawing: d, base: base, mask: mask}
	s := d.surface
	for k := range out.results {
		for i := range k {
			if s.Tint[i] == s.Tint[k] && s.Light[i] == s.Light[k] {
				out.results[k] = out.results[i]
			}
		}
		if out.results[k] == nil {
			out.results[k] = new(results)
		}
	}
	return out
}

// row is that of drawing.
func (d *direct) row(y int, lit, glow []byte) {
	base := d.base.Pix[y*d.base.Stride:][:len(lit)]
	var mask []byte
	if d.mask != nil {
		mask = d.mask.Pix[y*d.mask.Stride:][:len(lit)]
	}
	s := d.drawing.surface
	for x := 0; x < len(lit); x += 4 {
		from, px := base[x:x+4:x+4], lit[x:x+4:x+4]
		second := [3]uint8{from[3], from[3], from[3]}
		if mask != nil {
			second = [3]uint8(mask[x:])
		}
		for k, r := range d.results {
			at := int(from[k])<<8 | int(second[k])
			v := r[at]
			if v == 0 {
				v = d.result(k, from[k], second[k])
				r[at] = v
			}
			px[k] = uint8(v)
			if glow != nil {
				glow[x+k] = uint8(v >> 8)
			}
		}
		px[3] = 255
		if s.Shown || s.Pixels != AsStored {
			s.blend(px, &[4]float32{3: unit(from[3])})
		}
	}
}

// result returns the result of a channel's byte and of the mask's or the alpha's.
func (d *direct) result(k int, value, second uint8) uint32 {
	var t texels
	t.base[k], t.base[3] = decodeSRGB(unit(value)), unit(second)
	t.mask[k] = t.base[3]
	c, g := d.drawing.texel(&t)
	return known | uint32(EncodeSRGB(g[k]))<<8 | uint32(EncodeSRGB(c[k]))
}

// unit returns a byte as a number from 0 to 1, as samplers do.
func unit(v uint8) float32 { return float32(v) * (float32(1) / 255) }
