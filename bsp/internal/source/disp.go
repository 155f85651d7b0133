package source

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The powers of displacements.
const (
	minPower = 2
	maxPower = 4
)

// triRemoved is the tag of a triangle that a map's author has taken away, up to version 20. Source SDK 2013, public/bspfile.h.
// Since version 21 the bit is a third property of the surface.
const (
	triRemoved      = 0x20
	triRemovedUntil = 20
)

// The bits of a displacement's least tessellation that say that it is none, and what else it is.
const (
	tessFlags      = 1 << 31
	tessMultiblend = 1 << 30
	tessNoHull     = 0x4 // bodies pass (SURF_NOHULL_COLL of Source SDK 2013, public/builddisp.h)
)

// displacements decodes the grids of displacements.
type displacements struct {
	dc      *decoding.Context
	list    []dispinfo
	points  []byte // of all displacements
	tags    []byte // of their triangles
	weights weights
}

// newDisplacements returns the decoder of a map's displacements.
func newDisplacements(dc *decoding.Context, m *file, v *variant, list []dispinfo) *displacements {
	d := &displacements{dc: dc, list: list, points: m.lumps[lumpDispverts].Data}
	if m.version&0xffff <= triRemovedUntil {
		d.tags = m.lumps[lumpDisptris].Data
	}
	d.weights = weights{data: m.lumps[lumpMultiblend].Data, where: lumpName(lumpMultiblend)}
	if v.blends != 0 {
		d.weights = weights{data: m.lumps[v.blends].Data, where: lumpName(v.blends), all: true}
	}
	return d
}

// decode decodes the grid of a displacement. Its first corner is the one nearest to the start position; its luxels
// lie on the corners, whatever the texinfo says (Source SDK 2013, builddisp.cpp, CalcLuxelCoords).
func (d *displacements) decode(f *face, index int, corners []world.Vertex) (world.Shape, *decoding.Dropped, error) {
	if f.disp >= len(d.list) {
		return nil, decoding.Drop("face-displacement", "dispinfo %d of %d", f.disp, len(d.list)), nil
	}
	r := &d.list[f.disp]
	if r.face != index {
		return nil, decoding.Drop("face-displacement", "dispinfo %d is of face %d", f.disp, r.face), nil
	}
	if len(corners) != 4 {
		return nil, decoding.Drop("face-displacement", "it has %d corners", len(corners)), nil
	}
	if r.power < minPower || r.power > maxPower {
		return nil, decoding.Drop("face-displacement", "power %d is outside %d to %d", r.power, minPower, maxPower), nil
	}
	side := 1<<r.power + 1
	n, triangles := side*side, 2*(side-1)*(side-1)
	if r.firstVert < 0 || r.firstVert > len(d.points)/20-n {
		return nil, decoding.Drop("face-displacement", "%d points from %d of %d", n, r.firstVert, len(d.points)/20), nil
	}
	if err := d.dc.Reserve(limit.Bytes[[4]float32](n) + limit.Bytes[bool](triangles) + limit.Bytes[world.Displacement](1)); err != nil {
		return nil, nil, err
	}
	out := &world.Displacement{Power: r.power, Offsets: make([][3]float32, n), Alpha: make([]float32, n)}
	first := nearest(corners, r.start)
	w, h := float32(f.size[0]), float32(f.size[1])
	luxels := [4][2]float32{{0.5, 0.5}, {0.5, h + 0.5}, {w + 0.5, h + 0.5}, {w + 0.5, 0.5}}
	for k := range out.Corners {
		out.Corners[k] = corners[(first+k)%4]
		out.Corners[k].Luxel = luxels[k]
	}
	for i := range n {
		b := d.points[20*(r.firstVert+i):]
		dir, dist, alpha := record.V3(b), le.Float32(b[12:]), le.Float32(b[16:])
		for k := range dir {
			out.Offsets[i][k] = dir[k] * dist
		}
		if !record.Sane(out.Offsets[i][:]...) || alpha-alpha != 0 {
			return nil, decoding.Drop("face-number", "point %d is %g off, with alpha %g", i, out.Offsets[i], alpha), nil
		}
		out.Alpha[i] = min(max(alpha/255, 0), 1)
	}
	var gone int
	if out.Removed, gone = removed(d.tags, r.firstTri, triangles); gone > 0 {
		d.dc.Issue("displacement-removed", decoding.FaceName(index), "%d of %d triangles are tagged as removed", gone, triangles)
	}
	var err error
	out.Blends, err = d.blends(f.disp, n)
	return out, nil, err
}

// removed reports for each of a displacement's triangles, from the first one's tags on, whether it is taken away, and how many are. It
// returns nil if all are there.
func removed(tags []byte, first, triangles int) (list []bool, n int) {
	if first < 0 || first > len(tags)/2-triangles {
		return nil, 0
	}
	for i := range triangles {
		if record.U16(tags[2*(first+i):])&triRemoved == 0 {
			continue
		}
		if n++; list == nil {
			list = make([]bool, triangles)
		}
		list[i] = true
	}
	return list, n
}

// nearest returns the corner nearest to a point.
func nearest(corners []world.Vertex, p [3]float32) int {
	best, least := 0, 0.0
	for i := range corners {
		var sum float64
		for k := range p {
			x := float64(corners[i].Position[k]) - float64(p[k])
			sum += float64(x * x)
		}
		if i == 0 || sum < least {
			best, least = i, sum
		}
	}
	return best
}

// blendSize is the bytes of CDispMultiBlend, of which the first 16 are the weights.
const blendSize = 80

// weights holds the weights of the layers of displacements, a record for each point.
type weights struct {
	data  []byte
	where string // the lump's name
	all   bool   // no flag says which displacements have weights: those that are not all 0
}

// blends decodes the weights of the n points of displacement i, or returns nil if it has none. There are as many records as points of all
// displacements, or only those of the displacements that have weights, in their order.
func (d *displacements) blends(i, n int) ([][4]float32, error) {
	at, count := d.list[i].firstVert, len(d.weights.data)/blendSize
	if d.weights.all {
		out, err := decodeBlends(d.dc, d.weights.data[blendSize*at:], n)
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
		d.dc.Issue("multiblend", d.weights.where, "displacement %d has weights from %d of %d", i, at, count)
		return nil, nil
	}
	return decodeBlends(d.dc, d.weights.data[blendSize*at:], n)
}

// blends reports whether the flags of a displacement say that it has weights.
func (r *dispinfo) blends() bool {
	return r.minTess&(tessFlags|tessMultiblend) == tessFlags|tessMultiblend
}

// weighted reports whether some of the weights are not 0.
func weighted(blends [][4]float32) bool {
	return slices.ContainsFunc(blends, func(w [4]float32) bool { return w != [4]float32{} })
}

// decodeBlends decodes the weights of n records.
func decodeBlends(dc *decoding.Context, data []byte, n int) ([][4]float32, error) {
	if err := dc.Reserve(limit.Bytes[[4]float32](n)); err != nil {
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

// stops returns the contents of a displacement that bodies meet, or 0 if they pass.
func (r *dispinfo) stops() uint32 {
	if r.minTess&(tessFlags|tessNoHull) == tessFlags|tessNoHull {
		return 0
	}
	return r.contents
}
