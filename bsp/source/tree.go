package source

// maxDepth ends a walk down a tree that a hostile map has made a circle.
const maxDepth = 4096

// leafAt returns the leaf at a point, or -1 where the tree leads to none.
func (d *decoder) leafAt(p [3]float32) int {
	if len(d.nodes) == 0 || len(d.records) == 0 {
		return -1
	}
	at := d.records[0].head
	for range maxDepth {
		if at < 0 {
			if leaf := -1 - at; leaf < len(d.leafs) {
				return leaf
			}
			return -1
		}
		if at >= len(d.nodes) {
			return -1
		}
		n := &d.nodes[at]
		if n.plane < 0 || n.plane >= len(d.planes) {
			return -1
		}
		pl := &d.planes[n.plane]
		side := 0
		if dot(pl.normal, p) < float64(pl.distance) {
			side = 1
		}
		at = n.children[side]
	}
	return -1
}

// areaAt returns the area at a point, or 0 where it is in none.
func (d *decoder) areaAt(p [3]float32) int {
	if leaf := d.leafAt(p); leaf >= 0 {
		return d.leafs[leaf].area
	}
	return 0
}

// dot is the product of two vectors. The products of float32 are exact in float64.
func dot(a, b [3]float32) float64 {
	return float64(float64(a[0])*float64(b[0])) + float64(float64(a[1])*float64(b[1])) + float64(float64(a[2])*float64(b[2]))
}

// project is a point on an axis with its shift.
func project(axis [4]float32, p [3]float32) float64 {
	return dot([3]float32(axis[:3]), p) + float64(axis[3])
}
