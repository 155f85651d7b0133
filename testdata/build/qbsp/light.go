package qbsp

import (
	"encoding/binary"
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Luxel is a place that has a light: luxel x, y of a face in a style.
type Luxel struct {
	Style uint8
	X, Y  int
}

// Luxels returns how many luxels a face has along its U and V, where each has 16 texels: the engine's rule, in double and
// rounded once. Quake, gl_model.c, CalcSurfaceExtents.
func (m *Map) Luxels(face int) (width, height int) {
	return m.LuxelsOf(face, 16)
}

// LuxelsOf is Luxels for luxels of another number of texels.
func (m *Map) LuxelsOf(face, step int) (width, height int) {
	var size [2]int
	for k, v := range m.TexInfo[m.Faces[face].TexInfo].Vecs {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, p := range m.Loop(face) {
			x := float64(float32(brushmap.Dot([3]float32{v[0], v[1], v[2]}, p) + float64(v[3])))
			lo, hi = min(lo, x), max(hi, x)
		}
		size[k] = int(math.Ceil(hi/float64(step))) - int(math.Floor(lo/float64(step))) + 1
	}
	return size[0], size[1]
}

// Light gives a face its luxels in these styles, at most four.
func (m *Map) Light(face int, styles []uint8, light func(Luxel) RGB) {
	w, h := m.Luxels(face)
	m.LightSize(face, w, h, styles, light)
}

// LightSize is Light with a number of luxels that the face may not have.
func (m *Map) LightSize(face, width, height int, styles []uint8, light func(Luxel) RGB) {
	f := &m.Faces[face]
	f.LightOfs = int32(len(m.Lighting))
	for i, style := range styles {
		f.Styles[i] = style
		for y := range height {
			for x := range width {
				m.Lighting = append(m.Lighting, light(Luxel{style, x, y}))
			}
		}
	}
}

// LightAll gives all faces without luxels the same light in style 0, except those of flags without light.
func (m *Map) LightAll(light RGB) {
	for i := range m.Faces {
		if m.Faces[i].LightOfs < 0 && m.TexInfo[m.Faces[i].TexInfo].Flags == 0 {
			m.Light(i, []uint8{0}, func(Luxel) RGB { return light })
		}
	}
}

// Lit returns the .lit file of coloured light, one for each of Lighting.
func Lit(light []RGB) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte("QLIT"), 1), Bytes(light)...)
}

// LitHDR returns the .lit file of packed light of high dynamic range, one for each of Lighting.
func LitHDR(light []uint32) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte("QLIT"), 0x10001), PackedBytes(light)...)
}

// PackedBytes returns packed luxels as they are stored.
func PackedBytes(light []uint32) (b []byte) {
	for _, c := range light {
		b = binary.LittleEndian.AppendUint32(b, c)
	}
	return b
}

// Bytes returns luxels as they are stored.
func Bytes(light []RGB) (b []byte) {
	for _, c := range light {
		b = append(b, c[:]...)
	}
	return b
}
