package write

import (
	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// targets adds the morph targets of a primitive with this many vertices. Primitives with the same slice share them.
func (w *gltfWriter) targets(list []scene.Target, vertices int) (out []gltf.PrimitiveAttributes) {
	if len(list) == 0 {
		return nil
	}
	if out, ok := w.moved[&list[0]]; ok {
		return out
	}
	defer func() { w.moved[&list[0]] = out }()
	still := scene.None // the accessor of zeros, if any target needs it
	for i := range list {
		t := &list[i]
		if t.Vertices == nil && len(t.Positions) == 0 {
			if still == scene.None {
				still = w.addDeltas(&gltf.Accessor{Min: make([]float64, 3), Max: make([]float64, 3)}, vertices)
			}
			out = append(out, gltf.PrimitiveAttributes{gltf.POSITION: still, gltf.NORMAL: still})
			continue
		}
		positions := w.deltas(t.Vertices, t.Positions, vertices)
		at := w.doc.Accessors[positions]
		if at.Min, at.Max = Bounds(t.Positions); t.Vertices != nil && len(t.Vertices) < vertices {
			for k := range at.Min {
				at.Min[k], at.Max[k] = min(at.Min[k], 0), max(at.Max[k], 0)
			}
		}
		made := gltf.PrimitiveAttributes{gltf.POSITION: positions}
		if t.Normals != nil {
			made[gltf.NORMAL] = w.deltas(t.Vertices, t.Normals, vertices)
		}
		out = append(out, made)
	}
	return out
}

// deltas adds the differences of a morph target's vertices and returns their accessor. of holds the vertex of each
// difference; nil means that data has one for each vertex. The accessor is sparse if few differ from 0.
func (w *gltfWriter) deltas(of []uint32, data [][3]float32, vertices int) int {
	var which []uint32
	var values [][3]float32
	for i, v := range data {
		if v == ([3]float32{}) {
			continue
		}
		at := uint32(i)
		if of != nil {
			at = of[i]
		}
		which, values = append(which, at), append(values, v)
	}
	if 16*len(which) >= 12*vertices {
		if of != nil {
			data = make([][3]float32, vertices)
			for i, at := range which {
				data[at] = values[i]
			}
		}
		return accessor(w, gltf.TargetArrayBuffer, data)
	}
	out := &gltf.Accessor{}
	if len(which) > 0 {
		indices, parts := w.doc.Accessors[accessor(w, gltf.TargetNone, which)], w.doc.Accessors[accessor(w, gltf.TargetNone, values)]
		w.doc.Accessors = w.doc.Accessors[:len(w.doc.Accessors)-2] // only their views are used
		out.Sparse = &gltf.Sparse{
			Count:   len(which),
			Indices: gltf.SparseIndices{BufferView: *indices.BufferView, ComponentType: gltf.ComponentUint},
			Values:  gltf.SparseValues{BufferView: *parts.BufferView},
		}
	}
	return w.addDeltas(out, vertices)
}

// addDeltas adds an accessor of VEC3 floats for this many vertices, 0 where it has no data, and returns its index.
func (w *gltfWriter) addDeltas(a *gltf.Accessor, vertices int) int {
	a.ComponentType, a.Type, a.Count = gltf.ComponentFloat, gltf.AccessorVec3, vertices
	w.doc.Accessors = append(w.doc.Accessors, a)
	return len(w.doc.Accessors) - 1
}
