package mdl

import (
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/turn"
)

// Flags of sequences and animations.
const (
	flagDelta  = 0x4  // it is added to other animations
	flagZeros  = 0x20 // it has no data
	flagFrames = 0x40 // of animations: it is stored frame by frame
)

const (
	poseCost  = 96 // bytes of a bone in a pose
	labelCost = 64 // estimated bytes of a sequence's name
)

// pose holds, by bone, the matrix that moves vertices; it is nil if no bone moves them.
type pose []turn.Matrix

// move returns a vertex's position and normal in the pose: the weighted mean of its bones' transformations.
func (p pose) move(v *vertex) (position, normal [3]float32, err error) {
	var at, direction [3]float64
	total := 0.0
	for i := range v.count {
		if int(v.bones[i]) >= len(p) {
			return position, normal, fault("index-range", "the vertices", "bone %d of %d", v.bones[i], len(p))
		}
		m, weight := &p[v.bones[i]], float64(v.weights[i])
		total += weight
		to, turned := m.Direction(v.position), m.Direction(v.normal)
		for k := range 3 {
			at[k] += float64(weight * (to[k] + m[k][3]))
			direction[k] += float64(weight * turned[k])
		}
	}
	if !(total > 1e-6) {
		return v.position, turn.Unit(wide(v.normal)), nil // no bone moves it
	}
	for k := range at {
		position[k] = float32(at[k] / total)
	}
	return position, turn.Unit(direction), nil
}

// poses makes the poses of a model.
type poses struct {
	job    *job
	file   *file
	bones  []bone
	list   []pose
	index  map[int]int    // from sequence to index into list; -1 for no pose
	labels map[string]int // from names to numbers of sequences; nil until first needed
}

// of returns the index of the pose for the first frame of a look's sequence.
func (d *poses) of(l Look) (int, error) {
	sequence := -1
	if d.file.int32(headerFlags)&flagStaticProp == 0 && len(d.bones) > 0 {
		var err error
		if sequence, err = d.sequence(l); err != nil {
			return 0, err
		}
	}
	p, ok := d.index[sequence]
	if ok {
		return p, nil
	}
	if err := d.job.memory.borrow(int64(len(d.bones)) * poseCost); err != nil {
		return 0, err
	}
	var made pose
	if sequence >= 0 {
		frame, err := d.frame(sequence)
		switch {
		case fatal(err):
			return 0, err
		case err != nil:
			d.job.issue("model-animation", "sequence %d: %v: its bones stay where they are", sequence, err)
		default:
			made = d.stand(frame)
		}
	}
	d.list = append(d.list, made)
	d.index[sequence] = len(d.list) - 1
	return len(d.list) - 1, nil
}

// sequence returns the number of a look's sequence, or -1 if the sequence is in another model or the file has none.
func (d *poses) sequence(l Look) (int, error) {
	t, err := d.file.header("sequences", sequences, sequenceSize)
	if err != nil {
		return 0, err
	}
	if l.Animation != "" {
		if err := d.readLabels(t); err != nil {
			return 0, err
		}
		if i, ok := d.labels[l.Animation]; ok {
			return i, nil
		}
	} else if l.Sequence >= 0 && l.Sequence < t.len() {
		return l.Sequence, nil
	}
	if d.file.int32(includeModels) > 0 {
		d.job.issue("model-animation", "sequence %d %q is in a model that it includes: its bones stay where they are", l.Sequence, l.Animation)
		return -1, nil
	}
	return min(0, t.len()-1), nil
}

// readLabels reads the names of the sequences, once; if two have the same name, the first counts.
func (d *poses) readLabels(t table) error {
	if d.labels != nil {
		return nil
	}
	d.labels = map[string]int{}
	for i := range t.len() {
		label := entlump.Lower(d.file.text(t.offset(i) + int64(le.Int32(t.record(i)[4:]))))
		if err := d.job.memory.borrow(int64(len(label)) + labelCost); err != nil {
			return err
		}
		if _, have := d.labels[label]; !have {
			d.labels[label] = i
		}
	}
	return nil
}

// placed is a bone's position and rotation relative to its parent.
type placed struct {
	position [3]float64
	turn     quaternion
}

// stand returns the pose with the bones placed as in a frame; it is nil for a nil frame.
func (d *poses) stand(frame []placed) pose {
	if frame == nil {
		return nil
	}
	p := make(pose, len(d.bones))
	for i := range d.bones {
		p[i] = frame[i].turn.matrix(frame[i].position)
		if parent := d.bones[i].parent; parent >= 0 {
			p[i] = p[parent].Times(&p[i])
		}
	}
	// Done last: children need the bone's own position, not its effect on vertices.
	for i := range p {
		p[i] = p[i].Times(&d.bones[i].toBone)
		for _, row := range p[i] {
			if !sane(row[:]...) {
				d.job.issue("model-animation", "bone %d is at %g: all stay where they are", i, p[i])
				return nil
			}
		}
	}
	return p
}

// frame returns the bones' positions in the first frame of a sequence, or nil if they stay in their rest position. Of
// the animations that the sequence blends, the first is used.
func (d *poses) frame(sequence int) ([]placed, error) {
	t, err := d.file.header("sequences", sequences, sequenceSize)
	if err != nil {
		return nil, err
	}
	b := t.record(sequence)
	if le.Int32(b[12:])&flagDelta != 0 {
		return nil, nil
	}
	list, err := d.file.header("animations", animations, animationSize)
	if err != nil {
		return nil, err
	}
	blend, err := d.file.bytes("blends", t.offset(sequence)+int64(le.Int32(b[60:])), 2)
	if err != nil {
		return nil, err
	}
	i := index16(blend)
	if i >= list.len() {
		d.job.issue("model-animation", "sequence %d shows animation %d of %d: its bones stay where they are", sequence, i, list.len())
		return nil, nil
	}
	frame := make([]placed, len(d.bones))
	for k := range d.bones {
		frame[k] = placed{d.bones[k].position, d.bones[k].turn}
	}
	ok, err := d.animation(list, i, frame)
	if err != nil || !ok {
		return nil, err
	}
	return frame, d.weigh(t, sequence, frame)
}

// weigh resets the bones that a sequence does not affect.
func (d *poses) weigh(t table, sequence int, frame []placed) error {
	at := le.Int32(t.record(sequence)[156:])
	if at == 0 {
		return nil
	}
	weights, err := d.file.bytes("weights", t.offset(sequence)+int64(at), 4*int64(len(frame)))
	if err != nil {
		return err
	}
	for i := range frame {
		if le.Float32(weights[4*i:]) == 0 {
			frame[i] = placed{d.bones[i].position, d.bones[i].turn}
		}
	}
	return nil
}

// animation moves the bones to their positions in an animation's first frame; ok is false if the animation has no data.
func (d *poses) animation(list table, i int, frame []placed) (ok bool, err error) {
	b := list.record(i)
	flags := le.Int32(b[12:])
	if flags&(flagDelta|flagZeros) != 0 {
		return false, nil
	}
	block, at := le.Int32(b[52:]), le.Int32(b[56:])
	if le.Int32(b[84:]) != 0 { // long animations are divided into sections
		if d.file.int32(4) <= 45 {
			return false, nil // of another layout, which the engine skips too
		}
		section, err := d.file.bytes("a section", list.offset(i)+int64(le.Int32(b[80:])), 8)
		if err != nil {
			return false, err
		}
		block, at = le.Int32(section), le.Int32(section[4:])
	}
	f, from := d.file, list.offset(i)
	switch {
	case block < 0 || at == 0:
		return false, nil
	case block > 0:
		if f, from, ok, err = d.block(block); err != nil || !ok {
			return false, err
		}
	}
	if from += int64(at); from < 0 || from >= int64(len(f.data)) {
		return false, fault("bounds", f.what, "animation %d at %d is outside its %d bytes", i, from, len(f.data))
	}
	a := &tracks{bones: d.bones, data: f.data[from:], what: f.what}
	if flags&flagFrames != 0 {
		return true, a.frames(frame)
	}
	return a.records(frame)
}

// block returns the file of animations and the offset of a block in it.
func (d *poses) block(i int32) (f *file, from int64, ok bool, err error) {
	t, err := d.file.header("blocks of animations", animationParts, 8)
	if err != nil {
		return nil, 0, false, err
	}
	if int(i) >= t.len() {
		return nil, 0, false, fault("index-range", d.file.what, "block %d of %d", i, t.len())
	}
	name := d.file.text(int64(d.file.int32(animationFile)))
	if name == "" {
		return nil, 0, false, nil
	}
	other, ok, err := d.job.other(name, "its animations")
	return &other, int64(le.Int32(t.record(int(i)))), ok, err
}
