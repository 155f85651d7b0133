package quake3

import (
	"encoding/binary"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxGrid bounds the samples of a light grid per axis.
const maxGrid = 1 << 14

// grid lifts the light grid. One whose size does not fit the world's box is left out, as the engine does.
func (d *decoder) grid(all []le.Lump) {
	l := all[lumpLightGrid]
	if len(l.Data) == 0 {
		return
	}
	g := &world.Grid{Cell: [3]float32{64, 64, 128}}
	if len(d.w.Entities) > 0 {
		if cell, ok := d.w.Entities[0].Vector("gridsize"); ok && min(cell[0], cell[1], cell[2]) >= 1 {
			g.Cell = cell
		}
	}
	samples := 1
	for k := range 3 {
		cell := float64(g.Cell[k])
		lo, hi := math.Ceil(float64(d.w.Models[0].Mins[k])/cell), math.Floor(float64(d.w.Models[0].Maxs[k])/cell)
		g.Origin[k] = float32(cell * lo)
		if !(hi-lo >= 0 && hi-lo < maxGrid) {
			d.issue("light-grid", l.Name, "the world's box from %g to %g holds no grid", d.w.Models[0].Mins[k], d.w.Models[0].Maxs[k])
			return
		}
		g.Size[k] = int(hi-lo) + 1
		samples *= g.Size[k]
		if samples > len(l.Data)*8 {
			break
		}
	}
	size := d.v.recordSize(lumpLightGrid)
	at := func(i int) int { return i }
	have := len(l.Data) / size
	if array := all[lumpLightArray].Data; d.v.wide && len(array) > 0 {
		have = len(array) / 2
		at = func(i int) int { return int(binary.LittleEndian.Uint16(array[2*i:])) }
	}
	if have < samples {
		d.issue("light-grid", l.Name, "%d samples, the world's box takes %d x %d x %d", have, g.Size[0], g.Size[1], g.Size[2])
		return
	}
	if d.f.Budget().Reserve(int64(samples)*36) != nil {
		d.issue("light-grid", l.Name, "%d samples are over the memory limit", samples)
		return
	}
	slots := d.vertices.slots
	g.Ambient, g.Directed, g.Toward = make([][3]float32, samples), make([][3]float32, samples), make([][3]float32, samples)
	for i := range samples {
		k := at(i)
		if (k+1)*size > len(l.Data) {
			continue
		}
		b := l.Data[k*size : (k+1)*size]
		g.Ambient[i] = d.curve.light(b[0], b[1], b[2])
		g.Directed[i] = d.curve.light(b[3*slots], b[3*slots+1], b[3*slots+2])
		angles := b[size-2:]
		g.Toward[i] = toward(angles[0], angles[1])
	}
	d.w.Grid = g
}

// toward is the unit vector of a stored direction: the polar angle, then the azimuth, 256 steps to a turn
// (Quake III Arena, tr_light.c).
func toward(polar, azimuth uint8) [3]float32 {
	sp, cp := math.Sincos(float64(polar) * 2 * math.Pi / 256)
	sa, ca := math.Sincos(float64(azimuth) * 2 * math.Pi / 256)
	return [3]float32{float32(ca * sp), float32(sa * sp), float32(cp)}
}
