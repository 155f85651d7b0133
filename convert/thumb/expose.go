package thumb

import (
	"context"
	"image"
	"math"
	"slices"
	"sort"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The pictures that an exposure is measured in. Light up to headroom is seen.
const (
	exposedEyes          = 8
	exposedWide, exposed = 96, 54
	headroom             = 4.0
	exposedTexels        = 32
)

// unseen is the colour of pixels where the map has no surface.
var unseen = [3]uint8{255, 0, 255}

// Expose returns the factor by which the game multiplies light when a player has looked from a start for a while: the median over up to
// exposedEyes of the map's starts, or 1 if there is none. The scene has an Exposure.
func Expose(ctx context.Context, s *scene.Scene) (float64, error) {
	d := newDrawing(s, &Options{Texels: exposedTexels})
	picture := d.sketch()
	picture.Exposure, picture.Background = 1/headroom, unseen
	var factors []float64
	for _, e := range some(starts(s), exposedEyes) {
		im, err := raster.Draw(ctx, picture, camera(&e, DefaultFov), exposedWide, exposed)
		if err != nil {
			return 0, err
		}
		if h := luminances(im); len(h) > 0 {
			factors = append(factors, settled(h, *s.Exposure))
		}
	}
	if len(factors) == 0 {
		return min(max(1, s.Exposure.Min), s.Exposure.Max), nil
	}
	slices.Sort(factors)
	return math.Round(1000*factors[len(factors)/2]) / 1000, nil
}

// luminances returns the linear luminance of each pixel that the game counts: those of the middle nine tenths of the width and 0.85 of the
// height. Source SDK 2013, viewpostprocess.cpp, CHistogram_entry_t::IssueQuery.
func luminances(im *image.NRGBA) (all []float64) {
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
				l += float64(weight * linear(p[k]))
			}
			all = append(all, headroom*l)
		}
	}
	return all
}

// linear decodes an 8-bit sRGB value.
func linear(v uint8) float64 {
	if v <= 10 {
		return float64(v) / 255 / 12.92
	}
	return math.Pow((float64(v)/255+0.055)/1.055, 2.4)
}

// settled returns the factor at which the game's exposure comes to rest, from a factor of 1. The brightness that a share of the pixels
// exceeds shall be the target, unless a darker half of the picture would stay below leastMiddle. Source SDK 2013, viewpostprocess.cpp,
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

// bins is the number of parts of the range of luminance, whose ends are (i/bins)^1.5.
const bins = 16

// histogram is the share of the pixels in each part.
type histogram [bins]float64

func end(i int) float64 { return math.Pow(float64(i)/bins, 1.5) }

func binOf(l float64) int { return min(int(bins*math.Pow(min(max(l, 0), 1), 1/1.5)), bins-1) }

// histogramOf returns the histogram of luminances that ascend, each times a factor.
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

// brightest returns the luminance that a share of the pixels exceeds, linear within a part.
func (h *histogram) brightest(share float64) float64 {
	for i := bins - 1; i >= 0; i-- {
		if h[i] >= share && h[i] > 0 {
			return end(i+1) - float64((end(i+1)-end(i))*share/h[i])
		}
		share -= h[i]
	}
	return 0
}
