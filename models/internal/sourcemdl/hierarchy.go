package sourcemdl

import (
	"encoding/binary"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl/joints"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// hierarchy attaches a bone to another bone than its parent during a part of an animation, for example a hand to a
// rail. It is mstudiolocalhierarchy_t. The tracks state the bone's transform relative to the other one; the ramp
// states the weight.
type hierarchy struct {
	bone, parent int // of the model; parent may be -1, the model itself
	ramp         joints.Ramp
	first        int // first frame of the tracks
	steps        [6]float64
	offsets      [6]int
	tracks       *tracks
}

const (
	hierarchySize = 48
	tracksSize    = 36   // mstudiocompressedikerror_t
	maxHangs      = 1024 // the most such bones in an animation
)

// hierarchies returns the hierarchies of an animation, for bones that the model has.
func (m *motion) hierarchies(a animation) (out []hierarchy, err error) {
	g := &m.origins[a.origin]
	list, err := g.file.header("animations", animations, animationSize)
	if err != nil {
		return nil, err
	}
	b, f, from := list.Record(a.number), g.file, list.Offset(a.number)
	n, at := le.Int32(b[72:]), le.Int32(b[76:])
	if n == 0 || at == 0 {
		return nil, nil
	}
	if block := le.Int32(b[52:]); block != 0 {
		var ok bool
		if f, from, ok, err = m.block(g.file, block); err != nil || !ok {
			return nil, err
		}
	}
	if n < 0 || n > maxHangs {
		return nil, modelfile.Fault("count", f.What, "%d local hierarchies", n)
	}
	if err := g.file.pay(hierarchySize * int64(n)); err != nil {
		return nil, err
	}
	t, err := f.Table("local hierarchies", n, from+int64(at), hierarchySize)
	if err != nil {
		return nil, err
	}
	for i := range t.Len() {
		h, ok, err := newHierarchy(f, t, i, g.from)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, h)
		}
	}
	return out, nil
}

// newHierarchy reads record i of a table; ok is false if the model lacks one of its bones. from holds, by bone of the
// model, the bone in the file.
func newHierarchy(f *file, t modelfile.Table, i int, from []int) (h hierarchy, ok bool, err error) {
	b := t.Record(i)
	float := func(at int) float64 { return float64(le.Float32(b[at:])) }
	bone, parent := int(le.Int32(b)), int(le.Int32(b[4:]))
	h = hierarchy{ramp: joints.Ramp{Start: float(8), Peak: float(12), Tail: float(16), End: float(20)}, first: int(le.Int32(b[24:])),
		bone: slices.Index(from, bone), parent: -1}
	if parent != -1 {
		h.parent = slices.Index(from, parent)
	}
	if bone < 0 || h.bone < 0 || parent < -1 || parent >= 0 && h.parent < 0 {
		return h, false, nil
	}
	at := t.Offset(i) + int64(le.Int32(b[28:]))
	head, err := f.Bytes("tracks of a local hierarchy", at, tracksSize)
	if err != nil {
		return h, false, err
	}
	for k := range h.steps {
		h.steps[k] = float64(le.Float32(head[4*k:]))
		h.offsets[k] = int(int16(binary.LittleEndian.Uint16(head[24+2*k:])))
	}
	h.tracks = &tracks{data: f.Data[at:], what: f.What, marks: runCursors{}}
	return h, true, nil
}

// place returns the transform of the bone relative to the other bone in a frame of the animation.
func (h *hierarchy) place(frame int) (world.Joint, error) {
	var v [6]float64
	for k, at := range h.offsets {
		if at <= 0 {
			continue
		}
		h.tracks.frame = max(0, frame-h.first)
		step, err := h.tracks.step(at)
		if err != nil {
			return world.Joint{}, err
		}
		v[k] = step * h.steps[k]
	}
	return world.Joint{Position: [3]float64(v[:3]), Rotation: space.FromAngles([3]float64(v[3:]))}, nil
}

// reparent moves the bones of a frame that follow other bones at that time.
func (m *motion) reparent(list []hierarchy, frame []world.Joint, number, frames int) error {
	for i := range list {
		h := &list[i]
		weight := h.ramp.Hanging(float64(number) / float64(max(1, frames-1)))
		if weight == 0 {
			continue
		}
		at, err := h.place(number)
		if err != nil {
			return err
		}
		joints.Hang(m.parents, frame, h.bone, h.parent, at, weight)
	}
	return nil
}
