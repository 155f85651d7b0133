package materials

import (
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/materials/q3shader"
)

// canvasMost is the most pixels per side of a picture that is made of several, detailMost of one with all details.
const (
	canvasMost = 1024
	detailMost = 2048
)

// combined is the picture of a recipe.
type combined struct {
	width, height int
	samplers      []func() sampler // by layer
	uv            [6]float64       // from the surface's coordinates to the picture's
	periodic      bool             // the stages' images repeat with the picture; else it has seams
	clamp         bool             // its edges, in place of repeating

	base   *image.NRGBA
	alpha  Alpha
	cutoff float32
	glow   *image.NRGBA // nil where nothing is added
	glows  bool         // there is an image of it
	unlit  bool
	gain   float64 // of the light, as displayed
}

// plan settles the size and coordinates of a picture that repeats as the surface's texture does. pictures are by
// layer; nil is white.
func layOut(r *recipe, pictures []*image.NRGBA) *combined {
	main := mainLayer(r, pictures)
	c := &combined{uv: identity, periodic: true, clamp: main >= 0}
	inverse := identity
	if main >= 0 {
		if inv, ok := invert(r.layers[main].uv); ok {
			inverse, c.uv = inv, r.layers[main].uv
		}
	}
	placed := func(i int) bool { return pictures[i] != nil && !r.layers[i].mean() }
	matrices := make([][6]float64, len(r.layers))
	for i := range r.layers {
		matrices[i] = multiply(r.layers[i].uv, inverse)
		c.clamp = c.clamp && (r.layers[i].clamp || !placed(i))
	}
	// k periods of the main image are one of the picture, so that all others repeat a whole number of times in it.
	// What is clamped does not repeat.
	k := 1.0
	for _, try := range periods(r, pictures, main) {
		c.periodic = true
		for i, m := range matrices {
			for j := range m {
				m[j] *= try
			}
			c.periodic = c.periodic && (!placed(i) || r.layers[i].clamp || whole(m))
		}
		if c.periodic {
			k = try
			break
		}
	}
	c.width, c.height = 4, 4
	if main >= 0 {
		x, y := 1.0, 1.0
		for i, m := range matrices {
			if placed(i) { // enough for the finest image, within what is reasonable
				x = max(x, float64(pictures[i].Rect.Dx())*k*max(math.Abs(m[0]), math.Abs(m[3])))
				y = max(y, float64(pictures[i].Rect.Dy())*k*max(math.Abs(m[1]), math.Abs(m[4])))
			}
		}
		limit := float64(canvasMost)
		if k > 4 {
			limit = detailMost
		}
		most := func(side int) float64 { return max(float64(side), min(limit, max(r.finer, 1)*k*float64(side))) }
		own := pictures[main].Rect
		c.width, c.height = int(min(x, most(own.Dx()))), int(min(y, most(own.Dy())))
	}
	for i := range r.layers {
		l, m := r.layers[i], matrices[i]
		for _, j := range []int{0, 1, 3, 4} {
			m[j] *= k
		}
		if placed(i) && !c.periodic && !l.clamp && !whole(m) {
			// An image that can't repeat with the picture: a fine one is made to, of a coarse one the mean is left.
			var ok bool
			if m, ok = bend(m); !ok {
				l.gen = q3shader.TCEnvironment
			}
		}
		c.samplers = append(c.samplers, func() sampler { return newSampler(pictures[i], &l, m, c.width, c.height) })
	}
	for j := range c.uv {
		c.uv[j] /= k
	}
	return c
}

// periods are how many periods of the main image a picture may cover. Of more than four it needs no less than half of the image's
// fineness.
func periods(r *recipe, pictures []*image.NRGBA, main int) []float64 {
	list := []float64{1, 2, 4}
	if !r.detailed || main < 0 {
		return list
	}
	side := max(pictures[main].Rect.Dx(), pictures[main].Rect.Dy())
	for k := 3; k <= 16 && k*side <= 2*detailMost; k++ {
		if k != 4 {
			list = append(list, float64(k))
		}
	}
	return list
}

// main is the layer whose image sets the picture's coordinates: the first, unless one replaces all before it or has
// over four times the pixels.
func mainLayer(r *recipe, pictures []*image.NRGBA) int {
	first, most := -1, 0
	for i := range r.layers {
		if pictures[i] == nil || r.layers[i].mean() {
			continue
		}
		size := pictures[i].Rect.Dx() * pictures[i].Rect.Dy()
		if first < 0 || r.layers[i].blend == nil || size > 4*most {
			first, most = i, size
		}
	}
	return first
}
