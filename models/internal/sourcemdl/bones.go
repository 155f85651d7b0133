package sourcemdl

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxBones is how many bones a vertex can address: it has a byte per bone.
const maxBones = 256

// bone is a part of the skeleton, to which vertices are attached.
type bone struct {
	name                    string // in lower case
	label                   string // as stored
	parent                  int    // -1 for none; otherwise an earlier bone
	position                [3]float64
	turn                    [4]float64
	angles                  [3]float64 // the same rotation about X, then Y, then Z, in radians
	positionStep, angleStep [3]float64 // size of a step in a track
	flags                   int32
	rule                    int32        // the kind of rule by which the engine places the bone, or 0
	ruleAt                  int64        // offset of the rule in the file
	toBone                  space.Matrix // transforms a vertex of the model to the bone's axes
}

// readBones reads the bones.
func readBones(f *file) (bones []bone, err error) {
	t, err := f.header("bones", boneTable, boneSize)
	if err != nil {
		return nil, err
	}
	if t.Len() > maxBones {
		return nil, modelfile.Fault("count", f.What, "%d bones", t.Len())
	}
	for i := range t.Len() {
		b := t.Record(i)
		parent := le.Int32(b[4:])
		if parent < -1 || parent >= int32(i) {
			return nil, modelfile.Fault("index-range", f.What, "bone %d has parent %d", i, parent)
		}
		label := f.text(t.Offset(i) + int64(le.Int32(b)))
		bones = append(bones, bone{
			name: entlump.Lower(label), label: label, parent: int(parent), flags: le.Int32(b[160:]),
			position: space.Vector64(le.Vector(b[32:])), turn: newQuaternion(b[44:]), angles: space.Vector64(le.Vector(b[60:])),
			positionStep: space.Vector64(le.Vector(b[72:])), angleStep: space.Vector64(le.Vector(b[84:])), toBone: newMatrix(b[96:]),
			rule: le.Int32(b[164:]),
		})
		if at := le.Int32(b[168:]); at != 0 {
			bones[i].ruleAt = t.Offset(i) + int64(at)
		}
	}
	return bones, nil
}

// newMatrix reads a matrix of three rows and four columns.
func newMatrix(b []byte) (m space.Matrix) {
	for i := range 3 {
		for k := range 4 {
			m[i][k] = float64(le.Float32(b[16*i+4*k:]))
		}
	}
	return m
}

// newQuaternion reads a quaternion of 16 bytes.
func newQuaternion(b []byte) (q [4]float64) {
	for k := range q {
		q[k] = float64(le.Float32(b[4*k:]))
	}
	return q
}

// quaternion48 reads a rotation of 6 bytes: X and Y of 16 bits, Z of 15 bits, and the sign of W.
func quaternion48(b []byte) [4]float64 {
	u := func(k int) float64 { return float64(binary.LittleEndian.Uint16(b[2*k:])) }
	z := binary.LittleEndian.Uint16(b[4:])
	return withW((u(0)-32768)/32768, (u(1)-32768)/32768, (float64(z&0x7fff)-16384)/16384, z>>15 == 1)
}

// quaternion64 reads a rotation of 8 bytes: 21 bits for each of X, Y and Z, and the sign of W.
func quaternion64(b []byte) [4]float64 {
	v := binary.LittleEndian.Uint64(b)
	part := func(shift int) float64 { return (float64(v>>shift&0x1fffff) - 1048576) / 1048576.5 }
	return withW(part(0), part(21), part(42), v>>63 == 1)
}

// withW computes W so that the quaternion's length is 1.
func withW(x, y, z float64, negative bool) [4]float64 {
	w := math.Sqrt(max(0, 1-float64(x*x)-float64(y*y)-float64(z*z)))
	if negative {
		w = -w
	}
	return [4]float64{x, y, z, w}
}

// quaternion48S reads a rotation of 6 bytes that omits its largest component. It has three components of 15 bits. The
// top bits of the first two say which component comes first; that of the third is the sign of the omitted one. No
// public header documents it; in all of 10,909 rotations the omitted component was the largest.
func quaternion48S(b []byte) (q [4]float64) {
	var v [3]uint16
	for k := range v {
		v[k] = binary.LittleEndian.Uint16(b[2*k:])
	}
	first := int(v[1]>>15 | v[0]>>15<<1)
	rest := 1.0
	for k := range v {
		x := (float64(v[k]&0x7fff) - 16384) / 23168
		q[(first+k)%4] = x
		rest -= float64(x * x)
	}
	last := math.Sqrt(max(0, rest))
	if v[2]>>15 == 1 {
		last = -last
	}
	q[(first+3)%4] = last
	return q
}

// half reads a half float. The engine treats infinity as the largest finite value.
func half(b []byte) float64 {
	const greatest = 0x7bff
	v := binary.LittleEndian.Uint16(b)
	return float64(world.Half(v&0x8000 | min(v&0x7fff, greatest)).Float32())
}

// rest returns the bones in their rest position.
func rest(bones []bone) []world.Joint { return new(jointPool).rest(bones) }

// jointPool recycles frames that are no longer needed: each frame of a sequence is computed from several.
type jointPool struct{ free [][]world.Joint }

// rest returns a frame with the bones in their rest position.
func (l *jointPool) rest(bones []bone) []world.Joint {
	out := []world.Joint(nil)
	if last := len(l.free) - 1; last >= 0 {
		out, l.free = l.free[last][:0], l.free[:last]
	}
	out = slices.Grow(out, len(bones))
	for i := range bones {
		out = append(out, bones[i].rest())
	}
	return out
}

// back returns a frame to the pool.
func (l *jointPool) back(frame []world.Joint) {
	if len(l.free) < 8 {
		l.free = append(l.free, frame)
	}
}

// rest returns the bone in its rest position.
func (b *bone) rest() world.Joint { return world.Joint{Position: b.position, Rotation: b.turn} }
