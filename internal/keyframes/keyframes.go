// Package keyframes has the rules by which animations keep, repeat and end keys.
package keyframes

import "math"

// Reduce returns which of n keys suffice: the first and, from each key that is kept, the farthest up to which straight reports that those
// between lie on the way from one to the other. Two neighbours always do.
func Reduce(n int, straight func(from, to int) bool) []int {
	out := []int{0}
	for from := 0; from < n-1; {
		to := from + 1
		for to < n-1 && straight(from, to+1) {
			to++
		}
		out = append(out, to)
		from = to
	}
	return out
}

// CommonPeriod returns the seconds after which loops of all periods end together, in whole tenths. ok is false if that takes more than
// longest seconds, or if a period is no number of tenths; a period of 0 does not count.
func CommonPeriod(periods []float64, longest int) (seconds float64, ok bool) {
	common := 1
	for _, p := range periods {
		tenths := math.Round(10 * p)
		switch {
		case p == 0:
			continue
		case tenths < 1, tenths > float64(10*longest), math.Abs(tenths/10-p) > 1e-3:
			return 0, false
		}
		if common = leastMultiple(common, int(tenths)); common > 10*longest {
			return 0, false
		}
	}
	return float64(common) / 10, true
}

// leastMultiple returns the least common multiple of two numbers.
func leastMultiple(a, b int) int {
	x, y := a, b
	for y > 0 {
		x, y = y, x%y
	}
	return a / x * b
}
