package paint

import "context"

// maxKept is the largest number of pixels of a picture whose watchers' values are kept.
var maxKept = 1 << 18

// watcher evaluates a recipe's stages for what a Combined needs besides its colours: a Mirror or Behind.
type watcher interface {
	clear()                           // starts a row
	over(i int, rgb, alpha []float32) // draws stage i
	values(to []float32)              // ends the row: three values a pixel
}

// watched is a watcher that keeps its values of all rows if the picture is small. They are found while the picture is drawn, so the images
// are read once. For large pictures each use reads the images again.
type watched struct {
	watcher
	kept []float32
}

// rereads reports whether the images must be read again after the drawing to find the values.
func (w *watched) rereads() bool { return w != nil && w.kept == nil }

// row ends a row of the picture that is drawn.
func (w *watched) row(width int) {
	w.kept = w.kept[:len(w.kept)+3*width]
	w.values(w.kept[len(w.kept)-3*width:])
}

// each passes the values of each row to set.
func (w *watched) each(ctx context.Context, samplers []sampler, width, height int, set func(y int, values []float32)) error {
	rgb, alpha, values := make([]float32, 3*width), make([]float32, width), make([]float32, 3*width)
	for y := range height {
		if y%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if w.kept != nil {
			values = w.kept[3*y*width:][:3*width]
		} else {
			w.clear()
			for i := range samplers {
				rgb, alpha := samplers[i].Row(y, rgb, alpha)
				w.over(i, rgb, alpha)
			}
			w.values(values)
		}
		set(y, values)
	}
	return nil
}
