package lightmap

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// sheetLayer is one picture to paint: a style and basis of the charts on a page. The page's first is style 0 and
// flat, and shows the first layer of each chart.
type sheetLayer struct {
	sheet int
	style uint8
	basis world.Basis
}

// Bake packs the charts of w and paints their pages; effort is that of the PNG files. With the vertex carrier or
// none there is nothing to paint and the atlas is empty. It fails when there would be more than MaxAtlasPages.
//
// Bake owns the charts' Layers: it adds up styles that are to be merged, and with the moz carrier drops them, because
// the luxels are most of a map's memory. No other stage may read them meanwhile. It calls painted, which may be nil, when
// it has got rid of what it can before the pages are encoded; where it fails before that, it does not.
func Bake(ctx context.Context, w *world.World, o Options, effort picture.Effort, painted func()) (*Atlas, error) {
	if painted == nil {
		painted = func() {}
	}
	a := &Atlas{Scale: 1}
	b := limit.From(ctx)
	if o.Styles == "merge" && o.Carrier != "none" {
		if err := merge(w.Charts, b); err != nil {
			return nil, err
		}
	}
	if o.Carrier != "moz" || len(w.Charts) == 0 {
		if o.Carrier == "none" {
			forget(w.Charts)
		}
		painted()
		return a, nil
	}
	rects := make([]Rect, len(w.Charts))
	for i, c := range w.Charts {
		rects[i] = Rect{c.Width, c.Height}
	}
	a.Places, a.Sizes = Pack(rects, o.Padding, o.PageSize)
	if err := limit.Check("MaxAtlasPages", b.Limits.MaxAtlasPages, int64(len(a.Sizes))); err != nil {
		return nil, fmt.Errorf("lightmap: %w", err)
	}
	charts := make([][]int, len(a.Sizes)) // by page
	a.Used = make([]float64, len(a.Sizes))
	for i, r := range rects {
		if r.empty() {
			continue
		}
		p := a.Places[i].Page
		charts[p] = append(charts[p], i)
		a.Used[p] += float64(r.Width*r.Height) / float64(a.Sizes[p].Width*a.Sizes[p].Height)
	}
	a.Scale = scale(w.Charts, o)
	light := lightTable(a.Scale)
	layers := a.layers(w, o, charts, int(min(b.Limits.MaxAtlasPages, math.MaxInt32)))

	page := func(i int) (*image.NRGBA, error) {
		l, size := layers[i], a.Sizes[layers[i].sheet]
		if err := b.Reserve(size.bytes()); err != nil {
			return nil, fmt.Errorf("lightmap page %d: %w", i, err)
		}
		im := image.NewNRGBA(image.Rect(0, 0, size.Width, size.Height))
		t := light
		if l.basis == world.Direction {
			t = directions()
		}
		for _, chart := range charts[l.sheet] {
			paint(im, &w.Charts[chart], a.Places[chart], l, t, o.Padding)
		}
		return im, nil
	}
	encode := func(i int, im *image.NRGBA) (Page, error) {
		l, size := layers[i], a.Sizes[layers[i].sheet]
		defer b.Release(size.bytes())
		data, err := picture.EncodePNG(im, false, effort)
		return Page{l.sheet, l.style, l.basis, data, size.Width, size.Height}, err
	}
	var err error
	if len(layers) > len(a.Sizes) {
		// Pages of styles and directions are mostly empty, and all of them at a time would be more than the luxels.
		painted()
		a.Pages, err = par.Map(ctx, len(layers), func(i int) (Page, error) {
			im, err := page(i)
			if err != nil {
				return Page{}, err
			}
			return encode(i, im)
		})
		forget(w.Charts)
		return a, err
	}
	images, err := par.Map(ctx, len(layers), page)
	if err != nil {
		return nil, err
	}
	forget(w.Charts)
	painted()
	a.Pages, err = par.Map(ctx, len(layers), func(i int) (Page, error) {
		im := images[i]
		images[i] = nil
		return encode(i, im)
	})
	return a, err
}

// bytes is the size of a picture.
func (r Rect) bytes() int64 { return 4 * int64(r.Width) * int64(r.Height) }

// forget drops the luxels.
func forget(charts []world.Chart) {
	for i := range charts {
		charts[i].Layers = nil
	}
}

// merge adds the light of all styles to the first.
func merge(charts []world.Chart, b *limit.Budget) error {
	for i := range charts {
		c := &charts[i]
		flat := 0
		for _, l := range c.Layers {
			if l.Basis == world.Flat {
				flat++
			}
		}
		if flat < 2 {
			continue
		}
		if err := b.Reserve(int64(len(c.Layers[0].Luxels)) * 6); err != nil {
			return fmt.Errorf("lightmap: %w", err)
		}
		merged := []world.Layer{{Luxels: slices.Clone(c.Layers[0].Luxels)}} // other charts may show them too
		for _, l := range c.Layers[1:] {
			if l.Basis != world.Flat {
				merged = append(merged, l)
				continue
			}
			sum := merged[0].Luxels
			for k, light := range l.Luxels {
				for j := range light {
					sum[k][j] = world.NewHalf(sum[k][j].Float32() + light[j].Float32())
				}
			}
		}
		c.Layers = merged
	}
	return nil
}

// shown tells whether the options want a layer of a chart painted; left tells that it was left out as a style.
func (o Options) shown(k int, l *world.Layer) (yes, left bool) {
	switch {
	case k == 0:
		return true, false
	case l.Basis == world.Direction:
		return o.Deluxe, false
	case l.Basis == world.Flat && l.Style == 0: // there twice
		return false, false
	case l.Basis == world.Flat && o.Styles == "drop":
		return false, true
	}
	return true, false
}

// layers lists what is to be painted: every page once, then at most most of the other styles and bases that its
// charts have.
func (a *Atlas) layers(w *world.World, o Options, charts [][]int, most int) []sheetLayer {
	var first, rest []sheetLayer
	listed := map[sheetLayer]bool{}
	var leftOut [256]int
	for sheet := range a.Sizes {
		first = append(first, sheetLayer{sheet: sheet})
		for _, chart := range charts[sheet] {
			for k := range w.Charts[chart].Layers {
				l := &w.Charts[chart].Layers[k]
				next := sheetLayer{sheet, l.Style, l.Basis}
				yes, left := o.shown(k, l)
				if left {
					leftOut[l.Style]++
				}
				if yes && k > 0 && !listed[next] {
					listed[next] = true
					rest = append(rest, next)
				}
			}
		}
	}
	slices.SortFunc(rest, func(x, y sheetLayer) int {
		return cmp.Or(int(x.basis)-int(y.basis), int(x.style)-int(y.style), x.sheet-y.sheet)
	})
	for style, n := range leftOut {
		if n > 0 {
			a.issue(fmt.Sprintf("light style %d", style), "left out of %d charts (lightmap.styles: drop)", n)
		}
	}
	if len(rest) > most {
		a.issue("lightmap", "%d pages of light styles and directions were left out: they are limited to %d (MaxAtlasPages)", len(rest)-most, most)
		rest = rest[:most]
	}
	return append(first, rest...)
}

func (a *Atlas) issue(where, format string, args ...any) {
	a.Issues = append(a.Issues, world.Issue{Code: "light-style", Where: where, Detail: fmt.Sprintf(format, args...)})
}

// scale is the light that becomes white: 1, or the brightest luxel that is painted where that is more.
func scale(charts []world.Chart, o Options) float32 {
	most := world.NewHalf(1)
	for i := range charts {
		for k := range charts[i].Layers {
			l := &charts[i].Layers[k]
			if yes, _ := o.shown(k, l); !yes || l.Basis == world.Direction {
				continue
			}
			for _, c := range l.Luxels {
				for _, x := range c {
					if x > most && x < 1<<15 { // Halfs are in order, but for the sign
						most = x
					}
				}
			}
		}
	}
	return most.Float32()
}

// paint draws a layer of a chart with its gutter. A chart without light is white.
func paint(im *image.NRGBA, c *world.Chart, p Place, want sheetLayer, t *table, padding int) {
	base := want.style == 0 && want.basis == world.Flat
	var luxels []world.RGB
	for k, l := range c.Layers {
		if base && k == 0 || !base && k > 0 && l.Style == want.style && l.Basis == want.basis {
			luxels = l.Luxels
			break
		}
	}
	if luxels == nil && (!base || len(c.Layers) > 0) {
		return
	}
	for y := range c.Height {
		at := im.PixOffset(p.X, p.Y+y)
		row := im.Pix[at : at+4*c.Width : at+4*c.Width]
		if luxels == nil {
			for i := range row {
				row[i] = 255
			}
			continue
		}
		for i, l := range luxels[y*c.Width : (y+1)*c.Width] {
			row[4*i], row[4*i+1], row[4*i+2], row[4*i+3] = t[l[0]], t[l[1]], t[l[2]], 255
		}
	}
	extend(im, p, c.Width, c.Height, padding)
}

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
