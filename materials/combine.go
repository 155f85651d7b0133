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
	gain     float64    // of the light, as displayed
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
		if !c.periodic && !whole(m) {
			// An image that can't repeat with the picture: a fine one is made to, of a coarse one the mean is left.
			if l := *l; math.Abs(m[0]) >= 1.5 && math.Abs(m[4]) >= 1.5 {
				m = [6]float64{math.Round(m[0]), 0, m[2], 0, math.Round(m[4]), m[5]}
				samplers[i] = newSampler(pictures[i], &l, m, width, height)
			} else {
				l.mean = true
				samplers[i] = newSampler(pictures[i], &l, m, width, height)
			}
			continue
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
		for j := range m {
			m[j] *= k
		}
		if !whole(m) {
			return false
		}
	}
	return true
}

// whole tells whether a texture matrix repeats an image a whole number of times.
func whole(m [6]float64) bool {
	for _, j := range []int{0, 1, 3, 4} {
		if math.Abs(m[j]-math.Round(m[j])) > 1e-3 {
			return false
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
	most := func(side int) float64 { return max(float64(side), min(canvasMost, k*float64(side))) }
	return int(min(x, most(own.Dx()))), int(min(y, most(own.Dy())))
}

// sampler reads a layer's image at the picture's pixels.
type sampler struct {
	im     *image.NRGBA // nil: the colour alone
	plain  [4]float32
	tile   bool // the image lies pixel for pixel on the picture, again and again
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
	s.im = im
	if nx, ny := math.Round(m[0]), math.Round(m[4]); m[1] == 0 && m[3] == 0 && m[2] == 0 && m[5] == 0 && nx >= 1 && ny >= 1 && !(l.clamp && nx*ny > 1) &&
		math.Abs(m[0]-nx) < 1e-3 && math.Abs(m[4]-ny) < 1e-3 && width%int(nx) == 0 && height%int(ny) == 0 {
		s.tile = true
		s.im = fit(im, width/int(nx), height/int(ny))
		return s
	}
	// Halve what would be skipped over.
	for im.Rect.Dx() > 1 && math.Hypot(m[0], m[1])*float64(im.Rect.Dx()) > 1.9*float64(width) ||
		im.Rect.Dy() > 1 && math.Hypot(m[3], m[4])*float64(im.Rect.Dy()) > 1.9*float64(height) {
		im = picture.Resize(im, max(1, im.Rect.Dx()/2), max(1, im.Rect.Dy()/2))
	}
	s.im = im
	return s
}

// fit resizes an image, by halving as far as that goes.
func fit(im *image.NRGBA, w, h int) *image.NRGBA {
	for im.Rect.Dx() >= 2*w && im.Rect.Dy() >= 2*h && im.Rect.Dx()%2 == 0 && im.Rect.Dy()%2 == 0 {
		im = picture.Resize(im, im.Rect.Dx()/2, im.Rect.Dy()/2)
	}
	if im.Rect.Dx() != w || im.Rect.Dy() != h {
		im = picture.Resize(im, w, h)
	}
	return im
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

// row reads a row of the picture: three values a pixel into rgb, times the layer's colour, and one into alpha.
func (s *sampler) row(y int, l *layer, rgb, alpha []float32) {
	c := [4]float32{float32(l.color[0]), float32(l.color[1]), float32(l.color[2]), float32(l.alpha)}
	switch {
	case s.im == nil:
		for x := range alpha {
			rgb[3*x], rgb[3*x+1], rgb[3*x+2] = s.plain[0]*c[0], s.plain[1]*c[1], s.plain[2]*c[2]
			alpha[x] = s.plain[3] * c[3]
		}
	case s.tile:
		for k := range c {
			c[k] /= 255
		}
		w := s.im.Rect.Dx()
		p := s.im.Pix[(y%s.im.Rect.Dy())*s.im.Stride:][:4*w]
		for start := 0; start < len(alpha); start += w {
			out, a := rgb[3*start:3*(start+w)], alpha[start:start+w]
			for x := range a {
				q := p[4*x : 4*x+4 : 4*x+4]
				o := out[3*x : 3*x+3 : 3*x+3]
				o[0], o[1], o[2] = float32(q[0])*c[0], float32(q[1])*c[1], float32(q[2])*c[2]
				a[x] = float32(q[3]) * c[3]
			}
		}
	default:
		v := (float64(y) + 0.5) / float64(s.height)
		for x := range alpha {
			u := (float64(x) + 0.5) / float64(s.width)
			p := s.at(s.m[0]*u+s.m[1]*v+s.m[2], s.m[3]*u+s.m[4]*v+s.m[5])
			rgb[3*x], rgb[3*x+1], rgb[3*x+2] = p[0]*c[0], p[1]*c[1], p[2]*c[2]
			alpha[x] = p[3] * c[3]
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

// canvas is a row of the picture in the making: lit·L + own + through·D, three values a pixel. A plane that is zero
// everywhere is not touched: most stages leave two of the three so, and which is so does not depend on the row.
type canvas struct {
	planes [3]plane  // lit, own, through
	drawn  []bool    // nil where every pixel is drawn
	spare  []float32 // for a plane that is needed twice
}

const (
	litPlane = iota
	ownPlane
	throughPlane
)

type plane struct {
	set bool
	v   []float32
}

func newCanvas(width int) *canvas {
	c := &canvas{spare: make([]float32, 3*width)}
	for i := range c.planes {
		c.planes[i].v = make([]float32, 3*width)
	}
	return c
}

// clear starts a row: what is behind shows everywhere.
func (c *canvas) clear() {
	c.planes[litPlane].set, c.planes[ownPlane].set, c.planes[throughPlane].set = false, false, true
	through := c.planes[throughPlane].v
	for i := range through {
		through[i] = 1
	}
	c.drawn = nil
}

// times multiplies a plane by values.
func (p *plane) times(v []float32) {
	if p.set {
		q := p.v[:len(v)]
		for i := range q {
			q[i] *= v[i]
		}
	}
}

// scale multiplies a plane by a number.
func (p *plane) scale(v float32) {
	if p.set {
		for i := range p.v {
			p.v[i] *= v
		}
	}
}

// timesAlpha multiplies a plane by a value a pixel, or by one minus it.
func (p *plane) timesAlpha(a []float32, inverse bool) {
	if !p.set {
		return
	}
	for x, f := range a {
		if inverse {
			f = 1 - f
		}
		q := p.v[3*x : 3*x+3 : 3*x+3]
		q[0], q[1], q[2] = q[0]*f, q[1]*f, q[2]*f
	}
}

// plus adds values to a plane.
func (p *plane) plus(v []float32) {
	if !p.set {
		copy(p.v, v)
		p.set = true
		return
	}
	q := p.v[:len(v)]
	for i := range q {
		q[i] += v[i]
	}
}

// multiply multiplies everything by the layer. Light times light is the typical light times light.
func (c *canvas) multiply(rgb []float32, lit bool) {
	for i := range c.planes {
		c.planes[i].times(rgb)
	}
	if !lit {
		return
	}
	l, own := &c.planes[litPlane], &c.planes[ownPlane]
	l.scale(typicalLight)
	if own.set {
		if l.set {
			l.plus(own.v)
		} else {
			l.v, own.v = own.v, l.v
			l.set = true
		}
		own.set = false
	}
	c.planes[throughPlane].scale(typicalLight)
}

// over draws a layer on the row.
func (c *canvas) over(l *layer, rgb, alpha []float32) {
	if l.test != q3shader.AlphaAll {
		c.masked(l, rgb, alpha)
		return
	}
	c.drawn = nil
	c.blend(l, rgb, alpha)
}

// masked draws a layer where its alpha passes the test.
func (c *canvas) masked(l *layer, rgb, alpha []float32) {
	before := newCanvas(len(alpha))
	for i := range c.planes {
		before.planes[i].set = c.planes[i].set
		if c.planes[i].set {
			copy(before.planes[i].v, c.planes[i].v)
		}
	}
	drawn := make([]bool, len(alpha))
	for x, a := range alpha {
		drawn[x] = passes(l.test, a)
	}
	c.blend(l, rgb, alpha)
	for i := range c.planes {
		p, q := &c.planes[i], &before.planes[i]
		if !p.set && !q.set {
			continue
		}
		for x, ok := range drawn {
			for k := 3 * x; k < 3*x+3; k++ {
				switch {
				case !ok && q.set:
					p.v[k] = q.v[k]
				case !ok || !p.set:
					p.v[k] = 0
				}
			}
		}
		p.set = true
	}
	c.drawn = drawn
}

// blend draws a layer on every pixel of the row.
func (c *canvas) blend(l *layer, rgb, alpha []float32) {
	to := ownPlane
	if l.lit {
		to = litPlane
	}
	if l.blend == nil {
		for i := range c.planes {
			c.planes[i].set = false
		}
		c.planes[to].plus(rgb)
		return
	}
	switch *l.blend {
	case q3shader.BlendFilter, q3shader.Blend{Src: q3shader.Zero, Dst: q3shader.SrcColor}:
		c.multiply(rgb, l.lit)
		return
	case q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}:
		c.multiply(rgb, l.lit)
		for i := range c.planes {
			c.planes[i].scale(2)
		}
		return
	}
	// The layer's own part, before what was there changes.
	var product [3]plane // of what was there and the layer
	switch l.blend.Src {
	case q3shader.DstColor, q3shader.OneMinusDstColor:
		was := newCanvas(len(alpha))
		for i := range was.planes {
			was.planes[i].set = c.planes[i].set
			copy(was.planes[i].v, c.planes[i].v)
		}
		was.multiply(rgb, l.lit)
		product = was.planes
	}
	switch l.blend.Dst {
	case q3shader.One, q3shader.DstAlpha: // the screen's alpha is 1
	case q3shader.SrcColor:
		c.multiply(rgb, l.lit)
	case q3shader.OneMinusSrcColor:
		inverse := c.spare
		f := float32(1)
		if l.lit {
			f = typicalLight
		}
		for i, v := range rgb {
			inverse[i] = 1 - f*v
		}
		for i := range c.planes {
			c.planes[i].times(inverse)
		}
	case q3shader.SrcAlpha, q3shader.OneMinusSrcAlpha:
		for i := range c.planes {
			c.planes[i].timesAlpha(alpha, l.blend.Dst == q3shader.OneMinusSrcAlpha)
		}
	default: // Zero, OneMinusDstAlpha
		for i := range c.planes {
			c.planes[i].set = false
		}
	}
	own := c.spare
	switch l.blend.Src {
	case q3shader.One, q3shader.DstAlpha, q3shader.OneMinusDstColor:
		c.planes[to].plus(rgb)
	case q3shader.SrcColor:
		for i, v := range rgb {
			own[i] = v * v
		}
		c.planes[to].plus(own)
	case q3shader.OneMinusSrcColor:
		for i, v := range rgb {
			own[i] = v * (1 - v)
		}
		c.planes[to].plus(own)
	case q3shader.SrcAlpha, q3shader.OneMinusSrcAlpha:
		part := plane{true, own}
		copy(own, rgb)
		part.timesAlpha(alpha, l.blend.Src == q3shader.OneMinusSrcAlpha)
		c.planes[to].plus(own)
	}
	for i := range product {
		if product[i].set {
			if l.blend.Src == q3shader.OneMinusDstColor {
				product[i].scale(-1)
			}
			c.planes[i].plus(product[i].v)
		}
	}
	for i := range c.planes { // as the screen does, but for light that is brought up later
		if p := &c.planes[i]; p.set {
			for k, v := range p.v {
				if v < 0 {
					p.v[k] = 0
				} else if v > 1 && i != litPlane {
					p.v[k] = 1
				}
			}
		}
	}
}

// draw evaluates the recipe for every pixel and settles the results as base colour, alpha and emission.
func (r *recipe) draw(c *combined, samplers []sampler, width, height int) {
	base := image.NewNRGBA(image.Rect(0, 0, width, height))
	var glow *image.NRGBA
	cv := newCanvas(width)
	rgb, alpha := make([]float32, 3*width), make([]float32, width)
	lit := false
	c.gain = 1
	for i := range r.layers {
		l := &r.layers[i]
		lit = lit || l.lit
		if l.lit && l.doubles() {
			c.gain *= 2
		}
	}
	c.unlit = !lit
	covered, emits := true, false
	scale := 1 / float32(c.gain)
	for y := range height {
		cv.clear()
		for i := range r.layers {
			samplers[i].row(y, &r.layers[i], rgb, alpha)
			cv.over(&r.layers[i], rgb, alpha)
		}
		row := base.Pix[y*base.Stride : (y+1)*base.Stride]
		l, own, through := &cv.planes[litPlane], &cv.planes[ownPlane], &cv.planes[throughPlane]
		if !lit || r.light != byMap { // no emission without a lightmap: all is colour
			if own.set {
				l.plus(own.v)
				own.set = false
			}
		}
		l.scale(scale)
		if own.set && glow == nil {
			glow = image.NewNRGBA(base.Rect)
			for i := 3; i < len(glow.Pix); i += 4 {
				glow.Pix[i] = 255
			}
		}
		if !l.set {
			clear(l.v)
		}
		for x := range width {
			v := l.v[3*x : 3*x+3 : 3*x+3]
			opacity := float32(1)
			if through.set || cv.drawn != nil {
				opacity = cv.opacity(x)
			}
			p := row[4*x : 4*x+4 : 4*x+4]
			p[3] = 255
			if opacity < 0.998 {
				covered = false
				p[3] = value(opacity)
				if opacity <= 0 {
					continue
				}
				v[0], v[1], v[2] = v[0]/opacity, v[1]/opacity, v[2]/opacity
			}
			p[0], p[1], p[2] = value(v[0]), value(v[1]), value(v[2])
			if own.set {
				e := glow.Pix[y*glow.Stride+4*x:]
				for k := range 3 {
					e[k] = emission(v[k], own.v[3*x+k]/opacity)
					emits = emits || e[k] > 3
				}
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

// doubles tells whether a layer multiplies what is there by twice itself.
func (l *layer) doubles() bool {
	return l.blend != nil && *l.blend == q3shader.Blend{Src: q3shader.DstColor, Dst: q3shader.SrcColor}
}

// opacity is how much of what is behind is hidden, at least enough for the colour to be within range.
func (c *canvas) opacity(x int) float32 {
	if c.drawn != nil && !c.drawn[x] {
		return 0
	}
	through, most := float32(0), float32(0)
	for k := 3 * x; k < 3*x+3; k++ {
		if p := &c.planes[throughPlane]; p.set {
			through += p.v[k] / 3
		}
		sum := float32(0)
		for i := range 2 {
			if c.planes[i].set {
				sum += c.planes[i].v[k]
			}
		}
		most = max(most, sum)
	}
	return min(max(1-through, min(most, 1)), 1)
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
// as displayed. It depends on the light: a dim one stands for it, because too much emission shows in the dark.
func emission(base, own float32) uint8 {
	if own <= 0 {
		return 0
	}
	b := base * dimLight
	return value(encodeSRGB(decodeSRGB(min(b+own, 1)) - decodeSRGB(b)))
}

// dimLight is the light under which emission is exact.
const dimLight = 0.2

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
