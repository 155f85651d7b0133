package paint

import (
	"image"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Combined describes the pictures of a recipe: their layout and the properties of their material.
type Combined struct {
	Width, Height int
	Samplers      []func() sampler // by stage
	UV            [6]float64       // from the surface's coordinates to the picture's
	Periodic      bool             // the stages' images repeat with the picture; otherwise it has seams
	Clamp         bool             // the picture is clamped at its edges and does not repeat
	DrawOver      bool             // Draw may draw over the images and over the pictures that it has shown

	// Draw sets the other fields.
	Alpha  pbr.Alpha
	Cutoff float32
	Glows  bool // it has an emission
	Unlit  bool
	Gain   float64 // of the light, for display values

	Blending string  // "add" or "multiply" if the result is not blended with the background, else ""
	Behind   *Behind // of "multiply", if Base can't express it

	Mirror *Mirror // nil if no environment image is shown
}

// Room returns an upper bound of the bytes that drawing a recipe takes: the two results, the resized image of each stage, and for a Mirror
// or Behind a picture and its values.
func (c *Combined) Room(r *Recipe) int {
	pixels := c.Width * c.Height
	n := 4 * pixels * (2 + len(r.Stages))
	for _, wanted := range []bool{r.Environment, r.Behind} {
		switch {
		case wanted && pixels <= maxKept:
			n += 4 * pixels * (1 + 3)
		case wanted:
			n += 4 * pixels
		}
	}
	return n
}

// Part is one of the pictures of a recipe.
type Part uint8

const (
	BasePart   Part = iota
	GlowPart        // the emission
	SharePart       // the share of the Mirror's Factor, white is 1, if pixels differ and the base does not contain it
	BehindPart      // the share of the Behind's Factor, white is 1
)

// drawer evaluates a recipe row by row.
type drawer struct {
	stages     []Stage // of the recipe
	layers     []Stage // the stages as they are drawn
	watched    []*watched
	samplers   []sampler
	mask       q3shader.AlphaFunc // the first stage's alpha test, if it alone decides what is drawn
	canvas     *Canvas
	rgb, alpha []float32
	lit        bool
	gain       float32
	black      []byte // a row of emission
}

// watch attaches a watcher to the drawing of c, if the stages are drawn as they are and the picture is small enough to keep the watcher's
// values.
func (p *drawer) watch(c *Combined, w watcher, asDrawn bool) *watched {
	out := &watched{watcher: w}
	if asDrawn && c.Width*c.Height <= maxKept {
		out.kept = make([]float32, 0, 3*c.Width*c.Height)
		p.watched = append(p.watched, out)
	}
	return out
}

// Behind is the factor by which a Combined multiplies the displayed background, besides its light.
type Behind struct {
	Factor [3]float64 // the greatest of all pixels, by channel; BehindPart is relative to it
}

// Mirror states how much of an environment image (tcGen environment) the pixels of a Combined show. Apart from clamping, the result of
// the stages is linear in the image's colour e: a pixel is base + Factor·Share·(e - Mean), before multiplication by its alpha.
type Mirror struct {
	Mean   [3]float64 // the colour that the base or the emission includes
	Factor [3]float64 // the greatest share of all pixels, by channel; SharePart is relative to it
	Based  bool       // the share of a pixel is Factor times its value in the base, as displayed
	Glow   bool       // the reflection is added to the emission, not to the base
}

func blackPicture(width, height int) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := 3; i < len(im.Pix); i += 4 {
		im.Pix[i] = 255
	}
	return im
}

// Black reports whether a picture is black.
func Black(im *image.NRGBA) bool {
	for i := 0; i+4 <= len(im.Pix); i += 4 {
		if im.Pix[i] != 0 || im.Pix[i+1] != 0 || im.Pix[i+2] != 0 {
			return false
		}
	}
	return true
}
