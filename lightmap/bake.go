package lightmap

import (
	"context"
	"fmt"
	"image"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// sheetLayer is one picture to paint: a style and basis of the charts on a page.
type sheetLayer struct {
	sheet int
	style uint8
	basis world.Basis
}

// Bake packs the charts of w and paints their pages; effort is that of the PNG files. With the vertex carrier or
// none there is nothing to paint and the atlas is empty. It fails when there would be more than MaxAtlasPages.
func Bake(ctx context.Context, w *world.World, o Options, effort picture.Effort) (*Atlas, error) {
	a := &Atlas{Scale: 1}
	if o.Carrier != "moz" || len(w.Charts) == 0 {
		return a, nil
	}
	rects := make([]Rect, len(w.Charts))
	for i, c := range w.Charts {
		rects[i] = Rect{c.Width, c.Height}
	}
	a.Places, a.Sizes = Pack(rects, o.Padding, o.PageSize)
	b := limit.From(ctx)
	if err := limit.Check("MaxAtlasPages", b.Limits.MaxAtlasPages, int64(len(a.Sizes))); err != nil {
		return nil, fmt.Errorf("lightmap: %w", err)
	}
	a.measure(rects)
	charts := make([][]int, len(a.Sizes)) // by page
	for i, p := range a.Places {
		if rects[i].Width > 0 {
			charts[p.Page] = append(charts[p.Page], i)
		}
	}
	layers := a.layers(w, o, charts)
	if o.Styles == "merge" {
		a.Scale = scale(w, true)
	} else {
		a.Scale = scale(w, false)
	}
	pages, err := par.Map(ctx, len(layers), func(i int) (Page, error) {
		l := layers[i]
		size := a.Sizes[l.sheet]
		bytes := int64(size.Width) * int64(size.Height) * 4
		if err := b.Reserve(bytes); err != nil {
			return Page{}, fmt.Errorf("lightmap page %d: %w", i, err)
		}
		defer b.Release(bytes)
		im := image.NewNRGBA(image.Rect(0, 0, size.Width, size.Height))
		for _, chart := range charts[l.sheet] {
			a.paint(im, &w.Charts[chart], a.Places[chart], l, o)
		}
		data, err := picture.EncodePNG(im, false, effort)
		return Page{l.sheet, l.style, l.basis, data, size.Width, size.Height}, err
	})
	a.Pages = pages
	return a, err
}

// measure fills Used.
func (a *Atlas) measure(rects []Rect) {
	a.Used = make([]float64, len(a.Sizes))
	for i, r := range rects {
		if r.Width > 0 {
			size := a.Sizes[a.Places[i].Page]
			a.Used[a.Places[i].Page] += float64(r.Width*r.Height) / float64(size.Width*size.Height)
		}
	}
}

// layers lists what is to be painted: every page once, then the other styles and bases that its charts have.
func (a *Atlas) layers(w *world.World, o Options, charts [][]int) []sheetLayer {
	var first, rest []sheetLayer
	leftOut := map[uint8]int{}
	for sheet := range a.Sizes {
		first = append(first, sheetLayer{sheet: sheet})
		for _, chart := range charts[sheet] {
			for k, l := range w.Charts[chart].Layers {
				next := sheetLayer{sheet, l.Style, l.Basis}
				switch {
				case k == 0 || slices.Contains(rest, next):
				case l.Basis == world.Direction && !o.Deluxe:
				case l.Basis == world.Flat && o.Styles == "drop":
					leftOut[l.Style]++
				case l.Basis == world.Flat && o.Styles == "merge":
				default:
					rest = append(rest, next)
				}
			}
		}
	}
	slices.SortFunc(rest, func(x, y sheetLayer) int {
		return 1<<16*(int(x.basis)-int(y.basis)) + 1<<8*(int(x.style)-int(y.style)) + min(x.sheet, 255) - min(y.sheet, 255)
	})
	for style := range 256 {
		if n := leftOut[uint8(style)]; n > 0 {
			a.Issues = append(a.Issues, world.Issue{Code: "light-style", Where: fmt.Sprintf("light style %d", style),
				Detail: fmt.Sprintf("left out of %d charts (lightmap.styles: drop)", n)})
		}
	}
	return append(first, rest...)
}

// scale is the light that becomes white: 1, or the brightest luxel where that is more.
func scale(w *world.World, merge bool) float32 {
	most := float32(1)
	for i := range w.Charts {
		for k, l := range w.Charts[i].Layers {
			if l.Basis == world.Direction {
				continue
			}
			for j, c := range l.Luxels {
				if merge && k == 0 {
					c = merged(&w.Charts[i], j)
				}
				most = max(most, c[0], c[1], c[2])
			}
		}
	}
	return most
}

// merged is the sum of all styles at a luxel.
func merged(c *world.Chart, at int) (sum [3]float32) {
	for _, l := range c.Layers {
		if l.Basis == world.Flat {
			for k := range sum {
				sum[k] += l.Luxels[at][k]
			}
		}
	}
	return sum
}

// paint draws a layer of a chart with its gutter.
func (a *Atlas) paint(im *image.NRGBA, c *world.Chart, p Place, want sheetLayer, o Options) {
	var layer *world.Layer
	for k := range c.Layers {
		l := &c.Layers[k]
		if (k == 0 && want.basis == world.Flat && want.style == 0) || (k > 0 && l.Style == want.style && l.Basis == want.basis) {
			layer = l
			break
		}
	}
	if layer == nil {
		return
	}
	merge := o.Styles == "merge" && want.style == 0 && want.basis == world.Flat && len(c.Layers) > 1
	inv := 1 / a.Scale
	for y := range c.Height {
		at := im.PixOffset(p.X, p.Y+y)
		row := im.Pix[at : at+4*c.Width : at+4*c.Width]
		luxels := layer.Luxels[y*c.Width : (y+1)*c.Width]
		switch {
		case want.basis == world.Direction:
			for i, d := range luxels {
				row[4*i], row[4*i+1], row[4*i+2], row[4*i+3] = signed(d[0]), signed(d[1]), signed(d[2]), 255
			}
		default:
			for i, l := range luxels {
				if merge {
					l = merged(c, y*c.Width+i)
				}
				row[4*i], row[4*i+1], row[4*i+2], row[4*i+3] = srgb.value(l[0]*inv), srgb.value(l[1]*inv), srgb.value(l[2]*inv), 255
			}
		}
	}
	extend(im, p, c.Width, c.Height, o.Padding)
}

// signed maps -1 to 1 to 0 to 255.
func signed(v float32) uint8 { return uint8(min(max((v+1)*127.5+0.5, 0), 255)) }

// extend repeats the edge of a chart into its gutter, where the page has one.
func extend(im *image.NRGBA, p Place, w, h, padding int) {
	left, top := min(padding, p.X), min(padding, p.Y)
	right, bottom := min(padding, im.Rect.Dx()-p.X-w), min(padding, im.Rect.Dy()-p.Y-h)
	for y := p.Y; y < p.Y+h; y++ {
		first, last := im.PixOffset(p.X, y), im.PixOffset(p.X+w-1, y)
		for i := 1; i <= left; i++ {
			copy(im.Pix[first-4*i:], im.Pix[first:first+4])
		}
		for i := 1; i <= right; i++ {
			copy(im.Pix[last+4*i:], im.Pix[last:last+4])
		}
	}
	row := func(y int) []byte {
		at := im.PixOffset(p.X-left, y)
		return im.Pix[at : at+4*(left+w+right)]
	}
	for i := 1; i <= top; i++ {
		copy(row(p.Y-i), row(p.Y))
	}
	for i := 1; i <= bottom; i++ {
		copy(row(p.Y+h-1+i), row(p.Y+h-1))
	}
}
