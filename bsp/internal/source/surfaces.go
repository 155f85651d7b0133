package source

import (
	"context"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/liquid"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// records holds the decoded lumps that surfaces are made of. Other lists are decoded where they are used.
type records struct {
	planes     []plane
	texdatas   []valve.Texdata
	texinfos   []texinfo
	faces      []face
	models     []valve.Model
	nodes      []node
	leafs      []leaf
	disps      []dispinfo
	primitives []primitive
}

// readRecords decodes the lumps that surfaces are made of. It fails if an essential one is broken or a limit is
// exceeded.
func readRecords(m *file, l *lists) (r *records, err error) {
	r = &records{}
	if r.planes, err = planeV1.Records(m.dc, m.lumps[lumpPlanes]); err != nil {
		return nil, err
	}
	if r.texdatas, err = valve.TexdataV1.Records(m.dc, m.lumps[lumpTexdata]); err != nil {
		return nil, err
	}
	if r.texinfos, err = l.texinfos.Records(m.dc); err != nil {
		return nil, err
	}
	if r.faces, err = l.faces.Records(m.dc); err != nil {
		return nil, err
	}
	if r.models, err = l.models.Records(m.dc); err != nil {
		return nil, err
	}
	switch {
	case len(r.faces) == 0:
		m.dc.Issue("no-faces", "map", "it has no faces")
		if len(r.models) == 0 {
			r.models = []valve.Model{{}} // entities refer to at least the world
		}
	case len(r.models) == 0:
		return nil, m.lumps[lumpModels].Fault("empty", -1, "the map has no models")
	}
	for _, x := range []layoutUse{{lumpVertices, 12}, {lumpEdges, l.edges.Size}, {lumpSurfedges, 4}} {
		if _, err := m.lumps[x.lump].Count(x.size); err != nil {
			return nil, err
		}
	}
	if r.disps, err = decodeOptional(m.dc, &l.disps); err != nil {
		return nil, err
	}
	if r.primitives, err = decodeOptional(m.dc, &l.primitives); err != nil {
		return nil, err
	}
	if r.nodes, err = decodeOptional(m.dc, &l.nodes); err != nil {
		return nil, err
	}
	r.leafs, err = decodeOptional(m.dc, &l.leafs)
	return r, err
}

// decodeOptional decodes an optional lump, and names it if it exceeds a limit.
func decodeOptional[T any](dc *decoding.Context, l *record.List[T]) ([]T, error) {
	out, err := l.Optional(dc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.Lump.Name, err)
	}
	return out, nil
}

// surfaceFlags maps texinfo bits to surface flags.
var surfaceFlags = []struct {
	bit  uint32
	flag world.Flags
}{
	{valve.SurfSky2D | valve.SurfSky, world.Sky}, {valve.SurfWarp, world.Liquid}, {valve.SurfTrigger, world.Trigger},
	{valve.SurfNoDraw, world.NoDraw},
	{valve.SurfHint | valve.SurfSkip, world.Hint},
}

// surfaceFlags returns the surface flags of the texinfo, including those of its material's name.
func (t *texinfo) surfaceFlags(material string) (flags world.Flags) {
	for _, f := range surfaceFlags {
		if t.flags&f.bit != 0 {
			flags |= f.flag
		}
	}
	return flags | valve.Tools()[material]
}

// material returns the index of the texinfo's material under a lighting, with its flags.
func (t *texinfo) material(materials *valve.Materials, lighting world.Lighting) (int, world.Flags, error) {
	flags := t.surfaceFlags(materials.Name(t.texdata))
	i, err := materials.AddOf(t.texdata, world.Material{Lighting: lighting, Flags: flags, Surface: t.flags})
	return i, flags, err
}

// project returns the coordinate of a point along an axis with offset.
func project(axis [4]float32, p [3]float32) float64 {
	return space.Dot([3]float32(axis[:3]), p) + float64(axis[3])
}

// mapping maps the points of a face to its texture and its chart.
type mapping struct {
	texinfo    *texinfo
	texels     [2]float64 // size of the texture
	mins, size [2]int32   // of the chart, as in the face
}

// set sets the texture and luxel coordinates of a vertex at its position; it reports whether they are finite.
func (m *mapping) set(v *world.Vertex) bool {
	for k := range 2 {
		uv := project(m.texinfo.texture[k], v.Position) / m.texels[k]
		luxel := project(m.texinfo.luxel[k], v.Position) - float64(m.mins[k]) + 0.5
		if uv-uv != 0 || luxel-luxel != 0 {
			v.UV[k] = float32(uv)
			return false
		}
		v.UV[k] = float32(min(max(uv, -record.Farthest), record.Farthest))
		v.Luxel[k] = float32(min(max(luxel, 0), float64(m.size[k])+1))
	}
	return true
}

// undersides finds the faces of liquids that coincide with one that is visible from below.
func undersides(ctx context.Context, r *records, e *record.Edges) (liquid.Sides, error) {
	return liquid.Undersides(ctx, len(r.faces), func(i int) (l liquid.Face, ok bool) {
		f := &r.faces[i]
		if f.texinfo < 0 || f.texinfo >= len(r.texinfos) || r.texinfos[f.texinfo].flags&valve.SurfWarp == 0 || f.disp >= 0 {
			return l, false
		}
		return liquid.Face{Normal: faceNormal(r.planes, f), Material: r.texinfos[f.texinfo].texdata, Corners: f.edges,
			Corner: func(k int) ([3]float32, bool) {
				p, ok := e.Corner(f.firstEdge + k)
				return p, ok && record.Sane(p[:]...)
			}}, true
	})
}

// bothSides makes the materials of liquids that stand for two faces, at the same place, visible from both sides.
func bothSides(models []world.Model, waters liquid.Sides, materials []world.Material) {
	for i := range models {
		for k := range models[i].Surfaces {
			if s := &models[i].Surfaces[k]; waters.Above[s.Record] {
				materials[s.Material].TwoSided = true
			}
		}
	}
}

// decodeModels decodes the models with their faces, and returns the surface of each face that belongs to a model.
func decodeModels(ctx context.Context, dc *decoding.Context, r *records, d *faces, box *skybox) (models []world.Model, spots []valve.Spot,
	err error) {
	f := valve.Faces{Count: len(r.faces), Decode: d.decode}
	if box != nil {
		f.InBox = box.holdsFace
	}
	if models, spots, err = valve.BuildModels(ctx, dc, r.models, f); err != nil {
		return nil, nil, err
	}
	if len(r.faces) > 0 && !slices.ContainsFunc(models, func(m world.Model) bool { return len(m.Surfaces) > 0 }) {
		return nil, nil, &le.FormatError{Code: "empty", Index: -1, Offset: -1,
			Detail: fmt.Sprintf("none of the %d faces can be read", len(r.faces))}
	}
	if box != nil {
		bound(&models[box.box.Model])
	}
	return models, spots, nil
}
