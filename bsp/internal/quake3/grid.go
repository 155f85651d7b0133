package quake3

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxGrid bounds the samples of a light grid per axis.
const maxGrid = 1 << 14

// decodeGrid decodes the light grid of a world. A grid that does not fit the world's box is left out, as in the engines (Quake III Arena,
// tr_bsp.c, R_LoadLightGrid). In the wide layout each distinct sample is stored once, and the light array has its index for each
// position.
func decodeGrid(dc *decoding.Context, m *file, whole *modelRecord, entities []world.Entity, c *curve) (*world.Grid, error) {
	samples := record.List[gridSample]{Layout: m.variant.grid(), Lump: m.lumps[lumpLightGrid]}
	name, array := samples.Lump.Name, m.lumps[lumpLightArray].Data
	if len(samples.Lump.Data) == 0 {
		return nil, nil
	}
	g, n, ok := gridOf(whole, cellOf(m.variant, entities))
	if !ok {
		dc.Issue("light-grid", name, "the world's box from %g to %g holds no grid", whole.Mins, whole.Maxs)
		return nil, nil
	}
	have, rest := samples.Count(), len(samples.Lump.Data)%samples.Size
	if !m.variant.wide || len(array) == 0 {
		array = nil
	} else {
		have, rest = len(array)/2, len(array)%2
	}
	if int64(have) != n || rest != 0 {
		and := ""
		if rest != 0 {
			and = fmt.Sprintf(" and %d bytes", rest)
		}
		dc.Issue("light-grid", name, "%d samples%s, the world's box takes %d x %d x %d", have, and, g.Size[0], g.Size[1], g.Size[2])
		return nil, nil
	}
	if err := dc.Reserve(limit.Bytes[[9]uint8](have)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if outside := fillGrid(g, have, &samples, array, c); outside > 0 {
		dc.Issue("light-grid", m.lumps[lumpLightArray].Name, "%d samples are outside the %d of %s", outside, samples.Count(), name)
	}
	g.Models = c.engine.models
	return g, nil
}

// cellOf returns the distance between samples: that of worldspawn's key, else the variant's.
func cellOf(v variant, entities []world.Entity) [3]float32 {
	if len(entities) > 0 {
		if cell, ok := entities[0].Vector("gridsize"); ok && min(cell[0], cell[1], cell[2]) >= 1 && record.Sane(cell[:]...) {
			return cell
		}
	}
	return v.cell()
}

// gridOf returns the grid that fits into the box of the world, without its samples, and their number; ok is false if none fits.
func gridOf(whole *modelRecord, cell [3]float32) (g *world.Grid, samples int64, ok bool) {
	g, samples = &world.Grid{Cell: cell}, 1
	for k := range 3 {
		step := float64(cell[k])
		lo, hi := math.Ceil(float64(whole.Mins[k])/step), math.Floor(float64(whole.Maxs[k])/step)
		if hi < lo || hi-lo >= maxGrid {
			return nil, 0, false
		}
		g.Origin[k] = float32(step*lo) + 0 // never -0
		g.Size[k] = int(hi-lo) + 1
		samples *= int64(g.Size[k])
	}
	return g, samples, true
}

// fillGrid decodes n samples: the stored ones in their order, or those whose 16-bit indices an array has. It returns how many indices
// are of no sample.
func fillGrid(g *world.Grid, n int, samples *record.List[gridSample], array []byte, c *curve) (outside int) {
	g.Ambient, g.Directed, g.Toward = make([][3]uint8, n), make([][3]uint8, n), make([][3]int8, n)
	g.Scale = gridScale(samples, c)
	fill := gridFiller{g, c, c.grid.scaled(g.Scale), nil}
	if fill.further = fill.level; c.directed != c.grid {
		fill.further = c.directed.scaled(g.Scale)
	}
	count, put := samples.Count(), func(i, k int) { fill.sample(i, samples.At(k)) }
	if samples.Size == gridV46.Size {
		put = func(i, k int) { fill.plain(i, samples.Lump.Data[k*gridV46.Size:]) }
	}
	for i := range n {
		k := i
		if array != nil {
			k = int(binary.LittleEndian.Uint16(array[2*i:]))
		}
		if k >= count {
			outside++
			continue
		}
		put(i, k)
	}
	return outside
}

// gridFiller puts samples into a grid. level and further are the bytes of ambient and directed light, by the sums of styles.
type gridFiller struct {
	grid           *world.Grid
	curve          *curve
	level, further []uint8
}

// sample puts a sample into place i.
func (f *gridFiller) sample(i int, s gridSample) {
	c := f.curve
	if !c.engine.inWall(&s) {
		x, y, z := c.sum(c.grid, &s.ambient, s.styles)
		f.ambient(i, x, y, z)
	}
	x, y, z := c.sum(c.directed, &s.directed, s.styles)
	f.directed(i, x, y, z, s.polar, s.azimuth)
}

// plain puts the record of a sample without styles into place i. To decode it to a gridSample would take twice as long, and maps have a
// million of them.
func (f *gridFiller) plain(i int, b []byte) {
	b = b[:gridV46.Size]
	if f.curve.engine.styled || b[0]|b[1]|b[2] != 0 { // otherwise it is in a wall
		x, y, z := f.curve.grid.raised(b[0], b[1], b[2])
		f.ambient(i, x, y, z)
	}
	x, y, z := f.curve.directed.raised(b[3], b[4], b[5])
	f.directed(i, x, y, z, b[6], b[7])
}

func (f *gridFiller) ambient(i, x, y, z int) {
	to := &f.grid.Ambient[i]
	to[0], to[1], to[2] = f.level[x], f.level[y], f.level[z]
	if *to == ([3]uint8{}) && f.curve.engine.styled {
		*to = [3]uint8{1, 1, 1} // no light would be in a wall
	}
}

func (f *gridFiller) directed(i, x, y, z int, polar, azimuth uint8) {
	light, to := &f.grid.Directed[i], &f.grid.Toward[i]
	light[0], light[1], light[2] = f.further[x], f.further[y], f.further[z]
	to[0], to[1], to[2] = toward(polar, azimuth)
}

// inWall reports whether the engine skips a sample.
func (e *engine) inWall(s *gridSample) bool {
	if e.styled {
		return s.styles[0] == noStyle
	}
	return s.ambient == [4][3]uint8{}
}

// gridScale returns the greatest linear light of the samples, at least 1.
func gridScale(samples *record.List[gridSample], c *curve) float32 {
	most := 0
	if samples.Size == gridV46.Size { // without styles the strongest byte decides, because raised bytes ascend up to 255
		strongest := uint8(0)
		for b := samples.Lump.Data; len(b) >= gridV46.Size && strongest < 255; b = b[gridV46.Size:] {
			strongest = max(strongest, b[0], b[1], b[2], b[3], b[4], b[5])
		}
		return max(c.grid.linear[min(c.grid.raise[strongest], 255)], 1)
	}
	for i := range samples.Count() {
		s := samples.At(i)
		for _, light := range []*[4][3]uint8{&s.ambient, &s.directed} {
			most = max(most, max(c.sum(c.grid, light, s.styles)))
		}
	}
	return max(c.grid.linear[most], 1)
}

// sines and cosines are those of 256 steps to a turn.
var sines, cosines = func() (s, c [256]float64) {
	for i := range s {
		s[i], c[i] = math.Sincos(float64(i) * 2 * math.Pi / 256)
	}
	return s, c
}()

// toward is 127 times the unit vector of a stored direction: the polar angle, then the azimuth (Quake III Arena,
// tr_light.c).
func toward(polar, azimuth uint8) (x, y, z int8) {
	s := 127 * sines[polar]
	return round(cosines[azimuth] * s), round(sines[azimuth] * s), round(127 * cosines[polar])
}

// round returns the integer nearest to x, from -127 to 127. If both angles are 45 degrees x is a half, or slightly
// off on some processors: a small bias rounds all of them up. math.Round would take most of a grid's time.
func round(x float64) int8 { return int8(int(float64(x)+127.500001) - 127) }
