package vtf

import (
	"encoding/binary"
	"math"
	"sync"
)

// Linear returns the light of a picture in a format of 16 bits a channel, four numbers a pixel: linear R, G, B of which
// 1 is white and there may be more, and alpha. ok is false for other formats. It fails as Image does, and allocates
// sixteen bytes a pixel, for which the file has eight.
func (f *File) Linear(frame, face, mip int) (light []float32, ok bool, err error) {
	read := lights[f.format.number]
	if read == nil {
		return nil, false, nil
	}
	src, err := f.raw(frame, face, mip)
	if err != nil {
		return nil, true, err
	}
	light = make([]float32, len(src)/2)
	for i := range light {
		light[i] = read(binary.LittleEndian.Uint16(src[2*i:]), i%4)
	}
	return light, true, nil
}

var lights = map[int32]channel{24: halfFloats, 25: integers16}

// channel returns the light of a stored channel; the fourth is alpha.
type channel func(v uint16, k int) float32

// integers16 has 1 at 4096: the engine shows a sky's sixteenfold.
func integers16(v uint16, k int) float32 {
	if k == 3 {
		return float32(v) / 65535
	}
	return float32(float32(v) * 16 / 65535)
}

// halfFloats are finite and not negative: what is no number is black, and infinity the greatest there is.
func halfFloats(v uint16, _ int) float32 {
	exponent, mantissa := v>>10, v&1023
	switch {
	case exponent >= 32 || exponent == 31 && mantissa != 0:
		return 0
	case exponent == 31:
		return 65504
	case exponent == 0:
		return float32(mantissa) / (1 << 24)
	}
	return math.Float32frombits(uint32(v)<<13 + (127-15)<<23)
}

// toSRGB unpacks light as 8-bit sRGB that ends at white.
func toSRGB(read channel) unpack {
	return func(dst, src []byte, _ int) {
		table := sRGB()
		for i := 0; 2*i+1 < len(src) && i < len(dst); i++ {
			v := min(read(binary.LittleEndian.Uint16(src[2*i:]), i%4), 1)
			if i%4 == 3 {
				dst[i] = uint8(float32(v*255) + 0.5)
			} else {
				dst[i] = table[int(float32(v*(steps-1))+0.5)]
			}
		}
	}
}

// steps are enough that every 8-bit value has its own: the narrowest is 1/3295 wide.
const steps = 1 << 14

// sRGB is a table of 8-bit sRGB by steps of linear light.
var sRGB = sync.OnceValue(func() *[steps]uint8 {
	var t [steps]uint8
	for i := range t {
		v := float64(i) / (steps - 1)
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = float64(1.055*math.Pow(v, 1/2.4)) - 0.055
		}
		t[i] = uint8(float64(v*255) + 0.5)
	}
	return &t
})
