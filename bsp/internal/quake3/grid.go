package quake3

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/lift"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxGrid bounds the samples of a light grid per axis.
const maxGrid = 1 << 14

// grid lifts the light grid. A grid that does not fit the world's box is left out, as in the engines (Quake III Arena,
// tr_bsp.c, R_LoadLightGrid). In the wide layout each distinct sample is stored once, and the light array has its
// index for each position.
func (d *decoder) grid(context.Context) error {
	l, array := d.lumps[lumpLightGrid], d.lumps[lumpLightArray].Data
	if len(l.Data) == 0 {
		return nil
	}
	g := &world.Grid{Cell: d.v.cell()}
	if len(d.w.Entities) > 0 {
		if cell, ok := d.w.Entities[0].Vector("gridsize"); ok && min(cell[0], cell[1], cell[2]) >= 1 && lift.Sane(cell[:]...) {
			g.Cell = cell
		}
	}
	samples := int64(1)
	for k := range 3 {
		cell := float64(g.Cell[k])
		lo, hi := math.Ceil(float64(d.records[0].Mins[k])/cell), math.Floor(float64(d.records[0].Maxs[k])/cell)
		g.Origin[k] = float32(cell*lo) + 0 // never -0
		g.Size[k] = int(hi-lo) + 1
		if hi < lo || hi-lo >= maxGrid {
			d.Issue("light-grid", l.Name, "the world's box from %g to %g holds no grid", d.records[0].Mins, d.records[0].Maxs)
			return nil
		}
		samples *= int64(g.Size[k])
	}
	row := d.v.grid()
	there, indirect := len(l.Data)/row.Size, d.v.wide && len(array) > 0
	have, rest := there, len(l.Data)%row.Size
	if indirect {
		have, rest = len(array)/2, len(array)%2
	}
	if int64(have) != samples || rest != 0 {
		and := ""
		if rest != 0 {
			and = fmt.Sprintf(" and %d bytes", rest)
		}
		d.Issue("light-grid", l.Name, "%d samples%s, the world's box takes %d x %d x %d", have, and, g.Size[0], g.Size[1], g.Size[2])
		return nil
	}
	if err := d.Reserve(limit.Bytes[[9]uint8](int(samples))); err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	g.Ambient, g.Directed, g.Toward = make([][3]uint8, samples), make([][3]uint8, samples), make([][3]int8, samples)
	outside := 0
	for i := range g.Ambient {
		k := i
		if indirect {
			k = int(binary.LittleEndian.Uint16(array[2*i:]))
		}
		s, ok := stored(row, l, int64(k))
		if !ok {
			outside++
			continue
		}
		ambient, directed, to := &g.Ambient[i], &g.Directed[i], &g.Toward[i]
		ambient[0], ambient[1], ambient[2] = d.curve.sample(s.ambient[0], s.ambient[1], s.ambient[2])
		directed[0], directed[1], directed[2] = d.curve.sample(s.directed[0], s.directed[1], s.directed[2])
		to[0], to[1], to[2] = toward(s.polar, s.azimuth)
	}
	if outside > 0 {
		d.Issue("light-grid", d.lumps[lumpLightArray].Name, "%d samples are outside the %d of %s", outside, there, l.Name)
	}
	d.w.Ambient.Grid = g
	return nil
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
