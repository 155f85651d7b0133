package picture

import (
	"image"
	"math"
)

// Why this is so complicated: scaling the images of a shader to each other took a tenth of the time of a map with textures. Opaque
// pictures are summed in fixed point, two channels in a word. Where such a sum is too close to the border between two values, it is
// computed again in float64, so the pixels equal those of imaging.Resize, which the tests compare. Scaling works by rows: there is no
// second picture between the two directions.

// fixedBits is the number of fraction bits of a fixed-point weight. A sum of 255 times weights fits in 31 bits.
const fixedBits = 22

// kernel returns Lanczos' function of three lobes.
func kernel(x float64) float64 {
	sinc := func(x float64) float64 {
		if x == 0 {
			return 1
		}
		return math.Sin(math.Pi*x) / float64(math.Pi*x)
	}
	if x = math.Abs(x); x < 3 {
		return sinc(x) * sinc(x/3)
	}
	return 0
}

// weights holds the samples that each position of a scaled line is the sum of: taps samples from first on.
type weights struct {
	taps  int
	first []int
	exact []float64 // taps for each position
	fixed []uint64  // the same with fixedBits, as two's complement
	doubt uint32    // the greatest error of a fixed-point sum
	fits  bool      // fixed-point sums fit in 31 bits
}

// weigh returns the weights for a line of from samples that is scaled to to.
func weigh(to, from int) *weights {
	step := float64(from) / float64(to)
	scale := max(step, 1)
	reach := math.Ceil(scale * 3)
	w := &weights{first: make([]int, to), fits: true}
	list, ends := []float64{}, make([]int, to) // of all positions, without padding
	for i := range to {
		centre := float64((float64(i)+0.5)*step) - 0.5
		w.first[i] = -1
		sum, start := 0.0, len(list)
		for k := max(int(math.Ceil(centre-reach)), 0); k <= min(int(math.Floor(centre+reach)), from-1); k++ {
			if v := kernel((float64(k) - centre) / scale); v != 0 {
				if w.first[i] < 0 {
					w.first[i] = k
				}
				for len(list)-start < k-w.first[i] {
					list = append(list, 0)
				}
				sum += v
				list = append(list, v)
			}
		}
		for k := range list[start:] {
			list[start+k] /= sum
		}
		ends[i] = len(list)
		w.taps = max(w.taps, len(list)-start)
	}
	w.exact, w.fixed = make([]float64, to*w.taps), make([]uint64, to*w.taps)
	w.doubt = uint32(w.taps)*128 + 1
	start := 0
	for i, end := range ends {
		shift := max(w.first[i]+w.taps-from, 0) // weights of 0 fill up, within the line
		w.first[i] -= shift
		most := 0.0
		for k, v := range list[start:end] {
			w.exact[i*w.taps+shift+k] = v
			w.fixed[i*w.taps+shift+k] = uint64(int64(math.Round(v * (1 << fixedBits))))
			most += math.Abs(v)
		}
		w.fits = w.fits && most < 2 // 2 · 255 · 2^22 is less than 2^31
		start = end
	}
	return w
}

// at returns a position's weights.
func (w *weights) at(i int) (exact []float64, fixed []uint64) {
	return w.exact[i*w.taps:][:w.taps], w.fixed[i*w.taps:][:w.taps]
}

// lanczos returns im scaled to width x height pixels.
func lanczos(im *image.NRGBA, width, height int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	fromWidth, fromHeight := im.Rect.Dx(), im.Rect.Dy()
	var across, down *weights // nil keeps that side
	if width != fromWidth {
		across = weigh(width, fromWidth)
	}
	if height != fromHeight {
		down = weigh(height, fromHeight)
	}
	s := scaler{width: width, opaque: im.Opaque() && (across == nil || across.fits) && (down == nil || down.fits)}
	if down == nil {
		line := s.line()
		for y := range height {
			s.across(line, im.Pix[y*im.Stride:][:4*fromWidth], across)
			line.store(out.Pix[y*out.Stride:][:4*width])
		}
		return out
	}
	ring := make([]line, min(down.taps, fromHeight))
	for i := range ring {
		ring[i] = s.line()
	}
	rows, next := make([]line, down.taps), 0
	for y := range height {
		first := down.first[y]
		for next = max(next, first); next < first+down.taps; next++ {
			s.across(ring[next%len(ring)], im.Pix[next*im.Stride:][:4*fromWidth], across)
		}
		for k := range rows {
			rows[k] = ring[(first+k)%len(ring)]
		}
		exact, fixed := down.at(y)
		if s.opaque {
			s.sum(out.Pix[y*out.Stride:][:4*width], rows, exact, fixed, down.doubt)
		} else {
			weighted(out.Pix[y*out.Stride:][:4*width], rows, exact)
		}
	}
	return out
}

// line is a row of pixels: for an opaque picture red and green in the halves of a word, and blue in another; otherwise as bytes.
type line struct {
	rg, b []uint64
	pix   []byte
}

// scaler holds what the lines of a picture share.
type scaler struct {
	width  int
	opaque bool
	from   line // a source row
	rg, b  []uint64
}

func (s *scaler) line() line {
	if s.opaque {
		return line{rg: make([]uint64, s.width), b: make([]uint64, s.width)}
	}
	return line{pix: make([]byte, 4*s.width)}
}

// load spreads the pixels of a row over words.
func (l *line) load(pix []byte) {
	n := len(pix) / 4
	if cap(l.rg) < n {
		l.rg, l.b = make([]uint64, n), make([]uint64, n)
	}
	l.rg, l.b = l.rg[:n], l.b[:n]
	for i := range l.rg {
		v := uint64(le.Uint32(pix[4*i:]))
		l.rg[i], l.b[i] = v&0xff|v&0xff00<<24, v>>16&0xff
	}
}

// store writes the pixels of a row.
func (l *line) store(pix []byte) {
	if l.pix != nil {
		copy(pix, l.pix)
		return
	}
	for i, rg := range l.rg {
		le.PutUint32(pix[4*i:], uint32(rg|rg>>24|l.b[i]<<16)|0xff000000)
	}
}

// across scales a source row to the width; nil weights keep it.
func (s *scaler) across(to line, pix []byte, w *weights) {
	switch {
	case w == nil && !s.opaque:
		copy(to.pix, pix)
	case w == nil:
		to.load(pix)
	case !s.opaque:
		for x := range s.width {
			exact, _ := w.at(x)
			var sum [4]float64
			for k, v := range exact {
				add(&sum, pix[4*(w.first[x]+k):], v)
			}
			settle(to.pix[4*x:], &sum)
		}
	default:
		s.from.load(pix)
		for x := range s.width {
			exact, fixed := w.at(x)
			first := w.first[x]
			rgs, bs := s.from.rg[first:][:len(fixed)], s.from.b[first:][:len(fixed)]
			var rg, b uint64
			if len(fixed) == 6 { // an enlarged picture
				f, r, c := (*[6]uint64)(fixed), (*[6]uint64)(rgs), (*[6]uint64)(bs)
				rg = r[0]*f[0] + r[1]*f[1] + r[2]*f[2] + r[3]*f[3] + r[4]*f[4] + r[5]*f[5]
				b = c[0]*f[0] + c[1]*f[1] + c[2]*f[2] + c[3]*f[3] + c[4]*f[4] + c[5]*f[5]
			} else {
				for k, v := range fixed {
					rg += rgs[k] * v
					b += bs[k] * v
				}
			}
			v, sure := rounded(rg, b, w.doubt)
			if !sure {
				v = again(exact, func(k int) (uint64, uint64) { return rgs[k], bs[k] })
			}
			to.rg[x], to.b[x] = uint64(v)&0xff|uint64(v)&0xff00<<24, uint64(v)>>16&0xff
		}
	}
}

// sum writes the weighted sums of rows.
func (s *scaler) sum(to []byte, rows []line, exact []float64, fixed []uint64, doubt uint32) {
	if s.rg == nil {
		s.rg, s.b = make([]uint64, s.width), make([]uint64, s.width)
	}
	rg, b := s.rg, s.b
	clear(rg)
	clear(b)
	k := 0
	for ; k+1 < len(fixed); k += 2 {
		plusTwo(rg, rows[k].rg, rows[k+1].rg, fixed[k], fixed[k+1])
		plusTwo(b, rows[k].b, rows[k+1].b, fixed[k], fixed[k+1])
	}
	for ; k < len(fixed); k++ {
		plusTwo(rg, rows[k].rg, rows[k].rg, fixed[k], 0)
		plusTwo(b, rows[k].b, rows[k].b, fixed[k], 0)
	}
	for x, rg := range rg {
		v, sure := rounded(rg, b[x], doubt)
		if !sure {
			v = again(exact, func(k int) (uint64, uint64) { return rows[k].rg[x], rows[k].b[x] })
		}
		le.PutUint32(to[4*x:], v)
	}
}

// plusTwo adds two rows times their weights.
func plusTwo(to, row, other []uint64, weight, otherWeight uint64) {
	row, other = row[:len(to)], other[:len(to)]
	for i := range to {
		to[i] += row[i]*weight + other[i]*otherWeight
	}
}

// rounded returns the opaque pixel of three fixed-point sums, and whether the sums leave no doubt about it.
func rounded(rg, b uint64, doubt uint32) (pixel uint32, sure bool) {
	const half, mask = 1 << (fixedBits - 1), 1<<fixedBits - 1
	red := int32(uint32(rg))
	green := int32(uint32((rg - uint64(int64(red))) >> 32))
	red, green, blue := red+half, green+half, int32(uint32(b))+half
	most := uint32(1<<fixedBits) - 2*doubt
	sure = uint32(red)&mask-doubt <= most && uint32(green)&mask-doubt <= most && uint32(blue)&mask-doubt <= most
	clamp := func(v int32) uint32 { return uint32(min(max(v>>fixedBits, 0), 255)) }
	return clamp(red) | clamp(green)<<8 | clamp(blue)<<16 | 0xff000000, sure
}

// again returns the opaque pixel of a weighted sum in float64.
func again(exact []float64, sample func(k int) (rg, b uint64)) uint32 {
	var sum [4]float64
	for k, v := range exact {
		rg, b := sample(k)
		add(&sum, []byte{byte(rg), byte(rg >> 32), byte(b), 255}, v)
	}
	var p [4]byte
	settle(p[:], &sum)
	return le.Uint32(p[:])
}

// weighted writes the weighted sums of rows with alpha.
func weighted(to []byte, rows []line, exact []float64) {
	for x := 0; x < len(to); x += 4 {
		var sum [4]float64
		for k, v := range exact {
			add(&sum, rows[k].pix[x:], v)
		}
		settle(to[x:], &sum)
	}
}

// add adds a pixel times a weight; colours are weighted by alpha too.
func add(sum *[4]float64, p []byte, weight float64) {
	p = p[:4:4]
	a := float64(float64(p[3]) * weight)
	sum[0] += float64(float64(p[0]) * a)
	sum[1] += float64(float64(p[1]) * a)
	sum[2] += float64(float64(p[2]) * a)
	sum[3] += a
}

// settle writes the pixel of a sum.
func settle(p []byte, sum *[4]float64) {
	p = p[:4:4]
	clear(p)
	if sum[3] == 0 {
		return
	}
	part := 1 / sum[3]
	for k := range 3 {
		p[k] = toByte(float64(sum[k] * part))
	}
	p[3] = toByte(sum[3])
}

func toByte(v float64) byte { return byte(min(max(int64(v+0.5), 0), 255)) }
