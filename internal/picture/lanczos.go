package picture

import (
	"image"
	"math"

	"github.com/disintegration/imaging"
)

// lanczos returns im scaled to w x h pixels by a Lanczos filter, first along its rows, then along its columns. Its pixels are those of
// imaging.Resize, for half the time: columns are read row by row, and where a picture is opaque the weights are known before.
func lanczos(im *image.NRGBA, w, h int) *image.NRGBA {
	opaque := im.Opaque()
	if w != im.Rect.Dx() {
		out := image.NewNRGBA(image.Rect(0, 0, w, im.Rect.Dy()))
		taps := tapsOf(w, im.Rect.Dx(), 4)
		for y := range im.Rect.Dy() {
			from, to := im.Pix[y*im.Stride:][:4*im.Rect.Dx()], out.Pix[y*out.Stride:]
			for x := range taps {
				taps[x].sum(from, to[4*x:4*x+4:4*x+4], opaque)
			}
		}
		im = out
	}
	if h != im.Rect.Dy() {
		out := image.NewNRGBA(image.Rect(0, 0, w, h))
		for y, t := range tapsOf(h, im.Rect.Dy(), im.Stride) {
			to := out.Pix[y*out.Stride:][:4*w]
			for x := 0; x < len(to); x += 4 {
				t.sum(im.Pix[x:], to[x:x+4:x+4], opaque)
			}
		}
		im = out
	}
	return im
}

// taps are the pixels of a line that a scaled one is made from, and their weights.
type taps struct {
	at      []int // of each pixel in the line's bytes
	weights []float64
	solid   []float64 // the weights times an alpha of 255
	alpha   float64   // their sum
	whole   float64   // 1 / alpha
}

// tapsOf returns the taps of a line that is scaled from n pixels, a step of bytes apart, to size.
func tapsOf(size, n, step int) []taps {
	f := imaging.Lanczos
	per := float64(n) / float64(size)
	scale := max(per, 1)
	radius := math.Ceil(scale * f.Support)
	out := make([]taps, size)
	for i := range out {
		t := &out[i]
		middle := float64((float64(i)+0.5)*per) - 0.5
		sum := 0.0
		for k := max(int(math.Ceil(middle-radius)), 0); k <= min(int(math.Floor(middle+radius)), n-1); k++ {
			if w := f.Kernel((float64(k) - middle) / scale); w != 0 {
				sum += w
				t.at, t.weights = append(t.at, k*step), append(t.weights, w)
			}
		}
		for k := range t.weights {
			if sum != 0 {
				t.weights[k] /= sum
			}
			t.solid = append(t.solid, 255*t.weights[k])
			t.alpha += t.solid[k]
		}
		t.whole = 1 / t.alpha
	}
	return out
}

// sum sets to to the pixel that the taps make of a line that starts with pix.
func (t *taps) sum(pix, to []byte, opaque bool) {
	var r, g, b, a float64
	if opaque {
		weights := t.solid[:len(t.at)]
		for k, at := range t.at {
			p, w := pix[at:at+4:at+4], weights[k]
			r += float64(asFloat[p[0]] * w)
			g += float64(asFloat[p[1]] * w)
			b += float64(asFloat[p[2]] * w)
		}
		a = t.alpha
	} else {
		weights := t.weights[:len(t.at)]
		for k, at := range t.at {
			p := pix[at : at+4 : at+4]
			w := asFloat[p[3]] * weights[k]
			r += float64(asFloat[p[0]] * w)
			g += float64(asFloat[p[1]] * w)
			b += float64(asFloat[p[2]] * w)
			a += w
		}
	}
	if a != 0 {
		whole := t.whole
		if !opaque {
			whole = 1 / a
		}
		to[0], to[1], to[2], to[3] = rounded(r*whole), rounded(g*whole), rounded(b*whole), rounded(a)
	}
}

var asFloat = func() (t [256]float64) {
	for i := range t {
		t[i] = float64(i)
	}
	return t
}()

func rounded(v float64) byte { return byte(min(max(int64(v+0.5), 0), 255)) }
