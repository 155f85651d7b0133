package darkplaces

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The parts of a .zym file, in the order of their offsets and lengths in the header.
const (
	zymScenes = iota
	zymPoses
	zymBones
	zymCounts // of bones, by vertex
	zymVertices
	zymPlaces // on the picture, by vertex
	zymTriangles
	zymShaders
	zymParts
)

// poseSize is the size of a bone's matrix in a pose.
const poseSize = 48

// readZYM reads a .zym file of type 1, zymtype1header_t.
func readZYM(data []byte) (*file, error) {
	order := binary.BigEndian
	head, err := newTable(order, data, "header", 0, 1, 68+8*zymParts)
	if err != nil {
		return nil, err
	}
	if kind := head.number(0, 12); kind != 1 {
		return nil, fmt.Errorf("type %d: %w", kind, errors.ErrUnsupported)
	}
	vertices, surfaces, bones, scenes := head.uint32(0, 48), head.uint32(0, 56), head.uint32(0, 60), head.uint32(0, 64)
	var part [zymParts]table
	for i, p := range [zymParts]struct {
		what string
		n    uint32
		size int
	}{
		{"sequences", scenes, 76}, {"poses", head.uint32(0, 68+8*zymPoses+4) / poseSize, poseSize}, {"bones", bones, 40},
		{"counts of bones", vertices, 4},
		{"vertices", vertices, 16}, {"texture coordinates", vertices, 8}, {"triangles", head.uint32(0, 68+8*zymTriangles+4) / 4, 4},
		{"shaders", surfaces, 32},
	} {
		if part[i], err = newTable(order, data, p.what, head.uint32(0, 68+8*i), p.n, p.size); err != nil {
			return nil, err
		}
	}
	if bones == 0 || part[zymPoses].len() < int(bones) {
		return nil, modelfile.Fault("count", "poses", "%d matrices for %d bones", part[zymPoses].len(), bones)
	}
	f := &file{poses: part[zymPoses].len() / int(bones)}
	for i := range int(bones) {
		f.bones = append(f.bones, bone{part[zymBones].name(i), part[zymBones].number(i, 36)})
	}
	for i := range int(scenes) {
		s := part[zymScenes]
		f.scenes = append(f.scenes, sequence{
			name: s.name(i), first: s.number(i, 68), count: s.number(i, 72), fps: rate(s.float32(i, 60)), loops: s.uint32(i, 64)&1 == 0,
		})
	}
	scale := f.matrices(part[zymPoses])
	placed, err := f.stand(func(bone int) space.Matrix { return part[zymPoses].matrix(bone) }, scale)
	if err != nil {
		return nil, err
	}
	if err := f.zymMesh(part, placed); err != nil {
		return nil, err
	}
	return f, f.zymSurfaces(part)
}

// zymMesh makes the mesh. Each vertex is bound to one bone.
func (f *file) zymMesh(part [zymParts]table, placed []space.Matrix) error {
	for i := range part[zymVertices].len() {
		if n := part[zymCounts].number(i, 0); n != 1 {
			return modelfile.Fault("count", "vertices", "vertex %d has %d bones, not 1", i, n)
		}
		bone := part[zymVertices].number(i, 0)
		if bone < 0 || bone >= len(placed) {
			return modelfile.Fault("index-range", "vertices", "vertex %d has bone %d of %d", i, bone, len(placed))
		}
		at := placed[bone].Point(part[zymVertices].vector(i, 4))
		v := world.Vertex{
			Position: space.Vector32(at), UV: [2]float32{part[zymPlaces].float32(i, 0), 1 - part[zymPlaces].float32(i, 4)},
			Color: [4]float32{1, 1, 1, 1},
		}
		f.base = append(f.base, v)
		var w skeleton.Weights
		w.Add(uint8(bone), 1)
		f.bindings = append(f.bindings, w.Binding())
	}
	return nil
}

// zymSurfaces makes the surfaces: a count of triangles for each, and three vertices for each triangle. Normals are
// computed, as in the engine.
func (f *file) zymSurfaces(part [zymParts]table) error {
	list, at := part[zymTriangles], 0
	for i := range part[zymShaders].len() {
		if at >= list.len() {
			return modelfile.Fault("bounds", "triangles", "surface %d has none", i)
		}
		n := int64(list.uint32(at, 0))
		if at++; 3*n > int64(list.len()-at) {
			return modelfile.Fault("bounds", "triangles", "surface %d has %d, of which %d numbers are there", i, n, list.len()-at)
		}
		f.triangles = append(f.triangles, list.indices(at, int(3*n)))
		at += int(3 * n)
		shader := part[zymShaders].name(i)
		f.names, f.materials = append(f.names, shader), append(f.materials, shader)
	}
	f.rough = true
	return nil
}

// matrices makes the poses from matrices, stored pose by pose. As in the engine, the length of a row of the first
// pose's first bone scales the positions of child bones, and bones themselves are not scaled. It returns that scale.
func (f *file) matrices(t table) (scale float64) {
	scale = space.Norm(t.vector(0, 0))
	f.pose = func(pose, bone int) world.Joint { return f.joint(t.matrix(pose*len(f.bones)+bone), bone, scale) }
	return scale
}
