package quake3

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// shapes decodes the shapes of surfaces.
type shapes struct {
	dc       *decoding.Context
	curve    *curve
	vertices *vertices
	indices  indices
	terrain  bool                         // the number of foliage is that of terrain
	arena    decoding.Arena[world.Vertex] // of all surfaces
}

// allocate reserves the vertices of all surfaces at once if no surfaces share vertices.
func (d *shapes) allocate(surfaces []surface) error {
	total := int64(0)
	for i := range surfaces {
		if surfaces[i].Shape != shapeFlare {
			total += max(0, int64(surfaces[i].Vertices))
		}
	}
	if total > int64(d.vertices.count) {
		return nil // shared or wrong: each surface makes its own
	}
	return d.arena.Grow(d.dc, int(total))
}

// known returns why surfaces of a shape are dropped, or nil.
func (d *shapes) known(shape int32) *decoding.Dropped {
	switch shape {
	case shapePolygon, shapeMesh, shapePatch:
		return nil
	case shapeFoliage:
		if d.terrain {
			return decoding.Drop("face-shape", "terrain is not read")
		}
		return nil
	}
	return decoding.Drop("face-shape", "shape %d is unknown", shape)
}

// decode decodes a surface's shape, with luxels as its light says.
func (d *shapes) decode(s *surface, light *lighting) (world.Shape, *decoding.Dropped, error) {
	if s.Shape == shapeFoliage {
		t, bad, err := d.foliage(s, light)
		return t, bad, err
	}
	vertices, bad, err := d.corners(int64(s.FirstVertex), int64(s.Vertices), light)
	if bad != nil || err != nil {
		return nil, bad, err
	}
	if s.Shape == shapePatch {
		p, bad := patch(s, vertices)
		return p, bad, nil
	}
	t, bad, err := d.triangles(s, vertices)
	return t, bad, err
}

// corners decodes n vertices.
func (d *shapes) corners(first, n int64, light *lighting) ([]world.Vertex, *decoding.Dropped, error) {
	if first < 0 || n < 0 || first+n > int64(d.vertices.count) {
		return nil, decoding.Drop("face-vertices", "%d vertices from %d are outside the %d of the map", n, first, d.vertices.count), nil
	}
	out, err := d.arena.Exactly(d.dc, int(n))
	if err != nil {
		return nil, nil, err
	}
	for i := range out {
		v := &out[i]
		b := d.vertices.at(int(first) + i)
		v.Position, v.UV = b.position(), b.uv()
		if !record.Sane(v.Position[:]...) || !finite(v.UV) {
			return nil, decoding.Drop("face-number", "vertex %d is at %g with texture coordinates %g", first+int64(i), v.Position, v.UV), nil
		}
		for k, x := range v.UV {
			v.UV[k] = min(max(x, -record.Farthest), record.Farthest) // q3map2 has left 1e9 in a real map
		}
		v.Normal = unitOrZero(b.normal())
		if light.chart != world.NoChart {
			lm := b.lightmap(light.slot)
			if !finite(lm) {
				return nil, decoding.Drop("face-number", "vertex %d has lightmap coordinates %g", first+int64(i), lm), nil
			}
			for k, x := range lm {
				v.Luxel[k] = min(max(float32(x*light.size[k])-light.origin[k], 0), light.chartSize[k])
			}
		}
		if v.Color = d.curve.color(b, light.colors); light.kind == world.PerVertex {
			v.Color = d.curve.light(b, light.colors, light.styles)
		}
	}
	return out, nil, nil
}

func finite(v [2]float32) bool { return v[0]-v[0] == 0 && v[1]-v[1] == 0 }

// unitOrZero scales a normal to length 1, or returns zero if it has no direction. A length near 1 is left unchanged.
func unitOrZero(n [3]float32) [3]float32 {
	l := space.Length(n)
	if l > 0.9995 && l < 1.0005 {
		return n
	}
	if !record.Sane(n[:]...) || l < 1e-6 {
		return [3]float32{}
	}
	return [3]float32{n[0] / l, n[1] / l, n[2] / l}
}

// triangles decodes a polygon or a mesh. Quake III's triangles are clockwise seen from the front, the world's are not.
func (d *shapes) triangles(s *surface, vertices []world.Vertex) (*world.Triangles, *decoding.Dropped, error) {
	first, n := int64(s.FirstIndex), int64(s.Indices)
	if first < 0 || n < 0 || first+n > int64(d.indices.len()) {
		return nil, decoding.Drop("face-indices", "%d indices from %d are outside the %d of the map", n, first, d.indices.len()), nil
	}
	if n < 3 {
		return nil, decoding.Drop("face-empty", "it has %d indices", n), nil
	}
	n -= n % 3
	if err := d.dc.Reserve(limit.Bytes[uint32](int(n))); err != nil {
		return nil, nil, err
	}
	out, most := make([]uint32, n), uint32(len(vertices))
	for i := 0; i < len(out); i += 3 {
		at := int(first) + i
		a, b, c := d.indices.at(at), d.indices.at(at+2), d.indices.at(at+1)
		if a >= most || b >= most || c >= most {
			return nil, decoding.Drop("face-indices", "one of the indices %d %d %d is outside its %d vertices", int32(a), int32(c),
				int32(b), most), nil
		}
		out[i], out[i+1], out[i+2] = a, b, c
	}
	return &world.Triangles{Vertices: vertices, Indices: out}, nil, nil
}

// patch decodes a grid of control points.
func patch(s *surface, vertices []world.Vertex) (*world.Patch, *decoding.Dropped) {
	w, h := int64(s.PatchWidth), int64(s.PatchHeight)
	if w < 3 || h < 3 || w%2 == 0 || h%2 == 0 || w*h > int64(len(vertices)) {
		return nil, decoding.Drop("face-patch", "a patch of %d x %d with %d control points", w, h, len(vertices))
	}
	return &world.Patch{Width: int(w), Height: int(h), Control: vertices[:w*h]}, nil
}

// foliage repeats a mesh at the points that follow its vertices. The patch's height is the number of vertices of the
// mesh, its width the number of points; light is the point's colour (Enemy Territory, tr_bsp.c, ParseFoliage).
func (d *shapes) foliage(s *surface, light *lighting) (*world.Triangles, *decoding.Dropped, error) {
	mesh, bad, err := d.corners(int64(s.FirstVertex), int64(s.PatchHeight), light)
	if bad != nil || err != nil {
		return nil, bad, err
	}
	one, bad, err := d.triangles(s, mesh)
	if bad != nil || err != nil {
		return nil, bad, err
	}
	points, bad, err := d.corners(int64(s.FirstVertex)+int64(s.PatchHeight), int64(s.PatchWidth), light)
	if bad != nil || err != nil {
		return nil, bad, err
	}
	if len(points) == 0 {
		return nil, decoding.Drop("face-empty", "foliage at no point"), nil
	}
	n, indices := int64(len(points))*int64(len(mesh)), int64(len(points))*int64(len(one.Indices))
	if n > math.MaxUint32 {
		return nil, decoding.Drop("face-vertices", "%d vertices at %d points are too many", len(mesh), len(points)), nil
	}
	for _, size := range []int64{limit.Bytes[world.Vertex](int(n)), indices * 4} {
		if err := d.dc.Reserve(size); err != nil {
			return nil, nil, err
		}
	}
	all := &world.Triangles{Vertices: make([]world.Vertex, 0, n), Indices: make([]uint32, 0, indices)}
	for _, p := range points {
		base := uint32(len(all.Vertices))
		for _, v := range mesh {
			for k := range v.Position {
				v.Position[k] += p.Position[k]
			}
			if !record.Sane(v.Position[:]...) {
				return nil, decoding.Drop("face-number", "foliage at %g", p.Position), nil
			}
			v.Color = p.Color
			all.Vertices = append(all.Vertices, v)
		}
		for _, x := range one.Indices {
			all.Indices = append(all.Indices, base+x)
		}
	}
	return all, nil, nil
}
