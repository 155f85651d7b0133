package sourcemdl

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl/joints"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// animatedBones is the bones of a file in a frame of an animation. moved states, by bone, whether the animation has
// data for it.
type animatedBones struct {
	joints []world.Joint
	moved  []bool
}

// animate returns the bones of g's file in a frame of animation i of that file, or nil if the animation has no data.
// isAdded states that the sequence is a delta: a delta animation has data only for such sequences.
func (m *motion) animate(g *sequenceFile, i int, when animationFrame, isAdded bool) (*animatedBones, error) {
	list, err := g.file.header("animations", animations, animationSize)
	if err != nil {
		return nil, err
	}
	b := list.Record(i)
	delta := le.Int32(b[12:])&flagDelta != 0
	if le.Int32(b[12:])&flagZeros != 0 || delta && !isAdded {
		return nil, nil
	}
	p, ok, err := g.file.locate(list, i, when.frame)
	f, from := g.file, list.Offset(i)
	if err == nil && p.block > 0 {
		f, from, ok, err = m.block(g.file, p.block)
	}
	if err != nil {
		return nil, err
	}
	out := &animatedBones{m.pool.rest(g.bones), make([]bool, len(g.bones))}
	if delta {
		out.joints = joints.Still(len(g.bones))
	}
	if !ok {
		if ok, err = g.zeroFrame(list, i, out); !ok {
			return nil, err
		}
		return out, nil
	}
	if from += int64(p.at); from < 0 || from >= int64(len(f.Data)) {
		return nil, modelfile.Fault("bounds", f.What, "animation %d at %d is outside its %d bytes", i, from, len(f.Data))
	}
	a := &tracks{bones: g.bones, data: f.Data[from:], what: f.What, frame: p.frame, block: p.block, base: from, marks: when.marks,
		delta: delta, moved: out.moved}
	if le.Int32(b[12:])&flagFrames != 0 {
		return out, a.frames(out.joints)
	}
	if ok, err = a.records(out.joints); !ok {
		return nil, err
	}
	return out, err
}

// frameLocation is where the data of a frame is: block is a file of animations, or 0 for the model's own file; at is
// an offset in that block, or in the model's own file from the animation's record; frame counts from there.
type frameLocation struct {
	block, at int32
	frame     int
}

// locate returns the location of a frame of animation i; ok is false if it has no data. Long animations are divided
// into sections, and the last frame of all has a section of its own.
func (f *file) locate(list modelfile.Table, i, frame int) (p frameLocation, ok bool, err error) {
	b := list.Record(i)
	p = frameLocation{block: le.Int32(b[52:]), at: le.Int32(b[56:]), frame: frame}
	if size := int(le.Int32(b[84:])); size != 0 {
		if f.Int32(4) <= 45 {
			return p, false, nil // another layout, which the engine skips too
		}
		count, section := int(le.Int32(b[16:])), 0
		switch {
		case size < 0:
		case count > size && frame == count-1:
			section, p.frame = count/size+1, 0
		default:
			section, p.frame = frame/size, frame%size
		}
		s, err := f.Bytes("a section", list.Offset(i)+int64(le.Int32(b[80:]))+8*int64(section), 8)
		if err != nil {
			return p, false, err
		}
		p.block, p.at = le.Int32(s), le.Int32(s[4:])
	}
	return p, p.block > 0 || p.block == 0 && p.at != 0, nil
}

// block returns the file that holds animation block i of f, and the offset of the block in it.
func (m *motion) block(f *file, i int32) (other *file, from int64, ok bool, err error) {
	t, err := f.header("blocks of animations", animationParts, 8)
	if err != nil {
		return nil, 0, false, err
	}
	if i < 0 || int(i) >= t.Len() {
		return nil, 0, false, modelfile.Fault("index-range", f.What, "block %d of %d", i, t.Len())
	}
	name := f.text(int64(f.Int32(animationFile)))
	if name == "" {
		return nil, 0, false, nil
	}
	found, ok, err := m.decoding.other(name, "its animations", "its bones stay where they are")
	return &found, int64(le.Int32(t.Record(int(i)))), ok, err
}

// Flags of bones for which the model stores the first frame of animations that are in another file.
const (
	savedPosition = 1 << 21
	savedTurn     = 1 << 22
	savedOther    = 1 << 23 // in a layout that no public header documents
)

// zeroFrame moves the bones to their positions in the first frame of animation i, if the model stores it. It does so
// for the time until its file of animations is loaded.
func (g *sequenceFile) zeroFrame(list modelfile.Table, i int, frame *animatedBones) (ok bool, err error) {
	b := list.Record(i)
	count, at := int64(int16(binary.LittleEndian.Uint16(b[90:]))), list.Offset(i)+int64(le.Int32(b[92:]))
	if count <= 0 || le.Int32(b[92:]) == 0 || g.file.Int32(4) <= 45 {
		return false, nil
	}
	for k := range g.bones {
		flags := g.bones[k].flags
		if flags&savedOther != 0 {
			return false, nil
		}
		for _, saved := range []struct {
			flag int32
			size int64
			put  func(*world.Joint, []byte)
		}{{savedPosition, 6, putHalves}, {savedTurn, 8, putTurn64}} {
			if flags&saved.flag == 0 {
				continue
			}
			data, err := g.file.Bytes("stored frames", at, saved.size*count)
			if err != nil {
				return false, err
			}
			saved.put(&frame.joints[k], data)
			frame.moved[k], ok = true, true
			at += saved.size * count
		}
	}
	return ok, nil
}
