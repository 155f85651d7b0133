package mdl10

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/turn"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxBones is the number of bones that a vertex's byte can address.
const maxBones = 256

// newMatrix returns the matrix of a bone at X, Y, Z, rotated about X, then Y, then Z, in radians.
func newMatrix(v [6]float64) turn.Matrix {
	sx, cx := math.Sincos(v[3])
	sy, cy := math.Sincos(v[4])
	sz, cz := math.Sincos(v[5])
	return turn.Matrix{
		{cy * cz, float64(sx*sy*cz) - float64(cx*sz), float64(cx*sy*cz) + float64(sx*sz), v[0]},
		{cy * sz, float64(sx*sy*sz) + float64(cx*cz), float64(cx*sy*sz) - float64(sx*cz), v[1]},
		{-sy, sx * cy, cx * cy, v[2]},
	}
}

// pose returns the bones' matrices in a frame of a sequence.
func (d *decoder) pose(p Pose) ([]turn.Matrix, error) {
	a, err := d.animation(p)
	if err != nil {
		return nil, err
	}
	bones := make([]turn.Matrix, d.bones.len())
	for i := range bones {
		b := d.bones.record(i)
		parent := le.Int32(b[32:])
		if parent < -1 || parent >= int32(i) {
			return nil, fault("index-range", "bones", "bone %d hangs on bone %d", i, parent)
		}
		var v [6]float64
		for k := range v {
			step, err := a.step(i, k)
			if err != nil {
				return nil, fmt.Errorf("sequence %d: bone %d: %w", a.sequence, i, err)
			}
			v[k] = float64(le.Float32(b[64+4*k:])) + float64(float64(step)*float64(le.Float32(b[88+4*k:])))
		}
		// Motion of the whole model during the sequence is removed from the bone.
		for k := range 3 {
			if i == a.motionBone && a.motion>>k&1 == 1 {
				v[k] = 0
			}
		}
		bones[i] = newMatrix(v)
		if parent >= 0 {
			bones[i] = bones[parent].Times(&bones[i])
		}
	}
	return bones, nil
}

// animation is one frame of a sequence.
type animation struct {
	sequence   int
	data       []byte // from the first bone's record on; nil if there is none
	frame      int
	motion     int32 // bits 0, 1, 2: the motion bone's X, Y, Z
	motionBone int
	steps      int // how many steps may still be read: runs may share bytes, but reading must end
}

// animation finds the sequence of a pose. If the sequence blends between several animations, it returns the first.
func (d *decoder) animation(p Pose) (*animation, error) {
	a := &animation{}
	if d.sequences.len() == 0 {
		return a, nil
	}
	sequence, ok := choose(d.sequences, p)
	if !ok {
		d.job.issues = append(d.job.issues, world.Issue{
			Code: "model-animation", Detail: fmt.Sprintf("%s: it has no sequence %q: it shows number %d", d.job.name, p.Animation, sequence),
		})
	}
	s := d.sequences.record(sequence)
	frames, group, at := le.Int32(s[56:]), le.Int32(s[156:]), int64(le.Int32(s[124:]))
	f := d.file
	if group != 0 {
		var err error
		if f, err = d.group(group); err != nil || f.data == nil {
			return a, err
		}
	}
	if at < 0 || at > int64(len(f.data)) || int64(d.bones.len())*12 > int64(len(f.data))-at {
		return nil, fault("bounds", f.what, "the animation of sequence %d at %d is outside its %d bytes", sequence, at, len(f.data))
	}
	a.sequence, a.data, a.steps = sequence, f.data[at:], len(f.data)
	a.frame = max(0, min(p.Frame, int(frames)-1))
	a.motion, a.motionBone = le.Int32(s[68:]), int(le.Int32(s[72:]))
	return a, nil
}

// group returns a file of sequences; it has no data if the file is missing.
func (d *decoder) group(i int32) (file, error) {
	if i < 0 || i > 99 {
		return file{}, fault("index-range", "sequences", "group %d", i)
	}
	f, have := d.groups[int(i)]
	if have {
		return f, nil
	}
	suffix := fmt.Sprintf("%02d", i)
	f, ok, err := d.job.beside(suffix, "its sequences "+suffix)
	if err == nil && ok {
		err = f.check("IDSQ")
	}
	d.groups[int(i)] = f
	return f, err
}

// step returns a value of a bone in the frame. From the offset in the bone's record on, runs follow each other; the run
// that contains the frame has the value. A run starts with two bytes, the number of stored values and the number of
// frames that they cover, then come the values; the last value holds for the remaining frames.
func (a *animation) step(bone, k int) (int16, error) {
	if a.data == nil {
		return 0, nil
	}
	record := a.data[12*bone:]
	at := int(binary.LittleEndian.Uint16(record[2*k:]))
	if at == 0 {
		return 0, nil
	}
	for frame := a.frame; ; a.steps-- {
		if at+2 > len(record) || a.steps <= 0 {
			break
		}
		valid, total := int(record[at]), int(record[at+1])
		if total == 0 || valid == 0 && frame < total {
			return 0, nil // there is no further data
		}
		if frame >= total {
			frame -= total
			at += 2 + 2*valid
			continue
		}
		if at += 2 + 2*min(frame, valid-1); at+2 > len(record) {
			break
		}
		return int16(binary.LittleEndian.Uint16(record[at:])), nil
	}
	return 0, fault("bounds", "animation", "its runs leave the file")
}
