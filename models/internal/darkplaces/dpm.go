package darkplaces

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Records of .dpm files: dpmheader_t, dpmmesh_t, dpmbone_t, dpmframe_t, dpmbonevert_t.
const (
	dpmHeader = 80
	dpmMesh   = 56
	dpmBone   = 40
	dpmFrame  = 68
	dpmWeight = 32
)

// readDPM reads a .dpm file of type 2.
func readDPM(data []byte) (*file, error) {
	order := binary.BigEndian
	head, err := newTable(order, data, "header", 0, 1, dpmHeader)
	if err != nil {
		return nil, err
	}
	if kind := head.number(0, 16); kind != 2 {
		return nil, fmt.Errorf("type %d: %w", kind, errors.ErrUnsupported)
	}
	var bones, meshes, frames table
	for i, p := range []struct {
		to   *table
		what string
		size int
	}{{&bones, "bones", dpmBone}, {&meshes, "meshes", dpmMesh}, {&frames, "poses", dpmFrame}} {
		if *p.to, err = newTable(order, data, p.what, head.uint32(0, 68+4*i), head.uint32(0, 56+4*i), p.size); err != nil {
			return nil, err
		}
	}
	if bones.len() == 0 || frames.len() == 0 {
		return nil, modelfile.Fault("count", "header", "%d bones, %d poses", bones.len(), frames.len())
	}
	f := &file{poses: frames.len()}
	for i := range bones.len() {
		f.bones = append(f.bones, bone{bones.name(i), bones.number(i, 32)})
	}
	list := make([]table, frames.len())
	var names []string
	for i := range list {
		if list[i], err = newTable(order, data, "a pose", frames.uint32(i, 64), uint32(bones.len()), poseSize); err != nil {
			return nil, err
		}
		names = append(names, frames.name(i))
	}
	f.scenes = scenesOf(names)
	scale := space.Norm(list[0].vector(0, 0))
	f.pose = func(pose, bone int) world.Joint { return f.joint(list[pose].matrix(bone), bone, scale) }
	placed, err := f.stand(func(bone int) space.Matrix { return list[0].matrix(bone) }, scale)
	if err != nil {
		return nil, err
	}
	paid := int64(0)
	for i := range meshes.len() {
		if err := f.dpmMesh(data, meshes, i, placed, &paid); err != nil {
			return nil, fmt.Errorf("mesh %d: %w", i, err)
		}
	}
	return f, nil
}

// dpmMesh adds a mesh. paid counts bytes of the file: meshes must not share them, so that a small file can't become a
// large model.
func (f *file) dpmMesh(data []byte, meshes table, i int, placed []space.Matrix, paid *int64) error {
	order := meshes.order
	n, triangles := meshes.uint32(i, 32), meshes.uint32(i, 36)
	places, err := newTable(order, data, "texture coordinates", meshes.uint32(i, 44), n, 8)
	if err != nil {
		return err
	}
	indices, err := newTable(order, data, "triangles", meshes.uint32(i, 48), triangles, 12)
	if err != nil {
		return err
	}
	if *paid += int64(len(places.data) + len(indices.data)); *paid > int64(len(data)) {
		return modelfile.Fault("bounds", "meshes", "they share their bytes")
	}
	first, at := uint32(len(f.base)), meshes.uint32(i, 40)
	for k := range int(n) {
		count, err := newTable(order, data, "vertices", at, 1, 4)
		if err != nil {
			return err
		}
		weights, err := newTable(order, data, "weights", at+4, count.uint32(0, 0), dpmWeight)
		if err != nil {
			return err
		}
		if *paid += int64(len(weights.data)); *paid > int64(len(data)) {
			return modelfile.Fault("bounds", "meshes", "they share their bytes")
		}
		v, b, err := dpmVertex(weights, placed)
		if err != nil {
			return fmt.Errorf("vertex %d: %w", k, err)
		}
		v.UV = [2]float32{places.float32(k, 0), places.float32(k, 4)}
		f.base, f.bindings = append(f.base, v), append(f.bindings, b)
		at += 4 + uint32(len(weights.data))
	}
	list := table{order, indices.data, 4}.indices(0, 3*indices.len())
	for k := range list {
		if list[k] >= n {
			return modelfile.Fault("index-range", "triangles", "vertex %d of %d", list[k], n)
		}
		list[k] += first
	}
	name := meshes.name(i)
	f.triangles, f.names, f.materials = append(f.triangles, list), append(f.names, name), append(f.materials, name)
	return nil
}

// dpmVertex returns a vertex in the bind pose. The position and normal are stored relative to each of its bones,
// multiplied by the bone's weight.
func dpmVertex(weights table, placed []space.Matrix) (v world.Vertex, b world.Binding, err error) {
	type share struct {
		bone   int
		weight float64
	}
	var at, normal [3]float64
	var list []share
	for i := range weights.len() {
		bone, weight := weights.number(i, 28), float64(weights.float32(i, 12))
		if bone < 0 || bone >= len(placed) || bone >= maxBones {
			return v, b, modelfile.Fault("index-range", "vertices", "bone %d of %d", bone, len(placed))
		}
		m := placed[bone]
		p, n := m.Direction(weights.vector(i, 0)), m.Direction(weights.vector(i, 16))
		for k := range at {
			at[k] += p[k] + float64(weight*m[k][3])
			normal[k] += n[k]
		}
		list = append(list, share{bone, weight})
	}
	slices.SortStableFunc(list, func(a, b share) int { // the engine, too, keeps only the four greatest
		switch {
		case a.weight > b.weight:
			return -1
		case a.weight < b.weight:
			return 1
		}
		return 0
	})
	var w skeleton.Weights
	for _, s := range list {
		w.Add(uint8(s.bone), s.weight)
	}
	return world.Vertex{Position: space.Vector32(at), Normal: space.UnitNormal(normal), Color: [4]float32{1, 1, 1, 1}}, w.Binding(), nil
}

// scenesOf groups named poses into sequences: consecutive poses whose names are the same except for a number at the
// end, "walk_0", "walk_1". In the engine each pose is a sequence of its own, a tenth of a second long, and the game's
// code counts.
func scenesOf(names []string) (list []sequence) {
	for i, name := range names {
		stem := strings.TrimRight(strings.TrimRight(name, "0123456789"), "_")
		if last := len(list) - 1; last >= 0 && list[last].name == stem {
			list[last].count++
			continue
		}
		list = append(list, sequence{name: stem, first: i, count: 1, fps: 10})
	}
	return list
}
