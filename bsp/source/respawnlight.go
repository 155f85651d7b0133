package source

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Light is in pages that many meshes share, of the sizes that headers say. Two lumps have light, each by header: that of
// the sky two pages of four bytes a luxel, A and B; that of lamps which the game lights again as they change one page in
// Titanfall, and in Titanfall 2 two, with or without a third of a quarter of their size. What the pages mean nobody has
// told; page A of the sky is taken for colours, as of a picture.

// pageSizes are the bytes of a luxel in all pages of a header, of which four are page A's: A; A and B; A, B and C.
var pageSizes = []int64{4, 8, 9}

// findPages finds the light of all headers: the sky's, else that of lamps.
func (d *decoder) findPages(context.Context) error {
	r := d.respawn
	if err := d.Borrow(int64(len(r.headers)) * 16); err != nil {
		return err
	}
	r.charts, r.pageAt = make([]int, len(r.headers)), make([]int64, len(r.headers))
	all := int64(0)
	for i, h := range r.headers {
		r.charts[i], r.pageAt[i] = world.NoChart, all
		all += int64(h.width) * int64(h.height)
	}
	for _, lump := range []int{lumpSkyLight, lumpLampLight} {
		l := r.lumps[lump]
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
			d.Issue("light-size", l.Name, "is left out: %d bytes are not 4, 8 or 9 for each of %d luxels", len(l.Data), all)
			continue
		}
		for i := range r.pageAt {
			r.pageAt[i] *= size
		}
		r.light = l.Data
		if d.darkPages() { // as those of MRVN-Radiant, which has no light
			r.light = nil
			d.Issue("light-missing", l.Name, "its pages are black: surfaces are shown without light")
			return nil
		}
		d.Issue("light-meaning", l.Name, "what its pages mean is not known: of the %d bytes of a luxel, the first three are taken for its colour", size)
		return nil
	}
	return nil
}

// darkPages tells whether the pages A of all headers are black.
func (d *decoder) darkPages() bool {
	r := d.respawn
	for i, h := range r.headers {
		if !dark(r.light[r.pageAt[i]:][:4*h.width*h.height]) {
			return false
		}
	}
	return true
}

// pageChart is the chart of a header, which is made where a mesh first has it, or NoChart.
func (d *decoder) pageChart(header, index int) (int, error) {
	r := d.respawn
	switch {
	case header < 0 || r.light == nil:
		return world.NoChart, nil
	case header >= len(r.headers):
		d.Issue("light-range", faceName(index), "page %d of %d: it has no light", header, len(r.headers))
		return world.NoChart, nil
	case r.charts[header] != world.NoChart:
		return r.charts[header], nil
	}
	h := r.headers[header]
	if h.width == 0 || h.height == 0 {
		return world.NoChart, nil
	}
	if err := d.Reserve(int64(h.width)*int64(h.height)*luxelSize + 2*128); err != nil {
		return 0, err
	}
	r.charts[header] = len(d.w.Charts)
	d.w.Charts = append(d.w.Charts, world.Chart{Width: h.width, Height: h.height})
	r.pages = append(r.pages, header)
	return r.charts[header], nil
}

// liftPages lifts the luxels of all charts.
func (d *decoder) liftPages(ctx context.Context) error {
	_, err := par.Map(ctx, len(d.w.Charts), func(i int) (struct{}, error) {
		c := &d.w.Charts[i]
		from := d.respawn.light[d.respawn.pageAt[d.respawn.pages[i]]:]
		luxels := make([]world.RGB, c.Width*c.Height)
		for k := range luxels {
			b := from[4*k : 4*k+4 : 4*k+4]
			luxels[k] = world.RGB{byteHalf[b[0]], byteHalf[b[1]], byteHalf[b[2]]}
		}
		c.Layers = []world.Layer{{Luxels: luxels}}
		return struct{}{}, nil
	})
	return err
}

// byteHalf is byteLight as luxels have it.
var byteHalf = func() (table [256]world.Half) {
	for i := range table {
		table[i] = world.NewHalf(byteLight[i])
	}
	return table
}()
