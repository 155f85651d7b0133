package qbsp

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Variant is one of the formats.
type Variant struct {
	Ident    string // "" where the file starts with the version
	Version  int32  // 0 where the ident says it all
	Lumps    int
	Wide     bool // numbers of 32 bits
	Floats   bool // boxes of nodes and leafs are floats
	Coloured bool // light is coloured, and textures have palettes
	Swapped  bool // entities and planes have changed places
	Extra    bool // Xash3D's extra header stands behind the directory
	Quake2   bool
	Hulls    int  // of a model; 0 means 4
	Packed   bool // light has 16 bits a luxel, and textures have a shift (Quake 64)
	Grey3    bool // light is coloured, though the version says that it is grey
}

// The variants that can be written.
var (
	Quake     = Variant{Version: 29, Lumps: 15}
	Hexen2    = Variant{Version: 29, Lumps: 15, Hulls: 8}
	BSP2      = Variant{Ident: "BSP2", Lumps: 15, Wide: true, Floats: true}
	PSB2      = Variant{Ident: "2PSB", Lumps: 15, Wide: true}
	HalfLife  = Variant{Version: 30, Lumps: 15, Coloured: true}
	BlueShift = Variant{Version: 30, Lumps: 15, Coloured: true, Swapped: true}
	Xash30    = Variant{Version: 30, Lumps: 15, Coloured: true, Extra: true}
	Xash31    = Variant{Version: 31, Lumps: 17, Coloured: true, Extra: true}
	Quake64   = Variant{Ident: " 46Q", Lumps: 15, Packed: true}
	QuakeRGB  = Variant{Version: 29, Lumps: 15, Grey3: true}
	QBSP      = Variant{Ident: "QBSP", Version: 38, Lumps: 19, Coloured: true, Quake2: true, Wide: true, Floats: true}
	Quake2    = Variant{Ident: "IBSP", Version: 38, Lumps: 19, Coloured: true, Quake2: true}
)

// Lumps, in the order of Quake's and GoldSrc's directory.
const (
	LumpEntities  = 0
	LumpPlanes    = 1
	LumpTextures  = 2
	LumpVertices  = 3
	LumpNodes     = 5
	LumpTexInfo   = 6
	LumpFaces     = 7
	LumpLighting  = 8
	LumpClipnodes = 9
	LumpLeafs     = 10
	LumpMarks     = 11
	LumpEdges     = 12
	LumpSurfedges = 13
	LumpModels    = 14
)

// quake2Lumps are the places of the lumps in the directory of Quake II.
var quake2Lumps = map[int]int{LumpEntities: 0, LumpPlanes: 1, LumpVertices: 2, LumpNodes: 4, LumpTexInfo: 5, LumpFaces: 6, LumpLighting: 7,
	LumpLeafs: 8, LumpMarks: 9, LumpEdges: 11, LumpSurfedges: 12, LumpModels: 13}

// Write returns the file of the map in the variant's format. The same map gives the same bytes.
func (m *Map) Write(v Variant) []byte {
	file := make([]byte, v.start()+8*v.Lumps)
	copy(file, v.Ident)
	if v.Version != 0 {
		brushmap.SetInt32(file, v.start()-4, v.Version)
	}
	extra := len(file)
	if v.Extra {
		file = append(file, "XASH\x04\x00\x00\x00"...)
		file = append(file, make([]byte, 8*12)...)
	}
	for lump, content := range m.lumps(v) {
		at := lump
		switch {
		case v.Quake2:
			at = quake2Lumps[lump]
		case v.Swapped && lump < 2:
			at = 1 - lump
		}
		if len(content) > 0 {
			file = brushmap.Place(file, v.start()+8*at, content)
		}
	}
	if v.Extra {
		file = brushmap.Place(file, extra+8, Bytes(m.Directions))
		file = brushmap.Place(file, extra+16, put(nil, m.FaceInfo))
	}
	return m.blocks(file)
}

// blocks appends the blocks of BSPX.
func (m *Map) blocks(file []byte) []byte {
	if len(m.Blocks) == 0 {
		return file
	}
	file = binary.LittleEndian.AppendUint32(append(brushmap.Align(file), "BSPX"...), uint32(len(m.Blocks)))
	at := len(file)
	file = append(file, make([]byte, 32*len(m.Blocks))...)
	for i, b := range m.Blocks {
		copy(file[at+32*i:at+32*i+24], b.Name)
		file = brushmap.Place(file, at+32*i+24, b.Content)
	}
	return file
}

// start returns the bytes before the directory.
func (v Variant) start() int {
	if v.Ident != "" && v.Version != 0 {
		return 8
	}
	return 4
}

// put appends records.
func put(lump []byte, records ...any) []byte {
	return brushmap.Put(lump, binary.LittleEndian, records...)
}

// lumps returns the content of every lump, in Quake's order.
func (m *Map) lumps(v Variant) (lumps [15][]byte) {
	ents := m.RawEntities
	if ents == "" {
		ents = brushmap.EntityText(m.Entities)
	}
	lumps[LumpEntities] = append([]byte(ents), 0)
	lumps[LumpPlanes] = put(nil, m.Planes)
	if !v.Quake2 {
		lumps[LumpTextures] = m.textures(v)
	}
	lumps[LumpVertices] = put(nil, m.Vertices)
	lumps[LumpTexInfo] = m.texInfo(v)
	lumps[LumpFaces] = m.faces(v)
	for _, c := range m.Lighting {
		switch {
		case v.Coloured || v.Grey3:
			lumps[LumpLighting] = append(lumps[LumpLighting], c[:]...)
		case v.Packed: // 5 bits, 5 bits of which the engine takes the last two for less, 6 bits
			lumps[LumpLighting] = append(lumps[LumpLighting], c[0]&0xf8|c[1]>>5, c[1]<<5&0xc0|c[2]>>2)
		default:
			lumps[LumpLighting] = append(lumps[LumpLighting], c[0])
		}
	}
	for _, e := range m.Edges {
		if v.Wide {
			lumps[LumpEdges] = put(lumps[LumpEdges], e)
		} else {
			lumps[LumpEdges] = put(lumps[LumpEdges], [2]uint16{uint16(e[0]), uint16(e[1])})
		}
	}
	lumps[LumpSurfedges] = put(nil, m.Surfedges)
	for _, x := range m.Models {
		lumps[LumpModels] = put(lumps[LumpModels], [3][3]float32{x.Mins, x.Maxs, x.Origin})
		if v.Quake2 {
			lumps[LumpModels] = put(lumps[LumpModels], [3]int32{0, x.FirstFace, x.NumFaces})
		} else {
			lumps[LumpModels] = put(lumps[LumpModels], make([]int32, cmp.Or(v.Hulls, 4)))
			lumps[LumpModels] = put(lumps[LumpModels], [3]int32{1, x.FirstFace, x.NumFaces})
		}
	}
	m.tree(&lumps, v)
	return lumps
}

// textures returns the lump of textures: their number, where each is, and each with its four levels.
func (m *Map) textures(v Variant) []byte {
	b := put(nil, int32(len(m.Textures)))
	b = append(b, make([]byte, 4*len(m.Textures))...)
	for i, t := range m.Textures {
		if t.Missing {
			brushmap.SetInt32(b, 4+4*i, -1)
			continue
		}
		brushmap.SetInt32(b, 4+4*i, int32(len(b)))
		miptex := t.Miptex(v.Coloured)
		if v.Packed { // a shift before the offsets
			miptex = slices.Concat(miptex[:24], put(nil, t.Shift), miptex[24:])
		}
		b = append(b, miptex...)
		b = brushmap.Align(b)
	}
	return b
}

// Miptex returns the texture as maps and archives have it.
func (t Texture) Miptex(palette bool) []byte {
	var name [16]byte
	copy(name[:], t.Name)
	b := put(nil, name)
	b = put(b, [2]uint32{t.Width, t.Height})
	if t.Pixels == nil {
		return put(b, [4]uint32{})
	}
	at := uint32(40)
	for k := range 4 {
		b = put(b, at)
		at += (t.Width >> k) * (t.Height >> k)
	}
	for k := range 4 {
		for y := range t.Height >> k {
			for x := range t.Width >> k {
				b = append(b, t.Pixels[(y<<k)*t.Width+x<<k])
			}
		}
	}
	if palette {
		b = put(put(b, uint16(256)), t.Palette)
	}
	return b
}

func (m *Map) texInfo(v Variant) (b []byte) {
	for _, t := range m.TexInfo {
		b = put(b, t.Vecs)
		switch {
		case v.Quake2:
			var name [32]byte
			if t.Texture >= 0 && int(t.Texture) < len(m.Textures) {
				copy(name[:], m.Textures[t.Texture].Name)
			}
			b = put(put(put(b, [2]int32{t.Flags, 0}), name), int32(-1))
		case v.Extra:
			b = put(put(b, t.Texture), [2]int16{int16(t.Flags), t.FaceInfo})
		default:
			b = put(b, [2]int32{t.Texture, t.Flags})
		}
	}
	return b
}

func (m *Map) faces(v Variant) (b []byte) {
	for _, f := range m.Faces {
		if v.Wide {
			b = put(b, [5]uint32{f.Plane, f.Side, uint32(f.FirstEdge), f.NumEdges, f.TexInfo})
		} else {
			b = put(put(b, [2]uint16{uint16(f.Plane), uint16(f.Side)}), f.FirstEdge)
			b = put(b, [2]uint16{uint16(f.NumEdges), uint16(f.TexInfo)})
		}
		at := f.LightOfs
		switch {
		case at > 0 && (v.Coloured || v.Grey3):
			at *= 3
		case at > 0 && v.Packed:
			at *= 2
		}
		b = put(put(b, f.Styles), at)
	}
	return b
}

// tree makes up a tree that holds no map together: a node of plane 0 with all faces of the world, before it the one leaf that is
// not solid, behind it the one that is.
func (m *Map) tree(lumps *[15][]byte, v Variant) {
	if len(m.Models) == 0 {
		return
	}
	world := m.Models[0]
	first, faces := uint32(world.FirstFace), uint32(world.NumFaces)
	box := func(b []byte) []byte {
		if v.Floats {
			return put(b, [2][3]float32{world.Mins, world.Maxs})
		}
		var s [2][3]int16
		for k := range 3 {
			s[0][k], s[1][k] = int16(world.Mins[k]), int16(world.Maxs[k])
		}
		return put(b, s)
	}
	count := func(b []byte, n [2]uint32) []byte {
		if v.Wide {
			return put(b, n)
		}
		return put(b, [2]uint16{uint16(n[0]), uint16(n[1])})
	}
	node := put(nil, int32(0))
	if v.Wide || v.Quake2 {
		node = put(node, [2]int32{-2, -1})
	} else {
		node = put(node, [2]int16{-2, -1})
	}
	lumps[LumpNodes] = count(box(node), [2]uint32{first, faces})
	for i, contents := range []int32{-2, -1} { // solid and empty
		var leaf []byte
		marks := [2]uint32{0, faces * uint32(i)}
		if v.Quake2 {
			head := [3]int32{int32(1 - i), 0, 0} // contents; cluster and area, of 16 bits where the others are
			if v.Wide {
				leaf = count(count(box(put(nil, head)), marks), [2]uint32{})
			} else {
				leaf = put(count(box(put(nil, head[:2])), marks), [2]uint16{})
			}
		} else {
			leaf = put(count(box(put(nil, [2]int32{contents, -1})), marks), [4]uint8{})
		}
		lumps[LumpLeafs] = append(lumps[LumpLeafs], leaf...)
	}
	for i := range faces {
		if v.Wide {
			lumps[LumpMarks] = put(lumps[LumpMarks], first+i)
		} else {
			lumps[LumpMarks] = put(lumps[LumpMarks], uint16(first+i))
		}
	}
	if v.Wide && !v.Quake2 {
		lumps[LumpClipnodes] = put(nil, [3]int32{0, -1, -2})
	} else if !v.Quake2 {
		lumps[LumpClipnodes] = put(put(nil, int32(0)), [2]int16{-1, -2})
	}
}
