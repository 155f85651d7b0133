package darkplaces

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
	"github.com/bsp2gltf/bsp2gltf/models/internal/skeleton"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Doom 3's models are text. NAME.md5mesh has the bind pose of the bones, and vertices as weighted sums of points that
// are relative to bones; NAME.md5anim has a pose for each frame. Quake's re-release and its ports have both beside a
// .mdl, with as many poses as that has frames. Ironwail, gl_model.c, Mod_LoadMD5MeshModel; id Software, Doom 3 SDK.

// DecodeMD5 is Decode for a NAME.md5mesh. anim is the text of the .md5anim; without one the model is in its bind
// pose. sequences names the sequences and gives the number of frames of each, in order; if the numbers don't add up
// to the poses, all poses are one sequence. Each appearance shows the pose with the number of its frame. With
// rig.Shown only appearances that play several frames have bones.
func DecodeMD5(ctx context.Context, name string, data, anim []byte, sequences []world.MorphSequence, appearances []skeleton.Appearance,
	rig skeleton.Options, b *limit.Budget) (r Result, err error) {
	frames := make([]int, len(appearances))
	for i, a := range appearances {
		frames[i] = a.Frame
		rig.Bones = rig.Bones && a.Moves && (!rig.Shown || a.Frames > 1)
	}
	return decode(ctx, name, int64(len(data)+len(anim)), frames, rig, b, func() (*file, error) { return readMD5(data, anim, sequences) })
}

// readMD5 reads a model and its poses.
func readMD5(data, anim []byte, sequences []world.MorphSequence) (*file, error) {
	f := &file{posed: true}
	m := &md5File{words: newWords("md5mesh", data), out: f}
	if err := m.mesh(); err != nil {
		return nil, err
	}
	f.poses = 1
	f.pose = m.standing
	if anim != nil {
		a := &md5File{words: newWords("md5anim", anim), out: f}
		if err := a.anim(); err != nil {
			return nil, err
		}
	}
	n := 0
	for _, s := range sequences {
		f.scenes = append(f.scenes, sequence{name: s.Name, first: n, count: len(s.Frames), fps: s.FPS, loops: true})
		n += len(s.Frames)
	}
	if n != f.poses {
		f.scenes = []sequence{{name: "frames", count: f.poses, fps: 10, loops: true}}
	}
	return f, f.check()
}

// maxSharing is how many vertices, on average, may share a weight. Exporters write each for one vertex.
const maxSharing = 16

// md5File is an .md5mesh or .md5anim while it is read.
type md5File struct {
	*words
	out   *file
	stood []space.Matrix // by bone: its world matrix in the bind pose
}

// head reads the version and the command line.
func (m *md5File) head() error {
	m.expect("MD5Version", "10")
	if m.peek() == "commandline" {
		m.next()
		m.next()
	}
	return m.fault
}

// mesh reads an .md5mesh.
func (m *md5File) mesh() error {
	if err := m.head(); err != nil {
		return err
	}
	m.expect("numJoints")
	bones := m.count(12)
	m.expect("numMeshes")
	meshes := m.count(30)
	m.expect("joints", "{")
	for i := 0; i < bones && m.fault == nil; i++ {
		b := bone{name: entlump.Text(m.next()), parent: m.number()}
		if b.parent < -1 || b.parent >= i {
			return modelfile.Fault("index-range", "joints", "bone %d has parent %d", i, b.parent)
		}
		at, turn := m.vector(), m.vector()
		j := space.NewMatrix(at, quaternion(turn))
		if !modelfile.InRange(at[:]...) {
			return modelfile.Fault("range", "joints", "bone %d is at %g", i, at)
		}
		m.stood = append(m.stood, j)
		m.out.bones, m.out.inverse = append(m.out.bones, b), append(m.out.inverse, j.Inverse())
	}
	m.expect("}")
	for i := 0; i < meshes && m.fault == nil; i++ {
		if err := m.surface(); err != nil {
			return err
		}
	}
	return m.fault
}

// quaternion returns a rotation by its first three components; the fourth is not positive.
func quaternion(v [3]float64) [4]float64 {
	rest := 1 - float64(v[0]*v[0]) - float64(v[1]*v[1]) - float64(v[2]*v[2])
	return space.UnitQuaternion([4]float64{v[0], v[1], v[2], -math.Sqrt(max(rest, 0))})
}

// standing returns the transform of a bone relative to its parent in the bind pose.
func (m *md5File) standing(_, bone int) world.Joint {
	at := m.stood[bone]
	if p := m.out.bones[bone].parent; p >= 0 {
		at = m.out.inverse[p].Times(&at)
	}
	return skeleton.JointOf(&at)
}

// md5Weight is a point relative to a bone, and its share of a vertex.
type md5Weight struct {
	bone  int
	share float64
	at    [3]float32
}

// surface reads a mesh. Its triangles are clockwise seen from the front.
func (m *md5File) surface() error {
	m.expect("mesh", "{", "shader")
	shader := m.next()
	m.expect("numverts")
	verts := make([]world.Vertex, m.count(12))
	parts := make([][2]int, len(verts)) // first weight and number of weights of each vertex
	for m.fault == nil && m.peek() == "vert" {
		m.next()
		i := m.index(len(verts), "vertex")
		m.expect("(")
		u, v := m.float(), m.float()
		m.expect(")")
		first, n := m.number(), m.number()
		if m.fault == nil {
			verts[i] = world.Vertex{UV: [2]float32{float32(u), float32(v)}, Color: [4]float32{1, 1, 1, 1}}
			parts[i] = [2]int{first, n}
		}
	}
	m.expect("numtris")
	triangles := make([]uint32, 3*m.count(8))
	base := uint32(len(m.out.base))
	for m.fault == nil && m.peek() == "tri" {
		m.next()
		i := m.index(len(triangles)/3, "triangle")
		for k := range 3 {
			if v := m.index(len(verts), "vertex"); m.fault == nil {
				triangles[3*i+2-k] = base + uint32(v)
			}
		}
	}
	m.expect("numweights")
	weights := make([]md5Weight, m.count(12))
	for m.fault == nil && m.peek() == "weight" {
		m.next()
		i := m.index(len(weights), "weight")
		w := md5Weight{bone: m.index(len(m.out.bones), "bone"), share: m.float()}
		w.at = space.Vector32(m.vector())
		if m.fault == nil {
			weights[i] = w
		}
	}
	m.expect("}")
	if m.fault != nil {
		return m.fault
	}
	used := 0
	for i := range verts {
		first, n := parts[i][0], parts[i][1]
		if first < 0 || n < 0 || first > len(weights) || n > len(weights)-first || n > 0 && len(m.out.bones) == 0 {
			return modelfile.Fault("index-range", "vertices", "vertex %d: %d weights from %d of %d", i, n, first, len(weights))
		}
		if used += n; used > maxSharing*len(weights) {
			return modelfile.Fault("index-range", "vertices", "vertex %d: the vertices up to here have %d weights, of %d in the file",
				i, used, len(weights))
		}
		var sum [3]float64
		var bound skeleton.Weights
		for _, w := range weights[first : first+n] {
			p := m.stood[w.bone].Point(w.at)
			for k := range sum {
				sum[k] += float64(p[k] * w.share)
			}
			bound.Add(uint8(w.bone), w.share)
		}
		verts[i].Position = space.Vector32(sum)
		m.out.bindings = append(m.out.bindings, bound.Binding())
	}
	smoothSeams(verts, triangles, base)
	m.out.base = append(m.out.base, verts...)
	m.out.triangles = append(m.out.triangles, triangles)
	m.out.names, m.out.materials = append(m.out.names, ""), append(m.out.materials, entlump.Text(shader))
	return nil
}

// smoothSeams computes the normals of a mesh, which the file lacks. Vertices at the same place share a normal, as in
// the engine.
func smoothSeams(verts []world.Vertex, triangles []uint32, base uint32) {
	same := make([]int, len(verts)) // the first vertex at the same place
	first := make(map[[3]float32]int, len(verts))
	at := make([][3]float32, len(verts))
	for i := range verts {
		at[i] = verts[i].Position
		k, ok := first[at[i]]
		if !ok {
			k = i
			first[at[i]] = i
		}
		same[i] = k
	}
	normals := skeleton.Normals(at, len(triangles)/3, func(i int) (t [3]int) {
		for k := range t {
			t[k] = same[triangles[3*i+k]-base]
		}
		return t
	})
	for i := range verts {
		verts[i].Normal = normals[same[i]]
	}
}

// anim reads an .md5anim: for each bone, which of the six numbers of its transform change, and their values in each
// frame.
func (m *md5File) anim() error {
	if err := m.head(); err != nil {
		return err
	}
	f := m.out
	m.expect("numFrames")
	frames := m.count(2)
	m.expect("numJoints")
	if n := m.number(); m.fault == nil && n != len(f.bones) {
		return modelfile.Fault("count", "md5anim", "it has %d bones, the mesh %d", n, len(f.bones))
	}
	m.expect("frameRate")
	m.float()
	m.expect("numAnimatedComponents")
	n := m.count(1)
	if m.fault == nil && (frames < 1 || int64(frames)*int64(n) > int64(len(m.text))) {
		return modelfile.Fault("count", "md5anim", "%d frames of %d numbers in %d bytes", frames, n, len(m.text))
	}
	type part struct{ flags, offset int }
	parts := make([]part, len(f.bones))
	m.expect("hierarchy", "{")
	for i := 0; i < len(parts) && m.fault == nil; i++ {
		name := entlump.Text(m.next())
		parent := m.number()
		parts[i] = part{m.number(), m.number()}
		changes := 0
		for k := range 6 {
			changes += parts[i].flags >> k & 1
		}
		switch {
		case m.fault != nil:
		case name != f.bones[i].name || parent != f.bones[i].parent:
			return modelfile.Fault("index-range", "hierarchy", "bone %d is another than in the mesh", i)
		case parts[i].offset < 0 || changes > 0 && parts[i].offset > n-changes:
			return modelfile.Fault("index-range", "hierarchy", "bone %d: %d numbers from %d of %d", i, changes, parts[i].offset, n)
		}
	}
	m.expect("}", "bounds", "{")
	for m.fault == nil && m.peek() == "(" {
		m.vector()
	}
	m.expect("}", "baseframe", "{")
	rest := make([][6]float64, len(parts))
	for i := 0; i < len(rest) && m.fault == nil; i++ {
		at, turn := m.vector(), m.vector()
		rest[i] = [6]float64{at[0], at[1], at[2], turn[0], turn[1], turn[2]}
	}
	m.expect("}")
	values := make([]float32, frames*n)
	for m.fault == nil && m.peek() == "frame" {
		m.next()
		i := m.index(frames, "frame")
		m.expect("{")
		for k := 0; k < n && m.fault == nil; k++ {
			values[i*n+k] = float32(m.float())
		}
		m.expect("}")
	}
	f.poses = frames
	f.pose = func(pose, bone int) world.Joint {
		p, at := rest[bone], parts[bone].offset
		for k := range p {
			if parts[bone].flags>>k&1 == 1 {
				p[k] = float64(values[pose*n+at])
				at++
			}
		}
		return world.Joint{Position: [3]float64{p[0], p[1], p[2]}, Rotation: quaternion([3]float64{p[3], p[4], p[5]})}
	}
	return m.fault
}

// words reads a text word by word. After a fault it returns empty words and zeros.
type words struct {
	what, text string
	ahead      string
	peeked     bool
	fault      error
}

func newWords(what string, data []byte) *words { return &words{what: what, text: string(data)} }

// next returns the next word: in quotes, a bracket, or up to the next blank or bracket.
func (w *words) next() string {
	if w.peeked {
		w.peeked = false
		return w.ahead
	}
	for {
		w.text = strings.TrimLeft(w.text, " \t\r\n\x00")
		if !strings.HasPrefix(w.text, "//") {
			break
		}
		_, w.text, _ = strings.Cut(w.text, "\n")
	}
	if w.text == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(w.text, `"`); ok {
		word, after, _ := strings.Cut(rest, `"`)
		w.text = after
		return word
	}
	n := 1
	if !strings.ContainsRune("(){}", rune(w.text[0])) {
		if n = strings.IndexAny(w.text, " \t\r\n(){}\""); n < 0 {
			n = len(w.text)
		}
	}
	word := w.text[:n]
	w.text = w.text[n:]
	return word
}

func (w *words) peek() string {
	if !w.peeked {
		w.ahead = w.next()
		w.peeked = true
	}
	return w.ahead
}

func (w *words) fail(format string, args ...any) {
	if w.fault == nil {
		w.fault = modelfile.Fault("syntax", w.what, format, args...)
	}
}

// expect reads words that must follow.
func (w *words) expect(list ...string) {
	for _, want := range list {
		if w.fault != nil {
			return
		}
		if got := w.next(); got != want {
			w.fail("%.40q where %q should be", got, want)
		}
	}
}

// float reads a number.
func (w *words) float() float64 {
	if w.fault != nil {
		return 0
	}
	word := w.next()
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !modelfile.InRange(x) {
		w.fail("%.40q is no number that can be", word)
		return 0
	}
	return x
}

// number reads a whole number.
func (w *words) number() int { return int(w.float()) }

// count reads the number of records that follow; each takes at least least bytes of the text.
func (w *words) count(least int) int {
	n := w.number()
	if w.fault == nil && (n < 0 || n > len(w.text)/least) {
		w.fail("%d records in %d bytes", n, len(w.text))
	}
	if w.fault != nil {
		return 0
	}
	return n
}

// index reads the index of one of n records.
func (w *words) index(n int, what string) int {
	i := w.number()
	if w.fault == nil && (i < 0 || i >= n) {
		w.fail("%s %d of %d", what, i, n)
	}
	if w.fault != nil {
		return 0
	}
	return i
}

// vector reads three numbers in brackets.
func (w *words) vector() (v [3]float64) {
	w.expect("(")
	for k := range v {
		v[k] = w.float()
	}
	w.expect(")")
	return v
}
