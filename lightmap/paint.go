package lightmap

import (
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/internal/cached"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// painter paints the pages of an atlas.
type painter struct {
	a       *Atlas
	charts  []world.Chart
	on      [][]int // charts by layout
	layers  []pageLight
	padding int
	light   *table
	tilted  *table // for light from tilted directions
	effort  picture.Effort
	webP    bool // pages are WebP files
	cache   *cache.Cache
	b       *limit.Budget
	exr     [][]byte // by layer; nil for none
}

// image paints a page in 8 bits, and drops the luxels on it, which are larger than the page. Its memory stays reserved until
// encode.
func (p *painter) image(i int) (*image.NRGBA, error) {
	l, size := p.layers[i], p.a.Sizes[p.layers[i].layout]
	if err := p.b.Reserve(size.bytes()); err != nil {
		return nil, fmt.Errorf("lightmap page %d: %w", i, err)
	}
	im := image.NewNRGBA(image.Rect(0, 0, size.Width, size.Height))
	t := p.light
	if tilted(l.basis) {
		t = p.tilted
	}
	if l.basis == world.Direction {
		t = directions()
	}
	for i := 3; i < len(im.Pix); i += 4 { // where there is no chart, too
		im.Pix[i] = 255
	}
	c := canvas{im.Pix, size, 4}
	for _, chart := range p.on[l.layout] {
		c.paint(&p.charts[chart], p.a.Places[chart], l, p.padding, func(row []byte, luxels []world.RGB) {
			for i, l := range luxels {
				row[4*i], row[4*i+1], row[4*i+2], row[4*i+3] = t[l[0]], t[l[1]], t[l[2]], 255
			}
		})
		l.drop(&p.charts[chart])
	}
	return im, nil
}

// encode returns a painted page as a file.
func (p *painter) encode(i int, im *image.NRGBA) (Page, error) {
	l, size := p.layers[i], p.a.Sizes[p.layers[i].layout]
	defer p.b.Release(size.bytes())
	page := Page{Layout: l.layout, Style: l.style, Basis: l.basis, Width: size.Width, Height: size.Height}
	format := picture.PNG
	pack := func() ([]byte, error) { return picture.EncodePNG(im, false, p.effort) }
	how := fmt.Appendf(nil, "page png %d %d %q", size.Width, size.Height, p.effort)
	if p.webP {
		format = picture.WebP
		pack = func() ([]byte, error) { return picture.EncodeWebP(im, true, 100) }
		how = fmt.Appendf(nil, "page webp %d %d", size.Width, size.Height)
	}
	page.MIME = format.MIME()
	var err error
	page.Data, err = cached.Remember(p.cache, pack, holds(format, size), how, im.Pix)
	if p.exr != nil {
		page.EXR = p.exr[i]
	}
	return page, err
}

// paintEXR paints the pages as unscaled light. Besides the files, one page is in memory at a time.
func (p *painter) paintEXR(ctx context.Context) error {
	p.exr = make([][]byte, len(p.layers))
	for i, l := range p.layers {
		if l.basis == world.Direction {
			continue
		}
		size := p.a.Sizes[l.layout]
		need := 3 * picture.EXRPixel * int64(size.Width) * int64(size.Height) // the page, its blocks and the file, each up to as large
		if err := p.b.Reserve(need); err != nil {
			return fmt.Errorf("lightmap page %d: %w", i, err)
		}
		c := canvas{make([]byte, picture.EXRPixel*size.Width*size.Height), size, picture.EXRPixel}
		for _, chart := range p.on[l.layout] {
			c.paint(&p.charts[chart], p.a.Places[chart], l, p.padding, func(row []byte, luxels []world.RGB) {
				for i, l := range luxels {
					at := row[picture.EXRPixel*i : picture.EXRPixel*i+picture.EXRPixel]
					binary.LittleEndian.PutUint16(at, uint16(l[0]))
					binary.LittleEndian.PutUint16(at[2:], uint16(l[1]))
					binary.LittleEndian.PutUint16(at[4:], uint16(l[2]))
				}
			})
		}
		var err error
		p.exr[i], err = cached.Remember(p.cache, func() ([]byte, error) { return picture.EncodeEXR(ctx, c.pix, size.Width, size.Height) },
			holds(picture.EXR, size), fmt.Appendf(nil, "page exr %d %d", size.Width, size.Height), c.pix)
		p.b.Release(need - min(need, int64(len(p.exr[i]))))
		if err != nil {
			return err
		}
	}
	return nil
}

// holds returns the function that reports whether bytes of the cache are a page in a format.
func holds(f picture.Format, size Rect) func([]byte) bool {
	return func(data []byte) bool { return picture.Holds(data, f, size.Width, size.Height) }
}

// bytes is the size of a picture.
func (r Rect) bytes() int64 { return 4 * int64(r.Width) * int64(r.Height) }

// canvas is a page that is being painted.
type canvas struct {
	pix   []byte
	size  Rect
	pixel int // bytes
}

// row returns n pixels starting at a position.
func (c *canvas) row(x, y, n int) []byte {
	at := (y*c.size.Width + x) * c.pixel
	return c.pix[at : at+n*c.pixel : at+n*c.pixel]
}

// paint draws a layer of a chart with its padding; put converts luxels to pixels. A chart without light is white.
func (c *canvas) paint(chart *world.Chart, p Place, want pageLight, padding int, put func(row []byte, luxels []world.RGB)) {
	luxels := want.of(chart)
	var white []world.RGB
	if luxels == nil {
		if want.style != 0 || want.basis != world.Flat || len(chart.Layers) > 0 {
			return
		}
		white = slices.Repeat([]world.RGB{world.NewRGB(1, 1, 1)}, chart.Width)
	}
	for y := range chart.Height {
		row := white
		if luxels != nil {
			row = luxels[y*chart.Width : (y+1)*chart.Width]
		}
		put(c.row(p.X, p.Y+y, chart.Width), row)
	}
	c.extend(p, chart.Width, chart.Height, padding)
}

// of returns the light of a chart in the wanted layer, or nil.
func (want pageLight) of(c *world.Chart) []world.RGB {
	if k := want.find(c); k >= 0 {
		return c.Layers[k].Luxels
	}
	return nil
}

// drop frees the light of a chart that has been painted.
func (want pageLight) drop(c *world.Chart) {
	if k := want.find(c); k >= 0 {
		c.Layers[k].Luxels = nil
	}
}

// find returns the index of a chart's wanted layer, or -1.
func (want pageLight) find(c *world.Chart) int {
	base := want.style == 0 && want.basis == world.Flat
	for k := range c.Layers {
		if base || k > 0 && c.Layers[k].Basis == want.basis && pageStyle(c, k) == want.style {
			return k
		}
	}
	return -1
}

// extend repeats the edge of a chart into its padding, if the page has one.
func (c *canvas) extend(p Place, w, h, padding int) {
	left, top := min(padding, p.X), min(padding, p.Y)
	right, bottom := min(padding, c.size.Width-p.X-w), min(padding, c.size.Height-p.Y-h)
	for y := p.Y; y < p.Y+h; y++ {
		first, last := c.row(p.X, y, 1), c.row(p.X+w-1, y, 1)
		for i := range left {
			copy(c.row(p.X-1-i, y, 1), first)
		}
		for i := range right {
			copy(c.row(p.X+w+i, y, 1), last)
		}
	}
	row := func(y int) []byte { return c.row(p.X-left, y, left+w+right) }
	for i := range top {
		copy(row(p.Y-1-i), row(p.Y))
	}
	for i := range bottom {
		copy(row(p.Y+h+i), row(p.Y+h-1))
	}
}
