package goldsrc

import (
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// face decodes a face of a model as its entity shows it, with its material and the chart of its light.
func (d *modelDecoder) face(model, index int) (s world.Surface, bad *decoding.Dropped, err error) {
	f := &d.records.faces[index]
	if f.texinfo < 0 || f.texinfo >= len(d.records.texinfos) {
		return s, decoding.Drop("face-texinfo", "texinfo %d of %d", f.texinfo, len(d.records.texinfos)), nil
	}
	if f.edges < 3 || f.firstEdge < 0 || f.firstEdge > d.records.edges.Count()-f.edges {
		return s, decoding.Drop("face-edges", "%d edges from %d of %d", f.edges, f.firstEdge, d.records.edges.Count()), nil
	}
	s = world.Surface{Chart: world.NoChart, Fog: -1, Record: index}
	t, size := &d.records.texinfos[f.texinfo], d.textures.size(f.texinfo)
	kind := d.variant.kindOf(t, d.textures.name(f.texinfo)).withEntity(d.shown[model].Appearance)
	kind.moves.Scroll = d.variant.scrollOf(t, d.textures.name(f.texinfo), size[0], d.shown[model].Appearance.conveyor)
	axes, hidden := t.texture, world.Flags(0)
	if kind.flags&world.Liquid != 0 {
		hidden, kind.twoSided = d.liquid(model, index)
		if texels := d.variant.liquids.texels; texels > 0 {
			axes[0][3], axes[1][3], size = 0, 0, [2]float64{texels, texels}
		}
		kind.moves.Warp, kind.moves.AtCorners = float32(size[0]), d.variant.liquids.grid > 0
		kind.moves.Swell = d.shown[model].Appearance.swell
	}
	if larger := d.textures.larger(f.texinfo); kind.flags&world.Sky == 0 && t.flags&textureSpecial == 0 {
		size[0], size[1] = size[0]*larger, size[1]*larger
	}
	if kind.moves != (world.MaterialMotion{}) || strings.HasPrefix(d.textures.name(f.texinfo), "+") {
		kind.moves.Clock = d.variant.clock
	}
	corners, bad, err := d.cornersOf(f, &axes, size)
	if bad != nil || err != nil {
		return s, bad, err
	}
	for i := range corners {
		corners[i].Position[2] += swellMean * kind.moves.Swell
	}
	lighting := world.Fullbright
	if kind.litLiquid && !d.light.light.has(f, index) {
		kind.unlit = true // its compiler gave liquids no light
	}
	if !kind.unlit && d.light.light.any() {
		if s.Chart, err = d.light.chart(f, t, index, kind.litLiquid, corners); err != nil {
			return s, nil, err
		}
		if s.Chart != world.NoChart {
			lighting = world.Lightmap
		}
	}
	if model == 0 && kind.flags&world.Liquid != 0 {
		if err := d.lightOfLiquid(f, t, index, corners); err != nil {
			return s, nil, err
		}
	}
	s.Flags = kind.flags
	if s.Material, err = d.materials.add(f.texinfo, lighting, kind); err != nil {
		return s, nil, err
	}
	s.Flags |= hidden
	d.normals.smooth(d.records, f, index, corners)
	shape := polygon(corners)
	if kind.moves.AtCorners {
		shape.Grid = d.variant.liquids.grid
	}
	s.Shape = shape
	return s, nil, d.dc.Reserve(limit.Bytes[world.Polygon](1))
}

// lightOfLiquid keeps the light of a face of a liquid, which the engine does not show on it, but on models above: of those that face up.
// Xash3D, ref_light.c, R_RecursiveLightPoint.
func (d *modelDecoder) lightOfLiquid(f *face, t *texinfo, index int, corners []world.Vertex) error {
	if d.below == nil || t.flags&textureSpecial != 0 || corners[0].Normal[2] <= 0 {
		return nil
	}
	if err := d.dc.Reserve(limit.Bytes[world.Vertex](len(corners)) + limit.Bytes[world.Polygon](1)); err != nil {
		return err
	}
	own := slices.Clone(corners)
	chart, err := d.below.chart(f, t, index, false, own)
	if err != nil || chart == world.NoChart {
		return err
	}
	if d.lights, err = limit.Append(d.dc.Budget, d.lights, "", chart); err != nil {
		return err
	}
	d.hidden, err = limit.Append(d.dc.Budget, d.hidden, "", world.Lit{Shape: polygon(own)})
	return err
}

// liquid returns why a face of a liquid is not drawn, or 0, and whether it is also visible from behind. Where two faces coincide one is
// drawn, from both sides; of a translucent brush model both are, one through the other. GoldSrc draws of a brush model's liquid only the
// level faces but the bottom, and these from both sides. Where the entity asks for sides, it draws all faces, but the same number that
// hides the bottom hides a side whose plane is not farther from the map's origin. Xash3D, ref/gl/gl_rsurf.c, R_DrawBrushModel (mins is a
// unit below the stored box).
func (d *modelDecoder) liquid(model, index int) (hidden world.Flags, twoSided bool) {
	f, record := &d.records.faces[index], d.shown[model].Record
	inModel := record > 0 && d.variant.liquids.level
	if d.waters.Below[index] && !(inModel && d.shown[model].Appearance.blend != world.BlendNone) {
		hidden |= world.Underside
	}
	if inModel && f.plane >= 0 && f.plane < len(d.records.planes) {
		p := &d.records.planes[f.plane]
		drawn := p.normal[2] == 1 || p.normal[2] == -1 || d.shown[model].Appearance.sides
		if !drawn || p.distance <= d.records.models[record].mins[2] {
			hidden |= world.NoDraw
		}
	}
	return hidden, inModel || d.waters.Above[index]
}

// faceNormal returns the normal of a face's plane, to its front, or zero if it has no plane.
func faceNormal(planes []plane, f *face) (n [3]float32) {
	if f.plane >= len(planes) || f.plane < 0 {
		return n
	}
	n = record.UnitOrZero(planes[f.plane].normal)
	if f.back {
		for k := range n {
			n[k] = 0 - n[k] // not -0
		}
	}
	return n
}

// cornersOf decodes the corners of a face, clockwise seen from the front, without their luxels. Texture coordinates are so many texels
// along the axes, of a texture of that size.
func (d *modelDecoder) cornersOf(f *face, axes *[2][4]float32, size [2]float64) ([]world.Vertex, *decoding.Dropped, error) {
	out, err := d.corners.Take(d.dc, f.edges) // also if the face is dropped, so that the work is bounded like the result
	if err != nil {
		return nil, nil, err
	}
	normal := faceNormal(d.records.planes, f)
	for k := range out {
		p, ok := d.records.edges.Corner(f.firstEdge + k)
		if !ok {
			return nil, decoding.Drop("face-edges", "surfedge %d leads to no vertex", f.firstEdge+k), nil
		}
		v := &out[k]
		*v = world.Vertex{Position: p, Normal: normal, Color: [4]float32{1, 1, 1, 1}}
		good := record.Sane(p[:]...)
		for i := range v.UV {
			uv := inDouble(axes[i], p) / size[i]
			good = good && uv-uv == 0
			v.UV[i] = float32(min(max(uv, -record.Farthest), record.Farthest))
		}
		if !good {
			return nil, decoding.Drop("face-number", "corner %d is at %g with texture coordinates %g", k, p, v.UV), nil
		}
	}
	return out, nil, nil
}

// polygon turns corners around: the engines' are clockwise seen from the front.
func polygon(corners []world.Vertex) *world.Polygon {
	for i, k := 1, len(corners)-1; i < k; i, k = i+1, k-1 {
		corners[i], corners[k] = corners[k], corners[i]
	}
	return &world.Polygon{Corners: corners}
}
