package paint

import (
	"encoding/binary"
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Pixels names a conversion of a texture's pixels.
type Pixels uint8

const (
	AsStored     Pixels = iota
	Normal              // a normal map in glTF's convention
	Added               // added to the surface behind, approximated by an alpha blend
	AddedByAlpha        // the same, multiplied by its alpha
	Modulated           // twice the background times the colour, approximated by an alpha blend
	Multiplied          // the background times a mix of the colour, by its alpha, and one half; approximated likewise
	Doubling            // twice that
	Pane                // white where light passes, as in Passed
	Passed              // transmission, in red: one minus the alpha
	Packed              // glTF's occlusion, roughness and metalness, from a texture of metalness, roughness and occlusion
	Brightened          // doubled, clamped to white
	Dimmed              // the same, halved again: clamped to one half
	Slopes              // a normal map in glTF's convention, from a picture of heights that repeats
)

func (p Pixels) String() string {
	return [...]string{"stored", "normal", "add", "add_alpha", "modulate", "multiply", "multiply_double", "pane", "clear", "orm",
		"bright", "dim", "slopes"}[p]
}

// Change changes the pixels of an image in place.
func Change(p Pixels, im *image.NRGBA) {
	var f func(px []byte)
	switch p {
	case Slopes:
		toSlopes(im)
		return
	case Added:
		f = func(px []byte) { addition(px, 255) }
	case AddedByAlpha:
		f = func(px []byte) { addition(px, uint32(px[3])) }
	case Brightened:
		f = func(px []byte) { doubled(px, 255, 2) }
	case Dimmed:
		f = func(px []byte) { doubled(px, 128, 1) }
	case Packed:
		f = func(px []byte) { px[0], px[2], px[3] = px[2], px[0], 255 }
	default:
		return
	}
	each(im, f)
	if p == Added || p == AddedByAlpha {
		bleed(im) // so that filtering between a bright and a black texel adds a value in between
	}
}

// each calls f with the four bytes of each pixel.
func each(im *image.NRGBA, f func(px []byte)) {
	for i := 0; i+4 <= len(im.Pix); i += 4 {
		f(im.Pix[i : i+4 : i+4])
	}
}

// doubled multiplies the colour of a pixel, which ends at most.
func doubled(px []byte, most, by int) {
	for k := range 3 {
		px[k] = byte(min(by*int(px[k]), most))
	}
}

// addition approximates an addition by a blend: d + c is about d·(1-a) + (c/a)·a, where a is the greatest channel.
func addition(px []byte, scale uint32) {
	for k := range 3 {
		px[k] = byte((uint32(px[k])*scale + 127) / 255)
	}
	a := uint32(max(px[0], px[1], px[2]))
	px[3] = byte(a)
	for k := range 3 {
		if a > 0 {
			px[k] = byte((uint32(px[k])*255 + a/2) / a)
		}
	}
}

// Product replaces a multiplication of the background by a blend. The colour is multiplied by tint, in display values. Source SDK
// 2013: decalmodulate_ps2x.fxc, which draws nothing where the alpha is 0, and modulate_ps2x.fxc.
func Product(p Pixels, im *image.NRGBA, tint [3]float32, opacity float32) {
	each(im, func(px []byte) {
		var c [3]float32
		share, gain := float32(float32(px[3])*opacity)/255, float32(2)
		switch {
		case p == Multiplied:
			gain = 1
		case p == Modulated && px[3] == 0:
			c, share = [3]float32{0.5, 0.5, 0.5}, 0
		case p == Modulated:
			share = 1
		}
		for k := range c {
			c[k] = 0.5 + float32((min(float32(float32(px[k])*tint[k])/255, 1)-0.5)*share)
			c[k] *= gain
		}
		product(px, c)
	})
}

// product approximates d·c by a blend that is the same for a grey d of one half: d·(1-a) + b·a, where a is the greatest distance of c
// from 1, and b = (1 + (c - 1)/a) / 2.
func product(px []byte, c [3]float32) {
	a := float32(0)
	for k := range c {
		c[k]--
		a = max(a, c[k], -c[k])
	}
	a = min(a, 1)
	px[3] = Value(a)
	for k := range 3 {
		px[k] = 128
		if a > 0 {
			px[k] = Value((1 + c[k]/a) / 2)
		}
	}
}

// PaintPane blends an image towards white where light passes through it: the weight of its own colour is its alpha times the
// opacity.
func PaintPane(im *image.NRGBA, opacity float32) {
	light := gamma.Linear8()
	each(im, func(px []byte) {
		a := float32(float32(px[3])*opacity) / 255
		for k := range 3 {
			px[k] = EncodeSRGB(1 + float32((light[px[k]]-1)*a))
		}
		px[3] = 255
	})
}

// PaintPassed stores in red the share of light that passes through a picture.
func PaintPassed(im *image.NRGBA, opacity float32) {
	each(im, func(px []byte) {
		px[0], px[1], px[2], px[3] = Value(1-float32(float32(px[3])*opacity)/255), 0, 0, 255
	})
}

// asValue maps 8-bit values to numbers from 0 to 1.
var asValue = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(i) / 255
	}
	return t
}()

// ToNormals converts a texture to a normal map, where red, green and blue point along the texture's U, V downwards and
// the normal. bump means that the texture holds the light of the three directions world.Bump1 to Bump3 instead. up
// turns V upwards.
func ToNormals(im *image.NRGBA, bump, up bool) {
	each(im, func(px []byte) {
		if bump {
			fromBump(px)
		}
		if up {
			px[1] = 255 - px[1]
		}
		px[3] = 255
	})
}

// tilted are the directions world.Bump1 to Bump3.
var tilted = [3][3]float32{
	{float32(math.Sqrt(2.0 / 3)), 0, float32(math.Sqrt(1.0 / 3))},
	{-float32(math.Sqrt(1.0 / 6)), float32(math.Sqrt(1.0 / 2)), float32(math.Sqrt(1.0 / 3))},
	{-float32(math.Sqrt(1.0 / 6)), -float32(math.Sqrt(1.0 / 2)), float32(math.Sqrt(1.0 / 3))},
}

// fromBump sets a pixel to the normal that it implies by its light from three directions.
func fromBump(px []byte) {
	var n [3]float32
	for k := range n {
		n[k] = float32(tilted[0][k]*float32(px[0])) + float32(tilted[1][k]*float32(px[1])) + float32(tilted[2][k]*float32(px[2]))
	}
	putNormal(px, n)
}

// putNormal writes a direction as the first three values of a pixel. One without length becomes straight up.
func putNormal(px []byte, n [3]float32) {
	length := space.Length(n)
	if length == 0 {
		n, length = [3]float32{0, 0, 1}, 1
	}
	for k := range n {
		px[k] = Value((n[k]/length + 1) / 2)
	}
}

// slopeScale is the third component of a slope's direction, beside differences of the sums of three channels across two pixels.
// DarkPlaces, image.c, Image_HeightmapToNormalmap_BGRA, with r_shadow_bumpscale_bumpmap 4.
const slopeScale = 255 * 6 / 4.0

// toSlopes replaces heights, the brightness of a picture that repeats, by the directions of their slopes.
func toSlopes(im *image.NRGBA) {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	heights := make([]int32, w*h)
	for y := range h {
		for x := range w {
			px := im.Pix[y*im.Stride+4*x:]
			heights[y*w+x] = int32(px[0]) + int32(px[1]) + int32(px[2])
		}
	}
	for y := range h {
		above, below := (y+h-1)%h*w, (y+1)%h*w
		for x := range w {
			n := [3]float64{
				float64(heights[y*w+(x+w-1)%w] - heights[y*w+(x+1)%w]), float64(heights[below+x] - heights[above+x]), slopeScale,
			}
			length := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
			px := im.Pix[y*im.Stride+4*x:]
			for k, v := range n {
				px[k] = byte(128 + float64(127*v/length))
			}
			px[3] = 255
		}
	}
}

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
