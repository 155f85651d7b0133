package sourcemdl

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/sourcemdl/joints"
)

// motion is the sequences and animations that a model can show: its own and, once needed, those of the models that it
// includes. If several files have the same name, the first one counts, except that a reserved one is replaced by the
// next. Source SDK 2013, public/studio_virtualmodel.cpp.
type motion struct {
	decoding   *decoding
	bones      []bone // of the model
	parents    []int  // of the model's bones, or -1
	followers  []joints.ProceduralBone
	origins    []sequenceFile
	sequences  []sequence
	animations []animation
	labels     map[string]int // index of a sequence by its label
	names      map[string]int // index of an animation by its name
	pool       jointPool
	complete   bool // the included models have been read
}

// sequenceFile is a file with sequences: the model itself (always the first), or a model that it includes. Their
// bones may differ in number and order, so they are matched by name.
type sequenceFile struct {
	file       *file
	bones      []bone
	from       []int // by bone of the model: the bone of that name in this file, or -1
	animations []int // by number in this file, an index into motion.animations
	sequences  []int // likewise
}

// sequence is mstudioseqdesc_t.
type sequence struct {
	origin          int    // index of the file that it is in
	number          int    // in that file
	name            string // as stored
	label, activity string // in lower case
	weight          int    // how often the game chooses it among those with its activity
	flags           int32
}

// animation is mstudioanimdesc_t: a number in a file.
type animation struct{ origin, number int }

// Flags of sequences and animations.
const (
	flagLoops    = 0x1    // of sequences: its last frame equals its first
	flagDelta    = 0x4    // it is added to other animations
	flagPost     = 0x10   // of delta sequences: rotations are about a bone's own axes, not its parent's
	flagZeros    = 0x20   // it has no data
	flagFrames   = 0x40   // of animations: it is stored frame by frame
	flagByPose   = 0x80   // of sequences: a pose parameter replaces the time
	flagOwnTime  = 0x100  // of sequences: it runs in real time
	flagLocal    = 0x200  // of sequences: it has local layers
	flagReserved = 0x800  // of sequences: it only reserves the name
	flagWorld    = 0x4000 // of sequences: rotations are mixed in the model's axes
)

const (
	recordCost   = 128     // estimated bytes of a sequence or animation besides its names
	maxOrigins   = 256     // the most files that a model includes, at all levels; the engine allows 64 in each file
	maxSequences = 1 << 16 // the most sequences of all files, and animations
)

// newMotion returns the motion of a model, without included models.
func newMotion(j *decoding, f *file, bones []bone) (*motion, error) {
	list, err := followers(j, f, bones)
	if err != nil {
		return nil, err
	}
	m := &motion{decoding: j, bones: bones, followers: list, labels: map[string]int{}, names: map[string]int{}}
	for i := range bones {
		m.parents = append(m.parents, bones[i].parent)
	}
	return m, m.add(f, bones)
}

// add appends the sequences and animations of a file.
func (m *motion) add(f *file, bones []bone) error {
	list, err := f.header("sequences", sequences, sequenceSize)
	if err != nil {
		return err
	}
	data, err := f.header("animations", animations, animationSize)
	if err != nil {
		m.decoding.issue("model-animation", "%v: its bones stay where they are", err)
		data = modelfile.Table{Size: animationSize}
	}
	if len(m.sequences)+list.Len() > maxSequences || len(m.animations)+data.Len() > maxSequences {
		return modelfile.Fault("count", f.What, "%d sequences, %d animations", list.Len(), data.Len())
	}
	m.origins = append(m.origins, sequenceFile{file: f, bones: bones, from: match(m.bones, bones, len(m.origins) == 0)})
	if err := m.addSequences(f, list); err != nil {
		return err
	}
	return m.addAnimations(f, data)
}

// addSequences appends the sequences of the last origin. Several may have the same label.
func (m *motion) addSequences(f *file, t modelfile.Table) error {
	g, first := &m.origins[len(m.origins)-1], len(m.sequences)
	for i := range t.Len() {
		b := t.Record(i)
		name := f.text(t.Offset(i) + int64(le.Int32(b[4:])))
		s := sequence{
			origin: len(m.origins) - 1, number: i, weight: int(le.Int32(b[20:])), flags: le.Int32(b[12:]),
			name: name, label: entlump.Lower(name),
			activity: strings.ToLower(f.text(t.Offset(i) + int64(le.Int32(b[8:])))),
		}
		if err := m.decoding.memory.Borrow(recordCost + int64(2*len(s.label)+len(s.activity))); err != nil {
			return err
		}
		k, have := m.labels[s.label]
		switch {
		case !have:
			k = len(m.sequences)
			m.sequences = append(m.sequences, s)
		case m.sequences[k].flags&flagReserved != 0:
			m.sequences[k] = s
		}
		g.sequences = append(g.sequences, k)
	}
	for i := first; i < len(m.sequences); i++ {
		if _, have := m.labels[m.sequences[i].label]; !have {
			m.labels[m.sequences[i].label] = i
		}
	}
	return nil
}

// addAnimations appends the animations of the last origin. Several may have the same name.
func (m *motion) addAnimations(f *file, t modelfile.Table) error {
	g, first := &m.origins[len(m.origins)-1], len(m.animations)
	names := make(map[string]int)
	for i := range t.Len() {
		name := entlump.Lower(f.text(t.Offset(i) + int64(le.Int32(t.Record(i)[4:]))))
		if err := m.decoding.memory.Borrow(recordCost + int64(len(name))); err != nil {
			return err
		}
		k, have := m.names[name]
		if !have {
			k = len(m.animations)
			m.animations = append(m.animations, animation{origin: len(m.origins) - 1, number: i})
		}
		g.animations = append(g.animations, k)
		if _, have := names[name]; !have && k >= first {
			names[name] = k
		}
	}
	for name, k := range names {
		m.names[name] = k
	}
	return nil
}

// include adds the sequences of the models that the model includes, and of those that these include, each once. A
// model that is missing or broken is an issue.
func (m *motion) include() error {
	if m.complete {
		return nil
	}
	m.complete = true
	return m.includeAll(m.origins[0].file, map[string]bool{m.decoding.Model: true})
}

// includeAll adds the models that a file includes, unless they have been seen.
func (m *motion) includeAll(f *file, seen map[string]bool) error {
	t, err := f.header("included models", includeModels, includeSize)
	if err != nil {
		return m.leaveOut(err)
	}
	for i := range t.Len() {
		name := clean(f.text(t.Offset(i) + int64(le.Int32(t.Record(i)[4:]))))
		if seen[name] || name == "." {
			continue
		}
		if len(m.origins) >= maxOrigins {
			return m.leaveOut(modelfile.Fault("count", f.What, "it includes more than %d models", maxOrigins))
		}
		seen[name] = true
		if err := m.includeFile(name, seen); err != nil {
			if err := m.leaveOut(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// includeFile adds a model, and those that it includes.
func (m *motion) includeFile(name string, seen map[string]bool) error {
	f, ok, err := m.decoding.other(name, "the included model", "its sequences are missing")
	if err != nil || !ok {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	bones, err := readBones(&f)
	if err != nil {
		return err
	}
	if err := m.add(&f, bones); err != nil {
		return err
	}
	return m.includeAll(&f, seen)
}

// leaveOut turns an error in an included model into an issue. It returns the error if it ends the conversion.
func (m *motion) leaveOut(err error) error {
	if limit.Fatal(err) {
		return err
	}
	m.decoding.issue("model-animation", "%v: its sequences are missing", err)
	return nil
}

// match returns, by bone, the index of the bone of the same name in a list, or -1. same states that both lists are
// the same.
func match(bones, in []bone, same bool) []int {
	index := make(map[string]int, len(in))
	for i := len(in) - 1; i >= 0; i-- {
		index[in[i].name] = i
	}
	out := make([]int, len(bones))
	for i := range bones {
		k, ok := index[bones[i].name]
		switch {
		case same:
			k = i
		case !ok:
			k = -1
		}
		out[i] = k
	}
	return out
}
