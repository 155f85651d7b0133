package mdl

import (
	"encoding/binary"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// placed is a bone's position and rotation relative to its parent.
type placed struct {
	position [3]float64
	turn     quaternion
	moved    bool // by an animation
}

// rest returns the bones in their rest position.
func rest(bones []bone) []placed {
	out := make([]placed, len(bones))
	for i := range bones {
		out[i] = placed{position: bones[i].position, turn: bones[i].turn}
	}
	return out
}

// animate returns the bones of the file of an origin in the first frame of animation i of that file, or nil if the animation has no
// data.
func (m *motion) animate(g *origin, i int) ([]placed, error) {
	list, err := g.file.header("animations", animations, animationSize)
	if err != nil {
		return nil, err
	}
	flags := le.Int32(list.record(i)[12:])
	if flags&(flagDelta|flagZeros) != 0 {
		return nil, nil
	}
	block, at, err := g.file.locate(list, i)
	if err != nil || block < 0 || at == 0 {
		return nil, err
	}
	f, from := g.file, list.offset(i)
	out := rest(g.bones)
	if block > 0 {
		other, start, ok, err := m.block(g.file, block)
		if err != nil {
			return nil, err
		}
		if !ok {
			return out, g.zeroFrame(list, i, out)
		}
		f, from = other, start
	}
	if from += int64(at); from < 0 || from >= int64(len(f.data)) {
		return nil, fault("bounds", f.what, "animation %d at %d is outside its %d bytes", i, from, len(f.data))
	}
	a := &tracks{bones: g.bones, data: f.data[from:], what: f.what}
	if flags&flagFrames != 0 {
		return out, a.frames(out)
	}
	ok, err := a.records(out)
	if !ok {
		return nil, err
	}
	return out, err
}

// locate returns the block that has the first frame of animation i, 0 for the model's own file, and the offset in it; the offset is 0
// if there is no data. Long animations are divided into sections.
func (f *file) locate(list table, i int) (block, at int32, err error) {
	b := list.record(i)
	if le.Int32(b[84:]) == 0 {
		return le.Int32(b[52:]), le.Int32(b[56:]), nil
	}
	if f.int32(4) <= 45 {
		return 0, 0, nil // of another layout, which the engine skips too
	}
	section, err := f.bytes("a section", list.offset(i)+int64(le.Int32(b[80:])), 8)
	if err != nil {
		return 0, 0, err
	}
	return le.Int32(section), le.Int32(section[4:]), nil
}

// block returns the file of animations of f and the offset of a block in it.
func (m *motion) block(f *file, i int32) (other *file, from int64, ok bool, err error) {
	t, err := f.header("blocks of animations", animationParts, 8)
	if err != nil {
		return nil, 0, false, err
	}
	if int(i) >= t.len() {
		return nil, 0, false, fault("index-range", f.what, "block %d of %d", i, t.len())
	}
	name := f.text(int64(f.int32(animationFile)))
	if name == "" {
		return nil, 0, false, nil
	}
	found, ok, err := m.job.other(name, "its animations", "its bones stay where they are")
	return &found, int64(le.Int32(t.record(int(i)))), ok, err
}

// Flags of bones that the model stores in some frames of animations that are in another file.
const (
	savedPosition = 1 << 21
	savedTurn     = 1 << 22
	savedOther    = 1 << 23 // of a layout that no public header documents
)

// zeroFrame moves the bones to their positions in the first frame of animation i as the model stores it for the time until its file
// of animations is read.
func (g *origin) zeroFrame(list table, i int, frame []placed) error {
	b := list.record(i)
	count, at := int64(int16(binary.LittleEndian.Uint16(b[90:]))), list.offset(i)+int64(le.Int32(b[92:]))
	if count <= 0 || le.Int32(b[92:]) == 0 {
		return nil
	}
	for k := range g.bones {
		flags := g.bones[k].flags
		if flags&savedOther != 0 {
			return nil
		}
		for _, saved := range []struct {
			flag int32
			size int64
			put  func(*placed, []byte)
		}{{savedPosition, 6, putHalves}, {savedTurn, 8, putTurn64}} {
			if flags&saved.flag == 0 {
				continue
			}
			data, err := g.file.bytes("stored frames", at, saved.size*count)
			if err != nil {
				return err
			}
			saved.put(&frame[k], data)
			frame[k].moved = true
			at += saved.size * count
		}
	}
	return nil
}
