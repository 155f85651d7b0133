package thumb

import (
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
)

// The mean brightness, of 255, to which a dark picture is raised, and the largest factor on its light.
const (
	readable    = 68
	maxBrighter = 8
)

// brighten makes a dark picture readable, like a longer exposure, and returns the factor on its light, which is 1 for a picture that is
// not dark. Bright pixels keep their colours: the factor falls towards white.
//
// Surfaces reports for a grid of gridWidth by gridHeight where no sky is seen: like a photographer who meters what stands before a bright
// sky, only those pixels are measured, unless they are few.
func brighten(im *image.NRGBA, surfaces []bool) (factor float64) {
	seen := 0
	for _, s := range surfaces {
		if s {
			seen++
		}
	}
	all := seen < max(len(surfaces)/4, 1)
	var light histogram256
	w, h := im.Rect.Dx(), im.Rect.Dy()
	for y := range h {
		for x := range w {
			if all || surfaces[y*gridHeight/h*gridWidth+x*gridWidth/w] {
				light.add(im.Pix[im.PixOffset(x, y):])
			}
		}
	}
	if light.mean(1) >= readable {
		return 1
	}
	least, most := 1.0, float64(maxBrighter)
	for range 12 {
		if factor = (least + most) / 2; light.mean(factor) < readable {
			least = factor
		} else {
			most = factor
		}
	}
	factor = math.Round(10*factor) / 10
	linear := linearLight()
	for p := im.Pix; len(p) >= 4; p = p[4:] {
		r, g, b := linear[p[0]], linear[p[1]], linear[p[2]]
		scale := raised(luminance(r, g, b), factor)
		for k, c := range [3]float64{r, g, b} {
			p[k] = uint8(math.Round(255 * gamma.Encode(min(c*scale, 1))))
		}
	}
	return factor
}

// raised returns the factor on a luminance if the light of the picture is multiplied by a factor: the whole factor for black, and 1 for
// white.
func raised(luminance, factor float64) float64 { return factor / (1 + float64((factor-1)*luminance)) }

func luminance(r, g, b float64) float64 {
	return float64(0.2126*r) + float64(0.7152*g) + float64(0.0722*b)
}

// histogram256 counts the pixels of each displayed brightness.
type histogram256 [256]int

func (h *histogram256) add(p []uint8) {
	linear := linearLight()
	h[uint8(math.Round(255*gamma.Encode(min(luminance(linear[p[0]], linear[p[1]], linear[p[2]]), 1))))]++
}

// mean returns the mean displayed brightness, 0 to 255, of the picture if its light is multiplied by a factor.
func (h *histogram256) mean(factor float64) float64 {
	linear := linearLight()
	sum, n := 0.0, 0
	for v, count := range h {
		l := linear[v]
		sum += float64(count) * 255 * gamma.Encode(min(l*raised(l, factor), 1))
		n += count
	}
	return sum / float64(max(n, 1))
}
