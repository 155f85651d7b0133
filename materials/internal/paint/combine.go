package paint

import (
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// canvasMost is the largest side, in pixels, of a picture that combines several images; detailMost is that of a picture with all details.
const (
	canvasMost = 1024
	DetailMost = 2048
)

// MaxPixels returns the maximum number of pixels of a picture whose finest image has this size, unless the picture has
// all details.
func MaxPixels(width, height int) int64 {
	return int64(max(width, min(4*width, canvasMost))) * int64(max(height, min(4*height, canvasMost)))
}

// LayOut sets the size and coordinates of a picture that repeats like the surface's texture. pictures has an image for
// each stage; nil is white.
func LayOut(r *Recipe, pictures []*image.NRGBA) *Combined {
	main := mainStage(r, pictures)
	c := &Combined{UV: pbr.Identity, Periodic: true, Clamp: main >= 0}
	inverse := pbr.Identity
	if main >= 0 {
		if inv, ok := space.InvertTexture(r.Stages[main].UV); ok {
			inverse, c.UV = inv, r.Stages[main].UV
		}
	}
	placed := func(i int) bool { return pictures[i] != nil && !r.Stages[i].Mean() }
	matrices := make([][6]float64, len(r.Stages))
	for i := range r.Stages {
		matrices[i] = space.MultiplyTexture(r.Stages[i].UV, inverse)
		c.Clamp = c.Clamp && (r.Stages[i].Clamp || !placed(i))
	}
	// The picture covers k periods of the main image, so that all other images repeat a whole number of times in it.
	// Clamped images don't repeat.
	k := 1.0
	for _, try := range periods(r, pictures, main) {
		c.Periodic = true
		for i, m := range matrices {
			for j := range m {
				m[j] *= try
			}
			c.Periodic = c.Periodic && (!placed(i) || r.Stages[i].Clamp || Whole(m))
		}
		if c.Periodic {
			k = try
			break
		}
	}
	c.Width, c.Height = 4, 4
	if main >= 0 {
		x, y := 1.0, 1.0
		for i, m := range matrices {
			if placed(i) { // large enough for the finest image, within limits
				x = max(x, float64(pictures[i].Rect.Dx())*k*max(math.Abs(m[0]), math.Abs(m[3])))
				y = max(y, float64(pictures[i].Rect.Dy())*k*max(math.Abs(m[1]), math.Abs(m[4])))
			}
		}
		limit := float64(canvasMost)
		if k > 4 {
			limit = DetailMost
		}
		most := func(side int) float64 { return max(float64(side), min(limit, max(r.Finer, 1)*k*float64(side))) }
		size := pictures[main].Rect
		c.Width, c.Height = int(min(x, most(size.Dx()))), int(min(y, most(size.Dy())))
	}
	for i := range r.Stages {
		l, m := r.Stages[i], matrices[i]
		for _, j := range []int{0, 1, 3, 4} {
			m[j] *= k
		}
		if placed(i) && !c.Periodic && !l.Clamp && !Whole(m) {
			// An image that can't repeat with the picture: the matrix of a fine one is adjusted; a coarse one is
			// replaced by its mean colour.
			var ok bool
			if m, ok = Bend(m); !ok {
				l.Gen = q3shader.TCEnvironment
			}
		}
		im := pictures[i]
		c.Samplers = append(c.Samplers, func() sampler { return newSampler(im, &l, m, c.Width, c.Height) })
	}
	for j := range c.UV {
		c.UV[j] /= k
	}
	return c
}

// periods returns the numbers of periods of the main image that a picture may cover. Beyond four, the picture must keep
// at least half of the image's resolution.
func periods(r *Recipe, pictures []*image.NRGBA, main int) []float64 {
	list := []float64{1, 2, 4}
	if !r.Detailed || main < 0 {
		return list
	}
	side := max(pictures[main].Rect.Dx(), pictures[main].Rect.Dy())
	for k := 3; k <= 16 && k*side <= 2*DetailMost; k++ {
		if k != 4 {
			list = append(list, float64(k))
		}
	}
	return list
}

// mainStage returns the stage whose image sets the picture's coordinates: the first, unless a later one replaces
// everything before it or has over four times the pixels.
func mainStage(r *Recipe, pictures []*image.NRGBA) int {
	first, most := -1, 0
	for i := range r.Stages {
		if pictures[i] == nil || r.Stages[i].Mean() {
			continue
		}
		size := pictures[i].Rect.Dx() * pictures[i].Rect.Dy()
		if first < 0 || r.Stages[i].Blend == nil || size > 4*most {
			first, most = i, size
		}
	}
	return first
}
