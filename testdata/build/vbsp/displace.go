package vbsp

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
)

// Displace makes a displacement of a face of four corners and returns its index. start is the number of the corner that the
// grid starts at: rows run from there to the next corner, clockwise, columns to the one before. at returns by how much a
// point is moved, and its alpha, 0 to 255.
func (m *Map) Displace(face, start, power int, at func(row, column int) (offset [3]float32, alpha float32)) int {
	f := &m.Faces[face]
	loop := m.Loop(face)
	n := 1<<power + 1
	index := len(m.DispInfo)
	d := DispInfo{Start: loop[start], FirstVert: int32(len(m.DispVerts)), FirstTri: int32(len(m.DispTris)), Power: int32(power),
		Contents: Solid, Face: uint16(face)}
	for i := range d.AllowedVerts {
		d.AllowedVerts[i] = math.MaxUint32
	}
	for i := range d.EdgeNeighbours {
		for k := range d.EdgeNeighbours[i] {
			d.EdgeNeighbours[i][k].DispInfo = NoNeighbour
		}
		for k := range d.CornerNeighbours[i].DispInfo {
			d.CornerNeighbours[i].DispInfo[k] = NoNeighbour
		}
	}
	for row := range n {
		for column := range n {
			offset, alpha := at(row, column)
			l := math.Sqrt(brushmap.Dot(offset, offset))
			v := DispVert{Distance: float32(l), Alpha: alpha}
			if l > 0 {
				for k := range offset {
					v.Direction[k] = float32(float64(offset[k]) / l)
				}
			}
			m.DispVerts = append(m.DispVerts, v)
		}
	}
	for range 2 << (2 * power) {
		m.DispTris = append(m.DispTris, TriSurface|TriWalkable|TriBuildable)
	}
	m.DispInfo = append(m.DispInfo, d)
	f.DispInfo = int16(index)
	// The luxels cover the grid from its first point to its last, columns along x.
	luxel := 16.0
	if f.TexInfo >= 0 {
		v := m.TexInfo[f.TexInfo].Luxels[0]
		luxel = 1 / math.Sqrt(brushmap.Dot([3]float32{v[0], v[1], v[2]}, [3]float32{v[0], v[1], v[2]}))
	}
	for i, corner := range [2]int{(start + 3) % 4, (start + 1) % 4} {
		f.LuxelSize[i] = int32(math.Ceil(distance(loop[start], loop[corner])/luxel - 1e-4))
	}
	return index
}

func distance(a, b [3]float32) float64 {
	d := [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]}
	return math.Sqrt(brushmap.Dot(d, d))
}

// Corners returns a displacement's flat corners: the start, the end of the first column, the far corner, the end of the
// first row.
func (m *Map) Corners(disp int) (corners [4][3]float32) {
	d := m.DispInfo[disp]
	loop := m.Loop(int(d.Face))
	for i, p := range loop {
		if p == d.Start {
			for k := range corners {
				corners[k] = loop[(i+k)%4]
			}
		}
	}
	return corners
}

// Point returns where a point of a displacement is.
func (m *Map) Point(disp, row, column int) (p [3]float32) {
	d := m.DispInfo[disp]
	n := 1 << d.Power
	c := m.Corners(disp)
	v := m.DispVerts[int(d.FirstVert)+row*(n+1)+column]
	s, t := float64(column)/float64(n), float64(row)/float64(n)
	for k := range 3 {
		left := float64(float64(c[0][k])*(1-t)) + float64(float64(c[1][k])*t)
		right := float64(float64(c[3][k])*(1-t)) + float64(float64(c[2][k])*t)
		p[k] = float32(float64(left*(1-s)) + float64(right*s) + float64(float64(v.Direction[k])*float64(v.Distance)))
	}
	return p
}
