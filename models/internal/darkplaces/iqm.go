package darkplaces

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// iqmHeader is the size of iqmheader_t: the ident and 27 numbers.
const iqmHeader = 16 + 27*4

// iqmVersion is what differs between the versions: rotations are quaternions of three or of four numbers.
type iqmVersion struct {
	number      int
	turn        int // numbers of a rotation
	joint, pose int // sizes of iqmjoint_t and iqmpose_t
}

// iqmVersions lists the versions. The channels of a pose are three of position, those of rotation, and three of
// scale.
var iqmVersions = []iqmVersion{
	{number: 1, turn: 3, joint: 44, pose: 80},
	{number: 2, turn: 4, joint: 48, pose: 88},
}

// The kinds of iqmvertexarray_t, and their formats.
const (
	iqmPosition = 0
	iqmPlace    = 1
	iqmNormal   = 2
	iqmBones    = 4
	iqmWeights  = 5
	iqmKinds    = 6

	iqmByte  = 1
	iqmFloat = 7
)

// iqmArrays lists the vertex arrays that are read. DarkPlaces reads each in one format only.
var iqmArrays = [iqmKinds]struct {
	what         string
	format, size int // number type, and numbers per vertex
	record       int // bytes
	required     bool
}{
	iqmPosition: {"positions", iqmFloat, 3, 12, true},
	iqmPlace:    {"texture coordinates", iqmFloat, 2, 8, true},
	iqmNormal:   {"normals", iqmFloat, 3, 12, false},
	iqmBones:    {"bones of vertices", iqmByte, 4, 4, false},
	iqmWeights:  {"weights", iqmByte, 4, 4, false},
}

// iqmFile is an .iqm file while it is read.
type iqmFile struct {
	data    []byte
	head    table
	version iqmVersion
	arrays  [iqmKinds]table
	out     *file
}

// table returns the table whose count and offset are at these offsets of the header.
func (q *iqmFile) table(what string, count, at, size int) (table, error) {
	return newTable(binary.LittleEndian, q.data, what, q.head.uint32(0, at), q.head.uint32(0, count), size)
}

// text returns the string at an offset of the file's string table, or "".
func (q *iqmFile) text(at uint32) string {
	n, from := int64(q.head.uint32(0, 28)), int64(q.head.uint32(0, 32))
	if int64(at) >= n || from+n > int64(len(q.data)) {
		return ""
	}
	return text(q.data[from+int64(at):][:min(n-int64(at), 256)])
}

// readIQM reads an .iqm file.
func readIQM(data []byte) (*file, error) {
	head, err := newTable(binary.LittleEndian, data, "header", 0, 1, iqmHeader)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(iqmVersions, func(v iqmVersion) bool { return v.number == head.number(0, 16) })
	if i < 0 {
		return nil, fmt.Errorf("version %d: %w", head.number(0, 16), errors.ErrUnsupported)
	}
	q := &iqmFile{data: data, head: head, version: iqmVersions[i], out: &file{}}
	for _, step := range []func() error{q.joints, q.poses, q.scenes, q.vertices, q.meshes} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return q.out, nil
}

// joints reads the bones and the bind pose.
func (q *iqmFile) joints() error {
	list, err := q.table("bones", 68, 72, q.version.joint)
	if err != nil {
		return err
	}
	f, places := q.out, []world.Joint(nil)
	f.poses = 1
	f.pose = func(_, bone int) world.Joint { return places[bone] }
	var whole []space.Matrix
	for i := range list.len() {
		b := bone{q.text(list.uint32(i, 0)), list.number(i, 4)}
		if b.parent < -1 || b.parent >= i {
			return modelfile.Fault("index-range", "bones", "bone %d has parent %d", i, b.parent)
		}
		channel := func(k int) float64 { return float64(list.float32(i, 8+4*k)) }
		j := q.version.joined(channel)
		m := space.NewMatrix(j.Position, j.Rotation)
		if b.parent >= 0 {
			m = whole[b.parent].Times(&m)
		}
		if !modelfile.InRange(m[0][3], m[1][3], m[2][3]) {
			return modelfile.Fault("range", "bones", "bone %d is at %g %g %g", i, m[0][3], m[1][3], m[2][3])
		}
		f.bones, f.inverse, whole, places = append(f.bones, b), append(f.inverse, m.Inverse()), append(whole, m), append(places, j)
		f.scaled = f.scaled || q.version.scaled(channel)
	}
	return nil
}

// joined returns the transform that channels stand for. A rotation of three numbers has a fourth that is not
// positive.
func (v iqmVersion) joined(channel func(k int) float64) world.Joint {
	j := world.Joint{Position: [3]float64{channel(0), channel(1), channel(2)}}
	rest := 1.0
	for k := range v.turn {
		j.Rotation[k] = channel(3 + k)
		rest -= float64(j.Rotation[k] * j.Rotation[k])
	}
	if v.turn == 3 {
		j.Rotation[3] = -math.Sqrt(max(0, rest))
	}
	j.Rotation = space.UnitQuaternion(j.Rotation)
	return j
}

// scaled reports whether the scale channels differ from 1.
func (v iqmVersion) scaled(channel func(k int) float64) bool {
	for k := range 3 {
		if math.Abs(channel(3+v.turn+k)-1) > 1e-3 {
			return true
		}
	}
	return false
}

// poses reads the poses. They store only the channels of each bone that change.
func (q *iqmFile) poses() error {
	f := q.out
	frames, channels := q.head.uint32(0, 92), q.head.uint32(0, 96)
	if frames == 0 || len(f.bones) == 0 {
		return nil
	}
	list, err := q.table("poses", 76, 80, q.version.pose)
	if err != nil {
		return err
	}
	if list.len() != len(f.bones) {
		return modelfile.Fault("count", "poses", "they have %d bones, the mesh %d", list.len(), len(f.bones))
	}
	if int64(channels) > int64(len(q.data)) {
		return modelfile.Fault("bounds", "poses", "%d channels in %d bytes", channels, len(q.data))
	}
	data, err := newTable(binary.LittleEndian, q.data, "poses", q.head.uint32(0, 100), frames, 2*int(channels))
	if err != nil {
		return err
	}
	all := uint32(1)<<(6+q.version.turn) - 1
	first := make([]int, list.len()) // the first channel of each bone
	n := 0
	for i := range first {
		first[i] = n
		n += bits.OnesCount32(list.uint32(i, 4) & all)
	}
	if n != int(channels) {
		return modelfile.Fault("count", "poses", "%d channels, not %d", channels, n)
	}
	f.poses = int(frames)
	channel := func(pose, bone, k int) float64 {
		value := float64(list.float32(bone, 8+4*k))
		mask := list.uint32(bone, 4)
		if mask>>k&1 == 0 {
			return value
		}
		at := pose*data.size + 2*(first[bone]+bits.OnesCount32(mask&(1<<k-1)))
		step := list.float32(bone, 8+4*(6+q.version.turn)+4*k)
		return value + float64(float64(binary.LittleEndian.Uint16(data.data[at:]))*float64(step))
	}
	f.pose = func(pose, bone int) world.Joint {
		return q.version.joined(func(k int) float64 { return channel(pose, bone, k) })
	}
	for i := range list.len() {
		f.scaled = f.scaled || q.version.scaled(func(k int) float64 { return channel(0, i, k) }) ||
			list.uint32(i, 4)&all>>(3+q.version.turn) != 0
	}
	return nil
}

// scenes reads the sequences.
func (q *iqmFile) scenes() error {
	list, err := q.table("sequences", 84, 88, 20)
	if err != nil {
		return err
	}
	if len(q.out.bones) == 0 {
		return nil
	}
	for i := range list.len() {
		q.out.scenes = append(q.out.scenes, sequence{
			name: q.text(list.uint32(i, 0)), first: list.number(i, 4), count: list.number(i, 8), fps: rate(list.float32(i, 12)),
			loops: list.uint32(i, 16)&1 == 1,
		})
	}
	return nil
}

// vertices reads the mesh in the bind pose.
func (q *iqmFile) vertices() error {
	list, err := q.table("arrays of vertices", 44, 52, 20)
	if err != nil {
		return err
	}
	n := q.head.uint32(0, 48)
	for i := range list.len() {
		kind := list.uint32(i, 0)
		if kind >= iqmKinds {
			continue
		}
		a := &iqmArrays[kind]
		if a.record == 0 || list.number(i, 8) != a.format || list.number(i, 12) != a.size {
			continue
		}
		if q.arrays[kind], err = newTable(binary.LittleEndian, q.data, a.what, list.uint32(i, 16), n, a.record); err != nil {
			return err
		}
	}
	for kind, a := range iqmArrays {
		if a.required && n > 0 && q.arrays[kind].data == nil {
			return fmt.Errorf("its vertices have no %s that can be read: %w", a.what, errors.ErrUnsupported)
		}
	}
	f := q.out
	f.rough = q.arrays[iqmNormal].data == nil
	for i := range int(n) {
		v := world.Vertex{
			Position: q.arrays[iqmPosition].vector(i, 0), Color: [4]float32{1, 1, 1, 1},
			UV: [2]float32{q.arrays[iqmPlace].float32(i, 0), q.arrays[iqmPlace].float32(i, 4)},
		}
		if !f.rough {
			v.Normal = space.UnitNormal(space.Vector64(q.arrays[iqmNormal].vector(i, 0)))
		}
		var w skeleton.Weights
		if bones, weights := q.arrays[iqmBones].data, q.arrays[iqmWeights].data; bones != nil && weights != nil {
			for k := range 4 {
				w.Add(bones[4*i+k], float64(weights[4*i+k])/255)
			}
		}
		f.base, f.bindings = append(f.base, v), append(f.bindings, w.Binding())
	}
	return nil
}

// meshes reads the surfaces. Their triangles are clockwise seen from the front.
func (q *iqmFile) meshes() error {
	list, err := q.table("meshes", 36, 40, 24)
	if err != nil {
		return err
	}
	triangles, err := q.table("triangles", 56, 60, 12)
	if err != nil {
		return err
	}
	f, used := q.out, int64(0)
	for i := range list.len() {
		first, n := int64(list.uint32(i, 16)), int64(list.uint32(i, 20))
		if used += n; first+n > int64(triangles.len()) || used > int64(triangles.len()) {
			return modelfile.Fault("index-range", "meshes", "mesh %d: %d triangles from %d of %d", i, n, first, triangles.len())
		}
		corners := table{binary.LittleEndian, triangles.data, 4}.indices(int(3*first), int(3*n))
		for k := 0; k < len(corners); k += 3 {
			corners[k], corners[k+2] = corners[k+2], corners[k]
		}
		f.triangles = append(f.triangles, corners)
		f.names, f.materials = append(f.names, q.text(list.uint32(i, 0))), append(f.materials, q.text(list.uint32(i, 4)))
	}
	return nil
}
