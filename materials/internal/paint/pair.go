package paint

import (
	"context"
	"image"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/q3shader"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// Pair states how a second texture is mixed with a surface's base, in linear light. Source SDK 2013, lightmappedgeneric_ps2_3_x.h,
// BASETEXTURE2 with FANCY_BLENDING and MASKEDBLENDING.
type Pair struct {
	Weight float32    // weight of the second texture, 0 to 1; a mask modulates it
	Masked bool       // the mask's green alone is the weight
	Place  [6]float64 // from the textures' coordinates to the mask's
	Most   int        // the largest side in pixels of the textures; 0 is no limit
}

// Spread returns the size of the picture: as fine as the finer texture and the mask, within the limits of Spread.
func (p *Pair) Spread(base, second, mask *image.NRGBA) Brush {
	m := Mix{UV: pbr.Identity, Finer: 4}
	b := Spread(&m, base, second)
	if mask != nil {
		m.UV = p.Place
		c := Spread(&m, base, mask)
		b.Width, b.Height, b.UV = max(b.Width, c.Width), max(b.Height, c.Height), c.UV
	}
	return b
}

// Draw makes the picture, with the alpha of the base. mask is nil without one. It fails only when ctx ends.
func (p *Pair) Draw(ctx context.Context, b *Brush, base, second, mask *image.NRGBA) (*image.NRGBA, error) {
	if nx, ny := b.Width/base.Rect.Dx(), b.Height/base.Rect.Dy(); nx*ny > 1 {
		base = enlarge(base, nx, ny)
	}
	below, above := channelsOf(base, false, pbr.Identity, b, false), channelsOf(Opaque(second), true, pbr.Identity, b, false)
	l := Stage{Color: White, Alpha: 1, Blend: &q3shader.BlendAlpha}
	var masks sampler
	if mask != nil {
		masks = newSampler(Opaque(mask), &l, b.UV, b.Width, b.Height)
	}
	out := image.NewNRGBA(image.Rect(0, 0, b.Width, b.Height))
	for y := range b.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rgb, alpha := below.row(y, b.Width)
		over, _ := above.row(y, b.Width)
		var modulates []float32
		if mask != nil {
			modulates, _ = masks.Row(y, make([]float32, 3*b.Width), make([]float32, b.Width))
		}
		row := out.Pix[y*out.Stride : (y+1)*out.Stride]
		for x := range b.Width {
			f := p.Weight
			switch {
			case mask == nil:
			case p.Masked:
				f = modulates[3*x+1]
			default:
				f = Modulate([4]float32{modulates[3*x], modulates[3*x+1]}, f)
			}
			px := row[4*x : 4*x+4 : 4*x+4]
			for k := range 3 {
				c := decodeSRGB(rgb[3*x+k])
				px[k] = EncodeSRGB(c + float32((decodeSRGB(over[3*x+k])-c)*f))
			}
			px[3] = Value(alpha[x])
		}
	}
	return out, nil
}
