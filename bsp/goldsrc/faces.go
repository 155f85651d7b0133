package goldsrc

import (
	"encoding/binary"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// face lifts a face as an entity shows it, with its material and the chart of its light.
func (d *decoder) face(l look, index int) (s world.Surface, bad *dropped, err error) {
	f := &d.faces[index]
	if f.texinfo < 0 || f.texinfo >= len(d.texinfos) {
		return s, drop("face-texinfo", "texinfo %d of %d", f.texinfo, len(d.texinfos)), nil
	}
	if f.edges < 3 || f.firstEdge < 0 || f.firstEdge > d.surfedges()-f.edges {
		return s, drop("face-edges", "%d edges from %d of %d", f.edges, f.firstEdge, d.surfedges()), nil
	}
	corners, bad, err := d.corners(f)
	if bad != nil || err != nil {
		return s, bad, err
	}
	s = world.Surface{Chart: world.NoChart, Fog: -1, Record: index}
	kind := d.kindOf(f.texinfo).under(l)
	lighting := world.Fullbright
	if !kind.unlit && d.hasLight() {
		if s.Chart, err = d.chart(index, corners); err != nil {
			return s, nil, err
		}
		if s.Chart != world.NoChart {
			lighting = world.Lightmap
		}
	}
	s.Flags = kind.flags
	if s.Material, err = d.material(f.texinfo, lighting, kind); err != nil {
		return s, nil, err
	}
	if d.below[index] {
		s.Flags |= world.Underside
	}
	s.Shape = polygon(corners)
	return s, nil, d.reserve(limit.Bytes[world.Polygon](1))
}

// surfedges is how many the map has.
func (d *decoder) surfedges() int { return len(d.lumps[lumpSurfedges].Data) / 4 }

// corner is the position at which a surfedge starts. A negative one runs its edge backwards.
func (d *decoder) corner(surfedge int) (p [3]float32, ok bool) {
	edge, end := int64(le.Int32(d.lumps[lumpSurfedges].Data[4*surfedge:])), int64(0)
	if edge < 0 {
		edge, end = -edge, 1
	}
	edges, vertices := d.lumps[lumpEdges].Data, d.lumps[lumpVertices].Data
	at, size := 2*edge+end, int64(2)
	if d.v.wide {
		size = 4
	}
	if at >= int64(len(edges))/size {
		return p, false
	}
	var v int64
	if d.v.wide {
		v = int64(binary.LittleEndian.Uint32(edges[4*at:]))
	} else {
		v = int64(binary.LittleEndian.Uint16(edges[2*at:]))
	}
	if v >= int64(len(vertices)/12) {
		return p, false
	}
	return v3(vertices[12*v:]), true
}

// faceNormal is the normal of a face's plane, to its front, or zero where it has no plane.
func (d *decoder) faceNormal(f *face) (n [3]float32) {
	if f.plane >= len(d.planes) || f.plane < 0 {
		return n
	}
	n = unitOrZero(d.planes[f.plane].normal)
	if f.back {
		for k := range n {
			n[k] = 0 - n[k] // not -0
		}
	}
	return n
}

// corners lifts the corners of a face, clockwise seen from the front, without their luxels.
func (d *decoder) corners(f *face) ([]world.Vertex, *dropped, error) {
	n := f.edges
	if n > len(d.arena) {
		size := max(n, 1024)
		if err := d.reserve(int64(size) * vertexSize); err != nil {
			return nil, nil, err
		}
		d.arena = make([]world.Vertex, size)
	}
	out := d.arena[:n:n]
	d.arena = d.arena[n:] // also where the face is dropped, so that what is looked at is bounded as what is kept
	t := &d.texinfos[f.texinfo]
	normal := d.faceNormal(f)
	size := d.textureSize(f.texinfo)
	for k := range out {
		p, ok := d.corner(f.firstEdge + k)
		if !ok {
			return nil, drop("face-edges", "surfedge %d leads to no vertex", f.firstEdge+k), nil
		}
		v := &out[k]
		*v = world.Vertex{Position: p, Normal: normal, Color: [4]float32{1, 1, 1, 1}}
		good := sane(p[:]...)
		for i := range v.UV {
			uv := inDouble(t.texture[i], p) / size[i]
			good = good && uv-uv == 0
			v.UV[i] = float32(min(max(uv, -farthest), farthest))
		}
		if !good {
			return nil, drop("face-number", "corner %d is at %g with texture coordinates %g", k, p, v.UV), nil
		}
	}
	return out, nil, nil
}

// textureSize is the size in pixels of a texinfo's texture.
func (d *decoder) textureSize(info int) [2]float64 {
	if i := d.texture[info]; i >= 0 && d.textures[i].width > 0 && d.textures[i].height > 0 {
		return [2]float64{float64(d.textures[i].width), float64(d.textures[i].height)}
	}
	return [2]float64{64, 64}
}

// unitOrZero scales a normal to length 1, or is zero where it has no direction. What is about 1 long is kept as it is.
func unitOrZero(n [3]float32) [3]float32 {
	if !sane(n[:]...) {
		return [3]float32{}
	}
	l := length(n)
	switch {
	case l > 0.9995 && l < 1.0005:
		return n
	case l < 1e-6:
		return [3]float32{}
	}
	return [3]float32{n[0] / l, n[1] / l, n[2] / l}
}

// length has its products rounded one by one, so that it is the same on all processors.
func length(v [3]float32) float32 {
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	return float32(math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z)))
}

// polygon turns corners around: the engines' are clockwise seen from the front.
func polygon(corners []world.Vertex) *world.Polygon {
	for i, k := 1, len(corners)-1; i < k; i, k = i+1, k-1 {
		corners[i], corners[k] = corners[k], corners[i]
	}
	return &world.Polygon{Corners: corners}
}
