package quake3

import (
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A surface with light styles has its light on up to four pages, or in several places of one. The record has room for
// the rectangles, but q3map2 leaves them empty (seen in a Warfork map), so they are taken from the lightmap
// coordinates, which a vertex has for each style. The styles of a surface are as large as each other and lie luxel by
// luxel over each other, or are one luxel where the light is the same all over (q3map2, StoreSurfaceLightmaps).

// frame locates the light of a surface in its styles.
type frame struct {
	width, height int
	styles        [4]styleFrame
}

// styleFrame locates the light in one style. A solid one is a single luxel.
type styleFrame struct {
	style uint8 // noStyle if there is none
	solid bool
	page  int
	x, y  int
}

// bounds are the least and the greatest lightmap coordinates of n vertices, in luxels; ok is false where one is not a
// number.
func (v *vertices) bounds(first, n, slot int, size [2]float32) (lo, hi [2]float32, ok bool) {
	for i := range n {
		lm := v.at(first + i).lightmap(slot)
		if !finite(lm) {
			return lo, hi, false
		}
		for k, x := range lm {
			x = min(max(x, 0), 1) * size[k]
			if i == 0 {
				lo[k], hi[k] = x, x
			}
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	return lo, hi, n > 0
}

// frameOf finds the frame of a surface with light styles, and the slot of the style whose lightmap coordinates are the frame's: the one
// with the largest rectangle. ok is false if the coordinates are invalid.
func frameOf(dc *decoding.Context, list []page, v *vertices, s *surface, index int) (f frame, slot int, ok bool) {
	first, n := int(s.FirstVertex), int(s.Vertices)
	if first < 0 || n < 1 || n > v.count-first {
		return f, 0, false // corners reports it
	}
	var lo, hi [4][2]float32
	largest := float32(-1)
	f = frame{styles: [4]styleFrame{{style: noStyle}, {style: noStyle}, {style: noStyle}, {style: noStyle}}}
	for k, style := range s.LightStyles {
		page := int(s.Lightmap[k])
		if style == noStyle || page < 0 {
			continue
		}
		if page >= len(list) || list[page].width == 0 {
			dc.Issue("light-style", face(index), "style %d is on lightmap page %d, which is not there", style, page)
			continue
		}
		if lo[k], hi[k], ok = v.bounds(first, n, k, list[page].size()); !ok {
			dc.Issue("light-style", face(index), "style %d has lightmap coordinates that are not numbers", style)
			return f, 0, false
		}
		w, h := hi[k][0]-lo[k][0], hi[k][1]-lo[k][1]
		f.styles[k] = styleFrame{style: style, page: page, solid: w < 0.25 && h < 0.25}
		if w+h > largest+0.25 {
			largest, slot = w+h, k
		}
	}
	f.place(list, slot, &lo, &hi)
	base := f.styles[slot]
	for k := range f.styles {
		t := &f.styles[k]
		if t.style == noStyle || t.solid {
			continue
		}
		dx, dy := float64(lo[k][0]-lo[slot][0]), float64(lo[k][1]-lo[slot][1])
		same := math.Abs(float64(hi[k][0]-hi[slot][0])-dx) < 0.25 && math.Abs(float64(hi[k][1]-hi[slot][1])-dy) < 0.25
		if p := &list[t.page]; !same || t.x < 0 || t.y < 0 || t.x+f.width > p.width || t.y+f.height > p.height {
			dc.Issue("light-style", face(index), "style %d on lightmap page %d does not lie over style %d", t.style, t.page, base.style)
			*t = styleFrame{style: noStyle}
		}
	}
	return f, slot, true
}

// place sets the size of the frame and its position in each style, given the bounds of the coordinates in luxels. The frame has a luxel
// more on each side of the slot's rectangle than the centres enclose, for the filter.
func (f *frame) place(list []page, slot int, lo, hi *[4][2]float32) {
	p := &list[f.styles[slot].page]
	var corner, end [2]int
	for k, most := range [2]int{p.width - 1, p.height - 1} {
		corner[k] = min(max(int(math.Floor(float64(lo[slot][k])-0.5)), 0), most)
		end[k] = min(max(int(math.Floor(float64(hi[slot][k])-0.5))+1, corner[k]), most)
	}
	f.width, f.height = end[0]-corner[0]+1, end[1]-corner[1]+1
	for k := range f.styles {
		t := &f.styles[k]
		if t.style == noStyle {
			continue
		}
		if t.solid = t.solid && k != slot; t.solid {
			p := &list[t.page]
			t.x, t.y = min(int(lo[k][0]), p.width-1), min(int(lo[k][1]), p.height-1)
			continue
		}
		dx, dy := float64(lo[k][0]-lo[slot][0]), float64(lo[k][1]-lo[slot][1])
		t.x, t.y = corner[0]+int(math.Round(dx)), corner[1]+int(math.Round(dy))
	}
}

// chart decodes the chart of the frame, with style 0 first, for readers that use only one layer.
func (f *frame) chart(dc *decoding.Context, p *pages, c *curve) (world.Chart, error) {
	chart := world.Chart{Width: f.width, Height: f.height}
	for _, zero := range []bool{true, false} {
		for _, t := range f.styles {
			if t.style == noStyle || (t.style == 0) != zero {
				continue
			}
			if err := dc.Reserve(2 * luxelSize * int64(f.width) * int64(f.height)); err != nil { // twice for deluxe
				return chart, fmt.Errorf("light style %d: %w", t.style, err)
			}
			if !t.solid {
				chart.Layers = p.layers(chart.Layers, c, t.style, t.page, t.x, t.y, f.width, f.height)
				continue
			}
			from := len(chart.Layers)
			chart.Layers = p.layers(chart.Layers, c, t.style, t.page, t.x, t.y, 1, 1)
			for i := from; i < len(chart.Layers); i++ {
				all := make([]world.RGB, f.width*f.height)
				for k := range all {
					all[k] = chart.Layers[i].Luxels[0]
				}
				chart.Layers[i].Luxels = all
			}
		}
	}
	return chart, nil
}
