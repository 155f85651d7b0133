package goldsrcmdl

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
)

// maxBones is how many bones a vertex can address: it has a byte for that.
const maxBones = 256

// newMatrix returns the matrix of a bone at X, Y, Z (v[0] to v[2]), rotated about X, then Y, then Z by v[3] to v[5],
// in radians.
func newMatrix(v [6]float64) space.Matrix {
	sx, cx := math.Sincos(v[3])
	sy, cy := math.Sincos(v[4])
	sz, cz := math.Sincos(v[5])
	return space.Matrix{
		{cy * cz, float64(sx*sy*cz) - float64(cx*sz), float64(cx*sy*cz) + float64(sx*sz), v[0]},
		{cy * sz, float64(sx*sy*sz) + float64(cx*cz), float64(cx*sy*sz) - float64(sx*cz), v[1]},
		{-sy, sx * cy, cx * cy, v[2]},
	}
}

// values holds, by bone, position X, Y, Z and the angles about these axes in radians.
type values [][6]float64

// rest returns the bones' values in the rest position.
func (d *decoder) rest() values {
	out := make(values, d.bones.Len())
	for i := range out {
		for k := range out[i] {
			out[i][k] = float64(le.Float32(d.bones.Record(i)[64+4*k:]))
		}
	}
	return out
}

// parent returns the index of the parent of bone i, or -1.
func (d *decoder) parent(i int) int { return int(le.Int32(d.bones.Record(i)[32:])) }

// matrices returns the bones' world matrices.
func (d *decoder) matrices(v values) []space.Matrix {
	return skeleton.Chain(len(v), d.parent, func(i int) space.Matrix { return newMatrix(v[i]) })
}

// pose returns the bones' values in the frame and sequence of an appearance, and the index of the sequence.
func (d *decoder) pose(p skeleton.Appearance) (v values, sequence int, err error) {
	sequence, ok := choose(d.sequences, p)
	if !ok {
		wanted := p.Animation
		if wanted == "" {
			wanted = strings.ReplaceAll(p.Activities, " ", ", ")
		}
		d.decoding.Note("model-animation", "it has no sequence %q: it shows number %d", wanted, sequence)
	}
	a, err := d.animation(sequence, -1)
	if err != nil {
		return nil, sequence, err
	}
	v, err = d.frame(a, p.Frame)
	return v, sequence, err
}

// frame returns the bones' values in a frame of an animation. Bone controllers count as 0, to which the game sets
// them at the start (Half-Life SDK, animation.cpp, SetController). 80 of 884 public models have controllers; rounding
// them to 255 steps would make a difference of at most 0.4 degrees.
func (d *decoder) frame(a *animation, frame int) (values, error) {
	out := d.rest()
	for i := range out {
		for k := range out[i] {
			step, err := a.step(i, k, max(0, min(frame, a.frames-1)))
			if err != nil {
				return nil, fmt.Errorf("sequence %d: bone %d: %w", a.sequence, i, err)
			}
			out[i][k] += float64(float64(step) * float64(le.Float32(d.bones.Record(i)[88+4*k:])))
		}
		// The motion of the whole model is removed from its bone, or added to it.
		for k := range 3 {
			if i == a.motionBone && a.motion>>k&1 == 1 {
				out[i][k] = 0
			}
			if i == a.motionBone {
				out[i][k] += float64(a.movement[k] * float64(frame) / float64(max(1, a.frames-1)))
			}
		}
	}
	return out, nil
}

// animation is the frames of a sequence.
type animation struct {
	sequence   int
	data       []byte // from the first bone's record on; nil if there is no data
	frames     int
	motion     int32 // bits 0, 1, 2: the motion bone's X, Y, Z
	motionBone int
	movement   [3]float64   // the motion of the whole model over all frames, if it is kept in the motion bone
	steps      int          // runs that may still be read; they may share bytes, but reading must end
	marks      map[int]mark // by track (6*bone + k): the run that was read last
}

// mark is a run of a track: its first frame, and its offset from the bone's record.
type mark struct{ frame, at int }

// animation returns an animation of a sequence: of a blend, or of the rest blend if blend is -1.
func (d *decoder) animation(sequence, blend int) (*animation, error) {
	a := &animation{sequence: sequence}
	if d.sequences.Len() == 0 {
		return a, nil
	}
	s := d.sequences.Record(sequence)
	group, at := le.Int32(s[156:]), int64(le.Int32(s[124:]))
	if blend < 0 {
		blend = restBlend(s)
	}
	at += 12 * int64(blend) * int64(d.bones.Len())
	f := d.file
	if group != 0 {
		var err error
		if f, err = d.group(group); err != nil || f.Data == nil {
			return a, err
		}
	}
	if at < 0 || at > int64(len(f.Data)) || int64(d.bones.Len())*12 > int64(len(f.Data))-at {
		return nil, modelfile.Fault("bounds", f.What, "the animation of sequence %d at %d is outside its %d bytes", sequence, at, len(f.Data))
	}
	a.data, a.steps, a.marks = f.Data[at:], len(f.Data), map[int]mark{}
	a.frames = int(le.Int32(s[56:]))
	if a.motionBone = int(le.Int32(s[72:])); d.rig.RootMotion {
		for k := range a.movement {
			a.movement[k] = float64(le.Float32(s[76+4*k:]))
		}
	} else {
		a.motion = le.Int32(s[68:])
	}
	return a, nil
}

// group returns the file of a sequence group, without data if the file is missing.
func (d *decoder) group(i int32) (file, error) {
	if i < 0 || i > 99 {
		return file{}, modelfile.Fault("index-range", "sequences", "group %d", i)
	}
	f, have := d.groups[int(i)]
	if have {
		return f, nil
	}
	suffix := fmt.Sprintf("%02d", i)
	f, ok, err := d.decoding.companion(suffix, "its sequences "+suffix)
	if err == nil && ok {
		err = check(&f, "IDSQ")
	}
	d.groups[int(i)] = f
	return f, err
}

// step returns a value of a bone in a frame. Runs follow each other from the offset in the bone's record; the run
// that contains the frame has the value. A run is two bytes, the number of stored values and the number of frames
// that they cover, and then the values; the last one holds for the remaining frames. A run that covers fewer frames
// than it stores values for, which compilers wrote for some long sequences, shows its first value, as in the engine
// (Half-Life SDK, cl_dll/StudioModelRenderer.cpp, StudioCalcBoneQuaterion).
func (a *animation) step(bone, k, frame int) (int16, error) {
	if a.data == nil {
		return 0, nil
	}
	stored := a.data[12*bone:]
	at := int(binary.LittleEndian.Uint16(stored[2*k:]))
	if at == 0 {
		return 0, nil
	}
	run, whole := mark{at: at}, true
	if known, ok := a.marks[6*bone+k]; ok && known.frame <= frame {
		run = known
	}
	for ; run.at+2 <= len(stored) && a.steps > 0; a.steps-- {
		valid, total := int(stored[run.at]), int(stored[run.at+1])
		inRun := frame - run.frame
		if total < valid {
			inRun, whole = 0, false
		}
		if valid == 0 && (total == 0 || inRun < total) {
			return 0, nil // no more data
		}
		if inRun >= total {
			run = mark{frame - inRun + total, run.at + 2 + 2*valid}
			continue
		}
		if whole { // otherwise the run's start depends on the frame
			a.marks[6*bone+k] = run
		}
		if at = run.at + 2 + 2*min(inRun, valid-1); at+2 > len(stored) {
			break
		}
		return int16(binary.LittleEndian.Uint16(stored[at:])), nil
	}
	return 0, modelfile.Fault("bounds", "animation", "its runs leave the file")
}
