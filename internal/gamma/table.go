package gamma

import "math"

// Table gives a smooth function of light that is slow to compute. It computes the function at 64 points of each octave from
// 2^-12 to 2^8 when they are first needed, and interpolates linearly. For powers from 1/2 to 2 the error is below 1/16,000
// of the result, and for curves that bend a straight line a little it is far less. Below that range the function is a straight
// line from 0; above, it is computed.
//
// A Table must not be used by several goroutines at the same time.
type Table struct {
	f      func(light float32) float32
	points [octaves<<perOctave + 1]float32
	known  [octaves<<perOctave + 1]bool
}

// The range of a Table, and the position of its step in the bits of a float32, whose fraction has 23.
const (
	firstOctave = -12
	octaves     = 20
	perOctave   = 6 // bits
	fraction    = 23 - perOctave
	firstBits   = (127 + firstOctave) << 23
)

// NewTable returns a table of f, which is 0 at 0.
func NewTable(f func(light float32) float32) *Table { return &Table{f: f} }

// At returns the function's value for a light of at least 0.
func (t *Table) At(light float32) float32 {
	b := math.Float32bits(light)
	switch {
	case !(light > 0):
		return 0
	case b < firstBits:
		return t.point(0) * light * (1 << -firstOctave)
	case b >= firstBits+octaves<<23:
		return t.f(light)
	}
	i, at := (b-firstBits)>>fraction, float32(b&(1<<fraction-1))/(1<<fraction)
	low, high := t.point(i), t.point(i+1)
	return low + float32((high-low)*at)
}

// point returns the function's value at a point of the table.
func (t *Table) point(i uint32) float32 {
	if !t.known[i] {
		t.points[i], t.known[i] = t.f(math.Float32frombits(firstBits+i<<fraction)), true
	}
	return t.points[i]
}
