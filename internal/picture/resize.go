package picture

import (
	"image"

	"github.com/disintegration/imaging"
)

// Resize returns im scaled to w x h pixels, at least 1 x 1, or im itself if it has that size. It uses box averages for halves,
// quarters and so on of both sides, and Lanczos for anything else. Colours are averaged as stored, not as linear light, and
// weighted by alpha.
func Resize(im *image.NRGBA, w, h int) *image.NRGBA {
	w, h = max(w, 1), max(h, 1)
	for im.Rect.Dx() > w && im.Rect.Dx()%(2*w) == 0 && im.Rect.Dy() > h && im.Rect.Dy()%(2*h) == 0 && im.Rect.Dx()/w == im.Rect.Dy()/h {
		im = halve(im)
	}
	if im.Rect.Dx() == w && im.Rect.Dy() == h || im.Rect.Empty() {
		return im
	}
	return imaging.Resize(im, w, h, imaging.Lanczos)
}

// Fit returns im scaled down so that no side exceeds maxSize, keeping the ratio of its sides, or im itself if no
// side does.
func Fit(im *image.NRGBA, maxSize int) *image.NRGBA {
	w, h, most := im.Rect.Dx(), im.Rect.Dy(), max(maxSize, 1)
	if w <= most && h <= most {
		return im
	}
	if w >= h {
		return Resize(im, most, (h*most+w/2)/w)
	}
	return Resize(im, (w*most+h/2)/h, most)
}

// halve returns im, whose sides are even, at half its size. Each pixel is the rounded average of four.
func halve(im *image.NRGBA) *image.NRGBA {
	w, h := im.Rect.Dx()/2, im.Rect.Dy()/2
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		d := out.Pix[y*out.Stride : y*out.Stride+w*4]
		s := im.Pix[2*y*im.Stride:][:w*8]
		t := im.Pix[(2*y+1)*im.Stride:][:w*8]
		for len(d) >= 4 && len(s) >= 8 && len(t) >= 8 {
			a, b := le.Uint64(s), le.Uint64(t)
			// If the four alphas are equal, no weights are needed: average with fields of 16 bits.
			if alphas := (a ^ b | (a ^ a>>32)) >> 24; alphas&0xff == 0 && (a^b)>>56 == 0 {
				const mask = 0x00ff00ff00ff00ff
				even, odd := a&mask+b&mask, a>>8&mask+b>>8&mask
				e := (uint32(even) + uint32(even>>32) + 0x00020002) >> 2 & 0x00ff00ff
				o := (uint32(odd) + uint32(odd>>32) + 0x00020002) >> 2 & 0x00ff00ff
				le.PutUint32(d, e|o<<8)
			} else {
				average(d[:4:4], s[:8:8], t[:8:8])
			}
			d, s, t = d[4:], s[8:], t[8:]
		}
	}
	return out
}

// average sets d to the average of the pixels of s and t, weighted by alpha.
func average(d, s, t []byte) {
	a0, a1, a2, a3 := uint32(s[3]), uint32(s[7]), uint32(t[3]), uint32(t[7])
	sum := a0 + a1 + a2 + a3
	for i := range 3 {
		d[i] = uint8((uint32(s[i])*a0 + uint32(s[4+i])*a1 + uint32(t[i])*a2 + uint32(t[4+i])*a3 + sum/2) / sum)
	}
	d[3] = uint8((sum + 2) / 4)
}
