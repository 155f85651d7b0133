package lightmap

import (
	"context"
	"runtime"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Light up to wholeLight, the maximum of id Tech 3, is never clipped. If the light is brighter, one value in oneIn may
// be clipped, to leave enough of the 8 bits to the others: next to a lamp light is often 50, which would leave dark
// corners three steps of grey. In LDR maps this keeps about the range that Source shows, which is 2^2.2.
const (
	wholeLight = 4
	oneIn      = 200
)

// histogram counts the painted colour values of charts by their Half.
type histogram [1 << 16]int

// scale returns the light that becomes white, and the share of the painted values above it.
//
// Without an option it is the light of the brightest luxel, from 1 to wholeLight. If that exceeds wholeLight, it is the
// least value that at most one value in oneIn exceeds: a few luxels next to a lamp must not coarsen all others.
func scale(ctx context.Context, charts []world.Chart, o Options) (white float32, clipped float64, err error) {
	h, total, err := count(ctx, charts, o)
	if err != nil {
		return 0, 0, err
	}
	if o.Scale > 0 {
		white = max(float32(o.Scale), 1.0/(1<<24)) // the least Half
		return white, h.beyond(white, total), nil
	}
	most, left := world.Half(1<<15-1), 0
	for most > world.NewHalf(1) && h[most] == 0 {
		most--
	}
	for most > world.NewHalf(wholeLight) && left+h[most] <= total/oneIn {
		left += h[most]
		most--
	}
	white = most.Float32()
	return white, h.beyond(white, total), nil
}

// beyond returns the share of the values above white.
func (h *histogram) beyond(white float32, total int) float64 {
	n := 0
	for half := world.Half(1<<15 - 1); half.Float32() > white; half-- {
		n += h[half]
	}
	return float64(n) / float64(max(total, 1))
}

// perPart is the number of luxels worth a separate histogram, which takes half a megabyte.
const perPart = 1 << 18

// count counts the values to paint, in parallel: the sum does not depend on the partition.
func count(ctx context.Context, charts []world.Chart, o Options) (sum *histogram, total int, err error) {
	luxels := 0
	painted := func(i int, f func([]world.RGB)) {
		for k := range charts[i].Layers {
			l := &charts[i].Layers[k]
			if yes, _ := o.shown(&charts[i], k); yes && l.Basis != world.Direction {
				f(l.Luxels)
			}
		}
	}
	for i := range charts {
		painted(i, func(l []world.RGB) { luxels += len(l) })
	}
	parts := min(runtime.GOMAXPROCS(0), luxels/perPart+1)
	all, err := par.Map(ctx, parts, func(part int) (*histogram, error) {
		h := &histogram{}
		for i := part; i < len(charts); i += parts {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			painted(i, func(luxels []world.RGB) {
				for _, c := range luxels {
					h[c[0]]++
					h[c[1]]++
					h[c[2]]++
				}
			})
		}
		return h, nil
	})
	if err != nil {
		return nil, 0, err
	}
	for _, h := range all[1:] {
		for i, n := range h {
			all[0][i] += n
		}
	}
	return all[0], 3 * luxels, nil
}
