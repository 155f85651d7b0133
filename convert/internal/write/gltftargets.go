package write

import (
	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// targets adds the morph targets of a primitive.
func (w *gltfWriter) targets(list []scene.Target) (out []gltf.PrimitiveAttributes) {
	for i := range list {
		positions := w.shift(list[i].Positions)
		at := w.doc.Accessors[positions]
		at.Min, at.Max = Bounds(list[i].Positions)
		out = append(out, gltf.PrimitiveAttributes{gltf.POSITION: positions, gltf.NORMAL: w.shift(list[i].Normals)})
	}
	return out
}

// shift adds differences to the buffer and returns the index of their accessor. It is sparse if few differ from 0.
func (w *gltfWriter) shift(data [][3]float32) int {
	var which []uint32
	var values [][3]float32
	for i, v := range data {
		if v != ([3]float32{}) {
			which, values = append(which, uint32(i)), append(values, v)
		}
	}
	if 16*len(which) >= 12*len(data) {
		return accessor(w, gltf.TargetArrayBuffer, data)
	}
	out := &gltf.Accessor{ComponentType: gltf.ComponentFloat, Type: gltf.AccessorVec3, Count: len(data)}
	if len(which) > 0 {
		indices, parts := w.doc.Accessors[accessor(w, gltf.TargetNone, which)], w.doc.Accessors[accessor(w, gltf.TargetNone, values)]
		w.doc.Accessors = w.doc.Accessors[:len(w.doc.Accessors)-2] // only their views are needed
		out.Sparse = &gltf.Sparse{
			Count:   len(which),
			Indices: gltf.SparseIndices{BufferView: *indices.BufferView, ComponentType: gltf.ComponentUint},
			Values:  gltf.SparseValues{BufferView: *parts.BufferView},
		}
	}
	w.doc.Accessors = append(w.doc.Accessors, out)
	return len(w.doc.Accessors) - 1
}
