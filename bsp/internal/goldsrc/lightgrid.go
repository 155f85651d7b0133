package goldsrc

import (
	"fmt"
	"math"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Blocks of BSPX may hold the light for moving objects at the points of a grid: LIGHTGRID_OCTREE has a colour for each, LIGHTGRIDS one for
// each of the six directions. The points lie in leafs, boxes that the nodes of an octree find; nothing is stored where all is solid. Both
// are of ericw-tools, common, bspxfile.cc and lightgrid.cc; Q2PRO and FTE read the first.

// What bounds a grid: points along an axis, and points for each byte of the block, which stores at least a byte for one that is not in
// solid space.
const (
	maxGrid    = 1 << 14
	maxPerByte = 256
)

const (
	gridNode = 44  // bytes
	inSolid  = 255 // styles of a point that is in a wall
)

// readLightGrid reads the grid of a map, or returns nil if it has none. The engines that light models by other rules read no such block.
func readLightGrid(m *file, l *light, show brightness, levels world.Levels) (*world.Grid, error) {
	for _, b := range []struct {
		name  string
		sides int
	}{{"LIGHTGRID_OCTREE", 1}, {"LIGHTGRIDS", 6}} {
		data, err := m.block(b.name, anySize)
		if err != nil || len(data) == 0 {
			if err != nil {
				return nil, err
			}
			continue
		}
		where := "BSPX " + b.name
		if show.models != 0 {
			m.dc.Issue("bspx", where, "is not read in maps of this game")
			continue
		}
		if b.sides == 6 {
			if data = largestGrid(data); data == nil {
				m.dc.Issue("light-grid", where, "is left out: it does not hold grids and their sizes")
				continue
			}
		}
		d := &gridDecoder{c: le.NewCursor(where, data), light: l, levels: levels, sides: b.sides}
		grid, points, err := d.head(len(data))
		if err == nil {
			if err := m.dc.Reserve(limit.Bytes[[9]uint8](points)); err != nil {
				return nil, fmt.Errorf("%s: %w", where, err)
			}
			err = d.fill(grid, points)
		}
		if err != nil {
			m.dc.Issue("light-grid", where, "is left out: %v", err)
			continue
		}
		return grid, nil
	}
	return nil, nil
}

// largestGrid returns the grid with the most points of a list of grids, each with its size before it, or nil if it is no such list.
func largestGrid(data []byte) (largest []byte) {
	most := 0.0
	for len(data) > 0 {
		if len(data) < 4 || uint64(record.U32(data)) > uint64(len(data)-4) {
			return nil
		}
		one := data[4:][:record.U32(data)]
		data = data[4+len(one):]
		if len(one) < 24 {
			return nil
		}
		points := float64(record.U32(one[12:])) * float64(record.U32(one[16:])) * float64(record.U32(one[20:]))
		if largest == nil || points > most {
			largest, most = one, points
		}
	}
	return largest
}

// gridDecoder decodes a grid.
type gridDecoder struct {
	c      *le.Cursor
	light  *light
	levels world.Levels
	sides  int // 6 if there is a colour for each direction, else 1
	scale  float64
}

// head reads where the points are; size is the number of bytes there are.
func (d *gridDecoder) head(size int) (g *world.Grid, points int, err error) {
	g = &world.Grid{}
	vector := func() (v [3]float32) { return [3]float32{d.c.Float32(), d.c.Float32(), d.c.Float32()} }
	g.Cell = vector()
	n := int64(1)
	for k := range g.Size {
		count := d.c.Int32()
		if count < 1 || count > maxGrid {
			return nil, 0, fmt.Errorf("it has %d points along an axis", count)
		}
		g.Size[k] = int(count)
		n *= int64(count)
	}
	g.Origin = vector()
	d.c.Bytes(5) // the number of styles, and the first node
	nodes := int64(d.c.Uint32())
	if nodes > int64(size)/gridNode {
		return nil, 0, fmt.Errorf("it has %d nodes in %d bytes", nodes, size)
	}
	d.c.Bytes(int(nodes) * gridNode)
	switch {
	case d.c.Err() != nil:
		return nil, 0, d.c.Err()
	case n > maxPerByte*int64(size):
		return nil, 0, fmt.Errorf("it has %d points in %d bytes", n, size)
	case !record.Sane(g.Cell[:]...) || !record.Sane(g.Origin[:]...) || min(g.Cell[0], g.Cell[1], g.Cell[2]) < 1:
		return nil, 0, fmt.Errorf("its points are at %g, each %g units", g.Origin, g.Cell)
	}
	return g, int(n), nil
}

// fill reads the leafs. What is in none of them is solid.
func (d *gridDecoder) fill(g *world.Grid, points int) error {
	g.Ambient, g.Directed, g.Toward = make([][3]uint8, points), make([][3]uint8, points), make([][3]int8, points)
	d.scale = max(float64(d.light.curve.Linear(float32(d.light.slope.most))), 1)
	g.Scale = float32(d.scale)
	for leaf := range d.c.Uint32() {
		var first, size [3]int
		for k := range 3 {
			first[k] = int(d.c.Int32())
		}
		for k := range 3 {
			size[k] = int(d.c.Int32())
		}
		for k := range 3 {
			if d.c.Err() != nil {
				return d.c.Err()
			}
			if first[k] < 0 || size[k] < 0 || first[k] > g.Size[k] || size[k] > g.Size[k]-first[k] {
				return fmt.Errorf("leaf %d: its points from %d, %d of them, are outside the grid of %d", leaf, first, size, g.Size)
			}
		}
		if d.sides == 6 {
			d.c.Bytes(1) // the most styles of its points
		}
		for z := range size[2] {
			for y := range size[1] {
				at := ((first[2]+z)*g.Size[1]+first[1]+y)*g.Size[0] + first[0]
				for x := range size[0] {
					if err := d.point(g, at+x); err != nil {
						return err
					}
				}
			}
		}
	}
	return d.c.Err()
}

// point reads the light of a point: the sum of its styles as they are when the map starts.
func (d *gridDecoder) point(g *world.Grid, at int) error {
	styles := d.c.Bytes(1)[0]
	if d.c.Err() != nil {
		return d.c.Err()
	}
	if styles == inSolid {
		g.Ambient[at], g.Directed[at], g.Toward[at] = [3]uint8{}, [3]uint8{}, [3]int8{}
		return nil
	}
	var sums [6][3]float64
	for range styles {
		level, known := d.levels[d.c.Bytes(1)[0]]
		if !known {
			level = [3]float32{1, 1, 1}
		}
		has := uint8(1)
		if d.sides == 6 {
			has = d.c.Bytes(1)[0]
		}
		for side := range d.sides {
			if has>>side&1 == 0 {
				continue
			}
			for k, b := range d.c.Bytes(3) {
				sums[side][k] += float64(float64(b) * float64(level[k]))
			}
		}
	}
	if d.c.Err() != nil {
		return d.c.Err()
	}
	for i := range d.sides {
		sums[i] = d.linear(sums[i])
	}
	ambient, directed := sums[0], [3]float64{}
	if d.sides == 6 {
		ambient, directed, g.Toward[at] = fromSides(&sums)
	}
	for k := range 3 {
		// None of it would be a point in solid space.
		g.Ambient[at][k], g.Directed[at][k] = max(d.stored(ambient[k]), 1), d.stored(directed[k])
	}
	return nil
}

// linear returns the linear light of a sum of stored bytes, as the engine shows it.
func (d *gridDecoder) linear(sum [3]float64) (out [3]float64) {
	l := d.light
	greatest := max(sum[0], sum[1], sum[2]) / 255
	for k, x := range sum {
		shown := l.slope.shown(x / 255)
		if l.whole && l.slope.scale*greatest > l.slope.most {
			shown = l.slope.most * x / 255 / greatest
		}
		out[k] = float64(l.curve.Linear(float32(shown)))
	}
	return out
}

// stored returns linear light as a grid has it.
func (d *gridDecoder) stored(linear float64) uint8 {
	return uint8(min(max(math.Round(255*gamma.Encode(linear/d.scale)), 0), 255))
}

// fromSides returns the ambient and the directed light, and 127 times the vector to it, that are nearest to the light from +X, -X, +Y, -Y,
// +Z and -Z: the directed light is from where it grows, and the rest is as much as keeps the mean of the sides.
func fromSides(sides *[6][3]float64) (ambient, directed [3]float64, toward [3]int8) {
	var grows [3]float64
	for axis := range 3 {
		for k := range 3 {
			grows[axis] += float64(sides[2*axis][k] - sides[2*axis+1][k])
		}
	}
	length := math.Sqrt(float64(grows[0]*grows[0]) + float64(grows[1]*grows[1]) + float64(grows[2]*grows[2]))
	spread := 0.0 // the part of the directed light on a side, in the mean
	for axis := range 3 {
		if length > 1e-6 {
			grows[axis] /= length
			toward[axis] = int8(math.Round(127 * grows[axis]))
			spread += math.Abs(grows[axis]) / 6
		}
	}
	for k := range 3 {
		mean := 0.0
		for axis := range 3 {
			mean += float64((sides[2*axis][k] + sides[2*axis+1][k]) / 6)
			if length > 1e-6 {
				directed[k] += float64(grows[axis] * (sides[2*axis][k] - sides[2*axis+1][k]))
			}
		}
		directed[k] = max(directed[k], 0)
		ambient[k] = max(mean-float64(directed[k]*spread), 0)
	}
	return ambient, directed, toward
}
