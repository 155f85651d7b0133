package quake3

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// lightmaps holds the pages of a map as charts.
//
// A page is a chart that its surfaces share, so the neighbours within it stay as the compiler packed them. Only a
// surface with light styles has a chart of its own, because each style lies on a different page.
type lightmaps struct {
	pages  []page
	chart  []int          // of a page, or NoChart
	charts []world.Chart  // pages first, in their order
	frames map[frame]int  // charts of surfaces with light styles
	deluxe bool           // odd pages hold the directions of the even ones' light
	named  map[string]int // charts of images that scripts name
	shader map[int32]int  // the same by shader

	leftOut [256]int // faces by light style whose vertex colours were left out
}

// page is an image of light as stored. A missing or unused page has no size.
type page struct {
	width, height int
	stride        int // bytes per luxel, RGB first
	data          []byte
}

// lift returns the luxels of a rectangle.
func (p *page) lift(x, y, width, height int, f func(r, g, b uint8) (x, y, z world.Half)) []world.RGB {
	luxels := make([]world.RGB, width*height)
	for row := range height {
		from := p.data[((y+row)*p.width+x)*p.stride:]
		to := luxels[row*width : (row+1)*width]
		for i := range to {
			b, l := from[i*p.stride:], &to[i]
			l[0], l[1], l[2] = f(b[0], b[1], b[2])
		}
	}
	return luxels
}

func (p *page) size() [2]float32 { return [2]float32{float32(p.width), float32(p.height)} }

// luxelSize is the memory of a luxel of a world.Layer.
var luxelSize = limit.Bytes[world.RGB](1)

// lighting locates a surface's light.
type lighting struct {
	kind      world.Lighting
	chart     int
	slot      int        // of the lightmap coordinates
	colors    int        // slot of the colours
	size      [2]float32 // luxels that the lightmap coordinates 0 to 1 span
	origin    [2]float32 // luxels of the chart's corner
	chartSize [2]float32 // luxels of the chart
}

// readLightmaps finds the pages, in the lump or beside the map, and lifts those that surfaces use as a whole.
func (d *decoder) readLightmaps(ctx context.Context) error {
	lm := &lightmaps{frames: map[frame]int{}, named: map[string]int{}, shader: map[int32]int{}}
	d.lights = lm
	l, side := d.lumps[lumpLightmaps], d.v.page
	size := side * side * 3
	n := len(l.Data) / size
	if rest := len(l.Data) % size; rest != 0 {
		d.Issue("lightmap-size", l.Name, "%d bytes behind the last whole page of %d were left out", rest, size)
	}
	used := pagesUsed(d.surfaces)
	lm.pages = make([]page, n, max(n, len(used)))
	for i := range lm.pages {
		lm.pages[i] = page{side, side, 3, l.Data[i*size : (i+1)*size]}
	}
	if err := d.externalPages(used); err != nil {
		return err
	}
	lm.deluxe = isDeluxe(used, d.w.Entities, lm.pages)
	for i := range lm.pages {
		if partner := lm.deluxe && i%2 == 1 && lit(used, i-1); !lit(used, i) && !partner {
			lm.pages[i] = page{}
		}
	}
	return lm.lift(ctx, d)
}

// pagesUsed returns which pages surfaces use, up to the last used one.
func pagesUsed(surfaces []surface) (used []bool) {
	for i := range surfaces {
		s := &surfaces[i]
		for k, page := range s.Lightmap {
			if s.LightStyles[k] == noStyle || page < 0 || page >= maxPages {
				continue
			}
			for int(page) >= len(used) {
				used = append(used, false)
			}
			used[page] = true
		}
	}
	return used
}

// maxPages is far above what any map holds.
const maxPages = 4096

func lit(used []bool, page int) bool { return page < len(used) && used[page] }

// lift makes charts of the pages that surfaces use as a whole. Pages that are no longer needed are dropped.
func (lm *lightmaps) lift(ctx context.Context, d *decoder) error {
	whole, parts := make([]bool, len(lm.pages)), false
	for i := range d.surfaces {
		s := &d.surfaces[i]
		if styled(s) {
			parts = true
		} else if _, page := lm.page(s); page >= 0 {
			whole[page] = true
		}
	}
	lm.chart = make([]int, len(lm.pages))
	var pages []int // by chart
	for i, p := range lm.pages {
		lm.chart[i] = world.NoChart
		if !whole[i] {
			continue
		}
		lm.chart[i] = len(pages)
		pages = append(pages, i)
		if err := d.Reserve(2 * luxelSize * int64(p.width) * int64(p.height)); err != nil { // twice for deluxe
			return fmt.Errorf("lightmap page %d: %w", i, err)
		}
	}
	var err error
	lm.charts, err = par.Map(ctx, len(pages), func(i int) (world.Chart, error) {
		p := &lm.pages[pages[i]]
		c := world.Chart{Width: p.width, Height: p.height}
		c.Layers = lm.layers(c.Layers, d.curve, 0, pages[i], 0, 0, p.width, p.height)
		if !parts {
			p.data = nil
			if lm.deluxe && len(c.Layers) > 1 {
				lm.pages[pages[i]+1].data = nil // no surface shows it
			}
		}
		return c, nil
	})
	return err
}

// layers adds the light of a rectangle in a style, and its directions if they are known.
func (lm *lightmaps) layers(to []world.Layer, c *curve, style uint8, n, x, y, width, height int) []world.Layer {
	p := &lm.pages[n]
	to = append(to, world.Layer{Style: style, Luxels: p.lift(x, y, width, height, c.luxel)})
	if lm.deluxe && n+1 < len(lm.pages) {
		if dir := &lm.pages[n+1]; dir.width == p.width && dir.height == p.height {
			to = append(to, world.Layer{Style: style, Basis: world.Direction, Luxels: dir.lift(x, y, width, height, direction)})
		}
	}
	return to
}

// page returns the first page that lights a surface, with its slot; page is negative if there is none.
func (lm *lightmaps) page(s *surface) (slot, page int) {
	none := int(s.Lightmap[0])
	for k, n := range s.Lightmap {
		switch {
		case s.LightStyles[k] == noStyle || n < 0:
		case int(n) < len(lm.pages) && lm.pages[n].width > 0:
			return k, int(n)
		default:
			none = -1 // a page that is not there: the engines light the surface by its vertices
		}
	}
	return 0, min(none, -1)
}

// styled reports whether a surface has light in a style other than 0.
func styled(s *surface) bool {
	for k, style := range s.LightStyles {
		if style != noStyle && style != 0 && s.Lightmap[k] >= 0 {
			return true
		}
	}
	return false
}

// of finds the light of a surface. It fails only if a limit is exceeded.
func (lm *lightmaps) of(d *decoder, s *surface, index int) (l lighting, err error) {
	slot, page := lm.page(s)
	l = lighting{kind: world.Lightmap, chart: world.NoChart, slot: slot}
	for l.colors < 3 && s.VertexStyles[l.colors] == noStyle {
		l.colors++
	}
	switch {
	case page >= 0:
		if styled(s) {
			err = lm.frame(d, s, index, &l)
			break
		}
		l.chart, l.size = lm.chart[page], lm.pages[page].size()
	case page == -2:
		l.kind = world.Fullbright
	default:
		if l.chart, err = lm.image(d, s.Shader); l.chart != world.NoChart {
			l.size = [2]float32{float32(lm.charts[l.chart].Width), float32(lm.charts[l.chart].Height)}
			break
		}
		l.kind = world.PerVertex
		for k := l.colors + 1; k < 4; k++ {
			if s.VertexStyles[k] != noStyle {
				lm.leftOut[s.VertexStyles[k]]++
			}
		}
	}
	if err == nil && l.chart != world.NoChart {
		l.chartSize = [2]float32{float32(lm.charts[l.chart].Width), float32(lm.charts[l.chart].Height)}
	}
	return l, err
}

// image finds the chart of a shader whose script names the image of its lightmap, as q3map2 writes for pages that are
// larger than the engine's. It returns NoChart if there is none.
func (lm *lightmaps) image(d *decoder, shader int32) (int, error) {
	if d.o.LightImage == nil {
		return world.NoChart, nil
	}
	if chart, ok := lm.shader[shader]; ok {
		return chart, nil
	}
	lm.shader[shader] = world.NoChart
	name := d.o.LightImage(materialName(le.String(d.shaders[shader].Name[:])))
	if name == "" {
		return world.NoChart, nil
	}
	chart, ok := lm.named[name]
	if !ok {
		chart = world.NoChart
		p, err := d.readImage(trimExt(name))
		if err != nil {
			return world.NoChart, err
		}
		if p.width > 0 {
			n := luxelSize * int64(p.width) * int64(p.height)
			if err := d.Reserve(n); err != nil {
				return world.NoChart, fmt.Errorf("%.100q: %w", name, err)
			}
			chart = len(lm.charts)
			c := world.Chart{Width: p.width, Height: p.height}
			c.Layers = []world.Layer{{Luxels: p.lift(0, 0, p.width, p.height, d.curve.luxel)}}
			lm.charts = append(lm.charts, c)
		} else {
			d.Issue("lightmap-missing", name, "a script names it as the lightmap of a surface")
		}
		lm.named[name] = chart
	}
	lm.shader[shader] = chart
	return chart, nil
}
