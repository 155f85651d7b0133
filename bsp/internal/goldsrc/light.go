package goldsrc

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// light locates the light of the map. Offsets of faces count bytes of the map's light; coloured light that replaces grey has
// three bytes for each, or four if it has high dynamic range.
type light struct {
	data       []byte
	size       int    // bytes of a luxel: 1 is grey, 3 are red, green and blue, 4 are packed
	directions []byte // where light comes from, three bytes for a luxel; or nil
	own        int    // bytes of a luxel as offsets count them
	starts     []int  // the offsets of all faces, in order, and behind them the end
	linear     [256]world.Half
	curve      gamma.Curve
	slope      lightScale // of this light
	whole      bool       // a luxel beyond the slope's end is divided by its greatest channel

	offsets, shifts, decoupled []byte // of BSPX, a record for each face; or nil
	faceStyles                 []byte // of BSPX, stylesPer styles of styleSize bytes for each face; or nil
	styleSize, stylesPer       int
}

// readLight finds the light: in the map, in a BSPX block or in a file beside it. show describes how the engine shows it.
func readLight(m *file, show brightness, r *records) (l *light, err error) {
	faces := r.faces
	l = &light{}
	l.data, l.size, l.own = m.lumps[lumpLighting].Data, m.v.luxel, m.v.luxel
	if l.own == packedLuxel {
		if err := m.dc.Borrow(int64(len(l.data)) / packedLuxel * 3); err != nil {
			return nil, err
		}
		l.data, l.size = spread16(l.data), 3
	}
	l.directions = m.lumps[lumpDirections].Data
	l.whole = show.whole
	l.curve, l.slope = gamma.New(m.o.Albedo, show.exponent), show.scaleFor(m.o.Overbright)
	n := len(faces)
	for _, b := range []struct {
		name string
		to   *[]byte
		size int
	}{
		{"LMOFFSET", &l.offsets, 4 * n}, {"LMSHIFT", &l.shifts, n}, {"DECOUPLED_LM", &l.decoupled, decoupledV1.Size * n},
	} {
		if *b.to, err = m.block(b.name, b.size); err != nil {
			return nil, err
		}
	}
	if err := l.readStyles(m, n); err != nil {
		return nil, err
	}
	l.takeOwnColours(m, r)
	if err := l.takeColours(m); err != nil {
		return nil, err
	}
	if l.packed() {
		l.slope = show.wideScale(m.o.Overbright)
	}
	l.linear = l.slope.table(l.curve, 0)
	luxels := len(l.data) / l.size
	if l.directions == nil {
		if l.directions, err = readDirections(m, luxels); err != nil {
			return nil, err
		}
	}
	if len(l.directions) != 3*luxels {
		if len(l.directions) > 0 {
			m.dc.Issue("light-directions", m.lumps[lumpDirections].Name, "are left out: %d bytes for %d luxels", len(l.directions), luxels)
		}
		l.directions = nil
	}
	if err := m.dc.Borrow(limit.Bytes[int](n + 1)); err != nil {
		return nil, err
	}
	l.starts = make([]int, 0, n+1)
	for i := range faces {
		if at := l.offset(&faces[i], i); at >= 0 && len(l.styles(&faces[i], i)) > 0 {
			l.starts = append(l.starts, at)
		}
	}
	l.starts = append(l.starts, luxels*l.own)
	slices.Sort(l.starts)
	return l, nil
}

// maxProbed is how many faces takeOwnColours looks at.
const maxProbed = 1 << 10

// takeOwnColours finds out whether the light of a map is coloured although its version means grey light, as some of Xash3D's compilers
// write it: then the faces' offsets are three times as far apart as they have luxels. Xash3D, mod_bmodel.c, Mod_LoadSurfaces. Where they
// are neither, as far as the faces show, that is an issue.
func (l *light) takeOwnColours(m *file, r *records) {
	if l.own != 1 || l.faceStyles != nil || l.shifts != nil || l.offsets != nil || l.decoupled != nil || len(l.data) == 0 {
		return
	}
	starts := []int{len(l.data)}
	for i := range r.faces {
		if l.has(&r.faces[i], i) {
			starts = append(starts, r.faces[i].lightOfs)
		}
	}
	slices.Sort(starts)
	grey, coloured, probed := 0, 0, 0
	for i := 0; i < len(r.faces) && probed < maxProbed; i++ {
		f := &r.faces[i]
		if !l.has(f, i) {
			continue
		}
		luxels := r.luxels(f)
		next, _ := slices.BinarySearch(starts, f.lightOfs+1)
		if luxels == 0 || next == len(starts) {
			continue
		}
		probed++
		space := starts[next] - f.lightOfs
		isGrey, isColoured := space >= luxels && space < luxels+4, space >= 3*luxels && space < 3*luxels+4
		switch {
		case isGrey && !isColoured:
			grey++
		case isColoured && !isGrey:
			coloured++
		}
	}
	switch {
	case coloured > 0 && coloured >= 3*grey && 2*coloured > probed:
		l.size, l.own = 3, 3
	case probed >= 4 && 4*(grey+coloured) < probed:
		m.dc.Issue("light-layout", m.lumps[lumpLighting].Name,
			"of %d faces %d have a byte for each luxel and %d have three: their light may be wrong", probed, grey, coloured)
	}
}

// luxels returns the number of luxels of a face in all its styles, or 0 if it is not known.
func (r *records) luxels(f *face) int {
	if f.texinfo < 0 || f.texinfo >= len(r.texinfos) || f.edges < 3 || f.edges > 256 {
		return 0
	}
	corners := make([]world.Vertex, f.edges)
	for k := range corners {
		p, ok := r.edges.Corner(f.firstEdge + k)
		if !ok || !record.Sane(p[:]...) {
			return 0
		}
		corners[k].Position = p
	}
	g := grid{axes: r.texinfos[f.texinfo].texture, step: usual}
	if !g.measure(corners, roundings[0]) {
		return 0
	}
	styles := slices.Index(f.styles[:], noStyle)
	if styles < 0 {
		styles = len(f.styles)
	}
	return styles * g.width * g.height
}

// litSizes has the bytes of a luxel in each version of a .lit file. The second is of ericw-tools, litfile.cc.
var litSizes = map[int]int{1: 3, 0x10001: 4}

// takeColours finds the coloured light that replaces grey light: in a .lit file, else in a BSPX block, of which the one with high
// dynamic range goes first.
func (l *light) takeColours(m *file) error {
	if l.size > 1 {
		for _, name := range []string{"LIGHTING_E5BGR9", "RGBLIGHTING"} {
			if b, ok := m.extra[name]; ok && b.length > 0 {
				m.dc.Issue("bspx", "BSPX "+name, "this block of %d bytes is not read: the map's own light has colours", b.length)
			}
		}
		return nil
	}
	file, name, err := m.beside(m.o.Name+".lit", "maps/", "", "lits/") // the last is of QuakeWorld's packs
	if err != nil {
		return err
	}
	grey := len(l.data)
	if name != "" {
		size, broken := litSize(file, grey)
		if broken == "" {
			l.data, l.size = file[8:], size
			return nil
		}
		m.dc.Issue("light-file", name, "is left out: %s", broken)
	}
	for _, b := range []struct {
		name string
		size int
	}{{"LIGHTING_E5BGR9", 4}, {"RGBLIGHTING", 3}} {
		size := b.size * grey
		if size == 0 { // some compilers leave the grey light out
			size = anySize
		}
		colours, err := m.block(b.name, size)
		if err != nil {
			return err
		}
		if len(colours) > 0 {
			l.data, l.size = colours[:len(colours)-len(colours)%b.size], b.size
			return nil
		}
	}
	return nil
}

// readDirections returns where the light of a map of Quake comes from, or nil: in a file beside it, as FTE or DarkPlaces name it, else in a
// block of BSPX. The file is as a .lit of version 1. FTE, gl_model.c, Mod_LoadLighting; DarkPlaces, model_brush.c, Mod_Q1BSP_LoadLighting.
func readDirections(m *file, luxels int) ([]byte, error) {
	for _, ext := range []string{".lux", ".dlit"} {
		if m.v.luxel != 1 {
			break
		}
		file, name, err := m.beside(m.o.Name+ext, "maps/", "")
		if err != nil {
			return nil, err
		}
		if name == "" {
			continue
		}
		size, broken := litSize(file, luxels)
		if broken == "" && size == 3 {
			return file[8:], nil
		}
		m.dc.Issue("light-file", name, "is left out: %s", cmp.Or(broken, "it is not of directions"))
	}
	return m.block("LIGHTINGDIR", 3*luxels)
}

// litSize returns the bytes per luxel of a .lit file with a number of luxels, or the defect of the file.
func litSize(file []byte, luxels int) (size int, broken string) {
	if len(file) < 8 || string(file[:4]) != "QLIT" {
		return 0, "it does not start with QLIT"
	}
	version := le.Int32(file[4:])
	size, ok := litSizes[int(version)]
	if !ok {
		return 0, fmt.Sprintf("its version is %d, known are 1 and %d", version, 0x10001)
	}
	if want := 8 + size*luxels; len(file) != want {
		return 0, fmt.Sprintf("it has %d bytes, for this map it would have %d", len(file), want)
	}
	return size, ""
}

// baked returns the world's BakedLight without the charts.
func (l *light) baked(show brightness) world.BakedLight {
	return world.BakedLight{HDR: l.packed(), Display: &world.DisplayLight{
		Albedo: l.curve.Albedo, Exponent: l.curve.Exponent, Most: l.slope.most, Whole: show.whole, Doubled: show.doubled,
	}}
}

// packed reports whether the light has high dynamic range.
func (l *light) packed() bool { return l.size == 4 }

// packedLuxel is the size of Quake 64's luxels.
const packedLuxel = 2

// spread16 returns Quake 64's light, red, green and blue in 16 bits, in 24. Ironwail, gl_model.c, Mod_LoadLighting.
func spread16(light []byte) []byte {
	out := make([]byte, 0, len(light)/packedLuxel*3)
	for ; len(light) >= packedLuxel; light = light[packedLuxel:] {
		out = append(out, light[0]&0xf8, light[0]<<5+light[1]&0xc0>>5, light[1]<<2)
	}
	return out
}

// any reports whether the map has light; without it everything is fullbright.
func (l *light) any() bool { return len(l.data) > 0 }

// offset returns the start of a face's light in the map's units, or a negative number.
func (l *light) offset(f *face, index int) int {
	switch {
	case l.decoupled != nil:
		return decoupledV1.Decode(l.decoupled[decoupledV1.Size*index:]).lightOfs
	case l.offsets != nil:
		return record.I32(l.offsets[4*index:])
	}
	return f.lightOfs
}

// has reports whether a face has light.
func (l *light) has(f *face, index int) bool {
	return l.offset(f, index) >= 0 && len(l.styles(f, index)) > 0
}

// steadyStyle is the style that is always on.
var steadyStyle = []uint8{0}

// styles returns the styles of a face's light. One that only a block of BSPX gives light has the first.
func (l *light) styles(f *face, index int) []uint8 {
	if l.faceStyles != nil {
		return l.blockStyles(index)
	}
	styles := f.styles[:]
	if end := slices.Index(styles, noStyle); end >= 0 {
		styles = styles[:end]
	}
	if len(styles) == 0 && l.decoupled != nil && l.offset(f, index) >= 0 {
		return steadyStyle
	}
	return styles
}

// byte converts an offset of a face to bytes, for luxels of a size.
func (l *light) byte(offset, size int) int {
	if l.own == size {
		return offset
	}
	return offset / l.own * size
}

// expand decodes luxels. table has the light of bytes.
func (l *light) expand(to []world.RGB, table *[256]world.Half, from []byte) {
	switch l.size {
	case 1:
		for i := range to {
			x := table[from[i]]
			to[i] = world.RGB{x, x, x}
		}
	case 3:
		for i := range to {
			b := from[3*i : 3*i+3 : 3*i+3]
			if greatest := float64(max(b[0], b[1], b[2])); l.whole && l.slope.scale*greatest > 255*l.slope.most {
				for k := range b {
					to[i][k] = world.NewHalf(l.curve.Linear(float32(l.slope.most * float64(b[k]) / greatest)))
				}
				continue
			}
			to[i] = world.RGB{table[b[0]], table[b[1]], table[b[2]]}
		}
	default:
		for i := range to {
			for k, x := range unpack(binary.LittleEndian.Uint32(from[4*i:])) {
				to[i][k] = world.NewHalf(l.curve.Linear(float32(l.slope.shown(x))))
			}
		}
	}
}

// unpack returns the light of a packed luxel, as displayed: 9 bits for red, green and blue each, from the lowest, and 5 for their
// exponent, in which 24 stands for 0. 1 is the light of a byte of 255; packed luxels count a byte of 128 as 1. ericw-tools, litfile.cc,
// HDR_UnpackE5BRG9; write.cc, HDR_ONE; FTE, r_surf.c.
func unpack(luxel uint32) (c [3]float64) {
	for k := range c {
		c[k] = math.Ldexp(float64(luxel>>(9*k)&511), int(luxel>>27)-24) * 128 / 255
	}
	return c
}
