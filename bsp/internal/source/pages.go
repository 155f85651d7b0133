package source

import (
	"math"
	"slices"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Half-Life 2 for Xbox stores its light as textures of the console: swizzled pages of palette indices. Instead of an
// offset, a face has the index of a rectangle on a page. Source: the SDK of Episode One, which still has the compiler's
// part. The engine shows this light twice as bright as stored by default.
const (
	pageWidth   = 256
	pageHeight  = 128
	paletteSize = 256 * 4 // blue, green, red and a byte more
	pageSize    = pageWidth*pageHeight + paletteSize
)

// pageInfo locates the light of a face.
type pageInfo struct{ page, x, y int }

// pageInfoV1 holds the mean light in its second half.
var pageInfoV1 = record.Layout[pageInfo]{Size: 8, Fields: "1*4 1*4", Decode: func(b []byte) pageInfo {
	return pageInfo{int(b[0]), int(b[1]), int(b[2])}
}}

// lightPages holds the pages of a map and the rectangles of faces.
type lightPages struct {
	data  []byte
	infos record.List[pageInfo]
}

// find locates the light of a face on a page; ok is false if it has none. Pages don't contain switchable styles.
func (p *lightPages) find(dc *decoding.Context, index int, f *face, bumped bool) (b block, ok bool) {
	if f.lightOfs < 0 || f.lightOfs >= p.infos.Count() {
		return b, false
	}
	b.styles, b.bumped = []uint8{0}, bumped
	b.width, b.height = int(f.size[0])+1, int(f.size[1])+1
	in := p.infos.At(f.lightOfs)
	blocks := 1
	if b.bumped { // side by side
		blocks = 4
	}
	pages := len(p.data) / pageSize
	if f.size[0] < 0 || f.size[1] < 0 || f.size[0] >= pageWidth || f.size[1] >= pageHeight || in.page >= pages ||
		in.x+blocks*b.width > pageWidth || in.y+b.height > pageHeight {
		dc.Issue("light-range", decoding.FaceName(index), "%d x %d luxels at %d %d are outside page %d of %d: it has no light", b.width,
			b.height, in.x, in.y, in.page, pages)
		return b, false
	}
	b.offset, b.x, b.y = in.page*pageSize, in.x, in.y
	return b, true
}

// decode decodes the luxels of a chart from its page: flat, then for the three directions.
func (p *lightPages) decode(c *world.Chart, b *block, bump bool) {
	page, light := p.data[b.offset:][:pageSize], pageLight()
	palette := page[pageWidth*pageHeight:]
	bases := []world.Basis{world.Flat}
	if b.bumped && bump {
		bases = []world.Basis{world.Flat, world.Bump1, world.Bump2, world.Bump3}
	}
	c.Layers = slices.Grow(c.Layers, len(bases))
	for k, basis := range bases {
		l := world.Layer{Basis: basis, Luxels: make([]world.RGB, c.Width*c.Height)}
		for i := range l.Luxels {
			at := 4 * int(page[swizzled(b.x+k*c.Width+i%c.Width, b.y+i/c.Width)])
			l.Luxels[i] = world.RGB{light[palette[at+2]], light[palette[at+1]], light[palette[at]]}
		}
		c.Layers = append(c.Layers, l)
	}
}

// swizzled returns the index of a luxel on a page: the bits of its column and row interleaved, the column's
// remaining bits last.
func swizzled(x, y int) (at int) {
	for k := range 7 {
		at |= x>>k&1<<(2*k) | y>>k&1<<(2*k+1)
	}
	return at | x>>7&1<<14
}

// pageLight maps a palette value, which is half the light in gamma space, to linear light.
var pageLight = sync.OnceValue(func() (table [256]world.Half) {
	for i := range table {
		// The last bits of a power are not the same on all processors; a half float has far fewer.
		light := math.Round(math.Pow(2*float64(i)/255, 2.2)*1e9) / 1e9
		table[i] = world.NewHalf(float32(light))
	}
	return table
})
