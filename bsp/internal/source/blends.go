package source

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// blendSize is the bytes of CDispMultiBlend, of which the first 16 are the weights.
const blendSize = 80

// multiblend lifts the weights of a displacement's layers. There are as many records as points of all displacements, or
// only those of the displacements that have weights, in their order.
func (d *faces) multiblend(disp, n int) ([][4]float32, error) {
	data := d.lumps[lumpMultiblend].Data
	at := d.disps[disp].firstVert
	if len(data)/blendSize != len(d.lumps[lumpDispverts].Data)/20 {
		at = 0
		for i := range d.disps[:disp] {
			if r := &d.disps[i]; r.minTess&(tessFlags|tessMultiblend) == tessFlags|tessMultiblend && r.power >= minPower && r.power <= maxPower {
				side := 1<<r.power + 1
				at += side * side
			}
		}
	}
	if at < 0 || at > len(data)/blendSize-n {
		d.Issue("multiblend", lumpName(lumpMultiblend), "displacement %d has weights from %d of %d", disp, at, len(data)/blendSize)
		return nil, nil
	}
	return d.blends(lumpMultiblend, at, n)
}

// weighted reports whether some of the weights are not 0. Where no flag says which displacements have any, all have records.
func weighted(blends [][4]float32) bool {
	return slices.ContainsFunc(blends, func(w [4]float32) bool { return w != [4]float32{} })
}

// blends lifts n weights of a lump.
func (d *faces) blends(lump, at, n int) ([][4]float32, error) {
	data := d.lumps[lump].Data
	if err := d.Reserve(limit.Bytes[[4]float32](n)); err != nil {
		return nil, err
	}
	out := make([][4]float32, n)
	for i := range out {
		for k := range 4 {
			x := le.Float32(data[blendSize*(at+i)+4*k:])
			if !(x > 0) {
				x = 0
			}
			out[i][k] = min(x, 1)
		}
	}
	return out, nil
}
