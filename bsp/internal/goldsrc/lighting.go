package goldsrc

import (
	"context"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// block locates the luxels of a chart.
type block struct {
	offset int // as the map counts it, or -1 for darkness
	styles []uint8
	across [3][3]float32 // the directions' axes
	liquid bool
}

// lightmaps holds the charts of a map's faces.
type lightmaps struct {
	dc         *decoding.Context
	light      *light
	lump       string // the name of the lump of light
	resolution resolution
	bright     bool // a face without light is bright; else it is dark
	charts     []world.Chart
	blocks     []block // by chart
	dark       int     // the chart of faces without light, or world.NoChart
	// liquid has the light of liquids by byte, in the steady style and in others; nil if it is as all other light.
	liquid *[2][256]world.Half
}

// newLightmaps returns the charts of a map's faces, none so far.
func newLightmaps(m *file, v *variant, r *records, l *light) *lightmaps {
	d := &lightmaps{
		dc: m.dc, light: l, lump: m.lumps[lumpLighting].Name,
		resolution: resolution{xash: m.xash, faceinfos: r.faceinfos, shifts: l.shifts}, bright: v.bright, dark: world.NoChart,
	}
	if change := v.liquids.light; change != nil {
		slope := lightScale{change.gain * l.slope.scale, l.slope.most}
		d.liquid = &[2][256]world.Half{slope.table(l.curve, change.least), slope.table(l.curve, 0)}
	}
	return d
}

// chart adds the chart of a face and sets the luxel coordinates of its corners; the luxels are decoded later, all
// together. It returns world.NoChart if the face has no light and is fullbright.
func (d *lightmaps) chart(f *face, t *texinfo, index int, liquid bool, corners []world.Vertex) (int, error) {
	l := d.light
	styles, at := l.styles(f, index), l.offset(f, index)
	if at < 0 || len(styles) == 0 {
		if d.bright {
			return world.NoChart, nil
		}
		return d.darkness(corners)
	}
	g := d.resolution.grid(t, index)
	var ok bool
	if l.decoupled != nil {
		ok = g.decouple(decoupledV1.Decode(l.decoupled[decoupledV1.Size*index:]))
	} else {
		next, _ := slices.BinarySearch(l.starts, at+1)
		space, alignment := 0, int64(1)
		if next < len(l.starts) {
			space = l.starts[next] - at
			if l.own == 1 && l.starts[next]%4 == 0 { // Quake's compiler starts light at words
				alignment = 4
			}
		}
		ok = g.fit(corners, len(styles), int64(space/l.own), alignment)
	}
	n := int64(g.width) * int64(g.height)
	if need := int64(len(styles)) * n * int64(l.size); !ok || at > len(l.data) || need > int64(len(l.data)-l.byte(at, l.size)) {
		d.dc.Issue("light-range", decoding.FaceName(index),
			"%d x %d luxels in %d styles at byte %d are outside the light of %d bytes: it is bright",
			g.width, g.height, len(styles), at, len(l.data))
		return world.NoChart, nil
	}
	layers := int64(len(styles))
	if l.directions != nil {
		layers *= 2
	}
	if err := d.dc.Reserve(limit.Bytes[world.RGB](int(layers*n)) + limit.Bytes[world.Layer](int(layers))); err != nil {
		return 0, err
	}
	g.place(corners)
	return d.add(g.width, g.height, block{at, styles, t.across(corners[0].Normal), liquid})
}

// decouple sets the grid of a face from its record; ok is false if the size is not plausible.
func (g *grid) decouple(r decoupledLightmap) (ok bool) {
	g.width, g.height, g.step, g.mins = r.width, r.height, 1, [2]int{}
	g.axes = r.axes
	return g.width > 0 && g.height > 0 && g.width < most && g.height < most
}

// darkness returns the chart of unlit faces, a black luxel. The compilers store no light for them.
func (d *lightmaps) darkness(corners []world.Vertex) (int, error) {
	for i := range corners {
		corners[i].Luxel = [2]float32{0.5, 0.5}
	}
	if d.dark != world.NoChart {
		return d.dark, nil
	}
	var err error
	d.dark, err = d.add(1, 1, block{offset: -1})
	return d.dark, err
}

// across returns the axes along which the directions of the light of a face with a normal are stored: the texture's U, against its V,
// and the normal. ericw-tools, ltface.cc.
func (t *texinfo) across(normal [3]float32) (a [3][3]float32) {
	a[0], a[1] = record.UnitOrZero([3]float32(t.texture[0][:3])), record.UnitOrZero([3]float32(t.texture[1][:3]))
	for k := range 3 {
		a[1][k] = 0 - a[1][k]
	}
	a[2] = normal
	return a
}

// add adds a chart.
func (d *lightmaps) add(width, height int, b block) (chart int, err error) {
	if d.charts, err = limit.Append(d.dc.Budget, d.charts, "", world.Chart{Width: width, Height: height}); err != nil {
		return 0, err
	}
	d.blocks, err = limit.Append(d.dc.Budget, d.blocks, "", b)
	return len(d.charts) - 1, err
}

// decode decodes the luxels of all charts, and returns the charts.
func (d *lightmaps) decode(ctx context.Context) ([]world.Chart, error) {
	const some = 64
	n := len(d.charts)
	err := par.Each(ctx, (n+some-1)/some, func(i int) error {
		for k := i * some; k < min((i+1)*some, n); k++ {
			d.layers(&d.charts[k], &d.blocks[k])
		}
		return nil
	})
	d.dc.Budget.Release(limit.Bytes[block](cap(d.blocks)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.lump, err)
	}
	return d.charts, nil
}

// layers decodes the luxels of a chart, style by style, each with its directions if they are known. Style 0 comes first.
func (d *lightmaps) layers(c *world.Chart, b *block) {
	l := d.light
	n := c.Width * c.Height
	if b.offset < 0 {
		c.Layers = []world.Layer{{Luxels: make([]world.RGB, n)}}
		return
	}
	per := 1
	if l.directions != nil {
		per = 2
	}
	c.Layers = make([]world.Layer, 0, len(b.styles)*per)
	luxels := make([]world.RGB, len(b.styles)*per*n)
	for i, style := range b.styles {
		to := luxels[per*i*n:]
		table := &l.linear
		switch {
		case !b.liquid || d.liquid == nil:
		case style == 0:
			table = &d.liquid[0]
		default:
			table = &d.liquid[1]
		}
		l.expand(to[:n:n], table, l.data[l.byte(b.offset, l.size)+i*n*l.size:])
		c.Layers = append(c.Layers, world.Layer{Style: style, Luxels: to[:n:n]})
		if per == 2 {
			to = to[n : 2*n : 2*n]
			turn(to, l.directions[l.byte(b.offset, 3)+3*i*n:], &b.across)
			c.Layers = append(c.Layers, world.Layer{Style: style, Basis: world.Direction, Luxels: to})
		}
	}
	if k := slices.Index(b.styles, 0); k > 0 {
		zero := slices.Clone(c.Layers[k*per : (k+1)*per])
		c.Layers = append(zero, slices.Delete(c.Layers, k*per, (k+1)*per)...)
	}
}

// turn decodes directions to unit vectors in the map's axes, or to zero if there is none.
func turn(to []world.RGB, from []byte, across *[3][3]float32) {
	for i := range to {
		var v [3]float32
		for k := range 3 {
			x := float32(from[3*i+k])/127.5 - 1
			for c := range v {
				v[c] += float32(x * across[k][c])
			}
		}
		if s := float32(space.Norm(v)); s >= 0.1 {
			to[i] = world.NewRGB(v[0]/s, v[1]/s, v[2]/s)
		}
	}
}
