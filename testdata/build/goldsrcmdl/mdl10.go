// Package goldsrcmdl writes GoldSrc's studio models: IDST version 10, with their files of textures and sequences.
package goldsrcmdl

import (
	"bytes"
	"cmp"
	"encoding/binary"
)

// Flags of a texture.
const (
	FlatShade  = 0x1
	Chrome     = 0x2
	FullBright = 0x4
	Additive   = 0x20
	Masked     = 0x40
	TwoSided   = 0x1000
)

// Model is a model before it is written.
type Model struct {
	Bones     []Bone
	Sequences []Sequence
	Textures  []Texture
	Skins     [][]int16 // textures by family and reference
	Parts     []Part
	External  bool // the textures are in a file of their own

	Attachments []Attachment
}

// Attachment is a place on a bone where the game attaches things.
type Attachment struct {
	Name     string
	Bone     int32
	Position [3]float32
}

// Bone turns and moves what hangs on it. Value is its place without animation, X, Y and Z and three angles in
// radians; Scale is the amount that a step of an animated number adds.
type Bone struct {
	Name         string // "" is "bone"
	Parent       int32
	Value, Scale [6]float32
}

// Sequence is an animation.
type Sequence struct {
	Label      string  // "" is "sequence"
	Rate       float32 // frames in a second; 0 is 10
	Loops      bool
	Activity   int32 // 0 is none, 1 idles
	Weight     int32 // how often the game chooses it of those with its activity
	Group      int32 // the file that has it; 0 is the model's own
	Frames     int32
	Motion     int32 // 1, 2, 4: the X, Y and Z of MotionBone move the model, and not the bone
	MotionBone int32
	Movement   [3]float32   // of the model during the sequence
	Tracks     [][6][]int16 // by blend, bone and number, a step for each frame; a track that is nil is none
	Blends     int32        // 0 is 1
	Axes       [2]int32     // of the blends: 8 is a rotation about X
	Start, End [2]float32   // of these
}

// Texture is a picture. Its palette has 256 colours.
type Texture struct {
	Name          string
	Flags         int32
	Width, Height int32
	Pixels        []byte
	Palette       [256][3]byte
}

// Part is a part of the body: one of its variants is shown, (body / Base) modulo their number.
type Part struct {
	Base     int32
	Variants []Variant
}

// Variant is a mesh for each material, of vertices and normals that hang on bones.
type Variant struct {
	Vertices, Normals []Vector
	Meshes            []Mesh
}

// Vector is a point or direction, as seen from its bone.
type Vector struct {
	Bone byte
	XYZ  [3]float32
}

// Mesh is runs of triangles with one material.
type Mesh struct {
	Skin int32
	Runs []Run
}

// Run is a strip of triangles, or a fan.
type Run struct {
	Fan     bool
	Corners []Corner
}

// Corner is a vertex, a normal and a place on the texture in pixels.
type Corner struct{ Vertex, Normal, S, T int16 }

// file is a file while it is written.
type file struct{ bytes.Buffer }

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

// table notes in the file where a table begins and how many records it has.
func (f *file) table(at, n int) {
	f.set(at, n)
	f.set(at+4, f.Len())
}

// Offsets of the header's fields: of the number of a table's records, behind which its offset is.
const (
	Length       = 72
	attachments  = 212
	Bones        = 140
	Sequences    = 164
	Groups       = 172
	Textures     = 180
	References   = 192 // of a family of skins
	Families     = 196
	Skins        = 200 // the offset alone
	Parts        = 204
	HeaderSize   = 244
	sequenceSize = 176
)

func name[T [32]byte | [64]byte](s string) (b T) {
	for i := range len(s) {
		b[i] = s[i]
	}
	return b
}

// Bytes returns the model's own file.
func (m *Model) Bytes() []byte {
	f := head("ours.mdl")
	f.table(Bones, len(m.Bones))
	for _, b := range m.Bones {
		f.put(name[[32]byte](cmp.Or(b.Name, "bone")), b.Parent, int32(0), [6]int32{-1, -1, -1, -1, -1, -1}, b.Value, b.Scale)
	}
	m.sequences(f)
	if !m.External {
		m.textures(f)
	}
	m.parts(f)
	if len(m.Attachments) > 0 {
		f.table(attachments, len(m.Attachments))
	}
	for _, a := range m.Attachments {
		f.put(name[[32]byte](a.Name), int32(0), a.Bone, a.Position, [9]float32{})
	}
	f.set(Length, f.Len())
	return f.Bytes()
}

// TextureFile returns the file of the textures, where they are External.
func (m *Model) TextureFile() []byte {
	f := head("ourst.mdl")
	m.textures(f)
	f.set(Length, f.Len())
	return f.Bytes()
}

// GroupFile returns the file of the sequences of a group.
func (m *Model) GroupFile(group int32) []byte {
	f := &file{}
	f.put([]byte("IDSQ"), int32(10), name[[64]byte]("group"), int32(0))
	for _, s := range m.Sequences {
		if s.Group == group {
			m.animation(f, &s)
		}
	}
	f.set(Length, f.Len())
	return f.Bytes()
}

func head(title string) *file {
	f := &file{}
	f.put([]byte("IDST"), int32(10), name[[64]byte](title), make([]byte, HeaderSize-72))
	return f
}

// sequences writes the sequences, and the animations of group 0.
func (m *Model) sequences(f *file) {
	groups, sizes := int32(0), map[int32]int{}
	f.table(Sequences, len(m.Sequences))
	first := f.Len()
	for _, s := range m.Sequences {
		at := 0
		if s.Group > 0 {
			at = max(76, sizes[s.Group])
			var part file
			m.animation(&part, &s)
			sizes[s.Group] = at + part.Len()
		}
		groups = max(groups, s.Group)
		flags := int32(0)
		if s.Loops {
			flags = 1
		}
		f.put(name[[32]byte](cmp.Or(s.Label, "sequence")), cmp.Or(s.Rate, 10), flags, s.Activity, s.Weight, make([]byte, 8), s.Frames)
		f.put(int32(0), int32(0), s.Motion, s.MotionBone, s.Movement, make([]byte, 32))
		f.put(max(1, s.Blends), int32(at), s.Axes, s.Start, s.End, make([]byte, 4), s.Group, make([]byte, 16))
	}
	for i, s := range m.Sequences {
		if s.Group == 0 {
			f.set(first+i*sequenceSize+124, f.Len())
			m.animation(f, &s)
		}
	}
	f.table(Groups, int(groups)+1)
	for range groups + 1 {
		f.put(name[[32]byte]("group"), make([]byte, 72))
	}
}

// animation writes, for every bone, where its six tracks are, and then the tracks.
func (m *Model) animation(f *file, s *Sequence) {
	first := f.Len()
	f.put(make([]byte, 12*max(len(m.Bones), len(s.Tracks))))
	for bone, tracks := range s.Tracks {
		for k, t := range tracks {
			if t == nil {
				continue
			}
			record := first + 12*bone
			binary.LittleEndian.PutUint16(f.Bytes()[record+2*k:], uint16(f.Len()-record))
			f.track(t)
		}
	}
}

// track writes runs: how many numbers follow and how many frames they are for, of which the last ones repeat the last
// number.
func (f *file) track(t []int16) {
	for len(t) > 0 {
		valid := 1
		for valid < len(t) && valid < 255 && t[valid] != t[valid-1] {
			valid++
		}
		total := valid
		for total < len(t) && total < 255 && t[total] == t[valid-1] {
			total++
		}
		f.put(uint8(valid), uint8(total), t[:valid])
		t = t[total:]
	}
}

func (m *Model) textures(f *file) {
	f.table(Textures, len(m.Textures))
	first := f.Len()
	for _, t := range m.Textures {
		f.put(name[[64]byte](t.Name), t.Flags, t.Width, t.Height, int32(0))
	}
	if len(m.Skins) > 0 {
		f.set(References, len(m.Skins[0]))
		f.table(Families, len(m.Skins))
	}
	for _, s := range m.Skins {
		f.put(s)
	}
	for i, t := range m.Textures {
		f.set(first+80*i+76, f.Len())
		f.put(t.Pixels, t.Palette)
	}
}

func (m *Model) parts(f *file) {
	f.table(Parts, len(m.Parts))
	first := f.Len()
	for _, p := range m.Parts {
		f.put(name[[64]byte]("part"), int32(len(p.Variants)), p.Base, int32(0))
	}
	for i, p := range m.Parts {
		f.set(first+76*i+72, f.Len())
		at := f.Len()
		f.put(make([]byte, 112*len(p.Variants)))
		for j := range p.Variants {
			f.variant(at+112*j, &p.Variants[j])
		}
	}
}

// variant writes what the record at an offset is of.
func (f *file) variant(at int, v *Variant) {
	f.table(at+72, len(v.Meshes))
	first := f.Len()
	for _, m := range v.Meshes {
		f.put(int32(m.triangles()), int32(0), m.Skin, int32(0), int32(0))
	}
	for i, m := range v.Meshes {
		f.set(first+20*i+4, f.Len())
		for _, r := range m.Runs {
			n := int16(len(r.Corners))
			if r.Fan {
				n = -n
			}
			f.put(n, r.Corners)
		}
		f.put(int16(0))
	}
	for k, list := range [2][]Vector{v.Vertices, v.Normals} {
		f.set(at+80+12*k, len(list))
		f.set(at+84+12*k, f.Len())
		for _, x := range list {
			f.put(x.Bone)
		}
		f.set(at+88+12*k, f.Len())
		for _, x := range list {
			f.put(x.XYZ)
		}
	}
}

func (m *Mesh) triangles() (n int) {
	for _, r := range m.Runs {
		n += len(r.Corners) - 2
	}
	return n
}
