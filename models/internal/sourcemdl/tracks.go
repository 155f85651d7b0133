package sourcemdl

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// tracks reads the data of an animation: values of bones in each frame.
type tracks struct {
	bones []bone
	data  []byte
	what  string
	frame int // the frame to read
	at    int
	delta bool   // it is a delta animation
	moved []bool // by bone: the animation has data for it

	// Where the data begins, and the runs where reading earlier frames ended.
	block int32
	base  int64
	marks runCursors
}

// animationFrame is a frame of an animation. With marks, which may be nil, reading all frames in order is fast.
type animationFrame struct {
	frame int
	marks runCursors
}

// runCursors holds, by track, the run that was read last.
type runCursors map[trackPlace]runCursor

// trackPlace identifies a track by its animation block, and its offset in the block's file.
type trackPlace struct {
	block int32
	at    int64
}

// runCursor is a run of a track: its first frame, and its offset.
type runCursor struct{ frame, at int }

// next returns the next n bytes.
func (a *tracks) next(n int) ([]byte, error) {
	if a.at < 0 || a.at > len(a.data) || n > len(a.data)-a.at {
		return nil, modelfile.Fault("bounds", a.what, "an animation leaves the file")
	}
	a.at += n
	return a.data[a.at-n : a.at], nil
}

// field is a value that an animation stores for a bone.
type field struct {
	flag byte // set if the bone has the field
	size int  // in bytes
	put  func(p *world.Joint, b []byte)
}

// fields reads the fields of a bone that its flags name, in order.
func (a *tracks) fields(list []field, flags byte, p *world.Joint) error {
	for _, f := range list {
		if flags&f.flag == 0 {
			continue
		}
		b, err := a.next(f.size)
		if err != nil {
			return err
		}
		f.put(p, b)
	}
	return nil
}

func putTurn48(p *world.Joint, b []byte)   { p.Rotation = quaternion48(b) }
func putTurn48S(p *world.Joint, b []byte)  { p.Rotation = quaternion48S(b) }
func putTurn64(p *world.Joint, b []byte)   { p.Rotation = quaternion64(b) }
func putHalves(p *world.Joint, b []byte)   { p.Position = [3]float64{half(b), half(b[2:]), half(b[4:])} }
func putPosition(p *world.Joint, b []byte) { p.Position = space.Vector64(le.Vector(b)) }

// Flags of a bone's record.
const (
	movedPosition = 0x4  // three tracks
	movedTurn     = 0x8  // three tracks, of angles
	added         = 0x10 // relative to the rest position
)

// rawFields are the fields of a record that hold for all frames.
var rawFields = []field{{0x02, 6, putTurn48}, {0x20, 8, putTurn64}, {0x01, 6, putHalves}}

// noBone is the bone number in an animation without data. Most $staticprop models have such an animation.
const noBone = 255

// records moves the bones by a list of records, each with a bone's number, flags, and the distance to the next
// record, which is 0 in the last; ok is false if there are none. Other bones stay.
func (a *tracks) records(frame []world.Joint) (ok bool, err error) {
	for range frame {
		start := a.at
		head, err := a.next(4)
		if err != nil {
			return ok, err
		}
		i, flags, next := int(head[0]), head[1], int(int16(binary.LittleEndian.Uint16(head[2:])))
		if i == noBone {
			return ok, nil
		}
		if i >= len(frame) {
			return ok, modelfile.Fault("index-range", a.what, "an animation of bone %d of %d", i, len(frame))
		}
		if a.delta || flags&added == 0 {
			if err := a.record(flags, &a.bones[i], &frame[i]); err != nil {
				return ok, err
			}
			a.moved[i], ok = true, true
		}
		if next == 0 {
			break
		}
		a.at = start + next
	}
	return ok, nil
}

// record reads the record of a bone. A value that it lacks is that of the rest position, or no change in a delta
// animation.
func (a *tracks) record(flags byte, b *bone, p *world.Joint) error {
	at, angles := b.position, b.angles
	p.Position, p.Rotation = b.position, b.turn
	if flags&added != 0 {
		at, angles = [3]float64{}, [3]float64{}
		p.Position, p.Rotation = at, [4]float64{3: 1}
	}
	if err := a.values(flags, at, angles, b, p); err != nil {
		return err
	}
	return a.fields(rawFields, flags, p)
}

// values reads the tracks of a record. They are in steps relative to at and angles.
func (a *tracks) values(flags byte, at, angles [3]float64, b *bone, p *world.Joint) error {
	if flags&movedTurn != 0 {
		v, err := a.steps()
		if err != nil {
			return err
		}
		p.Rotation = space.FromAngles(along(angles, v, b.angleStep))
	}
	if flags&movedPosition != 0 {
		v, err := a.steps()
		if err != nil {
			return err
		}
		p.Position = along(at, v, b.positionStep)
	}
	return nil
}

// along returns from + steps · size, by component.
func along(from, steps, size [3]float64) [3]float64 {
	for k := range from {
		from[k] += float64(steps[k] * size[k])
	}
	return from
}

// steps reads the values of three tracks in the frame. Their offsets are relative to the current position; 0 means
// that the value does not change.
func (a *tracks) steps() (v [3]float64, err error) {
	start := a.at
	offsets, err := a.next(6)
	if err != nil {
		return v, err
	}
	for k := range v {
		at := int(int16(binary.LittleEndian.Uint16(offsets[2*k:])))
		if at <= 0 {
			continue
		}
		if v[k], err = a.step(start + at); err != nil {
			return v, err
		}
	}
	return v, nil
}

// step returns the value of a track in the frame. Runs follow each other: the number of stored values, the number of
// frames that they cover, and the values; the last one holds for the remaining frames.
func (a *tracks) step(at int) (float64, error) {
	place := trackPlace{a.block, a.base + int64(at)}
	run := runCursor{at: at}
	for i := 0; run.at <= len(a.data)-4; i++ {
		valid, total := int(a.data[run.at]), int(a.data[run.at+1])
		frame := a.frame - run.frame
		switch {
		case total == 0 || valid == 0 && frame < total:
			return 0, nil // no more data
		case frame >= total:
			run = runCursor{run.frame + total, run.at + 2 + 2*valid}
			if known, ok := a.marks[place]; i == 0 && ok && known.frame <= a.frame {
				run = known
			}
			continue
		}
		if i > 0 && a.marks != nil {
			a.marks[place] = run
		}
		if run.at += 2 + 2*min(frame, valid-1); run.at > len(a.data)-2 {
			break
		}
		return float64(int16(binary.LittleEndian.Uint16(a.data[run.at:]))), nil
	}
	return 0, modelfile.Fault("bounds", a.what, "a track leaves the file")
}

// A bone's fields for all frames, and its fields in each frame. Alien Swarm's SDK documents those below 0x20; Left 4
// Dead 2's files mostly use the others.
var (
	constantFields = []field{{0x02, 6, putTurn48}, {0x40, 6, putTurn48S}, {0x01, 6, putHalves}, {0x20, 12, putPosition}}
	frameFields    = []field{{0x08, 6, putTurn48}, {0x80, 6, putTurn48S}, {0x04, 6, putHalves}, {0x10, 12, putPosition}}
)

// framesHeadSize is the size of the head before the bones' flags: the offset of the constants, the offset of the
// frames, and the size of a frame.
const framesHeadSize = 24

// frames moves the bones by an animation that is stored frame by frame: flags by bone, then the constants by bone,
// then the frames.
func (a *tracks) frames(frame []world.Joint) error {
	head, err := a.next(framesHeadSize)
	if err != nil {
		return err
	}
	flags, err := a.next(len(frame))
	if err != nil {
		return err
	}
	for _, part := range []struct {
		at   int
		list []field
	}{{int(le.Int32(head)), constantFields}, {int(le.Int32(head[4:])) + a.frame*int(le.Int32(head[8:])), frameFields}} {
		a.at = part.at
		for i := range frame {
			a.moved[i] = a.moved[i] || flags[i] != 0
			if err := a.fields(part.list, flags[i], &frame[i]); err != nil {
				return err
			}
		}
	}
	return nil
}
