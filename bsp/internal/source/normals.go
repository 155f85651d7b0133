package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// findNormals returns the start of each face's compiled normals, which are stored in face order, corner by corner.
func (r *records) findNormals(job *lift.Job) ([]int32, error) {
	indices := r.normalIndices.Count()
	if indices == 0 {
		return nil, nil
	}
	if err := job.Borrow(limit.Bytes[int32](len(r.faces))); err != nil {
		return nil, err
	}
	at := 0
	starts := make([]int32, len(r.faces))
	for i := range r.faces {
		starts[i] = int32(at)
		n := max(0, r.faces[i].edges)
		if n > indices-at {
			job.Issue("normals", lumpName(lumpNormalIndices), "%d indices are too few for all corners: faces are shaded flat", indices)
			return nil, nil
		}
		at += n
	}
	return starts, nil
}

// smoothNormal returns the compiled normal of a corner, or zero if there is none.
func (d *faces) smoothNormal(face, corner int) [3]float32 {
	if d.normalAt == nil {
		return [3]float32{}
	}
	n := d.normalIndices.At(int(d.normalAt[face]) + corner)
	normals := d.lumps[lumpNormals].Data
	if n >= len(normals)/12 {
		return [3]float32{}
	}
	return lift.UnitOrZero(lift.V3(normals[12*n:]))
}
