package respawn

import (
	"context"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Light is in pages that many meshes share; headers give their sizes. Two lumps have light, in the order of the headers.
// For each header, the sky's lump has two pages, A and B, of four bytes per luxel. The lump of real-time lights has one
// page in Titanfall, and in Titanfall 2 two, with or without a third of a quarter of their size. The meaning of the
// pages is not documented; page A of the sky is read as sRGB colours.

// pageSizes lists the possible bytes per luxel in all pages of a header: A; A and B; A, B and C. Page A takes four
// of them.
var pageSizes = []int64{4, 8, 9}

// pages holds the pages of light of a map.
type pages struct {
	dc      *decoding.Context
	headers []lightHeader
	data    []byte        // of all pages, or nil if there is no light
	at      []int64       // by header: offset of its first page in data
	made    []int         // by header: its chart, or NoChart
	charts  []world.Chart // of the headers that meshes use
	from    []int         // by chart: its header
}

// findPages finds the light of all headers: the sky's, or else that of real-time lights.
func findPages(dc *decoding.Context, headers []lightHeader, lumps *lumps) (*pages, error) {
	p := &pages{dc: dc, headers: headers}
	if err := dc.Borrow(2 * limit.Bytes[int](len(headers))); err != nil {
		return nil, err
	}
	p.made, p.at = make([]int, len(headers)), make([]int64, len(headers))
	all := int64(0)
	for i, h := range headers {
		p.made[i], p.at[i] = world.NoChart, all
		all += int64(h.width) * int64(h.height)
	}
	for _, lump := range []int{lumpSkyLight, lumpLampLight} {
		l := lumps[lump]
		if len(l.Data) == 0 || all == 0 {
			continue
		}
		size := int64(0)
		for _, s := range pageSizes {
			if s*all == int64(len(l.Data)) {
				size = s
			}
		}
		if size == 0 {
			dc.Issue("light-size", l.Name, "is left out: %d bytes are not 4, 8 or 9 for each of %d luxels", len(l.Data), all)
			continue
		}
		for i := range p.at {
			p.at[i] *= size
		}
		p.data = l.Data
		if p.dark() { // as in maps from MRVN-Radiant, which computes no light
			p.data = nil
			dc.Issue("light-missing", l.Name, "its pages are black: surfaces are shown without light")
			return p, nil
		}
		dc.Issue("light-meaning", l.Name,
			"what its pages mean is not known: of the %d bytes of a luxel, the first three are taken for its colour", size)
		return p, nil
	}
	return p, nil
}

// dark reports whether the pages A of all headers are black.
func (p *pages) dark() bool {
	for i, h := range p.headers {
		if !valve.Dark(p.data[p.at[i]:][:4*h.width*h.height]) {
			return false
		}
	}
	return true
}

// chart returns the chart of a header, creating it at its first use, or NoChart.
func (p *pages) chart(header, index int) (int, error) {
	switch {
	case header < 0 || p.data == nil:
		return world.NoChart, nil
	case header >= len(p.headers):
		p.dc.Issue("light-range", decoding.FaceName(index), "page %d of %d: it has no light", header, len(p.headers))
		return world.NoChart, nil
	case p.made[header] != world.NoChart:
		return p.made[header], nil
	}
	h := p.headers[header]
	if h.width == 0 || h.height == 0 {
		return world.NoChart, nil
	}
	if err := p.dc.Reserve(limit.Bytes[world.RGB](h.width*h.height) + limit.Bytes[world.Layer](1)); err != nil {
		return 0, err
	}
	var err error
	if p.charts, err = limit.Append(p.dc.Budget, p.charts, "", world.Chart{Width: h.width, Height: h.height}); err != nil {
		return 0, err
	}
	p.made[header] = len(p.charts) - 1
	p.from = append(p.from, header)
	return p.made[header], nil
}

// decode decodes the luxels of all charts and returns the charts.
func (p *pages) decode(ctx context.Context) ([]world.Chart, error) {
	half := byteHalf()
	err := par.Each(ctx, len(p.charts), func(i int) error {
		c := &p.charts[i]
		from := p.data[p.at[p.from[i]]:]
		luxels := make([]world.RGB, c.Width*c.Height)
		for k := range luxels {
			b := from[4*k : 4*k+4 : 4*k+4]
			luxels[k] = world.RGB{half[b[0]], half[b[1]], half[b[2]]}
		}
		c.Layers = []world.Layer{{Luxels: luxels}}
		return nil
	})
	return p.charts, err
}

// byteHalf holds the values of gamma.Linear8 as halfs.
var byteHalf = sync.OnceValue(func() *[256]world.Half {
	table := new([256]world.Half)
	for i, v := range gamma.Linear8() {
		table[i] = world.NewHalf(v)
	}
	return table
})
