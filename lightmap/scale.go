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

// scale sets the light that becomes white, and the share of the painted values above it. Tilted light, which is up to three times as
// bright as the flat light, has a white of its own.
func (a *Atlas) scale(ctx context.Context, charts []world.Chart, o Options) error {
	flat, total, err := count(ctx, charts, o, func(b world.Basis) bool { return b == world.Flat })
	if err != nil {
		return err
	}
	a.Scale = flat.white(total, o.Scale)
	above := flat.above(a.Scale)
	if o.Bump == BumpPages {
		h, n, err := count(ctx, charts, o, tilted)
		if err != nil {
			return err
		}
		if n > 0 {
			a.Tilted = h.white(n, o.Scale)
			above, total = above+h.above(a.Tilted), total+n
		}
	}
	a.Clipped = float64(above) / float64(max(total, 1))
	return nil
}

// tilted reports whether light is that from one of three tilted directions.
func tilted(b world.Basis) bool { return b == world.Bump1 || b == world.Bump2 || b == world.Bump3 }

// white returns the light that becomes white, of a total number of values.
//
// Without an option it is the light of the brightest luxel, from 1 to wholeLight. If that exceeds wholeLight, it is the
// least value that at most one value in oneIn exceeds: a few luxels next to a lamp must not coarsen all others.
func (h *histogram) white(total int, option float64) float32 {
	if option > 0 {
		return max(float32(option), 1.0/(1<<24)) // the least Half
	}
	most, left := world.Half(1<<15-1), 0
	for most > world.NewHalf(1) && h[most] == 0 {
		most--
	}
	for most > world.NewHalf(wholeLight) && left+h[most] <= total/oneIn {
		left += h[most]
		most--
	}
	return most.Float32()
}

// above returns the number of values above white.
func (h *histogram) above(white float32) (n int) {
	for half := world.Half(1<<15 - 1); half.Float32() > white; half-- {
		n += h[half]
	}
	return n
}

// perPart is the number of luxels worth a separate histogram, which takes half a megabyte.
const perPart = 1 << 18

// count counts the values to paint of some bases, in parallel: the sum does not depend on the partition.
func count(ctx context.Context, charts []world.Chart, o Options, of func(world.Basis) bool) (sum *histogram, total int, err error) {
	luxels := 0
	painted := func(i int, f func([]world.RGB)) {
		for k := range charts[i].Layers {
			l := &charts[i].Layers[k]
			if yes, _ := o.shown(&charts[i], k); yes && of(l.Basis) {
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
