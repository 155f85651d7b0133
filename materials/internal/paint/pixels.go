package paint

import (
	"image"
	"math"
	"sync"
)

// Pixels names a conversion of a texture's pixels.
type Pixels uint8

const (
	AsStored     Pixels = iota
	Normal              // a normal map in glTF's convention
	Glow                // the colour where a mask says that it glows
	Added               // added to the surface behind, approximated by an alpha blend
	AddedByAlpha        // the same, multiplied by its alpha
	Modulated           // twice the background times the colour, approximated by an alpha blend
	Multiplied          // the background times the colour, approximated by an alpha blend
	Tinted              // coloured where the alpha says so
	Pane                // white where light passes, as in Passed
	Passed              // transmission, in red: one minus the alpha
	Packed              // glTF's occlusion, roughness and metalness, from a texture of metalness, roughness and occlusion
)

func (p Pixels) String() string {
	return [...]string{"stored", "normal", "glow", "add", "add_alpha", "modulate", "multiply", "tint", "pane", "clear", "orm"}[p]
}

// Change changes the pixels of an image in place.
func Change(p Pixels, im *image.NRGBA) {
	var f func(px []byte)
	switch p {
	case Added:
		f = func(px []byte) { addition(px, 255) }
	case AddedByAlpha:
		f = func(px []byte) { addition(px, uint32(px[3])) }
	case Modulated:
		f = func(px []byte) { product(px, 2) }
	case Multiplied:
		f = func(px []byte) { product(px, 1) }
	case Packed:
		f = func(px []byte) { px[0], px[2], px[3] = px[2], px[0], 255 }
	default:
		return
	}
	each(im, f)
}

// each calls f with the four bytes of each pixel.
func each(im *image.NRGBA, f func(px []byte)) {
	for i := 0; i+4 <= len(im.Pix); i += 4 {
		f(im.Pix[i : i+4 : i+4])
	}
}

// addition replaces an addition by a blend: d + c looks about like d·(1-a) + (c/a)·a with the greatest channel as a.
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

// product replaces gain·d·c by a blend that is the same for a grey d of one half: d·(1-a) + b·a, where a is the
// greatest distance of gain·c from 1, and b = (1 + (gain·c - 1)/a) / 2.
func product(px []byte, gain float32) {
	var c [3]float32
	a := float32(0)
	for k := range 3 {
		c[k] = float32(float32(px[k])*gain/255) - 1
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

// Shine keeps the glowing part of a picture: its colour times the mask's colour, or times its own alpha if mask is nil.
// The mask has the picture's size.
func Shine(im, mask *image.NRGBA) {
	shares := sharesOfLight()
	for i := 0; i+4 <= len(im.Pix); i += 4 {
		px := im.Pix[i : i+4 : i+4]
		by := [3]byte{px[3], px[3], px[3]}
		if mask != nil {
			by = [3]byte(mask.Pix[i:])
		}
		for k, m := range by {
			px[k] = shares[m][px[k]]
		}
		px[3] = 255
	}
}

// sharesOfLight are, by m and v, the 8-bit values with m/255 of the linear light of v.
var sharesOfLight = sync.OnceValue(func() *[256][256]uint8 {
	var t [256][256]uint8
	for m := range t {
		for v := range t[m] {
			t[m][v] = uint8(v)
			if m < 255 {
				t[m][v] = EncodeSRGB(float32(asLight[v]*float32(m)) / 255)
			}
		}
	}
	return &t
})

// PaintTint tints a picture, by its alpha: over is the share of the tint that replaces the colour, the rest multiplies
// it. tint is linear.
func PaintTint(im *image.NRGBA, tint [3]float32, over float32) {
	each(im, func(px []byte) {
		a := float32(px[3]) / 255
		for k, c := range tint {
			light := asLight[px[k]]
			to := float32(light * c)
			to += float32((c - to) * over)
			px[k] = EncodeSRGB(light + float32((to-light)*a))
		}
		px[3] = 255
	})
}

// PaintPane blends a picture towards white where light passes through it: its own colour counts by its alpha times the
// opacity.
func PaintPane(im *image.NRGBA, opacity float32) {
	each(im, func(px []byte) {
		a := float32(float32(px[3])*opacity) / 255
		for k := range 3 {
			px[k] = EncodeSRGB(1 + float32((asLight[px[k]]-1)*a))
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

// asLight maps 8-bit values to linear light, asValue to numbers from 0 to 1.
var asLight, asValue = func() (light, value [256]float32) {
	for i := range light {
		light[i], value[i] = float32(Linear(float64(i)/255)), float32(i)/255
	}
	return light, value
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
	length := float32(math.Sqrt(float64(float32(n[0]*n[0]) + float32(n[1]*n[1]) + float32(n[2]*n[2]))))
	if length == 0 {
		n, length = [3]float32{0, 0, 1}, 1
	}
	for k := range n {
		px[k] = Value((n[k]/length + 1) / 2)
	}
}
