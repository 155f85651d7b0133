package lightmap

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// pageLight is one image to paint: a style and basis of the charts on a page. The page's first is flat light of
// style 0, and shows the first layer of each chart.
type pageLight struct {
	layout int
	style  uint8
	basis  world.Basis
}

// Input holds the inputs of Bake, besides its options.
type Input struct {
	World  *world.World
	Effort Effort // of PNG pages
	// Normals holds the normal maps by material, for baking light of three directions: red, green and blue are (n+1)/2 along the
	// texture's U, its V (downwards) and the normal, as in world.Basis. The light of a chart whose material has none stays flat.
	Normals map[int]*image.NRGBA
	// Painted is called when Bake has dropped the luxels, before the last page is encoded; it is not called if Bake fails
	// earlier. It may be nil.
	Painted  func()
	Cache    *cache.Cache                    // of encoded pages; nil for no cache
	Progress func(done, of int, bytes int64) // called after each encoded page, with its size, never concurrently; may be nil
}

// Bake packs the charts of a world and paints their pages. With the carrier vertex or none the atlas has no pages. It
// fails if there would be more than MaxAtlasPages.
//
// Bake owns the charts' Layers: it sums styles, bakes light of three directions, and with the moz carrier drops
// them, because the luxels are most of a map's memory. No other stage may read them meanwhile.
func Bake(ctx context.Context, in Input, o Options) (*Atlas, error) {
	w, painted := in.World, in.Painted
	if w == nil {
		return nil, fmt.Errorf("lightmap: there is no world: %w", limit.ErrUsage)
	}
	o = o.orDefaults()
	if painted == nil {
		painted = func() {}
	}
	a := &Atlas{Scale: 1}
	ctx, b := limit.Ensure(ctx)
	if o.Carrier != CarrierNone {
		if err := addStyles(ctx, w, o.Styles, b); err != nil {
			return nil, err
		}
	}
	if o.Bump == BumpBaked && o.Carrier != CarrierNone {
		if err := bakeTilted(ctx, w.Baked.Charts, in.Normals); err != nil {
			return nil, err
		}
	}
	if o.Carrier != CarrierMOZ || len(w.Baked.Charts) == 0 {
		if o.Carrier == CarrierNone {
			forget(w.Baked.Charts)
		} else if o.Unfold {
			a.Unfolded = unfold(w.Baked.Charts, o.Padding)
		}
		painted()
		return a, nil
	}
	charts, err := a.pack(w.Baked.Charts, o, b)
	if err != nil {
		return nil, err
	}
	if err := a.scale(ctx, w.Baked.Charts, o); err != nil {
		return nil, err
	}
	p := &painter{
		a: a, charts: w.Baked.Charts, on: charts, padding: o.Padding, light: lightTable(a.Scale), tilted: lightTable(max(a.Tilted, 1)),
		effort: picture.Effort(cmp.Or(in.Effort, EffortDefault)), webP: o.Images == ImagesWebP, cache: in.Cache, b: b,
	}
	p.layers = a.layers(w, o, charts, int(min(b.Limits.MaxAtlasPages, math.MaxInt32)))
	if o.HDR == HDRAlways || o.HDR == HDRSidecar && w.Baked.HDR {
		if err := p.paintEXR(ctx); err != nil {
			return nil, err
		}
	}
	// Other stages wait until no luxels and at most one page are left.
	var unpainted, unencoded atomic.Int64
	var painting sync.Mutex
	unpainted.Store(int64(len(p.layers)))
	unencoded.Store(int64(len(p.layers)))
	once := sync.OnceFunc(painted)
	a.Pages, err = par.Map(ctx, len(p.layers), par.Counted(len(p.layers), in.Progress, sizeOf, func(i int) (Page, error) {
		painting.Lock() // frees the luxels of one page before the next is allocated
		im, err := p.image(i)
		painting.Unlock()
		if err != nil {
			return Page{}, err
		}
		if unpainted.Add(-1) == 0 {
			forget(w.Baked.Charts)
		}
		if unpainted.Load() == 0 && unencoded.Load() <= 1 {
			once()
		}
		page, err := p.encode(i, im)
		if left := unencoded.Add(-1); err == nil && left <= 1 && unpainted.Load() == 0 {
			once()
		}
		return page, err
	}))
	if err != nil {
		return nil, err
	}
	return a, nil
}

func sizeOf(p Page) int64 { return int64(len(p.Data) + len(p.EXR)) }

// pack finds a place for each chart and returns the charts by page.
func (a *Atlas) pack(charts []world.Chart, o Options, b *limit.Budget) ([][]int, error) {
	rects := rects(charts)
	a.Places, a.Sizes = Pack(rects, o.Padding, o.PageSize)
	if err := limit.Check("MaxAtlasPages", b.Limits.MaxAtlasPages, int64(len(a.Sizes))); err != nil {
		return nil, fmt.Errorf("lightmap: %w", err)
	}
	on := make([][]int, len(a.Sizes))
	a.Used = make([]float64, len(a.Sizes))
	for i, r := range rects {
		if r.empty() {
			continue
		}
		p := a.Places[i].Page
		on[p] = append(on[p], i)
		a.Used[p] += float64(r.Width*r.Height) / float64(a.Sizes[p].Width*a.Sizes[p].Height)
	}
	return on, nil
}

// forget drops the luxels.
func forget(charts []world.Chart) {
	for i := range charts {
		charts[i].Layers = nil
	}
}

// shown reports whether layer k of a chart is painted, by the options; left reports that it was left out because of its style.
func (o Options) shown(c *world.Chart, k int) (yes, left bool) {
	l := &c.Layers[k]
	switch {
	case k == 0:
		return true, false
	case l.Basis == world.Direction:
		return o.Deluxe, false
	case l.Basis == world.Flat && l.Style == 0: // a duplicate
		return false, false
	case l.Basis != world.Flat && o.Bump != BumpPages:
		return false, false
	case o.Styles == StylesDrop && pageStyle(c, k) != 0:
		return false, l.Basis == world.Flat
	}
	return true, false
}

// pageStyle returns the style of the pages that show layer k of a chart. The first layer, whatever its style, and the
// directional light of that style are on the pages of style 0.
func pageStyle(c *world.Chart, k int) uint8 {
	l := &c.Layers[k]
	if k == 0 || tilted(l.Basis) && l.Style == c.Layers[0].Style {
		return 0
	}
	return l.Style
}

// layers lists the images to paint: every page once, then up to most images of other styles and bases.
func (a *Atlas) layers(w *world.World, o Options, charts [][]int, most int) []pageLight {
	var first, rest []pageLight
	listed := map[pageLight]bool{}
	var leftOut [256]int
	for layout := range a.Sizes {
		first = append(first, pageLight{layout: layout})
		for _, chart := range charts[layout] {
			c := &w.Baked.Charts[chart]
			for k := range c.Layers {
				next := pageLight{layout, pageStyle(c, k), c.Layers[k].Basis}
				yes, left := o.shown(c, k)
				if left {
					leftOut[next.style]++
				}
				if yes && k > 0 && !listed[next] {
					listed[next] = true
					rest = append(rest, next)
				}
			}
		}
	}
	slices.SortFunc(rest, func(x, y pageLight) int {
		return cmp.Or(int(x.basis)-int(y.basis), int(x.style)-int(y.style), x.layout-y.layout)
	})
	for style, n := range leftOut {
		if n > 0 {
			a.issue(fmt.Sprintf("light style %d", style), "left out of %d charts (lightmap.styles: drop)", n)
		}
	}
	if len(rest) > most {
		a.issue("lightmap", "%d pages of light styles and directions were left out: they are limited to %d (MaxAtlasPages)",
			len(rest)-most, most)
		rest = rest[:most]
	}
	return append(first, rest...)
}

func (a *Atlas) issue(where, format string, args ...any) {
	a.Issues = append(a.Issues, world.Issue{Code: "light-style", Where: where, Detail: fmt.Sprintf(format, args...)})
}
