package paint

import (
	"image"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// sampler reads a stage's image at the picture's pixels.
type sampler struct {
	im     *image.NRGBA // nil: the colour alone
	plain  [4]float32
	rgb    []float32 // without an image: the row to return
	alpha  []float32
	tile   bool // the image lies pixel for pixel on the picture and repeats
	clamp  bool
	m      [6]float64
	width  int
	height int
	color  [4]float32       // the stage's; multiplies every pixel
	table  *[4][256]float32 // of a tile: the products of bytes and color
	// columns are the same in every row if the image is not turned.
	columns      []texelPosition
	upper, lower scaledRow // of an image that is not turned: the rows read last
}

// texelPosition is a position between two pixels of an image, 0 at the first to 1 at the second.
type texelPosition struct {
	i, j int
	at   float32
}

func newSampler(im *image.NRGBA, l *Stage, m [6]float64, width, height int) sampler {
	s := sampler{plain: [4]float32{1, 1, 1, 1}, clamp: l.Clamp, m: m, width: width, height: height}
	s.color = [4]float32{float32(l.Color[0]), float32(l.Color[1]), float32(l.Color[2]), float32(l.Alpha)}
	if l.Mean() && im != nil {
		s.plain = MeanColor(im, l.UsesAlpha())
		im = nil
	}
	if im == nil {
		s.rgb, s.alpha = make([]float32, 3*width), make([]float32, width)
		for i := range s.rgb {
			s.rgb[i] = s.plain[i%3] * s.color[i%3]
		}
		for i := range s.alpha {
			s.alpha[i] = s.plain[3] * s.color[3]
		}
		return s
	}
	// Resizing weights colours by alpha. It must not where alpha is unused: some images have 0 everywhere.
	resize := func(w, h int) {
		if !l.UsesAlpha() {
			im = Opaque(im)
		}
		im = picture.Resize(im, w, h)
	}
	nx, ny := math.Round(m[0]), math.Round(m[4])
	if nx >= 1 && ny >= 1 && nx <= float64(width) && ny <= float64(height) && width%int(nx) == 0 && height%int(ny) == 0 &&
		!(l.Clamp && nx*ny > 1) &&
		m[1] == 0 && m[3] == 0 && m[2] == 0 && m[5] == 0 && math.Abs(m[0]-nx) < 1e-3 && math.Abs(m[4]-ny) < 1e-3 {
		s.tile = true
		w, h := width/int(nx), height/int(ny)
		for im.Rect.Dx() >= 2*w && im.Rect.Dy() >= 2*h && im.Rect.Dx()%2 == 0 && im.Rect.Dy()%2 == 0 {
			resize(im.Rect.Dx()/2, im.Rect.Dy()/2)
		}
		if im.Rect.Dx() != w || im.Rect.Dy() != h {
			resize(w, h)
		}
		s.im = im
		s.table = new([4][256]float32)
		for k, c := range s.color {
			for v := range s.table[k] {
				s.table[k][v] = float32(v) * (c / 255)
			}
		}
		return s
	}
	// Halve the image while sampling would skip pixels.
	for {
		w, h := im.Rect.Dx(), im.Rect.Dy()
		x := max(math.Abs(m[0])/float64(width), math.Abs(m[1])/float64(height)) * float64(w)
		y := max(math.Abs(m[3])/float64(width), math.Abs(m[4])/float64(height)) * float64(h)
		if x > 1.9 {
			w = max(1, w/2)
		}
		if y > 1.9 {
			h = max(1, h/2)
		}
		if w == im.Rect.Dx() && h == im.Rect.Dy() {
			s.im = im
			return s
		}
		resize(w, h)
	}
}

// Opaque returns an image with full alpha: a copy, unless the image is already opaque.
func Opaque(im *image.NRGBA) *image.NRGBA {
	if im.Opaque() {
		return im
	}
	out := &image.NRGBA{Pix: slices.Clone(im.Pix), Stride: im.Stride, Rect: im.Rect}
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = 255
	}
	return out
}

// MeanColor returns the mean of an image, 0 to 1; with weighted, colours are weighted by alpha.
func MeanColor(im *image.NRGBA, weighted bool) (mean [4]float32) {
	var sum [4]uint64
	weights := uint64(0)
	for i := 0; i+3 < len(im.Pix); i += 4 {
		w := uint64(255)
		if weighted {
			w = uint64(im.Pix[i+3])
		}
		weights += w
		for k := range 3 {
			sum[k] += uint64(im.Pix[i+k]) * w
		}
		sum[3] += uint64(im.Pix[i+3])
	}
	for k := range 3 {
		mean[k] = float32(float64(sum[k]) / 255 / float64(max(1, weights)))
	}
	mean[3] = float32(float64(sum[3]) / 255 / float64(max(1, len(im.Pix)/4)))
	return mean
}

// Row returns a row of the picture times the stage's colour: three values a pixel in the first slice and one, the
// alpha, in the second. The results may share memory with the arguments.
func (s *sampler) Row(y int, rgb, alpha []float32) (_, _ []float32) {
	c := s.color
	switch {
	case s.im == nil:
		return s.rgb, s.alpha
	case s.tile:
		w := s.im.Rect.Dx()
		p := s.im.Pix[(y%s.im.Rect.Dy())*s.im.Stride:][:4*w]
		for start := 0; start < len(alpha); start += w {
			if start > 0 {
				copy(rgb[3*start:3*(start+w)], rgb)
				copy(alpha[start:start+w], alpha)
				continue
			}
			a := alpha[:w]
			for x := range a {
				q := p[4*x : 4*x+4 : 4*x+4]
				o := rgb[3*x : 3*x+3 : 3*x+3]
				o[0], o[1], o[2] = s.table[0][q[0]], s.table[1][q[1]], s.table[2][q[2]]
				a[x] = s.table[3][q[3]]
			}
		}
	case s.m[1] == 0 && s.m[3] == 0:
		s.straight(y, rgb, alpha)
	default:
		v := (float64(y) + 0.5) / float64(s.height)
		for x := range alpha {
			u := (float64(x) + 0.5) / float64(s.width)
			p := s.at(float64(s.m[0]*u)+float64(s.m[1]*v)+s.m[2], float64(s.m[3]*u)+float64(s.m[4]*v)+s.m[5])
			rgb[3*x], rgb[3*x+1], rgb[3*x+2] = p[0]*c[0], p[1]*c[1], p[2]*c[2]
			alpha[x] = p[3] * c[3]
		}
	}
	return rgb, alpha
}

// at interpolates between the four nearest pixels.
func (s *sampler) at(u, v float64) (c [4]float32) {
	w, h := s.im.Rect.Dx(), s.im.Rect.Dy()
	x, y := s.between(u, w), s.between(v, h)
	upper, lower := s.im.Pix[y.i*s.im.Stride:], s.im.Pix[y.j*s.im.Stride:]
	top, bottom := across(upper, &x), across(lower, &x)
	for k := range c {
		c[k] = (top[k] + float32((bottom[k]-top[k])*y.at)) * (1.0 / 255)
	}
	return c
}

// across interpolates between two pixels of a row, 0 to 255.
func across(row []byte, x *texelPosition) (c [4]float32) {
	a, b := row[4*x.i:][:4], row[4*x.j:][:4]
	for k := range c {
		c[k] = float32(a[k]) + float32((float32(b[k])-float32(a[k]))*x.at)
	}
	return c
}

// scaledRow is a row of an image, interpolated at the picture's columns.
type scaledRow struct {
	y      int // of the image, plus 1; 0 means none
	values [][4]float32
}

// straight is Row for an image that is scaled and moved, but not rotated. Successive rows of the picture are mostly between
// the same rows of the image, so these are interpolated once.
func (s *sampler) straight(y int, rgb, alpha []float32) {
	w, h := s.im.Rect.Dx(), s.im.Rect.Dy()
	if s.columns == nil {
		s.columns = make([]texelPosition, len(alpha))
		for x := range s.columns {
			u := (float64(x) + 0.5) / float64(s.width)
			s.columns[x] = s.between(float64(s.m[0]*u)+s.m[2], w)
		}
		s.upper.values, s.lower.values = make([][4]float32, len(alpha)), make([][4]float32, len(alpha))
	}
	v := (float64(y) + 0.5) / float64(s.height)
	at, c := s.between(float64(s.m[4]*v)+s.m[5], h), s.color
	if s.lower.y == at.i+1 || s.upper.y == at.j+1 {
		s.upper, s.lower = s.lower, s.upper
	}
	s.scale(&s.upper, at.i)
	s.scale(&s.lower, at.j)
	upper, lower := s.upper.values[:len(alpha)], s.lower.values[:len(alpha)]
	for x := range alpha {
		p, q, o := &upper[x], &lower[x], rgb[3*x:3*x+3:3*x+3]
		for k := range o {
			o[k] = (p[k] + float32((q[k]-p[k])*at.at)) * (1.0 / 255) * c[k]
		}
		alpha[x] = (p[3] + float32((q[3]-p[3])*at.at)) * (1.0 / 255) * c[3]
	}
}

// scale interpolates row y of the image, unless it already has it.
func (s *sampler) scale(row *scaledRow, y int) {
	if row.y == y+1 {
		return
	}
	row.y = y + 1
	pixels := s.im.Pix[y*s.im.Stride:]
	for x := range row.values {
		row.values[x] = across(pixels, &s.columns[x])
	}
}

// between returns the pixels on both sides of a coordinate.
func (s *sampler) between(u float64, n int) texelPosition {
	if s.clamp {
		u = min(max(u, 0), 1)
	} else {
		u -= math.Floor(u)
	}
	at := float64(u*float64(n)) - 0.5
	low := math.Floor(at)
	i, f := int(low), float32(at-low)
	j := i + 1
	if s.clamp {
		return texelPosition{min(max(i, 0), n-1), min(max(j, 0), n-1), f}
	}
	return texelPosition{((i % n) + n) % n, ((j % n) + n) % n, f}
}
