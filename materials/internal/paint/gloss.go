package paint

import (
	"image"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
)

// DrawGloss draws the picture of a gloss whose textures all have the size w by h.
func DrawGloss(g *plan.Gloss, pictures map[string]*image.NRGBA, w, h int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	each(out, func(px []byte) { px[3] = 255 })
	for _, k := range g.Masks {
		multiplyMask(&k, out, pictures[k.File])
	}
	var rough [256]float32 // by the exponent's red
	for v := range rough {
		rough[v] = float32(g.Roughness)
		if g.Exponent != "" {
			rough[v] = float32(plan.PhongRoughness(1 + float64(g.Scale*float64(v))/255))
		}
	}
	exponent := pictures[g.Exponent]
	for i := 0; i+4 <= len(out.Pix); i += 4 {
		px := out.Pix[i : i+4 : i+4]
		r := rough[0]
		if exponent != nil {
			r = rough[exponent.Pix[i]]
		}
		// Where nothing is reflected the surface becomes rough: a viewer that ignores the amount of reflection then
		// does not show it as shiny.
		r = 1 - float32((1-r)*min(float32(px[3])*faint/255, 1))
		px[1], px[2] = Value(r), px[3]
	}
	return out
}

// faint is the divisor of full reflection below which a surface starts to become rough.
const faint = 8

// multiplyMask multiplies the alpha of a picture by a mask of the same size.
func multiplyMask(k *plan.GlossMask, out, im *image.NRGBA) {
	for i := 0; i+4 <= len(out.Pix); i += 4 {
		px := im.Pix[i : i+4 : i+4]
		by := px[3]
		if k.Color {
			by = max(px[0], px[1], px[2])
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
