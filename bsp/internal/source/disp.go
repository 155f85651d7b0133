package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
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
)

// displacement lifts the grid of a displacement. Its first corner is the one nearest to the start position; its luxels
// lie on the corners, whatever the texinfo says (Source SDK 2013, builddisp.cpp, CalcLuxelCoords).
func (d *faces) displacement(f *face, index int, corners []world.Vertex) (world.Shape, *lift.Dropped, error) {
	if f.disp >= len(d.disps) {
		return nil, lift.Drop("face-displacement", "dispinfo %d of %d", f.disp, len(d.disps)), nil
	}
	r := &d.disps[f.disp]
	if r.face != index && !d.original {
		return nil, lift.Drop("face-displacement", "dispinfo %d is of face %d", f.disp, r.face), nil
	}
	if len(corners) != 4 {
		return nil, lift.Drop("face-displacement", "it has %d corners", len(corners)), nil
	}
	if r.power < minPower || r.power > maxPower {
		return nil, lift.Drop("face-displacement", "power %d is outside %d to %d", r.power, minPower, maxPower), nil
	}
	side := 1<<r.power + 1
	n, triangles := side*side, 2*(side-1)*(side-1)
	data := d.lumps[lumpDispverts].Data
	if r.firstVert < 0 || r.firstVert > len(data)/20-n {
		return nil, lift.Drop("face-displacement", "%d points from %d of %d", n, r.firstVert, len(data)/20), nil
	}
	if err := d.Reserve(limit.Bytes[[4]float32](n) + limit.Bytes[bool](triangles) + limit.Bytes[world.Displacement](1)); err != nil {
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
		b := data[20*(r.firstVert+i):]
		dir, dist, alpha := lift.V3(b), le.Float32(b[12:]), le.Float32(b[16:])
		for k := range dir {
			out.Offsets[i][k] = dir[k] * dist
		}
		if !lift.Sane(out.Offsets[i][:]...) || alpha-alpha != 0 {
			return nil, lift.Drop("face-number", "point %d is %g off, with alpha %g", i, out.Offsets[i], alpha), nil
		}
		out.Alpha[i] = min(max(alpha/255, 0), 1)
	}
	out.Removed = d.removed(index, r.firstTri, triangles)
	var err error
	switch {
	case d.variant.blends != 0:
		if out.Blends, err = d.blends(d.variant.blends, r.firstVert, n); !weighted(out.Blends) {
			out.Blends = nil
		}
	case r.minTess&(tessFlags|tessMultiblend) == tessFlags|tessMultiblend:
		out.Blends, err = d.multiblend(f.disp, n)
	}
	return out, nil, err
}

// removed reports for each of a displacement's triangles, from the first one's tags on, whether it is taken away, or returns
// nil where all are there.
func (d *faces) removed(face, first, triangles int) (removed []bool) {
	tags := d.lumps[lumpDisptris].Data
	if d.version&0xffff > triRemovedUntil || first < 0 || first > len(tags)/2-triangles {
		return nil
	}
	n := 0
	for i := range triangles {
		if lift.U16(tags[2*(first+i):])&triRemoved == 0 {
			continue
		}
		if n++; removed == nil {
			removed = make([]bool, triangles)
		}
		removed[i] = true
	}
	if n > 0 {
		d.Issue("displacement-removed", lift.FaceName(face), "%d of %d triangles are tagged as removed", n, triangles)
	}
	return removed
}

// nearest is the corner nearest to a point.
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
