package paint

import (
	"encoding/binary"
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Brightness returns the light below which all but a few pixels of the pictures stay, by each pixel's greatest channel.
// The pictures are stored as half floats.
func Brightness(pictures [][]byte) float32 {
	count, total := make([]int, 1<<15), 0 // by half float: non-negative ones sort as integers
	for _, light := range pictures {
		for ; len(light) >= picture.EXRPixel; light = light[picture.EXRPixel:] {
			most := max(binary.LittleEndian.Uint16(light), binary.LittleEndian.Uint16(light[2:]), binary.LittleEndian.Uint16(light[4:]))
			count[most&0x7fff]++
			total++
		}
	}
	rest := int(float64(total) * (1 - skyWhite))
	for h := len(count) - 1; h > 0; h-- {
		if rest -= count[h]; rest < 0 {
			return world.Half(h).Float32()
		}
	}
	return 0
}

// Tone makes an 8-bit picture of light that is multiplied by scale.
func Tone(light []byte, width, height int, scale float32) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, width, height))
	each(im, func(px []byte) {
		for k := range 3 {
			px[k] = EncodeSRGB(world.Half(binary.LittleEndian.Uint16(light[2*k:])).Float32() * scale)
		}
		px[3] = 255
		light = light[picture.EXRPixel:]
	})
	return im
}

// skyWhite is the share of a sky's pixels that stay below white when its light is scaled to fit.
const skyWhite = 0.995
