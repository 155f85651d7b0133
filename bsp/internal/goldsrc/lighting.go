package goldsrc

import (
	"context"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// light locates the light of the map. Offsets of faces count bytes of the map's light; coloured light that replaces grey has
// three bytes for each.
type light struct {
	lit        []face // all faces of the map
	data       []byte
	size       int    // bytes of a luxel
	directions []byte // where light comes from, three bytes for a luxel; or nil
	own        int    // bytes of a luxel as offsets count them
	starts     []int  // the offsets of all faces, in order, and behind them the end
	linear     [256]world.Half

	offsets, shifts, decoupled []byte // of BSPX, a record for each face; or nil
}

// readLight finds the light: in the map, in a BSPX block or in a file beside it.
func readLight(m *file, faces []face) (l *light, curve gamma.Curve, err error) {
	l = &light{lit: faces}
	l.data, l.size, l.own = m.lumps[lumpLighting].Data, 1, 1
	l.directions = m.lumps[lumpDirections].Data
	if m.v.coloured {
		l.size, l.own = 3, 3
	}
	curve = gamma.New(m.o.Albedo, m.v.show.exponent)
	l.linear = m.v.show.table(curve, m.o.Overbright)
	n := len(faces)
	for _, b := range []struct {
		name string
		to   *[]byte
		size int
	}{
		{"LMOFFSET", &l.offsets, 4 * n}, {"LMSHIFT", &l.shifts, n}, {"DECOUPLED_LM", &l.decoupled, decoupledV1.Size * n},
	} {
		if *b.to, err = m.block(b.name, b.size); err != nil {
			return nil, curve, err
		}
	}
	if err := l.takeColours(m); err != nil {
		return nil, curve, err
	}
	luxels := len(l.data) / l.size
	if l.directions == nil {
		if l.directions, err = m.block("LIGHTINGDIR", 3*luxels); err != nil {
			return nil, curve, err
		}
	}
	if len(l.directions) != 3*luxels {
		if len(l.directions) > 0 {
			m.Issue("light-directions", m.lumps[lumpDirections].Name, "are left out: %d bytes for %d luxels", len(l.directions), luxels)
		}
		l.directions = nil
	}
	if err := m.Borrow(limit.Bytes[int](n + 1)); err != nil {
		return nil, curve, err
	}
	l.starts = make([]int, 0, n+1)
	for i := range faces {
		if at := l.offset(i); at >= 0 && faces[i].styles[0] != noStyle {
			l.starts = append(l.starts, at)
		}
	}
	l.starts = append(l.starts, luxels*l.own)
	slices.Sort(l.starts)
	return l, curve, nil
}

// takeColours finds the coloured light that replaces grey light: in a .lit file, else in a BSPX block.
func (l *light) takeColours(m *file) error {
	if m.v.coloured {
		return nil
	}
	file, name, err := m.beside(m.o.Name + ".lit")
	if err != nil {
		return err
	}
	switch want := 8 + 3*len(l.data); {
	case name == "":
	case len(file) < 8 || string(file[:4]) != "QLIT":
		m.Issue("light-file", name, "is left out: it does not start with QLIT")
	case le.Int32(file[4:]) != 1:
		m.Issue("light-file", name, "is left out: its version is %d, known is 1", le.Int32(file[4:]))
	case len(file) != want:
		m.Issue("light-file", name, "is left out: it has %d bytes, for this map it would have %d", len(file), want)
	default:
		l.data, l.size = file[8:], 3
		return nil
	}
	size := 3 * len(l.data)
	if size == 0 { // some compilers leave the grey light out
		size = anySize
	}
	colours, err := m.block("RGBLIGHTING", size)
	if err == nil && len(colours) > 0 {
		l.data, l.size = colours[:len(colours)-len(colours)%3], 3
	}
	return err
}

// any reports whether the map has light; without it everything is fullbright.
func (l *light) any() bool { return len(l.data) > 0 }

// offset returns the start of a face's light in the map's units, or a negative number.
func (l *light) offset(index int) int {
	switch {
	case l.decoupled != nil:
		return decoupledV1.Lift(l.decoupled[decoupledV1.Size*index:]).lightOfs
	case l.offsets != nil:
		return lift.I32(l.offsets[4*index:])
	}
	return l.lit[index].lightOfs
}

// byte converts an offset of a face to bytes, for luxels of a size.
func (l *light) byte(offset, size int) int {
	if l.own == 1 {
		return offset * size
	}
	return offset
}

// block locates the luxels of a chart.
type block struct {
	offset int // as the map counts it, or -1 for darkness
	styles []uint8
	across [3][3]float32 // the directions' axes
}

// lightmaps holds the charts of a map's faces.
type lightmaps struct {
	*lift.Job
	*records
	*light
	charts []world.Chart
	blocks []block // by chart
	dark   int     // the chart of faces without light, or world.NoChart
}

// chart adds the chart of a face and sets the luxel coordinates of its corners; the luxels are lifted later, all
// together. It returns world.NoChart if the face has no light and is fullbright.
func (d *lightmaps) chart(index int, corners []world.Vertex) (int, error) {
	f, l := &d.faces[index], d.light
	styles := f.styles[:]
	if end := slices.Index(styles, noStyle); end >= 0 {
		styles = styles[:end]
	}
	at := d.offset(index)
	if at < 0 || len(styles) == 0 {
		if d.bright {
			return world.NoChart, nil
		}
		return d.darkness(corners)
	}
	g := d.gridOf(index)
	var ok bool
	if l.decoupled != nil {
		ok = g.decouple(decoupledV1.Lift(l.decoupled[decoupledV1.Size*index:]))
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
		d.Issue("light-range", lift.FaceName(index), "%d x %d luxels in %d styles at byte %d are outside the light of %d bytes: it is bright",
			g.width, g.height, len(styles), at, len(l.data))
		return world.NoChart, nil
	}
	layers := int64(len(styles))
	if l.directions != nil {
		layers *= 2
	}
	if err := d.Reserve(limit.Bytes[world.RGB](int(layers*n)) + limit.Bytes[world.Layer](int(layers))); err != nil {
		return 0, err
	}
	g.place(corners)
	return d.add(g.width, g.height, block{at, styles, d.across(f)})
}

// decouple sets the grid of a face from its record; ok is false if the size is not plausible.
func (g *grid) decouple(r decoupled) (ok bool) {
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

// across are the axes of a face along which directions of light are stored: the texture's U, against its V, and the normal.
// ericw-tools, ltface.cc.
func (d *lightmaps) across(f *face) (a [3][3]float32) {
	t := &d.texinfos[f.texinfo]
	a[0], a[1] = lift.UnitOrZero([3]float32(t.texture[0][:3])), lift.UnitOrZero([3]float32(t.texture[1][:3]))
	for k := range 3 {
		a[1][k] = 0 - a[1][k]
	}
	a[2] = d.faceNormal(f)
	return a
}

// add adds a chart.
func (d *lightmaps) add(width, height int, b block) (chart int, err error) {
	if d.charts, err = limit.Append(d.Budget, d.charts, "", world.Chart{Width: width, Height: height}); err != nil {
		return 0, err
	}
	d.blocks, err = limit.Append(d.Budget, d.blocks, "", b)
	return len(d.charts) - 1, err
}

// lift lifts the luxels of all charts, and returns them.
func (d *lightmaps) lift(ctx context.Context) ([]world.Chart, error) {
	const some = 64
	n := len(d.charts)
	err := par.Each(ctx, (n+some-1)/some, func(i int) error {
		for k := i * some; k < min((i+1)*some, n); k++ {
			d.layers(&d.charts[k], &d.blocks[k])
		}
		return nil
	})
	d.Budget.Release(limit.Bytes[block](cap(d.blocks)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.lumps[lumpLighting].Name, err)
	}
	return d.charts, nil
}

// layers lifts the luxels of a chart, style by style, each with its directions if they are known. Style 0 comes first.
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
		l.expand(to[:n:n], l.data[l.byte(b.offset, l.size)+i*n*l.size:])
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

// expand lifts luxels.
func (l *light) expand(to []world.RGB, from []byte) {
	if l.size == 1 {
		for i := range to {
			x := l.linear[from[i]]
			to[i] = world.RGB{x, x, x}
		}
		return
	}
	for i := range to {
		b := from[3*i : 3*i+3 : 3*i+3]
		to[i] = world.RGB{l.linear[b[0]], l.linear[b[1]], l.linear[b[2]]}
	}
}

// turn lifts directions to unit vectors in the map's axes, or to zero if there is none.
func turn(to []world.RGB, from []byte, across *[3][3]float32) {
	for i := range to {
		var v [3]float32
		for k := range 3 {
			x := float32(from[3*i+k])/127.5 - 1
			for c := range v {
				v[c] += float32(x * across[k][c])
			}
		}
		if s := length(v); s >= 0.1 {
			to[i] = world.NewRGB(v[0]/s, v[1]/s, v[2]/s)
		}
	}
}

// brightness describes how an engine shows light. A texel t under a stored light of l, both of 0 to 1, is shown as
// t^exponent * min(scale*l, most), in gamma space.
type brightness struct {
	scale, most, exponent float64

	plain float64 // most without overbright light; 0 is most
}

// end returns the light's maximum.
func (b brightness) end(overbright int) float64 {
	if overbright == 0 && b.plain > 0 {
		return b.plain
	}
	return b.most
}

// The engines' brightness with their default settings.
var (
	// The software renderer shows a texture as it is at about half of the light there is, and twice as bright at all of it:
	// the rows of its colour map run from 2 to 0, and the steady light style multiplies by 264/256. The first hardware
	// renderer ended at 1; the ports of today do not. Quake, r_surf.c, R_BuildLightMap.
	quakeBrightness = brightness{2 * 264.0 / 256, 2, 1, 0}

	// The renderer scales light by 264/256 of the steady style and by 2^(1/lightgamma). With gl_overbright, which Xash3D and the
	// game of today start with, it ends at 4/3, and without at 1. Its tables then raise
	// light to lightgamma/gamma, which is 1 (both are 2.5, with a brightness of 0), and textures to texgamma/gamma (2 and 2.5).
	// Xash3D, gamma.c and gl_rsurf.c.
	goldSrcBrightness = brightness{1.3195079107728942 * 264 / 256, 4.0 / 3, 2 / 2.5, 1}

	// The hardware renderer draws textures twice as bright as they are, under light that ends at 1 (intensity 2,
	// gl_modulate 1); the software renderer is as Quake's. Quake II, gl_image.c, r_light.c.
	quake2Brightness = brightness{2, 2, 1, 0}
)

// table returns the linear light for each stored value.
func (b brightness) table(c gamma.Curve, overbright int) (t [256]world.Half) {
	end := b.end(overbright)
	for i := range t {
		t[i] = world.NewHalf(c.Linear(float32(min(b.scale*float64(i)/255, end))))
	}
	return t
}
