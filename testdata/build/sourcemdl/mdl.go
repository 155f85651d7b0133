// Package sourcemdl writes Source's studio models, IDST version 44 to 49, with their vertices (.vvd), triangles (.vtx) and
// animations (.ani).
package sourcemdl

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
)

// Flags of a model.
const (
	StaticProp = 0x10
	ShadowLOD  = 0x40 // the last level of detail is the shadow's
)

// Model is a model before it is written.
type Model struct {
	Version    int32 // 0 is 48
	Checksum   uint32
	Flags      int32
	Center     [3]float32 // where its light is taken
	Mins, Maxs [3]float32 // the hull
	Bones      []Bone
	Parameters []Parameter
	Sequences  []Sequence
	Animations []Animation
	Textures   []string
	Folders    []string
	Skins      [][]int16 // textures by family and reference
	Parts      []Part
	Levels     int             // of detail
	Replaced   map[int][]Other // by level: the names of textures in it
	Includes   []string        // models whose sequences it has
	File       string          // of the animations of blocks beyond 0: "models/a.ani"
	Wide       bool            // strip groups and strips as since Alien Swarm
	Face       *Face           // or nil
	Fixups     bool            // the vertices are sorted by level of detail, and put in order again
}

// Other is another name of a texture.
type Other struct {
	Texture int16
	Name    string
}

// Bone moves vertices. Its angles are of turns about X, then Y, then Z, in radians.
type Bone struct {
	Name                    string
	Parent                  int32
	Position, Angles        [3]float32
	PositionStep, AngleStep [3]float32 // what 1 is in a track
	Flags                   int32
	Rule                    int32  // by which it follows others, or 0
	RuleData                []byte // what ByTurn, ByAxis or Aims has made
}

// Parameter is a number that the game sets, by which sequences mix animations.
type Parameter struct {
	Start, End float32
	Name       string
}

// Sequence shows an animation, or mixes those of a grid.
type Sequence struct {
	Label, Activity string
	Weight          int32 // how often the game chooses it of those with its activity
	Flags           int32
	Animation       int16
	Weights         []float32 // by bone; nil is 1 for all
	Grid            *Grid     // nil for Animation alone
	Layers          []Layer
	Locks           int32 // how many hands and feet inverse kinematics hold
}

// Grid is the animations of a sequence, row by row. Its columns and rows are spread from Start to End of a parameter of the model each,
// or stand at Keys, which has the columns' values and then the rows'.
type Grid struct {
	Animations []int16
	Width      int
	Parameters [2]int32 // -1 for none
	Start, End [2]float32
	Keys       []float32
}

// Animation holds the places of bones in each frame. Its data is what Records or Frames has made.
type Animation struct {
	Name         string // "" is "animation"
	Flags, Block int32
	Section      bool // the data is that of a first section
	Data         []byte
	Frames       int32    // 0 is 1
	Sections     [][]byte // instead of Data: that of each SectionSize frames, and last that of the last frame
	SectionSize  int32
	Saved        []byte // of bones with flags for it: the first frame of data that is in another file
	Hierarchies  []Hierarchy
	Movements    []Movement
}

// Part is a part of the body: one of its variants is shown, (body / Base) modulo their number.
type Part struct {
	Base     int32
	Variants []Variant
}

// Variant is meshes.
type Variant struct{ Meshes []Mesh }

// Mesh is vertices of one material, and by level of detail strip groups of them.
type Mesh struct {
	Skin     int32
	Vertices []Vertex
	Levels   [][]Group
	Flexes   []Flex
}

// Vertex is a vertex. Its first Count weights count.
type Vertex struct {
	Weights  [3]float32
	Bones    [3]uint8
	Count    uint8
	Position [3]float32
	Normal   [3]float32
	UV       [2]float32
}

// Group is a strip group: vertices of the mesh, and strips of these.
type Group struct {
	Vertices []uint16
	Strips   []Strip
}

// Strip is triangles, clockwise seen from the front.
type Strip struct {
	Joined  bool // they share their edges
	Indices []uint16
}

// file is a file while it is written.
type file struct {
	bytes.Buffer
	texts []text
}

// text is a text that is still to be written, and where its offset belongs.
type text struct {
	at, from int
	text     string
}

// put appends values.
func (f *file) put(values ...any) {
	for _, v := range values {
		if err := binary.Write(f, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
}

// set overwrites a number.
func (f *file) set(at int, v int) { binary.LittleEndian.PutUint32(f.Bytes()[at:], uint32(v)) }

// table notes in the file how many records a table has, and where it begins, seen from a record.
func (f *file) table(at, n, from int) {
	f.set(at, n)
	f.set(at+4, f.Len()-from)
}

// say writes a text later, and its offset, seen from a record, at a place.
func (f *file) say(at, from int, s string) { f.texts = append(f.texts, text{at, from, s}) }

// finish writes the texts.
func (f *file) finish() []byte {
	for _, t := range f.texts {
		f.set(t.at, f.Len()-t.from)
		f.put(append([]byte(t.text), 0))
	}
	return f.Bytes()
}

// Offsets of the header's fields: of the number of a table's records, behind which its offset is.
const (
	Length         = 76
	HeaderFlags    = 152
	BoneTable      = 156
	AnimationTable = 180
	SequenceTable  = 188
	TextureTable   = 204
	FolderTable    = 212
	SkinWidth      = 220
	SkinFamilies   = 224
	SkinTable      = 228
	PartTable      = 232
	ParameterTable = 300
	IncludeTable   = 336
	AnimationFile  = 348
	BlockTable     = 352
	HeaderSize     = 408
)

func (m *Model) version() int32 {
	if m.Version == 0 {
		return 48
	}
	return m.Version
}

// Files returns the model's files by what follows its name: ".mdl", ".vvd", ".dx90.vtx", and ".ani" where it has one.
func (m *Model) Files() map[string][]byte {
	animations, blocks := m.blocks()
	files := map[string][]byte{".mdl": m.model(blocks), ".vvd": m.vertices(), ".dx90.vtx": m.triangles()}
	if m.File != "" {
		files[".ani"] = animations
	}
	return files
}

// model writes the model's own file.
func (m *Model) model(blocks [][2]int32) []byte {
	f := &file{}
	name := [64]byte{}
	copy(name[:], "ours.mdl")
	f.put([]byte("IDST"), m.version(), m.Checksum, name, int32(0), [3]float32{}, m.Center, m.Mins, m.Maxs, [6]float32{}, m.Flags)
	f.put(make([]byte, HeaderSize-f.Len()))
	f.bones(m.Bones)
	if len(m.Parameters) > 0 {
		f.table(ParameterTable, len(m.Parameters), 0)
	}
	for _, p := range m.Parameters {
		at := f.Len()
		f.put([2]int32{}, p.Start, p.End, int32(0))
		f.say(at, at, p.Name)
	}
	f.sequences(m.Sequences)
	f.animations(m.Animations)
	f.textures(m)
	f.parts(m.Parts)
	if m.Face != nil {
		f.face(m.Face)
	}
	f.table(IncludeTable, len(m.Includes), 0)
	for _, name := range m.Includes {
		at := f.Len()
		f.put([2]int32{})
		f.say(at+4, at, name)
	}
	f.table(BlockTable, len(blocks), 0)
	f.put(blocks)
	if m.File != "" {
		f.say(AnimationFile, 0, m.File)
	}
	data := f.finish()
	f.set(Length, len(data))
	return data
}

func (f *file) bones(bones []Bone) {
	const size = 216
	f.table(BoneTable, len(bones), 0)
	first := f.Len()
	world := make([]matrix, len(bones))
	for i, b := range bones {
		at := f.Len()
		world[i] = newMatrix(b.Angles, b.Position)
		if b.Parent >= 0 {
			world[i] = world[b.Parent].times(world[i])
		}
		f.put(int32(0), b.Parent, [6]int32{-1, -1, -1, -1, -1, -1}, b.Position, Turn(b.Angles), b.Angles, b.PositionStep, b.AngleStep)
		f.put(world[i].inverse(), [4]float32{0, 0, 0, 1}, b.Flags)
		f.put(make([]byte, at+size-f.Len()))
		f.say(at, at, b.Name)
		f.set(at+164, int(b.Rule))
	}
	for i, b := range bones {
		if at := first + i*size; b.Rule != 0 {
			f.set(at+168, f.Len()-at)
			f.put(b.RuleData)
		}
	}
}

func (f *file) sequences(list []Sequence) {
	const size = 212
	f.table(SequenceTable, len(list), 0)
	first := f.Len()
	f.put(make([]byte, size*len(list)))
	for i, s := range list {
		at := first + i*size
		f.say(at+4, at, s.Label)
		f.say(at+8, at, s.Activity)
		f.set(at+12, int(s.Flags))
		f.set(at+20, int(s.Weight))
		g := s.Grid
		if g == nil {
			g = &Grid{Animations: []int16{s.Animation}, Width: 1}
		}
		f.grid(at, g)
		if s.Weights != nil {
			f.set(at+156, f.Len()-at)
			f.put(s.Weights)
		}
		f.layers(at, s.Layers)
		f.set(at+164, int(s.Locks))
	}
}

// grid writes what the sequence at an offset mixes.
func (f *file) grid(at int, g *Grid) {
	f.set(at+56, len(g.Animations))
	f.set(at+60, f.Len()-at)
	f.set(at+68, g.Width)
	f.set(at+72, len(g.Animations)/g.Width)
	for k := range 2 {
		f.set(at+76+4*k, int(g.Parameters[k]))
		f.set(at+84+4*k, int(math.Float32bits(g.Start[k])))
		f.set(at+92+4*k, int(math.Float32bits(g.End[k])))
	}
	f.put(g.Animations, make([]int16, len(g.Animations)%2))
	if g.Keys != nil {
		f.set(at+160, f.Len()-at)
		f.put(g.Keys)
	}
}

func (f *file) animations(list []Animation) {
	const size = 100
	f.table(AnimationTable, len(list), 0)
	first := f.Len()
	f.put(make([]byte, size*len(list)))
	offset := map[int32]int{}
	for i, a := range list {
		at := first + i*size
		f.say(at+4, at, cmp.Or(a.Name, "animation"))
		f.set(at+8, int(math.Float32bits(30)))
		f.set(at+12, int(a.Flags))
		f.set(at+16, int(cmp.Or(a.Frames, 1)))
		f.set(at+52, int(a.Block))
		if a.Sections != nil {
			f.set(at+80, f.Len()-at)
			f.set(at+84, int(a.SectionSize))
			table := f.Len()
			f.put(make([]byte, 8*len(a.Sections)))
			for k, data := range a.Sections {
				f.set(table+8*k+4, f.Len()-at)
				f.put(data)
			}
		}
		where := at + 56
		if a.Section {
			f.set(at+80, f.Len()-at)
			f.set(at+84, 30)
			where = f.Len() + 4
			f.put(a.Block, int32(0))
		}
		switch {
		case a.Data == nil:
		case a.Block > 0:
			f.set(where, offset[a.Block])
			offset[a.Block] += len(a.Data)
		default:
			f.set(where, f.Len()-at)
			f.put(a.Data)
		}
		if a.Saved != nil {
			f.set(at+88, 1|1<<16)
			f.set(at+92, f.Len()-at)
			f.put(a.Saved)
		}
		f.hierarchies(at, a.Hierarchies)
		if len(a.Movements) > 0 {
			f.table(at+20, len(a.Movements), at)
			f.put(a.Movements)
		}
	}
}

func (f *file) textures(m *Model) {
	f.table(TextureTable, len(m.Textures), 0)
	for _, name := range m.Textures {
		at := f.Len()
		f.put(make([]byte, 64))
		f.say(at, at, name)
	}
	f.table(FolderTable, len(m.Folders), 0)
	for _, name := range m.Folders {
		f.say(f.Len(), 0, name)
		f.put(int32(0))
	}
	if len(m.Skins) > 0 {
		f.set(SkinWidth, len(m.Skins[0]))
		f.table(SkinFamilies, len(m.Skins), 0)
	}
	for _, s := range m.Skins {
		f.put(s)
	}
	f.put(make([]byte, (4-f.Len()%4)%4))
}

func (f *file) parts(parts []Part) {
	const size, variantSize, meshSize = 16, 148, 116
	f.table(PartTable, len(parts), 0)
	first := f.Len()
	f.put(make([]byte, size*len(parts)))
	before := 0 // vertices of the variants before
	var meshes []int
	for i, p := range parts {
		at := first + i*size
		f.say(at, at, "part")
		f.set(at+4, len(p.Variants))
		f.set(at+8, int(p.Base))
		f.set(at+12, f.Len()-at)
		variants := f.Len()
		f.put(make([]byte, variantSize*len(p.Variants)))
		for k, v := range p.Variants {
			at := variants + k*variantSize
			f.table(at+72, len(v.Meshes), at)
			f.set(at+84, before*vertexSize)
			n := 0
			for _, m := range v.Meshes {
				mesh := f.Len()
				meshes = append(meshes, mesh)
				f.put(m.Skin, int32(at-mesh), int32(len(m.Vertices)), int32(n))
				f.put(make([]byte, mesh+meshSize-f.Len()))
				n += len(m.Vertices)
			}
			f.set(at+80, n)
			before += n
		}
	}
	for _, p := range parts {
		for _, v := range p.Variants {
			for i := range v.Meshes {
				f.flexes(meshes[0], v.Meshes[i].Flexes)
				meshes = meshes[1:]
			}
		}
	}
}
