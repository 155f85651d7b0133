package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// faces lifts faces.
type faces struct {
	*lift.Job
	*records
	variant   *variant
	version   int
	original  bool // faces are the originals, before the compiler split them
	materials *valve.Materials
	light     *lightmaps
	below     map[int]bool             // faces of liquids that are visible from below
	normalAt  []int32                  // by face: start of its corners in the lump of normal indices
	corners   lift.Arena[world.Vertex] // of all faces
}

// face lifts a face with its material and the chart of its light.
func (d *faces) face(index int) (s world.Surface, bad *lift.Dropped, err error) {
	f := &d.faces[index]
	if f.texinfo < 0 || f.texinfo >= len(d.texinfos) {
		return s, lift.Drop("face-texinfo", "texinfo %d of %d", f.texinfo, len(d.texinfos)), nil
	}
	if f.edges < 3 || f.firstEdge < 0 || f.firstEdge > d.surfedgeCount()-f.edges {
		return s, lift.Drop("face-edges", "%d edges from %d of %d", f.edges, f.firstEdge, d.surfedgeCount()), nil
	}
	s = world.Surface{Chart: world.NoChart, Fog: -1, Record: index}
	var light block
	lit, lighting := false, world.Fullbright
	if d.flags(d.materials, f.texinfo)&(world.Sky|world.NoDraw|world.Hint|world.Trigger) == 0 {
		light, lit = d.light.find(index, f, d.texinfos[f.texinfo].flags&valve.SurfBumpLight != 0)
	}
	if lit {
		lighting = world.Lightmap
	}
	if !lit || light.mean { // its corners have no luxel, or share one
		f.size = [2]int32{}
	}
	var corners []world.Vertex
	if corners, bad, err = d.cornersOf(index); bad != nil || err != nil {
		return s, bad, err
	}
	if s.Material, s.Flags, err = d.material(d.materials, f.texinfo, lighting); err != nil {
		return s, nil, err
	}
	if d.below[index] {
		s.Flags |= world.Underside
	}
	switch {
	case f.disp >= 0:
		s.Shape, bad, err = d.displacement(f, index, corners)
	case f.primCount > 0 && len(d.primitives) > 0 && !d.original:
		s.Shape, bad, err = d.triangles(f, corners)
	default:
		s.Shape, err = d.polygon(corners)
	}
	if bad != nil || err != nil {
		return s, bad, err
	}
	if lit {
		s.Chart, err = d.light.add(light, s.Material, corners)
	}
	return s, nil, err
}

// cornersOf lifts the corners of a face, clockwise seen from the front, except their alpha.
func (d *faces) cornersOf(index int) ([]world.Vertex, *lift.Dropped, error) {
	f := &d.faces[index]
	out, err := d.corners.Take(d.Job, f.edges) // also for dropped faces, so that the work is bounded like the result
	if err != nil {
		return nil, nil, err
	}
	t := &d.texinfos[f.texinfo]
	flat := d.faceNormal(f)
	for k := range out {
		p, ok := d.corner(f.firstEdge + k)
		if !ok {
			return nil, lift.Drop("face-edges", "surfedge %d leads to no vertex", f.firstEdge+k), nil
		}
		v := &out[k]
		*v = world.Vertex{Position: p, Normal: flat, Color: [4]float32{1, 1, 1, 0}}
		if !lift.Sane(p[:]...) || !d.mapped(v, t, f) {
			return nil, lift.Drop("face-number", "corner %d is at %g with texture coordinates %g", k, p, v.UV), nil
		}
		if smooth := d.smoothNormal(index, k); smooth != [3]float32{} {
			v.Normal = smooth
		}
	}
	return out, nil, nil
}

// mapped sets a vertex's texture and luxel coordinates; it reports whether they are finite.
func (d *faces) mapped(v *world.Vertex, t *texinfo, f *face) bool {
	size := d.materials.Size(t.texdata)
	for k := range 2 {
		uv := project(t.texture[k], v.Position) / size[k]
		luxel := project(t.luxel[k], v.Position) - float64(f.mins[k]) + 0.5
		if uv-uv != 0 || luxel-luxel != 0 {
			v.UV[k] = float32(uv)
			return false
		}
		v.UV[k] = float32(min(max(uv, -lift.Farthest), lift.Farthest))
		v.Luxel[k] = float32(min(max(luxel, 0), float64(f.size[k])+1))
	}
	return true
}

// polygon reverses corners: the engine's are clockwise seen from the front.
func (d *faces) polygon(corners []world.Vertex) (*world.Polygon, error) {
	for i, k := 1, len(corners)-1; i < k; i, k = i+1, k-1 {
		corners[i], corners[k] = corners[k], corners[i]
	}
	return &world.Polygon{Corners: corners}, d.Reserve(limit.Bytes[world.Polygon](1))
}
