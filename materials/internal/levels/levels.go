// Package levels finds the values that an image's channels have. What changes each channel of a pixel by itself need only be computed for
// these: 256 pixels instead of an image's.
package levels

import (
	"context"
	"image"
	"slices"
)

// Levels holds the values of an image's channels. A picture of few pixels has each of them, and each channel of a pixel of the image has a
// place in it.
type Levels struct {
	im     *image.NRGBA
	groups []group // of the pixels of each alpha, if they are kept apart; otherwise one
	size   int
}

type group struct {
	places [3][256]uint16 // of each value of a channel, plus 1; 0 if the image does not have it
	start  int            // the place of the first
	size   int
}

// Of finds the levels of an image, whose rows must follow each other without a gap. With byAlpha those of pixels of a different alpha are
// kept apart.
func Of(im *image.NRGBA, byAlpha bool) *Levels {
	v := &Levels{im: im, groups: make([]group, 1)}
	if byAlpha {
		v.groups = make([]group, 256)
	}
	counts := make([][3]uint16, len(v.groups))
	for i := 0; i+4 <= len(im.Pix); i += 4 {
		px := im.Pix[i : i+4 : i+4]
		a := int(px[3]) & (len(v.groups) - 1)
		g := &v.groups[a]
		for k := range g.places {
			if at := &g.places[k][px[k]]; *at == 0 {
				counts[a][k]++
				*at = counts[a][k]
			}
		}
	}
	first := int(im.Pix[3]) & (len(v.groups) - 1) // its pixels come first
	for i := range v.groups {
		a := i ^ first
		n := counts[a]
		g := &v.groups[a]
		g.start, g.size = v.size, int(max(n[0], n[1], n[2]))
		v.size += g.size
	}
	return v
}

// Size returns the number of pixels that have all levels: at most 256 for each alpha.
func (v *Levels) Size() int { return v.size }

// Picture returns a picture of a width with all levels and no others. Its first pixel is the image's. It is opaque, unless the pixels of
// each alpha are kept apart.
func (v *Levels) Picture(width int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, width, (v.size+width-1)/width))
	for a := range v.groups {
		g := &v.groups[a]
		px := out.Pix[4*g.start:][:4*g.size]
		for k := range g.places {
			places := &g.places[k]
			first := slices.Index(places[:], 1)
			for i := k; i < len(px); i += 4 { // in case another channel has more values
				px[i] = byte(first)
			}
			for value, place := range places {
				if place > 0 {
					px[4*int(place-1)+k] = byte(value)
				}
			}
		}
		for i := 3; i < len(px); i += 4 {
			px[i] = 255
			if len(v.groups) > 1 {
				px[i] = byte(a)
			}
		}
	}
	for i := 4 * v.size; i < len(out.Pix); i += 4 {
		copy(out.Pix[i:i+4], out.Pix)
	}
	return out
}

// Spread draws few, what has become of a picture of the levels, as large as the image: each channel of a pixel is as in the place of its
// level. The image may be drawn over; with nil as to, the result is a new one.
func (v *Levels) Spread(ctx context.Context, few, to *image.NRGBA) (*image.NRGBA, error) {
	if to == nil {
		to = image.NewNRGBA(v.im.Rect)
	}
	values, alphas := make([][3][256]byte, len(v.groups)), make([]byte, len(v.groups))
	for a := range v.groups {
		g := &v.groups[a]
		if g.size == 0 {
			continue
		}
		px := few.Pix[4*g.start:]
		alphas[a] = px[3]
		for k := range g.places {
			for value, place := range g.places[k] {
				if place > 0 {
					values[a][k][value] = px[4*int(place-1)+k]
				}
			}
		}
	}
	const step = 1 << 20
	for start := 0; start < len(v.im.Pix); start += step {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		from := v.im.Pix[start:min(start+step, len(v.im.Pix))]
		row := to.Pix[start:][:len(from)]
		for i := 0; i+4 <= len(row); i += 4 {
			p, q := from[i:i+4:i+4], row[i:i+4:i+4]
			a := int(p[3]) & (len(values) - 1)
			t := &values[a]
			q[0], q[1], q[2], q[3] = t[0][p[0]], t[1][p[1]], t[2][p[2]], alphas[a]
		}
	}
	return to, nil
}
