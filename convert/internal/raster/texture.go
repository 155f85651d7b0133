package raster

import (
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
)

// texture is an image with its mipmaps, in 8-bit sRGB.
type texture struct {
	levels []*image.NRGBA
	clamp  bool
	stored bool // pixels are averaged as the image has them, not as linear light
	plain  bool // of those, what is averaged is the value
}

// newTexture makes the mipmaps. Clamped textures get none: lightmap pages are magnified, and averaging would mix neighbouring
// charts.
func newTexture(im *image.NRGBA, clamp, stored bool) *texture {
	t := &texture{levels: []*image.NRGBA{im}, clamp: clamp, stored: stored}
	for !clamp && max(im.Rect.Dx(), im.Rect.Dy()) > 1 {
		im = half(im, stored)
		t.levels = append(t.levels, im)
	}
	return t
}

// half returns an image at half the size, at least 1 pixel per side.
func half(im *image.NRGBA, stored bool) *image.NRGBA {
	w, h := im.Rect.Dx(), im.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, max(w/2, 1), max(h/2, 1)))
	light, back := gamma.Linear8(), halves()
	for y := range out.Rect.Dy() {
		top, bottom := im.Pix[min(2*y, h-1)*im.Stride:], im.Pix[min(2*y+1, h-1)*im.Stride:]
		line := out.Pix[y*out.Stride:]
		for x := range out.Rect.Dx() {
			l, r := 4*min(2*x, w-1), 4*min(2*x+1, w-1)
			for k := range 3 {
				if stored {
					line[4*x+k] = mean(top[l+k], top[r+k], bottom[l+k], bottom[r+k])
					continue
				}
				sum := light[top[l+k]] + light[top[r+k]] + light[bottom[l+k]] + light[bottom[r+k]]
				line[4*x+k] = back[int(float32(sum*(4095.0/4))+0.5)]
			}
			line[4*x+3] = mean(top[l+3], top[r+3], bottom[l+3], bottom[r+3])
		}
	}
	return out
}

func mean(a, b, c, d uint8) uint8 { return uint8((int(a) + int(b) + int(c) + int(d) + 2) / 4) }

// color is linear light with alpha, from 0 to 1, or what the image of a texture of numbers has.
type color [4]float32

// sample returns the texture's colour at u, v; 0 to 1 spans the image from its top left. Level is the base-2 logarithm
// of the number of texels that a pixel covers in each direction.
func (t *texture) sample(u, v float64, level float32) color {
	if t.clamp || !(level > 0) {
		return t.magnified(u, v)
	}
	last := float32(len(t.levels) - 1)
	level = min(level, last)
	i := int(level)
	c := t.bilinear(i, u, v)
	if f := level - float32(i); f > 0 && i+1 < len(t.levels) {
		d := t.bilinear(i+1, u, v)
		for k := range c {
			c[k] += float32((d[k] - c[k]) * f)
		}
	}
	return t.decoded(c)
}

// magnified is sample at level 0.
func (t *texture) magnified(u, v float64) color { return t.decoded(t.bilinear(0, u, v)) }

// decoded returns the linear light of what was averaged.
func (t *texture) decoded(c color) color {
	if t.stored && !t.plain {
		back := unshown()
		for k := range 3 {
			c[k] = back.of(c[k])
		}
	}
	return c
}

// bilinear averages the four nearest texels: linear light or, if the texture is stored, sRGB.
func (t *texture) bilinear(level int, u, v float64) (out color) {
	im := t.levels[level]
	x0, x1, fx := t.texels(u, im.Rect.Dx())
	y0, y1, fy := t.texels(v, im.Rect.Dy())
	light := gamma.Linear8()
	if t.stored {
		light = plainly()
	}
	a, b := im.Pix[y0*im.Stride+4*x0:][:4], im.Pix[y0*im.Stride+4*x1:][:4]
	c, d := im.Pix[y1*im.Stride+4*x0:][:4], im.Pix[y1*im.Stride+4*x1:][:4]
	mix := func(a, b, c, d float32) float32 {
		top, bottom := a+float32((b-a)*fx), c+float32((d-c)*fx)
		return top + float32((bottom-top)*fy)
	}
	for k := range 3 {
		out[k] = mix(light[a[k]], light[b[k]], light[c[k]], light[d[k]])
	}
	out[3] = mix(float32(a[3]), float32(b[3]), float32(c[3]), float32(d[3])) / 255
	return out
}

// texels returns the texels on both sides of a coordinate, and its position between them, 0 to 1.
func (t *texture) texels(u float64, n int) (i, j int, f float32) {
	if t.clamp {
		at := min(max(float64(u*float64(n))-0.5, 0), float64(n-1))
		if math.IsNaN(at) {
			at = 0
		}
		i = int(at)
		return i, min(i+1, n-1), float32(at - float64(i))
	}
	u -= math.Floor(u)
	if !(u < 1) {
		u = 0
	}
	at := float64(u*float64(n)) - 0.5
	i = int(math.Floor(at))
	f = float32(at - float64(i))
	if i < 0 {
		i = n - 1
	}
	if j = i + 1; j >= n {
		j = 0
	}
	return min(i, n-1), j, f
}

// levelOf returns the level for texture coordinates that change by ux, vx per pixel to the right and by uy, vy per pixel
// down.
func (t *texture) levelOf(ux, vx, uy, vy float64) float32 {
	w, h := float64(t.levels[0].Rect.Dx()), float64(t.levels[0].Rect.Dy())
	across, down := float64(ux*w*ux*w)+float64(vx*h*vx*h), float64(uy*w*uy*w)+float64(vy*h*vy*h)
	return log2(float32(max(across, down))) / 2
}

// log2 returns the base-2 logarithm, to about 0.01.
func log2(v float32) float32 {
	if !(v > 0) {
		return -126
	}
	b := math.Float32bits(v)
	m := math.Float32frombits(b&(1<<23-1) | 127<<23) // 1 to 2
	return float32(int(b>>23)-127) + float32((float32(m*-0.33582878)+2)*m) - 1.65871022
}
