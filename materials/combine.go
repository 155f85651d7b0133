package materials

import (
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
)

// canvasMost is the most pixels per side of a picture that is made of several.
const canvasMost = 1024

// combined is the picture of a recipe.
type combined struct {
	base     *image.NRGBA
	alpha    Alpha
	cutoff   float32
	glow     *image.NRGBA // nil where nothing is added
	unlit    bool
	uv       [6]float64 // from the surface's coordinates to the picture's
	periodic bool       // the stages' images repeat with the picture; else it has seams
}

// combine draws the recipe into a picture that repeats as the surface's texture does. pictures are by layer; nil is white.
func (r *recipe) combine(pictures []*image.NRGBA) combined {
	c := combined{unlit: true, periodic: true}
	main := r.main(pictures)
	inverse := identity
	if main >= 0 {
		c.uv = r.layers[main].uv
		if inv, ok := invert(c.uv); ok {
			inverse = inv
		} else {
			c.uv = identity
		}
	} else {
		c.uv = identity
	}
	// k periods of the main image are one of the picture.
	k := 1.0
	for _, try := range []float64{1, 2, 4} {
		k = try
		if c.periodic = r.repeats(pictures, inverse, k); c.periodic {
			break
		}
	}
	if !c.periodic {
		k = 1
	}
	width, height := r.size(pictures, inverse, k, main)
	samplers := make([]sampler, len(r.layers))
	for i := range r.layers {
		l := &r.layers[i]
		m := multiply(l.uv, inverse)
		for j := range m {
			if j%3 != 2 {
				m[j] *= k
			}
		}
		samplers[i] = newSampler(pictures[i], l, m, width, height)
	}
	for j := range c.uv {
		c.uv[j] /= k
	}
	r.draw(&c, samplers, width, height)
	return c
}

// main is the layer whose image sets the picture's coordinates: the first that replaces all before it, else the first.
func (r *recipe) main(pictures []*image.NRGBA) int {
	first := -1
	for i := range r.layers {
		if pictures[i] == nil || r.layers[i].mean {
			continue
		}
		if first < 0 || r.layers[i].blend == nil || pictures[i].Rect.Dx()*pictures[i].Rect.Dy() > 4*pictures[first].Rect.Dx()*pictures[first].Rect.Dy() {
			first = i
		}
	}
	return first
}

// repeats tells whether all images repeat a whole number of times in k periods of the main image.
func (r *recipe) repeats(pictures []*image.NRGBA, inverse [6]float64, k float64) bool {
	for i := range r.layers {
		if pictures[i] == nil || r.layers[i].mean {
			continue
		}
		m := multiply(r.layers[i].uv, inverse)
		for _, j := range []int{0, 1, 3, 4} {
			if v := m[j] * k; math.Abs(v-math.Round(v)) > 1e-3 {
				return false
			}
		}
	}
	return true
}

// size is the picture's: enough for the finest image, within what is reasonable.
func (r *recipe) size(pictures []*image.NRGBA, inverse [6]float64, k float64, main int) (w, h int) {
	if main < 0 {
		return 4, 4
	}
	x, y := 1.0, 1.0
	for i := range r.layers {
		if pictures[i] == nil || r.layers[i].mean {
			continue
		}
		m := multiply(r.layers[i].uv, inverse)
		x = max(x, float64(pictures[i].Rect.Dx())*k*max(math.Abs(m[0]), math.Abs(m[3])))
		y = max(y, float64(pictures[i].Rect.Dy())*k*max(math.Abs(m[1]), math.Abs(m[4])))
	}
	own := pictures[main].Rect
	most := func(side int) float64 { return max(float64(side), min(canvasMost, 2*k*float64(side))) }
	return int(min(x, most(own.Dx()))), int(min(y, most(own.Dy())))
}

// sampler reads a layer's image at the picture's pixels.
type sampler struct {
	im     *image.NRGBA // nil: the colour alone
	plain  [4]float32
	exact  bool // pixel for pixel
	clamp  bool
	m      [6]float64
	width  int
	height int
}

func newSampler(im *image.NRGBA, l *layer, m [6]float64, width, height int) sampler {
	s := sampler{plain: [4]float32{1, 1, 1, 1}, clamp: l.clamp, m: m, width: width, height: height}
	if im == nil {
		return s
	}
	if l.mean {
		s.plain = meanColor(im)
		return s
	}
	// Halve what would be skipped over.
	for im.Rect.Dx() > 1 && math.Hypot(m[0], m[1])*float64(im.Rect.Dx()) > 1.9*float64(width) ||
		im.Rect.Dy() > 1 && math.Hypot(m[3], m[4])*float64(im.Rect.Dy()) > 1.9*float64(height) {
		w, h := im.Rect.Dx(), im.Rect.Dy()
		im = picture.Resize(im, max(1, w/2), max(1, h/2))
	}
	s.im = im
	s.exact = m[0] == 1 && m[1] == 0 && m[2] == 0 && m[3] == 0 && m[4] == 1 && m[5] == 0 && im.Rect.Dx() == width && im.Rect.Dy() == height
	return s
}

func meanColor(im *image.NRGBA) (mean [4]float32) {
	var sum [4]uint64
	for i := 0; i+3 < len(im.Pix); i += 4 {
		for k := range sum {
			sum[k] += uint64(im.Pix[i+k])
		}
	}
	for k := range mean {
		mean[k] = float32(sum[k]) / 255 / float32(max(1, len(im.Pix)/4))
	}
	return mean
}

// row reads a row of the picture.
func (s *sampler) row(y int, out [][4]float32) {
	switch {
	case s.im == nil:
		for x := range out {
			out[x] = s.plain
		}
	case s.exact:
		p := s.im.Pix[y*s.im.Stride:]
		for x := range out {
			for k := range 4 {
				out[x][k] = float32(p[4*x+k]) * (1.0 / 255)
			}
		}
	default:
		v := (float64(y) + 0.5) / float64(s.height)
		for x := range out {
			u := (float64(x) + 0.5) / float64(s.width)
			out[x] = s.at(s.m[0]*u+s.m[1]*v+s.m[2], s.m[3]*u+s.m[4]*v+s.m[5])
		}
	}
}

// at reads between the four nearest pixels.
func (s *sampler) at(u, v float64) (c [4]float32) {
	w, h := s.im.Rect.Dx(), s.im.Rect.Dy()
	x0, x1, fx := s.between(u, w)
	y0, y1, fy := s.between(v, h)
	p, stride := s.im.Pix, s.im.Stride
	a, b, d, e := p[y0*stride+4*x0:], p[y0*stride+4*x1:], p[y1*stride+4*x0:], p[y1*stride+4*x1:]
	for k := range c {
		top := float32(a[k]) + (float32(b[k])-float32(a[k]))*fx
		bottom := float32(d[k]) + (float32(e[k])-float32(d[k]))*fx
		c[k] = (top + (bottom-top)*fy) * (1.0 / 255)
	}
	return c
}

// between returns the pixels on both sides of a coordinate and how far it is from the first to the second.
func (s *sampler) between(u float64, n int) (i, j int, f float32) {
	if s.clamp {
		u = min(max(u, 0), 1)
	} else {
		u -= math.Floor(u)
	}
	at := u*float64(n) - 0.5
	low := math.Floor(at)
	i, f = int(low), float32(at-low)
	j = i + 1
	if s.clamp {
		return min(max(i, 0), n-1), min(max(j, 0), n-1), f
	}
	return ((i % n) + n) % n, ((j % n) + n) % n, f
}

// pixel is a colour in the making: lit·L + own + through·D.
type pixel struct{ lit, own, through [3]float32 }

// draw evaluates the recipe for every pixel and settles the results as base colour, alpha and emission.
func (r *recipe) draw(c *combined, samplers []sampler, width, height int) {
	base := image.NewNRGBA(image.Rect(0, 0, width, height))
	var glow *image.NRGBA
	pixels := make([]pixel, width)
	alphas := make([]bool, width) // drawn at all
	in := make([][4]float32, width)
	seen, covered, emits, lit := false, true, false, false
	for i := range r.layers {
		if r.layers[i].lit {
			lit = true
		}
	}
	c.unlit = !lit
	if lit && r.light == byMap {
		glow = image.NewNRGBA(base.Rect)
	}
	for y := range height {
		for x := range pixels {
			pixels[x] = pixel{through: [3]float32{1, 1, 1}}
			alphas[x] = false
		}
		for i := range r.layers {
			samplers[i].row(y, in)
			r.layers[i].over(pixels, alphas, in)
		}
		row := base.Pix[y*base.Stride : (y+1)*base.Stride]
		for x := range pixels {
			p := &pixels[x]
			opacity := p.opacity()
			if !alphas[x] {
				opacity = 0
			}
			seen = seen || opacity > 0
			covered = covered && opacity > 0.996
			if opacity > 0 {
				for k := range 3 {
					color, own := p.lit[k], p.own[k]
					if glow == nil {
						color, own = color+own, 0
					}
					row[4*x+k] = value(color / opacity)
					if glow != nil {
						e := emission(color/opacity, own/opacity)
						emits = emits || e > 2
						glow.Pix[y*glow.Stride+4*x+k] = e
					}
				}
			}
			row[4*x+3] = value(opacity)
			if glow != nil {
				glow.Pix[y*glow.Stride+4*x+3] = 255
			}
		}
	}
	c.base = base
	if emits {
		c.glow = glow
	}
	if !covered {
		c.alpha = Blend
		if l := r.layers[0]; l.blend == nil && l.test != q3shader.AlphaAll {
			c.alpha, c.cutoff = Mask, 0.5
		}
	}
}

// opacity is how much of what is behind is hidden, at least enough for the colour to be within range.
func (p *pixel) opacity() float32 {
	through := (p.through[0] + p.through[1] + p.through[2]) / 3
	most := float32(0)
	for k := range 3 {
		most = max(most, p.lit[k]+p.own[k])
	}
	return min(max(1-through, min(most, 1)), 1)
}

// over draws a layer on a row.
func (l *layer) over(row []pixel, drawn []bool, in [][4]float32) {
	color := [3]float32{float32(l.color[0]), float32(l.color[1]), float32(l.color[2])}
	for x := range row {
		a := in[x][3] * float32(l.alpha)
		if !passes(l.test, a) {
			continue
		}
		drawn[x] = true
		s := [3]float32{in[x][0] * color[0], in[x][1] * color[1], in[x][2] * color[2]}
		p := &row[x]
		if l.blend == nil {
			*p = pixel{}
			if l.lit {
				p.lit = s
			} else {
				p.own = s
			}
			continue
		}
		for k := range 3 {
			before := [3]float32{p.lit[k], p.own[k], p.through[k]}
			// What was there, times its factor.
			f, fLit := factor(l.blend.Dst, s[k], a, l.lit)
			after := scaled(before, f, fLit)
			// The layer, times its own.
			switch src := l.blend.Src; src {
			case q3shader.DstColor, q3shader.OneMinusDstColor:
				b := scaled(before, s[k], l.lit)
				if src == q3shader.OneMinusDstColor {
					b = [3]float32{-b[0], -b[1], -b[2]}
					add(&b, s[k], l.lit)
				}
				for j := range after {
					after[j] += b[j]
				}
			default:
				g, _ := factor(src, s[k], a, false)
				add(&after, s[k]*g, l.lit)
			}
			p.lit[k], p.own[k], p.through[k] = clip(after[0]), clip(after[1]), clip(after[2])
		}
	}
}

func clip(v float32) float32 { return min(max(v, 0), 1) }

// add adds a colour to the lit or the own part.
func add(to *[3]float32, v float32, lit bool) {
	if lit {
		to[0] += v
	} else {
		to[1] += v
	}
}

// scaled is a colour in the making times v, which may be lit itself.
func scaled(m [3]float32, v float32, lit bool) [3]float32 {
	if !lit {
		return [3]float32{m[0] * v, m[1] * v, m[2] * v}
	}
	return [3]float32{m[0]*v*typicalLight + m[1]*v, 0, m[2] * v * typicalLight}
}

// factor is the value of a blend factor that does not depend on what was drawn before, and whether light multiplies it.
func factor(f q3shader.Factor, s, a float32, lit bool) (float32, bool) {
	switch f {
	case q3shader.One, q3shader.DstAlpha: // the screen's alpha is 1
		return 1, false
	case q3shader.SrcColor:
		return s, lit
	case q3shader.OneMinusSrcColor:
		if lit {
			s *= typicalLight
		}
		return 1 - s, false
	case q3shader.SrcAlpha:
		return a, false
	case q3shader.OneMinusSrcAlpha:
		return 1 - a, false
	}
	return 0, false // Zero, OneMinusDstAlpha, SrcAlphaSaturate
}

// passes is the alpha test.
func passes(test q3shader.AlphaFunc, a float32) bool {
	switch test {
	case q3shader.GT0:
		return a > 0
	case q3shader.LT128:
		return a < 128.0/255
	case q3shader.GE128:
		return a >= 127.5/255
	case q3shader.GE192:
		return a >= 191.5/255
	}
	return true
}

func value(v float32) uint8 { return uint8(min(max(v, 0), 1)*255 + 0.5) }

// emission is the 8-bit sRGB value that, added in linear light to a lit base, shows what the engine shows by adding
// as displayed. It depends on the light a little; the typical light stands for it.
func emission(base, own float32) uint8 {
	if own <= 0 {
		return 0
	}
	b := base * typicalLight
	return value(encodeSRGB(decodeSRGB(min(b+own, 1)) - decodeSRGB(b)))
}

func decodeSRGB(v float32) float32 {
	return srgbTable[min(max(int(v*float32(len(srgbTable)-1)+0.5), 0), len(srgbTable)-1)]
}

var srgbTable = func() (t [4096]float32) {
	for i := range t {
		t[i] = float32(srgbToLinear(float64(i) / float64(len(t)-1)))
	}
	return t
}()

func encodeSRGB(v float32) float32 {
	if v <= 0.0031308 {
		return max(v, 0) * 12.92
	}
	return float32(1.055*math.Pow(float64(v), 1/2.4) - 0.055)
}

func srgbToLinear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// invert returns the inverse of a texture matrix; ok is false where it has none.
func invert(m [6]float64) (inv [6]float64, ok bool) {
	det := m[0]*m[4] - m[1]*m[3]
	if math.Abs(det) < 1e-9 || math.IsNaN(det) || math.IsInf(det, 0) {
		return identity, false
	}
	inv = [6]float64{m[4] / det, -m[1] / det, 0, -m[3] / det, m[0] / det, 0}
	inv[2] = -(inv[0]*m[2] + inv[1]*m[5])
	inv[5] = -(inv[3]*m[2] + inv[4]*m[5])
	return inv, true
}

// multiply is a after b.
func multiply(a, b [6]float64) [6]float64 {
	return [6]float64{
		a[0]*b[0] + a[1]*b[3], a[0]*b[1] + a[1]*b[4], a[0]*b[2] + a[1]*b[5] + a[2],
		a[3]*b[0] + a[4]*b[3], a[3]*b[1] + a[4]*b[4], a[3]*b[2] + a[4]*b[5] + a[5],
	}
}
