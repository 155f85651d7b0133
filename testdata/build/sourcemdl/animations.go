package sourcemdl

import (
	"encoding/binary"
	"math"
)

// Flags of an animation, and of sequences.
const (
	Delta    = 0x4  // added to others
	ByFrames = 0x40 // an animation that Frames has made
)

// Flags of a bone's record. Raw values hold for all frames; moved ones are tracks.
const (
	RawPosition   = 0x1
	RawTurn48     = 0x2
	MovedPosition = 0x4
	MovedTurn     = 0x8
	Added         = 0x10
	RawTurn64     = 0x20
)

// Record is an animation's record of a bone. Tracks are steps in the first frame, for MovedTurn and MovedPosition in
// this order; Raw are the raw values, turn before position.
type Record struct {
	Bone, Flags uint8
	Tracks      [][3]int16
	Raw         []byte
}

// Records packs records of bones.
func Records(list ...Record) []byte {
	f := &file{}
	for i, r := range list {
		start := f.Len()
		f.put(r.Bone, r.Flags, int16(0))
		heads := f.Len()
		f.put(make([]byte, 6*len(r.Tracks)), r.Raw)
		for t, track := range r.Tracks {
			for k, v := range track {
				if v == 0 {
					continue
				}
				f.set16(heads+6*t+2*k, f.Len()-(heads+6*t))
				f.put(uint8(1), uint8(1), v)
			}
		}
		if i < len(list)-1 {
			f.set16(start+2, f.Len()-start)
		}
	}
	return f.Bytes()
}

// Run packs the record of a bone of which three tracks have a step for each frame; a track that is nil is none.
func Run(bone, flags uint8, tracks [3][]int16) []byte {
	f := &file{}
	f.put(bone, flags, int16(0), make([]byte, 6))
	for k, steps := range tracks {
		if steps != nil {
			f.set16(4+2*k, f.Len()-4)
			f.put(uint8(len(steps)), uint8(len(steps)), steps)
		}
	}
	f.put(int16(0))
	return f.Bytes()
}

// NoRecords returns an animation without data.
func NoRecords() []byte { return []byte{255, 0, 0, 0} }

// Frames packs an animation of one frame: flags by bone, what holds for all frames, and what the frame has.
func Frames(flags []uint8, constants, frame []byte) []byte {
	f := &file{}
	f.put(int32(24+len(flags)), int32(24+len(flags)+len(constants)), int32(len(frame)), [3]int32{}, flags, constants, frame)
	return f.Bytes()
}

// blockHead is the size of the head of a file of animations.
const blockHead = 416

// blocks writes the file of animations, and where each of its blocks is; there is no block 0.
func (m *Model) blocks() (data []byte, blocks [][2]int32) {
	f := &file{}
	f.put([]byte("IDAG"), m.version(), make([]byte, blockHead-8))
	last := int32(0)
	for _, a := range m.Animations {
		last = max(last, a.Block)
	}
	if last == 0 {
		return nil, nil
	}
	blocks = append(blocks, [2]int32{-1, -1})
	for i := int32(1); i <= last; i++ {
		start := int32(f.Len())
		for _, a := range m.Animations {
			if a.Block == i {
				f.put(a.Data)
			}
		}
		blocks = append(blocks, [2]int32{start, int32(f.Len())})
	}
	return f.Bytes(), blocks
}

// Turn returns the quaternion of a turn about X, then Y, then Z.
func Turn(angles [3]float32) (q [4]float32) {
	sx, cx := math.Sincos(float64(angles[0]) / 2)
	sy, cy := math.Sincos(float64(angles[1]) / 2)
	sz, cz := math.Sincos(float64(angles[2]) / 2)
	return [4]float32{
		float32(float64(sx*cy*cz) - float64(cx*sy*sz)), float32(float64(cx*sy*cz) + float64(sx*cy*sz)),
		float32(float64(cx*cy*sz) - float64(sx*sy*cz)), float32(float64(cx*cy*cz) + float64(sx*sy*sz)),
	}
}

// matrix is three rows, of which the last number moves.
type matrix [3][4]float32

func newMatrix(angles, at [3]float32) matrix {
	sx, cx := math.Sincos(float64(angles[0]))
	sy, cy := math.Sincos(float64(angles[1]))
	sz, cz := math.Sincos(float64(angles[2]))
	return matrix{
		{float32(cy * cz), float32(float64(sx*sy*cz) - float64(cx*sz)), float32(float64(cx*sy*cz) + float64(sx*sz)), at[0]},
		{float32(cy * sz), float32(float64(sx*sy*sz) + float64(cx*cz)), float32(float64(cx*sy*sz) - float64(sx*cz)), at[1]},
		{float32(-sy), float32(sx * cy), float32(cx * cy), at[2]},
	}
}

func (m matrix) times(n matrix) (out matrix) {
	for r := range out {
		for c := range out[r] {
			out[r][c] = float32(m[r][0]*n[0][c]) + float32(m[r][1]*n[1][c]) + float32(m[r][2]*n[2][c])
		}
		out[r][3] += m[r][3]
	}
	return out
}

// inverse undoes a turn and a move.
func (m matrix) inverse() (out matrix) {
	for r := range out {
		for c := range 3 {
			out[r][c] = m[c][r]
			out[r][3] -= float32(m[c][r] * m[c][3])
		}
	}
	return out
}

func (f *file) set16(at, v int) { binary.LittleEndian.PutUint16(f.Bytes()[at:], uint16(v)) }

func (f *file) float(at int, v float32) { f.set(at, int(math.Float32bits(v))) }
