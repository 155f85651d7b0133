package write

import (
	"math"
	"strconv"

	"github.com/qmuntal/gltf"
)

// shorten rounds the transforms of nodes and the colours of materials to 32-bit floats, the precision of the maps:
// 0.1778 instead of 0.17779999999999999. Bounds of accessors stay as they are, because a reader that compares them
// with the vertices in 64 bits would find some outside.
func shorten(doc *gltf.Document) {
	for _, n := range doc.Nodes {
		shortest(n.Translation[:])
		shortest(n.Rotation[:])
		shortest(n.Scale[:])
	}
	for _, m := range doc.Materials {
		shortest(m.EmissiveFactor[:])
		if p := m.PBRMetallicRoughness; p != nil && p.BaseColorFactor != nil {
			shortest(p.BaseColorFactor[:])
		}
	}
}

// shortest replaces numbers by the shortest decimals that give the same 32-bit floats.
func shortest(numbers []float64) {
	for i, x := range numbers {
		if x != math.Trunc(x) {
			numbers[i], _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', -1, 32), 64) // FormatFloat's text always parses
		}
	}
}
