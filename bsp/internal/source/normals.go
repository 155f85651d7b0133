package source

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// normals holds the compiled normals of the corners of all faces. Nil means that there are none.
type normals struct {
	starts  []int32 // by face: start of its corners in indices
	indices lift.List[int]
	data    []byte // three numbers for each normal
}

// findNormals returns the normals of faces. Their indices are stored in face order, corner by corner.
func findNormals(job *lift.Job, faces []face, indices lift.List[int], data []byte) (*normals, error) {
	n := indices.Count()
	if n == 0 {
		return nil, nil
	}
	if err := job.Borrow(limit.Bytes[int32](len(faces))); err != nil {
		return nil, err
	}
	at := 0
	starts := make([]int32, len(faces))
	for i := range faces {
		starts[i] = int32(at)
		edges := max(0, faces[i].edges)
		if edges > n-at {
			job.Issue("normals", lumpName(lumpNormalIndices), "%d indices are too few for all corners: faces are shaded flat", n)
			return nil, nil
		}
		at += edges
	}
	return &normals{starts, indices, data}, nil
}

// at returns the normal of a face's corner, or zero if there is none.
func (n *normals) at(face, corner int) [3]float32 {
	if n == nil {
		return [3]float32{}
	}
	i := n.indices.At(int(n.starts[face]) + corner)
	if i >= len(n.data)/12 {
		return [3]float32{}
	}
	return lift.UnitOrZero(lift.V3(n.data[12*i:]))
}
