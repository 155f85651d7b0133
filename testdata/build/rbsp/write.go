package rbsp

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Variant is one of the formats.
type Variant struct {
	Version   uint32
	BigEndian bool
	Props     uint16 // version of static props
	LongLamps int    // numbers that lamps have more
	LampPages int    // bytes of a luxel in the light of lamps
}

// The variants that can be written.
var (
	Titanfall     = Variant{Version: 29, Props: 12, LampPages: 4}
	TitanfallXbox = Variant{Version: 29, Props: 12, LampPages: 4, BigEndian: true}
	TechTest      = Variant{Version: 36, Props: 13, LampPages: 8, LongLamps: 2}
	Titanfall2    = Variant{Version: 37, Props: 13, LampPages: 9, LongLamps: 3}
)

// Lumps.
const (
	LumpEntities      = 0x00
	LumpTextureData   = 0x02
	LumpVertices      = 0x03
	LumpModels        = 0x0e
	LumpEntityParts   = 0x18
	LumpNormals       = 0x1e
	LumpGame          = 0x23
	LumpPak           = 0x28
	LumpCubemaps      = 0x2a
	LumpStrings       = 0x2b
	LumpStringTable   = 0x2c
	LumpWorldLights   = 0x36
	LumpUnlit         = 0x47
	LumpLitFlat       = 0x48
	LumpLitBump       = 0x49
	LumpUnlitTS       = 0x4a
	LumpMeshIndices   = 0x4f
	LumpMeshes        = 0x50
	LumpMaterialSorts = 0x52
	LumpLightHeaders  = 0x53
	LumpSkyLight      = 0x62
	LumpLampLight     = 0x69
	LumpLevelInfo     = 0x7b
	lumpCount         = 128
)

const headSize = 16 + 16*lumpCount

// Write returns the file of the map, and by their names those beside it: entities, and the lumps that are given, which the
// map then has of zeros.
func (m *Map) Write(name string, v Variant, beside ...int) map[string][]byte {
	w := &writer{Variant: v, m: m}
	w.all()
	ident := "rBSP"
	if v.BigEndian {
		ident = "PSBr"
	}
	file := make([]byte, headSize)
	copy(file, ident)
	for i, n := range []uint32{v.Version, 1, lumpCount - 1} {
		w.order().PutUint32(file[4+4*i:], n)
	}
	own := map[int]bool{}
	for _, i := range beside {
		own[i] = true
	}
	files := map[string][]byte{}
	for i, lump := range w.lumps {
		at := len(file)
		if len(lump) == 0 {
			at = 0
		}
		if i == LumpGame {
			lump = w.game(at)
			if len(m.PropFiles) == 0 {
				lump, at = nil, 0
			}
		}
		w.order().PutUint32(file[16+16*i:], uint32(at))
		w.order().PutUint32(file[20+16*i:], uint32(len(lump)))
		if own[i] {
			files[fmt.Sprintf("%s.bsp.%04x.bsp_lump", name, i)] = lump
			lump = make([]byte, len(lump))
		}
		file = brushmap.Align(append(file, lump...))
	}
	files[name+".bsp"] = file
	for _, p := range m.Parts {
		files[name+"_"+p.Name+".ent"] = []byte("ENTITIES01\n" + brushmap.EntityText(p.Entities) + "\x00")
	}
	return files
}

type writer struct {
	Variant
	m     *Map
	lumps [lumpCount][]byte
}

func (v Variant) order() brushmap.Order { return brushmap.OrderOf(v.BigEndian) }

// put appends values in the file's order of bytes.
func (v Variant) put(b []byte, values ...any) []byte { return brushmap.Put(b, v.order(), values...) }

func (w *writer) add(lump int, values ...any) { w.lumps[lump] = w.put(w.lumps[lump], values...) }

func (w *writer) all() {
	m := w.m
	w.lumps[LumpEntities] = append([]byte(brushmap.EntityText(m.Entities)), 0)
	var parts []string
	for _, p := range m.Parts {
		parts = append(parts, p.Name)
	}
	if len(parts) > 0 {
		w.lumps[LumpEntityParts] = []byte("01* " + strings.Join(parts, " ") + "\x00")
	}
	for i, x := range m.Materials {
		w.add(LumpStringTable, int32(len(w.lumps[LumpStrings])))
		w.lumps[LumpStrings] = append(append(w.lumps[LumpStrings], x.Name...), 0)
		w.add(LumpTextureData, x.Reflectivity, int32(i), x.Width, x.Height, x.Width, x.Height, uint32(0))
	}
	w.meshes()
	w.light()
	for _, c := range m.Cubemaps {
		w.add(LumpCubemaps, c, uint32(0xcdcdcdcd))
	}
	for _, l := range m.Lamps {
		w.add(LumpWorldLights, l.Origin, l.Intensity, l.Normal, [3]float32{}, int32(0), l.Type, l.Style, l.StopDot, l.StopDot2,
			float32(0), l.Radius,
			l.Constant, l.Linear, l.Quadratic, int32(0), int32(-1), int32(0), make([]float32, w.LongLamps))
	}
	w.lumps[LumpPak] = m.Pak
	w.add(LumpLevelInfo, uint32(0), uint32(0), uint32(0), uint32(len(m.Props)), m.Sun)
	w.lumps[LumpGame] = []byte{0} // so that it has a place
}

// meshes writes models, meshes and their vertices. The first vertex of a mesh is written as if indices counted from there,
// which they do not: they count from its material sort's.
func (w *writer) meshes() {
	lumpOf := map[Kind]int{LitFlat: LumpLitFlat, LitBump: LumpLitBump, Unlit: LumpUnlit, UnlitTS: LumpUnlitTS}
	places, normals, written := map[[3]float32]uint32{}, map[[3]float32]uint32{}, map[Kind]int{}
	index := func(lump int, seen map[[3]float32]uint32, v [3]float32) uint32 {
		if _, ok := seen[v]; !ok {
			seen[v] = uint32(len(seen))
			w.add(lump, v)
		}
		return seen[v]
	}
	mesh := 0
	for _, x := range w.m.Models {
		mins, maxs := bounds(x)
		w.add(LumpModels, mins, maxs, uint32(mesh), uint32(len(x.Meshes)))
		mesh += len(x.Meshes)
		for _, s := range x.Meshes {
			flags := s.Flags | uint32(s.Kind)
			w.add(LumpMeshes, uint32(len(w.lumps[LumpMeshIndices])/2), uint16(len(s.Indices)/3), uint16(7), uint16(len(s.Vertices)),
				[2]uint8{uint8(s.Kind >> 9), 0}, [4]int8{0, -1, -1, -1}, [2]int16{}, [2]uint8{},
				uint16(len(w.lumps[LumpMaterialSorts])/12), flags)
			w.add(LumpMaterialSorts, s.Material, s.Page, int16(-1), int16(len(s.Vertices)-1), int32(written[s.Kind]))
			w.add(LumpMeshIndices, s.Indices)
			written[s.Kind] += len(s.Vertices)
			for _, v := range s.Vertices {
				lump := lumpOf[s.Kind]
				w.add(lump, index(LumpVertices, places, v.Position), index(LumpNormals, normals, v.Normal), v.UV, v.Color)
				if s.Kind == LitFlat || s.Kind == LitBump {
					w.add(lump, v.Light, [2]float32{1. / 64, 1. / 64})
				}
				if s.Kind == LitBump || s.Kind == UnlitTS {
					w.add(lump, [2]int32{-1, -1})
				}
			}
		}
	}
}

func bounds(m Model) (mins, maxs [3]float32) {
	var points [][3]float32
	for _, s := range m.Meshes {
		for _, v := range s.Vertices {
			points = append(points, v.Position)
		}
	}
	return brushmap.Bounds(points...)
}

// light writes pages. Those that nobody reads have bytes that would be seen.
func (w *writer) light() {
	other := func(n int) []byte { return []byte(strings.Repeat("\xcd", n)) }
	for _, p := range w.m.Pages {
		n := int(p.Width) * int(p.Height)
		w.add(LumpLightHeaders, uint32(1), p.Width, p.Height)
		w.add(LumpSkyLight, p.A, other(4*n))
		w.add(LumpLampLight, other(w.LampPages*n))
	}
}

// game writes the game lump at a place in the file.
func (w *writer) game(at int) []byte {
	const directory = 4 + 16
	props := w.props()
	id := "prps"
	if w.BigEndian {
		id = "sprp"
	}
	b := w.put(nil, uint32(1), []byte(id), uint16(0), w.Props, uint32(at+directory), uint32(len(props)))
	return append(b, props...)
}

// props writes static props.
func (w *writer) props() []byte {
	m := w.m
	b := w.put(nil, uint32(len(m.PropFiles)))
	for _, name := range m.PropFiles {
		var field [128]byte
		copy(field[:127], name)
		b = append(b, field[:]...)
	}
	long := w.Props == 12
	if long {
		b = w.put(b, uint32(3), []uint16{1, 2, 3}) // leafs
	}
	b = w.put(b, uint32(len(m.Props)), uint32(len(m.Props)+1), uint32(len(m.Props)+1))
	none := [4]int8{-1, -1, -1, -1}
	for _, p := range m.Props {
		if long {
			b = w.put(b, p.Origin, p.Angles, p.Model, uint16(0), uint16(1), p.Solid, p.Flags, p.Skin, int16(-1), p.Fade, p.LightAt,
				float32(1), none, p.Tint,
				[4]uint8{}, p.Scale, uint32(0), uint32(0))
		} else {
			b = w.put(b, p.Origin, p.Angles, p.Scale, p.Model, p.Solid, p.Flags, p.Skin, int16(-1), float32(1), p.LightAt, none, p.Tint,
				uint16(0), uint16(0))
		}
	}
	if !long {
		b = w.put(b, uint32(1), make([]byte, 64))
	}
	return b
}

// Lump returns the offset and the length of a lump of a written little-endian file, in bytes.
func Lump(file []byte, lump int) (offset, length int) {
	return brushmap.Entry(file, 16+16*lump)
}

// SetLump changes where the directory says that a lump is.
func SetLump(file []byte, lump, offset, length int) {
	brushmap.SetEntry(file, 16+16*lump, offset, length)
}

// Replace returns a copy of the file in which the lump's content is another, at the end of the file.
func Replace(file []byte, lump int, content []byte) []byte {
	b := append([]byte{}, file...)
	SetLump(b, lump, len(b), len(content))
	return append(b, content...)
}

// Float32 returns a number's bytes.
func Float32(f float32) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(f)) }
