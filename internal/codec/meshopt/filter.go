package meshopt

import "math"

// Exponential encodes floats for the filter EXPONENTIAL. Bits 0 to 23 of each result are a signed count of steps, bits 24 to 31
// the exponent of the step. Values are rounded to multiples of 2^step, where step is -100 to 100; a value beyond 2^23 steps
// gets a coarser step. The result has 4 bytes per value.
func Exponential(values []float32, step int) []byte {
	out := make([]byte, 4*len(values))
	for i, v := range values {
		at := step
		x := float64(v)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			x = 0
		}
		const most = 1<<23 - 1
		n := math.RoundToEven(math.Ldexp(x, -at))
		for math.Abs(n) > most {
			at++
			n = math.RoundToEven(math.Ldexp(x, -at))
		}
		put(out[4*i:], uint32(int32(n))&0xffffff|uint32(int32(at))<<24)
	}
	return out
}

// Octahedral encodes unit vectors for the filter OCTAHEDRAL with a stride of 4, by projecting them to an octahedron: x and y
// as signed bytes in units of 1/127, then 127, then a fourth byte that the filter leaves unchanged (a tangent's sign, 0 for
// a normal).
func Octahedral(vectors [][3]float32, fourth func(i int) int8) []byte {
	const unit = 127
	out := make([]byte, 4*len(vectors))
	for i, n := range vectors {
		x, y, z := float64(n[0]), float64(n[1]), float64(n[2])
		if l := math.Abs(x) + math.Abs(y) + math.Abs(z); l > 0 {
			x, y, z = x/l, y/l, z/l
		}
		if z < 0 {
			x, y = float64(1-math.Abs(y))*math.Copysign(1, x), float64(1-math.Abs(x))*math.Copysign(1, y)
		}
		out[4*i] = byte(int8(math.RoundToEven(x * unit)))
		out[4*i+1] = byte(int8(math.RoundToEven(y * unit)))
		out[4*i+2] = unit
		out[4*i+3] = byte(fourth(i))
	}
	return out
}
