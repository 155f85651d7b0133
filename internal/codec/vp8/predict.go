package vp8

// prediction is a way to predict a macroblock from its neighbours. RFC 6386, section 12.
type prediction uint8

const (
	flat     prediction = iota // the mean of the neighbours
	vertical                   // the row above
	horizontal
	slanted // the row above plus the column to the left, less the pixel where they meet
	predictions
)

// The values of neighbours outside the picture.
const (
	noneAbove = 127
	noneLeft  = 129
)

// border holds the pixels from which a square of n x n pixels is predicted.
type border struct {
	above, left []uint8 // n of each
	corner      uint8
	has         [2]bool // false at the edges of the picture
}

// predict sets n x n pixels to a prediction.
func (b *border) predict(how prediction, out []uint8, n int) {
	switch how {
	case flat:
		row := out[:n]
		mean := b.mean(n)
		for i := range row {
			row[i] = mean
		}
		for y := 1; y < n; y++ {
			copy(out[y*n:y*n+n], row)
		}
	case vertical:
		for y := range n {
			copy(out[y*n:y*n+n], b.above)
		}
	case horizontal:
		for y := range n {
			v := b.left[y]
			row := out[y*n : y*n+n]
			for i := range row {
				row[i] = v
			}
		}
	case slanted:
		above := b.above[:n]
		for y := range n {
			d := int32(b.left[y]) - int32(b.corner)
			row := out[y*n : y*n+n]
			for i, v := range above {
				row[i] = clip(int32(v) + d)
			}
		}
	}
}

func (b *border) mean(n int) uint8 {
	sum, count := 0, 0
	for k, side := range [2][]uint8{b.above, b.left} {
		if b.has[k] {
			for _, v := range side[:n] {
				sum += int(v)
			}
			count += n
		}
	}
	if count == 0 {
		return 128
	}
	return uint8((sum + count/2) / count)
}

// distance returns the sum of the squared differences between two blocks of pixels.
func distance(a, b []uint8) (sum int32) {
	b = b[:len(a)]
	for i, v := range a {
		d := int32(v) - int32(b[i])
		sum += d * d
	}
	return sum
}
