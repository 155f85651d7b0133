package vtf

import (
	"encoding/binary"
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Format states how pixels are stored: the number that the file has for it, since 7.5.
type Format int32

// The formats that can be written.
const (
	RGBA8888         Format = 0
	ABGR8888         Format = 1
	RGB888           Format = 2
	BGR888           Format = 3
	RGB565           Format = 4
	I8               Format = 5
	IA88             Format = 6
	P8               Format = 7
	A8               Format = 8
	RGB888BlueScreen Format = 9
	BGR888BlueScreen Format = 10
	ARGB8888         Format = 11
	BGRA8888         Format = 12
	DXT1             Format = 13
	DXT3             Format = 14
	DXT5             Format = 15
	BGRX8888         Format = 16
	BGR565           Format = 17
	BGRX5551         Format = 18
	BGRA4444         Format = 19
	DXT1OneBitAlpha  Format = 20
	BGRA5551         Format = 21
	UV88             Format = 22
	UVWQ8888         Format = 23
	RGBA16161616F    Format = 24
	RGBA16161616     Format = 25
	UVLX8888         Format = 26
	R32F             Format = 27
	RGB323232F       Format = 28
	RGBA32323232F    Format = 29
	RG1616F          Format = 30
	RG3232F          Format = 31
	RGBX8888         Format = 32
	ATI2N            Format = 34
	ATI1N            Format = 35
	RGBA1010102      Format = 36
	BGRA1010102      Format = 37
	R16F             Format = 38
	R8               Format = 69
	BC7              Format = 70
	BC6H             Format = 71
)

// orders are the channels of formats of bytes, as they are stored: x is 0, i grey, and what is not there is lost.
var orders = map[Format]string{
	RGBA8888: "rgba", ABGR8888: "abgr", RGB888: "rgb", BGR888: "bgr", I8: "i", IA88: "ia", P8: "r", A8: "a",
	RGB888BlueScreen: "rgb", BGR888BlueScreen: "bgr", ARGB8888: "gbar", BGRA8888: "bgra", BGRX8888: "bgrx",
	UV88: "rg", UVWQ8888: "rgba", UVLX8888: "rgbx", RGBX8888: "rgbx", R8: "r",
}

// fields are the channels of formats of words, from the lowest bit.
var fields = map[Format][]field{
	RGB565: {{'r', 5}, {'g', 6}, {'b', 5}}, BGR565: {{'b', 5}, {'g', 6}, {'r', 5}},
	BGRX5551: {{'b', 5}, {'g', 5}, {'r', 5}, {'x', 1}}, BGRA5551: {{'b', 5}, {'g', 5}, {'r', 5}, {'a', 1}},
	BGRA4444:    {{'b', 4}, {'g', 4}, {'r', 4}, {'a', 4}},
	RGBA1010102: {{'r', 10}, {'g', 10}, {'b', 10}, {'a', 2}}, BGRA1010102: {{'b', 10}, {'g', 10}, {'r', 10}, {'a', 2}},
}

type field struct {
	channel byte
	bits    int
}

// numbers has the count of channels of the formats of light, and the bytes of each.
var numbers = map[Format][2]int{
	RGBA16161616F: {4, 2}, RGBA16161616: {4, 2}, R32F: {1, 4}, RGB323232F: {3, 4}, RGBA32323232F: {4, 4}, RG1616F: {2, 2},
	RG3232F: {2, 4}, R16F: {1, 2},
}

// Encode returns a picture in a format: of light, the light that its sRGB is.
func Encode(m *image.NRGBA, f Format) (b []byte) {
	switch f {
	case DXT1, DXT1OneBitAlpha, DXT3, DXT5, ATI1N, ATI2N, BC7, BC6H:
		return blocks(m, f)
	}
	for i := 0; i < len(m.Pix); i += 4 {
		p := [4]uint8(m.Pix[i:])
		switch {
		case orders[f] != "":
			for k := range len(orders[f]) {
				b = append(b, channel(p, orders[f][k]))
			}
		case fields[f] != nil:
			b = appendFields(b, p, fields[f])
		default:
			b = appendLight(b, p, f)
		}
	}
	return b
}

// channel returns a channel of a pixel.
func channel(p [4]uint8, name byte) uint8 {
	switch name {
	case 'r':
		return p[0]
	case 'g':
		return p[1]
	case 'b':
		return p[2]
	case 'a':
		return p[3]
	case 'i':
		return uint8((2*int(p[0]) + 5*int(p[1]) + int(p[2]) + 4) / 8)
	}
	return 0
}

func appendFields(b []byte, p [4]uint8, fields []field) []byte {
	word, at := uint32(0), 0
	for _, f := range fields {
		most := uint32(1)<<f.bits - 1
		word |= (uint32(channel(p, f.channel))*most + 127) / 255 << at
		at += f.bits
	}
	if at == 16 {
		return binary.LittleEndian.AppendUint16(b, uint16(word))
	}
	return binary.LittleEndian.AppendUint32(b, word)
}

// linear returns the light of 8-bit sRGB.
func linear(v uint8) float32 {
	x := float64(v) / 255
	if x <= 0.04045 {
		return float32(x / 12.92)
	}
	return float32(math.Pow((x+0.055)/1.055, 2.4))
}

func appendLight(b []byte, p [4]uint8, f Format) []byte {
	le := binary.LittleEndian
	for k := range numbers[f][0] {
		v := float32(p[k]) / 255
		if k < 3 {
			v = linear(p[k])
		}
		switch {
		case f == RGBA16161616 && k < 3:
			b = le.AppendUint16(b, uint16(float32(v*4096)+0.5))
		case f == RGBA16161616:
			b = le.AppendUint16(b, uint16(float32(v*65535)+0.5))
		case numbers[f][1] == 2:
			b = le.AppendUint16(b, uint16(world.NewHalf(v)))
		default:
			b = le.AppendUint32(b, math.Float32bits(v))
		}
	}
	return b
}
