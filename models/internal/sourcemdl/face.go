package sourcemdl

import (
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxShapes is the most flexes of a model that are used. The engine has 1024 names for them (Source SDK 2013,
// public/studio.h, MAXSTUDIOFLEXDESC).
const maxShapes = 1024

// face is the flexes of a model: parts of facial expressions, each of which moves vertices of several meshes.
type face struct {
	decoding *decoding
	file     *file
	labels   []string // the names to which the game assigns weights
	names    []string // the names of the shapes
	index    map[shapeRamp]int
	meshes   map[int][]flex // by mesh
	scale    float32        // of fixed-point numbers: map units per step; 0 for half floats
	mixed    *world.Face
	many     bool // there are more than maxShapes
}

// shapeRamp identifies a shape: the label whose weight controls it, and the ramp from that weight to its own. A label
// may have several shapes with different ramps.
type shapeRamp struct {
	label int
	ramp  [4]float32
}

// flex is the part of a shape that moves vertices of one mesh. A vertex belongs to shapes[1] by its side (0 to 1),
// and to shapes[0] by 1 less its side: the right and left halves of the face. Both are the same if the shape has no
// halves. A shape of -1 is left out.
type flex struct {
	shapes   [2]int
	vertices modelfile.Table
}

// plain is the ramp of a shape whose weight is its label's.
var plain = [4]float32{0, 1, 10, 11}

// readFace reads the flexes of all meshes of body parts. It returns nil if there are none, or if a table is broken, which is an issue.
func readFace(j *decoding, f *file, parts []part) (*face, error) {
	names, err := f.header("names of flexes", flexNames, flexNameSize)
	if err != nil || names.Len() == 0 {
		return nil, leftOut(j, err)
	}
	if names.Len() > maxShapes {
		return nil, leftOut(j, modelfile.Fault("count", f.What, "%d names of flexes", names.Len()))
	}
	d := &face{decoding: j, file: f, index: map[shapeRamp]int{}, meshes: map[int][]flex{}, mixed: &world.Face{}}
	if flags := f.uint32(headerFlags); flags&flagFixedFlex != 0 {
		if d.scale = 1.0 / 4096; flags&flagFlexScale != 0 {
			d.scale = le.Float32(f.Data[flexScale:])
		}
	}
	for i := range names.Len() {
		d.labels = append(d.labels, f.text(names.Offset(i)+int64(le.Int32(names.Record(i)))))
	}
	for i := range parts {
		for k := range parts[i].variants {
			for n := range parts[i].variants[k].meshes {
				m := &parts[i].variants[k].meshes[n]
				if err := d.read(m); err != nil {
					return nil, leftOut(j, fmt.Errorf("body part %d: %w", i, err))
				}
			}
		}
	}
	if len(d.names) == 0 {
		return nil, nil
	}
	if d.many {
		j.Note("model-flexes", "it has more than %d flexes: the others are left out", maxShapes)
	}
	if err = d.mix(); limit.Fatal(err) {
		return nil, err
	} else if err != nil {
		j.Note("model-flexes", "%v: the rules of its flexes are left out", err)
		d.mixed.Controllers, d.mixed.Rules = nil, nil
	}
	return d, j.memory.Reserve(limit.Bytes[world.FlexRamp](len(d.names)) + 64*int64(len(d.names)))
}

// leftOut turns an error in a table into an issue. It returns the error if it ends the conversion.
func leftOut(j *decoding, err error) error {
	if err == nil || limit.Fatal(err) {
		return err
	}
	j.Note("model-flexes", "%v: its flexes are left out", err)
	return nil
}

// read reads the flexes of a mesh, mstudioflex_t.
func (d *face) read(m *mesh) error {
	f := d.file
	b := f.Data[m.record:][:meshSize]
	list, err := f.Table("flexes", le.Int32(b[16:]), m.record+int64(le.Int32(b[20:])), flexSize)
	if err == nil {
		err = f.pay(int64(len(list.Data)))
	}
	if err == nil {
		err = d.decoding.memory.Borrow(limit.Bytes[flex](2 * list.Len()))
	}
	if err != nil {
		return err
	}
	for i := range list.Len() {
		b, size := list.Record(i), flexVertexSize
		if b[32] == 1 { // records with wrinkles, which only the shader uses
			size = wrinkleVertexSize
		}
		vertices, err := f.Table("vertices of a flex", le.Int32(b[20:]), list.Offset(i)+int64(le.Int32(b[24:])), size)
		if err == nil {
			err = f.pay(int64(len(vertices.Data)))
		}
		if err != nil {
			return err
		}
		key := shapeRamp{int(le.Int32(b)), [4]float32{le.Float32(b[4:]), le.Float32(b[8:]), le.Float32(b[12:]), le.Float32(b[16:])}}
		pair := shapeRamp{int(le.Int32(b[28:])), key.ramp}
		for _, label := range []int{key.label, pair.label} {
			if label < 0 || label >= len(d.labels) {
				return modelfile.Fault("index-range", f.What, "flex %d of %d", label, len(d.labels))
			}
		}
		if !modelfile.InRange(key.ramp[:]...) {
			return modelfile.Fault("range", f.What, "a flex is for weights of %g", key.ramp)
		}
		if pair.label == 0 {
			pair = key
		}
		x := flex{vertices: vertices}
		for side, key := range []shapeRamp{key, pair} {
			x.shapes[side] = d.shape(key)
		}
		d.meshes[m.id] = append(d.meshes[m.id], x)
	}
	return nil
}

// shape returns the index of a shape, adding it if it is new, or -1 if there are too many. The second shape of a
// label is called LABEL_2.
func (d *face) shape(key shapeRamp) int {
	i, ok := d.index[key]
	if ok {
		return i
	}
	if len(d.names) == maxShapes {
		d.many = true
		return -1
	}
	label, others := d.labels[key.label], 1
	for other := range d.index {
		if other.label == key.label {
			others++
		}
	}
	name := label
	if others > 1 {
		name = fmt.Sprintf("%s_%d", label, others)
	}
	if key.ramp != plain {
		d.mixed.Ramps = append(d.mixed.Ramps, world.FlexRamp{Shape: name, Name: label, At: key.ramp})
	}
	d.index[key] = len(d.names)
	d.names = append(d.names, name)
	return len(d.names) - 1
}

// morphTargetList returns the names of the model's morph targets.
func (d *face) morphTargetList() *world.MorphTargets {
	return &world.MorphTargets{Frames: 1 + len(d.names), Names: d.names}
}

// morphTargets returns the displacements of a mesh's vertices by each shape. Vertices are in the order of the strip
// groups.
func (d *face) morphTargets(m *mesh) ([]world.MorphTarget, error) {
	if err := d.decoding.memory.Reserve(limit.Bytes[world.MorphTarget](len(d.names))); err != nil {
		return nil, err
	}
	out := make([]world.MorphTarget, len(d.names))
	flexes := d.meshes[m.id]
	if len(flexes) == 0 {
		return out, nil
	}
	at, err := d.places(m)
	if err != nil {
		return nil, err
	}
	for shape := range out {
		moved := map[uint32][2][3]float32{} // the changes of a vertex's position and normal
		for i := range flexes {
			if x := &flexes[i]; x.shapes[0] == shape || x.shapes[1] == shape {
				if err := d.add(moved, x, shape, at); err != nil {
					return nil, err
				}
			}
		}
		if len(moved) == 0 {
			continue
		}
		if err := d.decoding.memory.Reserve(28 * int64(len(moved))); err != nil {
			return nil, err
		}
		s := world.MorphTarget{Vertices: make([]uint32, 0, len(moved))}
		for v := range moved {
			s.Vertices = append(s.Vertices, v)
		}
		slices.Sort(s.Vertices)
		for _, v := range s.Vertices {
			s.Positions, s.Normals = append(s.Positions, moved[v][0]), append(s.Normals, moved[v][1])
		}
		out[shape] = s
	}
	return out, d.decoding.ctx.Err()
}

// places returns, for each vertex of a mesh, the surface's vertices that show it.
func (d *face) places(m *mesh) (map[int][]uint32, error) {
	out, n := map[int][]uint32{}, uint32(0)
	for i := range m.groups {
		t := m.groups[i].vertices
		if err := d.decoding.memory.Borrow(64 * int64(t.Len())); err != nil {
			return nil, err
		}
		for k := range t.Len() {
			v := index16(t.Record(k)[4:])
			out[v] = append(out[v], n)
			n++
		}
	}
	return out, nil
}

// add adds one flex to the displacements of a shape. Its records are mstudiovertanim_t: a vertex index, a speed
// (which matters only while the weight changes), a side, and the change of position and normal.
func (d *face) add(moved map[uint32][2][3]float32, x *flex, shape int, at map[int][]uint32) error {
	for i := range x.vertices.Len() {
		if i%checkEvery == 0 && d.decoding.ctx.Err() != nil {
			return d.decoding.ctx.Err()
		}
		b := x.vertices.Record(i)
		second := float32(b[3]) / 255
		share := float32(0)
		if x.shapes[0] == shape {
			share = 1 - second
		}
		if x.shapes[1] == shape {
			share += second
		}
		var by [2][3]float32
		for k := range 6 {
			by[k/3][k%3] = d.number(b[4+2*k:]) * share
		}
		if !modelfile.InRange(by[0][:]...) || !modelfile.InRange(by[1][:]...) {
			return modelfile.Fault("range", d.file.What, "a flex moves a vertex by %g", by[0])
		}
		if by == [2][3]float32{} {
			continue
		}
		for _, v := range at[index16(b)] {
			sum := moved[v]
			for k := range by {
				for axis, n := range by[k] {
					sum[k][axis] += n
				}
			}
			moved[v] = sum
		}
	}
	return nil
}

// number reads a coordinate: a half float, or a fixed-point number in files that were converted for consoles.
func (d *face) number(b []byte) float32 {
	if d.scale != 0 {
		return float32(int16(index16(b))) * d.scale
	}
	return float32(half(b))
}
