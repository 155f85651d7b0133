package source

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// blendSize is the bytes of CDispMultiBlend, of which the first 16 are the weights.
const blendSize = 80

// weights holds the weights of the layers of displacements, a record for each point.
type weights struct {
	data  []byte
	where string // the lump's name
	all   bool   // no flag says which displacements have weights: those that are not all 0
}

// blends lifts the weights of the n points of displacement i, or returns nil if it has none. There are as many records as points of all
// displacements, or only those of the displacements that have weights, in their order.
func (d *displacements) blends(i, n int) ([][4]float32, error) {
	at, count := d.list[i].firstVert, len(d.weights.data)/blendSize
	if d.weights.all {
		out, err := liftBlends(d.job, d.weights.data[blendSize*at:], n)
		if !weighted(out) {
			out = nil
		}
		return out, err
	}
	if !d.list[i].blends() {
		return nil, nil
	}
	if count != len(d.points)/20 {
		at = 0
		for k := range d.list[:i] {
			if r := &d.list[k]; r.blends() && r.power >= minPower && r.power <= maxPower {
				side := 1<<r.power + 1
				at += side * side
			}
		}
	}
	if at < 0 || at > count-n {
		d.job.Issue("multiblend", d.weights.where, "displacement %d has weights from %d of %d", i, at, count)
		return nil, nil
	}
	return liftBlends(d.job, d.weights.data[blendSize*at:], n)
}

// blends reports whether the flags of a displacement say that it has weights.
func (r *dispinfo) blends() bool {
	return r.minTess&(tessFlags|tessMultiblend) == tessFlags|tessMultiblend
}

// weighted reports whether some of the weights are not 0.
func weighted(blends [][4]float32) bool {
	return slices.ContainsFunc(blends, func(w [4]float32) bool { return w != [4]float32{} })
}

// liftBlends lifts the weights of n records.
func liftBlends(job *lift.Job, data []byte, n int) ([][4]float32, error) {
	if err := job.Reserve(limit.Bytes[[4]float32](n)); err != nil {
		return nil, err
	}
	out := make([][4]float32, n)
	for i := range out {
		for k := range 4 {
			x := le.Float32(data[blendSize*i+4*k:])
			if !(x > 0) {
				x = 0
			}
			out[i][k] = min(x, 1)
		}
	}
	return out, nil
}
