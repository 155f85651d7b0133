package source

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// block locates the luxels of a face.
type block struct {
	offset        int // bytes into the light
	width, height int
	styles        []uint8
	bumped        bool // four sets: flat, and for three directions
	mean          bool // the block is broken: only the mean light before it is valid
	x, y          int  // position on a page that starts at the offset
}

// lightmaps decodes the light of faces, each of which has a chart.
type lightmaps struct {
	dc     *decoding.Context
	data   []byte
	tail   int         // extra bytes per luxel after a style's luxels
	bump   bool        // keep the light of the three directions
	pages  *lightPages // if the light is in pages of palette indices
	charts []world.Chart
	blocks []block // by chart
}

// newLightmaps returns the decoder of the light of a map's faces.
func newLightmaps(m *file, v *variant, faces []face, texinfos []texinfo) (l *lightmaps, err error) {
	l = &lightmaps{dc: m.dc, bump: m.o.Bump}
	if v.pages {
		l.pages = &lightPages{m.lumps[lumpPages].Data, record.List[pageInfo]{Layout: pageInfoV1, Lump: m.lumps[lumpPageInfos]}}
		return l, nil
	}
	l.data = m.lumps[m.light.luxels].Data
	l.tail, err = lightTail(m, faces, texinfos)
	return l, err
}

// find locates the light of a face; ok is false if it has none.
func (l *lightmaps) find(index int, f *face, bumped bool) (b block, ok bool) {
	if l.pages != nil {
		return l.pages.find(l.dc, index, f, bumped)
	}
	b.styles = f.shown()
	least := 4
	if f.averaged {
		least = 0
	}
	// Maps without light have offsets of 0; the first block is always preceded by a mean. Offsets need not be
	// aligned.
	if f.lightOfs < least || f.lightOfs > len(l.data) || len(l.data) == 0 || len(b.styles) == 0 {
		return b, false
	}
	b.offset, b.width, b.height = f.lightOfs, int(f.size[0])+1, int(f.size[1])+1
	b.bumped = bumped
	switch {
	case f.size[0] < 0 || f.size[1] < 0 || f.size[0] > maxSide || f.size[1] > maxSide:
	case len(b.styles)*b.stride(l.tail)-l.tail*b.width*b.height <= len(l.data)-b.offset:
		return b, true
	}
	has, mean := "no", !f.averaged && 4*len(b.styles) <= b.offset
	if mean {
		has = "its mean"
	}
	l.dc.Issue("light-range", decoding.FaceName(index), "%d x %d luxels at byte %d are outside the light of %d bytes: it has %s light",
		b.width, b.height, b.offset, len(l.data), has)
	if !mean {
		return b, false
	}
	b.mean, b.bumped, b.width, b.height = true, false, 1, 1
	return b, true
}

// stride returns the bytes between two styles' luxels, with tail extra bytes per luxel.
func (b *block) stride(tail int) int {
	n := b.width * b.height
	if b.bumped {
		return (4*4 + tail) * n
	}
	return (4 + tail) * n
}

// shown returns the styles of a face's light, with the night's marked as such.
func (f *face) shown() []uint8 {
	styles := f.styles[:]
	if end := slices.Index(styles, noStyle); end >= 0 {
		styles = styles[:end]
	}
	if f.night == 0 {
		return styles
	}
	styles = slices.Clone(styles)
	for i := range styles {
		if f.night&(1<<i) != 0 {
			styles[i] |= world.NightStyle
		}
	}
	return styles
}

// maxSide is far above the largest face that compilers make (512 in Garry's Mod).
const maxSide = 1 << 13

// add adds the chart of a face; the luxels are decoded later, all together.
func (l *lightmaps) add(b block, material int, corners []world.Vertex) (int, error) {
	layers := len(b.styles)
	if b.bumped && l.bump {
		layers *= 4
	}
	if err := l.dc.Reserve(limit.Bytes[world.RGB](layers*b.width*b.height) + limit.Bytes[world.Layer](layers)); err != nil {
		return 0, err
	}
	c := world.Chart{Width: b.width, Height: b.height, Material: material}
	if b.bumped && l.bump {
		c.Texture = affine(corners)
	}
	var err error
	if l.charts, err = limit.Append(l.dc.Budget, l.charts, "", c); err != nil {
		return 0, err
	}
	l.blocks, err = limit.Append(l.dc.Budget, l.blocks, "", b)
	return len(l.charts) - 1, err
}

// decode decodes the luxels of all charts, and returns them.
func (l *lightmaps) decode(ctx context.Context) ([]world.Chart, error) {
	const some = 256
	n := len(l.charts)
	err := par.Each(ctx, (n+some-1)/some, func(i int) error {
		for k := i * some; k < min((i+1)*some, n); k++ {
			if l.pages != nil {
				l.pages.decode(&l.charts[k], &l.blocks[k], l.bump)
			} else {
				l.layers(&l.charts[k], &l.blocks[k])
			}
		}
		return nil
	})
	l.dc.Budget.Release(limit.Bytes[block](cap(l.blocks)))
	return l.charts, err
}

// layers decodes the luxels of a chart: for each style flat, then for the three directions. Style 0 comes first.
func (l *lightmaps) layers(c *world.Chart, b *block) {
	n := c.Width * c.Height
	bases := []world.Basis{world.Flat}
	if b.bumped && l.bump {
		bases = []world.Basis{world.Flat, world.Bump1, world.Bump2, world.Bump3}
	}
	stride := b.stride(l.tail)
	c.Layers = make([]world.Layer, 0, len(b.styles)*len(bases))
	luxels := make([]world.RGB, len(b.styles)*len(bases)*n)
	for i, style := range b.styles {
		for k, basis := range bases {
			at := b.offset + i*stride + 4*n*k
			if b.mean { // the means precede the block in reverse order
				at = b.offset - 4*(i+1)
			}
			taken := luxels[:n:n]
			luxels = luxels[n:]
			expand(taken, l.data[at:at+4*n])
			c.Layers = append(c.Layers, world.Layer{Style: style, Basis: basis, Luxels: taken})
		}
	}
	if first := slices.Index(b.styles, 0); first > 0 {
		k := len(bases)
		c.Layers = append(slices.Clone(c.Layers[first*k:(first+1)*k]), slices.Delete(c.Layers, first*k, (first+1)*k)...)
	}
}

// expand decodes luxels: 8-bit red, green and blue with a common exponent; 255 with exponent 0 is white.
func expand(to []world.RGB, from []byte) {
	for i := range to {
		b := from[4*i : 4*i+4 : 4*i+4]
		row := exponents[b[3]].Load()
		if row == nil {
			row = newExponent(b[3])
		}
		to[i] = world.RGB{row[b[0]], row[b[1]], row[b[2]]}
	}
}

// luxel decodes a luxel.
func luxel(from []byte) world.RGB {
	var to [1]world.RGB
	expand(to[:], from)
	return to[0]
}

// exponents maps an exponent byte to the light of each mantissa. A map uses a dozen exponents, so each table is made on
// first use; if two cores do so at once, they make the same table.
var exponents [256]atomic.Pointer[[256]world.Half]

func newExponent(e byte) *[256]world.Half {
	row := &[256]world.Half{}
	scale := math.Ldexp(1, int(int8(e))) / 255
	for m := range row {
		row[m] = world.NewHalf(float32(float64(m) * scale))
	}
	exponents[e].Store(row)
	return row
}

// affine returns the mapping of a chart's luxels to the texture, computed from three corners that span the face.
func affine(corners []world.Vertex) (t [2][3]float64) {
	a := &corners[0]
	var best float64
	for i := 1; i+1 < len(corners); i++ {
		b, c := &corners[i], &corners[i+1]
		bx, by := float64(b.Luxel[0])-float64(a.Luxel[0]), float64(b.Luxel[1])-float64(a.Luxel[1])
		cx, cy := float64(c.Luxel[0])-float64(a.Luxel[0]), float64(c.Luxel[1])-float64(a.Luxel[1])
		det := float64(bx*cy) - float64(by*cx)
		if math.Abs(det) <= best {
			continue
		}
		best = math.Abs(det)
		for k := range 2 {
			bu, cu := float64(b.UV[k])-float64(a.UV[k]), float64(c.UV[k])-float64(a.UV[k])
			x := (float64(bu*cy) - float64(cu*by)) / det
			y := (float64(cu*bx) - float64(bu*cx)) / det
			t[k] = [3]float64{x, y, float64(a.UV[k]) - float64(x*float64(a.Luxel[0])) - float64(y*float64(a.Luxel[1]))}
		}
	}
	return t
}
