package paint

import "image"

// Gloss describes where and how a surface reflects. Its pictures all have the same size.
type Gloss struct {
	Masks     []GlossMask // all of them multiply the amount of reflection
	Roughness float64
}

// GlossMask is an image whose alpha or colour is the amount of reflection.
type GlossMask struct {
	Picture  *image.NRGBA
	Color    bool // the colour's brightness counts, not the alpha
	Inverted bool
}

// Draw returns a picture of w by h, the size of the textures: roughness in green, metalness in blue, the amount of reflection in
// alpha. It serves both of glTF's textures, which read different channels.
func (g *Gloss) Draw(w, h int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	each(out, func(px []byte) { px[3] = 255 })
	for i := range g.Masks {
		g.Masks[i].multiply(out)
	}
	for i := 0; i+4 <= len(out.Pix); i += 4 {
		px := out.Pix[i : i+4 : i+4]
		r := float32(g.Roughness)
		// Where nothing is reflected the surface becomes rough: a viewer that ignores the amount of reflection then
		// does not show it as shiny.
		r = 1 - float32((1-r)*min(float32(px[3])*faint/255, 1))
		px[1], px[2] = Value(r), px[3]
	}
	return out
}

// faint says where a surface begins to become rough: below 1/faint of full reflection.
const faint = 8

// multiply multiplies the alpha of a picture by the mask.
func (k *GlossMask) multiply(out *image.NRGBA) {
	for i := 0; i+4 <= len(out.Pix); i += 4 {
		px := k.Picture.Pix[i : i+4 : i+4]
		by := px[3]
		if k.Color {
			by = uint8((299*uint32(px[0]) + 587*uint32(px[1]) + 114*uint32(px[2]) + 500) / 1000)
		}
		if k.Inverted {
			by = 255 - by
		}
		out.Pix[i+3] = byte((uint32(out.Pix[i+3])*uint32(by) + 127) / 255)
	}
}

// Uniform reports whether a picture is the same everywhere, apart from the noise of block compression, and returns its
// pixel.
func Uniform(im *image.NRGBA) (px [4]uint8, ok bool) {
	const noise = 4
	low, high := [4]uint8{255, 255, 255, 255}, [4]uint8{}
	each(im, func(p []byte) {
		for k, v := range p {
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	})
	for k := range px {
		if int(high[k])-int(low[k]) > noise {
			return px, false
		}
		px[k] = uint8((int(low[k]) + int(high[k])) / 2)
	}
	return px, true
}
