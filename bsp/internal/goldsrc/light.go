package goldsrc

import (
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// light locates the light of the map. Offsets of faces count bytes of the map's light; coloured light that replaces grey has
// three bytes for each.
type light struct {
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
	l = &light{}
	l.data, l.size, l.own = m.lumps[lumpLighting].Data, 1, 1
	l.directions = m.lumps[lumpDirections].Data
	if m.v.coloured {
		l.size, l.own = 3, 3
	}
	curve = gamma.New(m.o.Albedo, m.v.show.exponent)
	l.linear = m.v.show.slope(m.o.Overbright).table(curve)
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
			m.job.Issue("light-directions", m.lumps[lumpDirections].Name, "are left out: %d bytes for %d luxels", len(l.directions), luxels)
		}
		l.directions = nil
	}
	if err := m.job.Borrow(limit.Bytes[int](n + 1)); err != nil {
		return nil, curve, err
	}
	l.starts = make([]int, 0, n+1)
	for i := range faces {
		if at := l.offset(&faces[i], i); at >= 0 && faces[i].styles[0] != noStyle {
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
		m.job.Issue("light-file", name, "is left out: it does not start with QLIT")
	case le.Int32(file[4:]) != 1:
		m.job.Issue("light-file", name, "is left out: its version is %d, known is 1", le.Int32(file[4:]))
	case len(file) != want:
		m.job.Issue("light-file", name, "is left out: it has %d bytes, for this map it would have %d", len(file), want)
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
func (l *light) offset(f *face, index int) int {
	switch {
	case l.decoupled != nil:
		return decoupledV1.Lift(l.decoupled[decoupledV1.Size*index:]).lightOfs
	case l.offsets != nil:
		return lift.I32(l.offsets[4*index:])
	}
	return f.lightOfs
}

// byte converts an offset of a face to bytes, for luxels of a size.
func (l *light) byte(offset, size int) int {
	if l.own == 1 {
		return offset * size
	}
	return offset
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
