package geometry

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// The engine's numbers for the collision of curves (Quake III Arena, cm_patch.c).
const (
	maxSag     = 16.0 // map units between a curve's middle and its line from which on it is halved (SUBDIVIDE_DISTANCE)
	sameWithin = 0.1  // map units per axis within which points are the same, and from a plane (POINT_EPSILON, PLANE_TRI_EPSILON)
	maxLattice = 129  // most points along an axis (MAX_GRID_SIZE)
)

// lattice is a grid of points on a curve, which bodies meet in place of the curve.
type lattice struct {
	columns [][][3]float32 // each of as many points
	joined  bool           // the first column is the last
	closed  bool           // the first point of each column is the last
}

// newLattice returns the lattice of a patch, whose columns are the patch's rows; ok is false if it has too many points for the
// engine. It is coarser than what is drawn: only curves that are maxSag from their line are halved, and the control points
// that remain off the curve are left out. Quake III Arena, cm_patch.c, CM_GeneratePatchCollide.
func newLattice(p *world.Patch) (l lattice, ok bool) {
	if p.Width > maxLattice || p.Height > maxLattice {
		return lattice{}, false
	}
	l.columns = make([][][3]float32, p.Width)
	for i := range l.columns {
		l.columns[i] = make([][3]float32, p.Height)
		for j := range l.columns[i] {
			l.columns[i][j] = p.Control[j*p.Width+i].Position
		}
	}
	if !l.divide() {
		return lattice{}, false
	}
	l.transpose()
	return l, l.divide()
}

// divide halves the curves between columns where they bend, and leaves out columns that are the same as the one before.
func (l *lattice) divide() bool {
	last := len(l.columns) - 1
	l.joined = sameColumns(l.columns[0], l.columns[last])
	out := append(make([][][3]float32, 0, maxLattice), l.columns[0])
	for i := 0; i+2 <= last; i += 2 {
		out = halveColumns(out, l.columns[i], l.columns[i+1], l.columns[i+2])
	}
	if len(out) > maxLattice {
		return false
	}
	l.columns = out[:1]
	for _, c := range out[1:] {
		if !sameColumns(c, l.columns[len(l.columns)-1]) {
			l.columns = append(l.columns, c)
		}
	}
	return true
}

// halveColumns appends the columns after a of the curves with the control points a, b and c. It ends early if there are too many.
func halveColumns(out [][][3]float32, a, b, c [][3]float32) [][][3]float32 {
	if len(out) > maxLattice {
		return out
	}
	bent := false
	for j := range b {
		bent = bent || sag(a[j], b[j], c[j]) >= maxSag
	}
	if !bent {
		return append(out, c)
	}
	ab, middle, bc := make([][3]float32, len(b)), make([][3]float32, len(b)), make([][3]float32, len(b))
	for j := range b {
		ab[j], bc[j] = half(a[j], b[j]), half(b[j], c[j])
		middle[j] = half(ab[j], bc[j])
	}
	return halveColumns(halveColumns(out, a, ab, middle), middle, bc, c)
}

// sag returns the distance of the middle of a curve from that of the line between its ends, rounded as the engine's: the maps have curves
// of exactly maxSag.
func sag(a, b, c [3]float32) float32 {
	var sum float32
	for k := range a {
		middle := float32((float64(a[k]+b[k])/2 + float64(b[k]+c[k])/2) / 2)
		d := middle - (a[k]+c[k])/2
		sum += float32(d * d)
	}
	return float32(math.Sqrt(float64(sum)))
}

// half returns the point between two.
func half(a, b [3]float32) [3]float32 {
	return [3]float32{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}
}

// sameColumns reports whether the points of two columns are the same.
func sameColumns(a, b [][3]float32) bool {
	for j := range a {
		for k := range a[j] {
			if d := a[j][k] - b[j][k]; d < -sameWithin || d > sameWithin {
				return false
			}
		}
	}
	return true
}

// transpose makes the rows the columns.
func (l *lattice) transpose() {
	rows := make([][][3]float32, len(l.columns[0]))
	for j := range rows {
		rows[j] = make([][3]float32, len(l.columns))
		for i := range l.columns {
			rows[j][i] = l.columns[i][j]
		}
	}
	l.columns, l.joined, l.closed = rows, l.closed, l.joined
}
