package darkplaces

import (
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// file is a model as it is stored.
type file struct {
	bones     []bone
	inverse   []space.Matrix // by bone: from the bind pose in the model's axes to the bone's axes
	poses     int
	pose      func(pose, bone int) world.Joint // the transform of a bone relative to its parent in one of the poses
	scenes    []sequence
	base      []world.Vertex  // the mesh in the bind pose
	bindings  []world.Binding // the bones of each vertex
	triangles [][]uint32      // by surface: indices into base, counter-clockwise seen from the front
	names     []string        // by surface: its name in .skin files, as stored
	materials []string        // by surface: its shader or image, as stored
	rough     bool            // the mesh has no normals, so they are computed, as in the engine
	scaled    bool            // poses scale bones, which is ignored
	posed     bool            // a frame of the engine is a pose, not a sequence
}

type bone struct {
	name   string
	parent int // -1 for none; otherwise an earlier bone
}

// sequence is a sequence: a range of poses, at least one.
type sequence struct {
	name         string
	first, count int
	fps          float64
	loops        bool // after the last pose the first one follows
}

// joint returns the transform that a bone's matrix stands for. Bones without vertices have a rotation of zeros in
// some files (the weapons of Nexuiz); it counts as none.
func (f *file) joint(m space.Matrix, bone int, scale float64) world.Joint {
	if f.bones[bone].parent >= 0 {
		for i := range m {
			m[i][3] *= scale
		}
	}
	for i := range m {
		l := math.Sqrt(float64(m[i][0]*m[i][0]) + float64(m[i][1]*m[i][1]) + float64(m[i][2]*m[i][2]))
		if !(l > 0) {
			return world.Joint{Position: [3]float64{m[0][3], m[1][3], m[2][3]}, Rotation: [4]float64{0, 0, 0, 1}}
		}
		for k := range 3 {
			m[i][k] /= l
		}
	}
	return skeleton.JointOf(&m)
}

// stand sets f.inverse for a mesh whose bind pose is the first pose. It returns the bones' world matrices in that
// pose, scaled as stored.
func (f *file) stand(stored func(bone int) space.Matrix, scale float64) ([]space.Matrix, error) {
	whole := make([]space.Matrix, len(f.bones))
	places := make([]space.Matrix, len(f.bones))
	for i, b := range f.bones {
		if b.parent >= i || b.parent < -1 {
			return nil, modelfile.Fault("index-range", "bones", "bone %d has parent %d", i, b.parent)
		}
		m := stored(i)
		j := f.joint(m, i, scale)
		n := space.NewMatrix(j.Position, j.Rotation)
		if b.parent >= 0 {
			m, n = whole[b.parent].Times(&m), places[b.parent].Times(&n)
		}
		if !modelfile.InRange(n[0][3], n[1][3], n[2][3]) {
			return nil, modelfile.Fault("range", "poses", "bone %d is at %g %g %g", i, n[0][3], n[1][3], n[2][3])
		}
		whole[i], places[i] = m, n
		f.inverse = append(f.inverse, n.Inverse())
	}
	return whole, nil
}

// maxBones is how many bones a vertex can address: it has a byte per bone.
const maxBones = 256

// check checks what all formats have in common: bones, sequences, bindings, vertices and triangles.
func (f *file) check() error {
	if len(f.bones) > maxBones {
		return modelfile.Fault("count", "bones", "%d bones", len(f.bones))
	}
	for i, b := range f.bones {
		if b.parent < -1 || b.parent >= i {
			return modelfile.Fault("index-range", "bones", "bone %d has parent %d", i, b.parent)
		}
	}
	for i, s := range f.scenes {
		if s.first < 0 || s.count < 1 || s.first >= f.poses || s.count > f.poses-s.first {
			return modelfile.Fault("index-range", "sequences", "sequence %d: %d poses from %d of %d", i, s.count, s.first, f.poses)
		}
	}
	for i := range f.bindings {
		for k, w := range f.bindings[i].Weights {
			if w != 0 && len(f.bones) > 0 && int(f.bindings[i].Bones[k]) >= len(f.bones) {
				return modelfile.Fault("index-range", "vertices", "vertex %d has bone %d of %d", i, f.bindings[i].Bones[k], len(f.bones))
			}
		}
	}
	for i := range f.base {
		v := &f.base[i]
		if !modelfile.InRange(v.Position[:]...) || !modelfile.InRange(v.UV[:]...) {
			return modelfile.Fault("range", "vertices", "vertex %d is at %g, its texture coordinates are %g", i, v.Position, v.UV)
		}
		for _, x := range v.Normal {
			if x-x != 0 {
				return modelfile.Fault("range", "vertices", "vertex %d has the normal %g", i, v.Normal)
			}
		}
	}
	for i, list := range f.triangles {
		for _, v := range list {
			if int64(v) >= int64(len(f.base)) {
				return modelfile.Fault("index-range", "triangles", "surface %d: vertex %d of %d", i, v, len(f.base))
			}
		}
	}
	return nil
}

// smooth computes the normals of the mesh, as the engine does.
func (f *file) smooth() {
	all := slices.Concat(f.triangles...)
	at := make([][3]float32, len(f.base))
	for i := range at {
		at[i] = f.base[i].Position
	}
	normals := skeleton.Normals(at, len(all)/3, func(i int) [3]int { return [3]int{int(all[3*i]), int(all[3*i+1]), int(all[3*i+2])} })
	for i := range normals {
		f.base[i].Normal = normals[i]
	}
}
