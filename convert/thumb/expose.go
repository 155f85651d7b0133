package thumb

import (
	"context"
	"image"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The pictures in which the exposure is measured. They hold light up to headroom.
const (
	exposedEyes          = 8
	exposedWide, exposed = 96, 54
	headroom             = 4.0
	exposedTexels        = 32
)

// unseen is the colour of pixels where the map has no surface.
var unseen = [3]uint8{255, 0, 255}

// Expose returns the factor by which the game multiplies light once its exposure has adapted to the view from a start. It is the median
// over up to exposedEyes of the map's starts, or 1 if there is none. The scene must have an Exposure.
func Expose(ctx context.Context, s *scene.Scene) (float64, error) {
	d := newDrawing(s, &Options{Texels: exposedTexels})
	picture := d.sketch()
	// One sample a pixel, as in the game: the mean of several would hide small lights.
	picture.Exposure, picture.Background, picture.Samples = 1/headroom, unseen, 1
	var factors []float64
	eyes := sampleEyes(startEyes(s), exposedEyes)
	for _, e := range eyes {
		im, err := raster.Draw(ctx, picture, camera(&e, DefaultFov), exposedWide, exposed)
		if err != nil {
			return 0, err
		}
		if h := luminances(im); len(h) > 0 {
			factors = append(factors, settled(h, *s.Shown.Exposure))
		}
		if decided(factors, len(eyes), s.Shown.Exposure) {
			break
		}
	}
	if len(factors) == 0 {
		return min(max(1, s.Shown.Exposure.Min), s.Shown.Exposure.Max), nil
	}
	return math.Round(1000*median(factors)) / 1000, nil
}

// median returns the median of factors, or the greater one of the middle two. It sorts them.
func median(factors []float64) float64 {
	slices.Sort(factors)
	return factors[len(factors)/2]
}

// decided reports whether the median of n factors, of which some are known, is one end of their range whatever the others are.
func decided(factors []float64, n int, e *world.Exposure) bool {
	least, most := 0, 0
	for _, f := range factors {
		if f == e.Min {
			least++
		}
		if f == e.Max {
			most++
		}
	}
	return 2*least > n || 2*most >= n && n > 0
}

// luminances returns the linear luminance of each pixel that the game counts, which are the middle 0.9 of the width and 0.85 of the
// height. Source SDK 2013, viewpostprocess.cpp, CHistogram_entry_t::IssueQuery.
func luminances(im *image.NRGBA) (all []float64) {
	linear := linearLight()
	w, h := im.Rect.Dx(), im.Rect.Dy()
	left, top := w/20, h*15/200
	for y := top; y < h-top; y++ {
		for x := left; x < w-left; x++ {
			p := im.Pix[im.PixOffset(x, y):]
			if [3]uint8(p) == unseen {
				continue
			}
			l := 0.0
			for k, weight := range [3]float64{0.2125, 0.7154, 0.0721} {
				l += float64(weight * linear[p[k]])
			}
			all = append(all, headroom*l)
		}
	}
	return all
}

// linearLight holds the linear light of 8-bit sRGB values.
var linearLight = sync.OnceValue(func() *[256]float64 {
	t := &[256]float64{}
	for v := range t {
		t[v] = gamma.Decode(float64(v) / 255)
	}
	return t
})

// settled returns the factor to which the game's exposure adapts from a factor of 1. With it a given share of the pixels is brighter than
// the target, unless the darker half of the picture would stay below leastMiddle. Source SDK 2013, viewpostprocess.cpp,
// GetTargetTonemapScalar.
func settled(light []float64, e world.Exposure) float64 {
	const leastMiddle, steps = 0.03, 64
	light = slices.Sorted(slices.Values(light))
	factor := min(max(1, e.Min), e.Max)
	for range steps {
		h := histogramOf(light, factor)
		at := h.brightest(e.Bright)
		if bin := binOf(at); bin == binOf(e.Target) {
			at = e.Target
		}
		by := max(e.Target/max(at, 1e-4), leastMiddle/max(h.brightest(0.5), 1e-4))
		next := min(max(factor*by, e.Min), e.Max)
		if math.Abs(next-factor) < 1e-3 {
			return next
		}
		factor = next
	}
	return factor
}

// bins is the number of bins of luminance. Bin i ends at (i/bins)^1.5.
const bins = 16

// histogram is the share of the pixels in each bin.
type histogram [bins]float64

func end(i int) float64 { return math.Pow(float64(i)/bins, 1.5) }

func binOf(l float64) int { return min(int(bins*math.Pow(min(max(l, 0), 1), 1/1.5)), bins-1) }

// histogramOf returns the histogram of ascending luminances, each multiplied by a factor.
func histogramOf(light []float64, factor float64) (h histogram) {
	rest := light
	for i := range h {
		n := len(rest)
		if i+1 < bins {
			n = sort.Search(len(rest), func(k int) bool { return binOf(rest[k]*factor) > i })
		}
		h[i], rest = float64(n)/float64(len(light)), rest[n:]
	}
	return h
}

// brightest returns the luminance that a share of the pixels exceeds, interpolated within its bin.
func (h *histogram) brightest(share float64) float64 {
	for i := bins - 1; i >= 0; i-- {
		if h[i] >= share && h[i] > 0 {
			return end(i+1) - float64((end(i+1)-end(i))*share/h[i])
		}
		share -= h[i]
	}
	return 0
}
