package paint

import "image"

// enlarge returns a picture nx times as wide and ny times as high. Within a pixel the values have a constant slope, the smaller of the
// slopes to its two neighbours, and the pixel's mean. So a viewer that interpolates shows the same values at the pixels' centres as with
// the smaller picture, edges stay edges, and no value is outside those of the neighbours. The picture repeats.
func enlarge(im *image.NRGBA, nx, ny int) *image.NRGBA {
	return stretched(stretched(im, nx, false), ny, true)
}

// stretched enlarges a picture n times along its rows, or along its columns if down is set.
func stretched(im *image.NRGBA, n int, down bool) *image.NRGBA {
	if n <= 1 {
		return im
	}
	w, h := im.Rect.Dx(), im.Rect.Dy()
	count, lines := w, h // pixels along a line, and lines
	out := image.NewNRGBA(image.Rect(0, 0, n*w, h))
	step, next, outStep, outNext := 4, im.Stride, 4, out.Stride
	if down {
		count, lines = h, w
		out = image.NewNRGBA(image.Rect(0, 0, w, n*h))
		step, next, outStep, outNext = im.Stride, 4, out.Stride, 4
	}
	for line := range lines {
		from, to := im.Pix[line*next:], out.Pix[line*outNext:]
		for i := range count {
			before, at, after := from[(i+count-1)%count*step:][:4], from[i*step:][:4], from[(i+1)%count*step:][:4]
			for k := range 4 {
				c := float32(at[k])
				slope := smaller(c-float32(before[k]), float32(after[k])-c)
				for j := range n {
					t := (float32(j)+0.5)/float32(n) - 0.5
					to[(i*n+j)*outStep+k] = uint8(c + float32(slope*t) + 0.5)
				}
			}
		}
	}
	return out
}

// smaller returns the less steep one of two slopes, or 0 if their signs differ.
func smaller(a, b float32) float32 {
	switch {
	case a > 0 && b > 0:
		return min(a, b)
	case a < 0 && b < 0:
		return max(a, b)
	}
	return 0
}

// Tiled returns a picture that shows another n times in both directions: itself for n up to 1, and nil for nil.
func Tiled(im *image.NRGBA, n int) *image.NRGBA {
	if im == nil || n <= 1 {
		return im
	}
	w, h := im.Rect.Dx(), im.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, n*w, n*h))
	for y := range n * h {
		from := im.Pix[y%h*im.Stride:][:4*w]
		for x := range n {
			copy(out.Pix[y*out.Stride+4*x*w:], from)
		}
	}
	return out
}
