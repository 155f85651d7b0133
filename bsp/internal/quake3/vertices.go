package quake3

import "github.com/bsp2gltf/bsp2gltf/internal/le"

// vertex is a drawVert_t as stored, in the layout of the map.
type vertex struct {
	data  []byte
	slots int
}

func (v vertex) position() [3]float32 { return le.Vector(v.data) }
func (v vertex) uv() [2]float32       { return [2]float32{le.Float32(v.data[12:]), le.Float32(v.data[16:])} }

func (v vertex) lightmap(slot int) [2]float32 {
	b := v.data[20+8*slot:]
	return [2]float32{le.Float32(b), le.Float32(b[4:])}
}

func (v vertex) normal() [3]float32 { return le.Vector(v.data[20+8*v.slots:]) }

// color is RGBA.
func (v vertex) color(slot int) []byte {
	at := 32 + 8*v.slots + 4*slot
	return v.data[at : at+4]
}

// vertices are the vertex lump. They are read one by one, because maps hold a hundred thousand.
type vertices struct {
	data   []byte
	stride int
	slots  int // lightmaps and colours
	count  int
}

func (v *vertices) at(i int) vertex { return vertex{v.data[i*v.stride : (i+1)*v.stride], v.slots} }
