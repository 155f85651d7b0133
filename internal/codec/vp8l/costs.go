package vp8l

import (
	"math/bits"
	"sync"
)

// sums returns, for each pixel, how many bits all pixels before it take as literals, in the unit of logarithm, modulo
// 2^32.
func sums(px []uint32) []uint32 {
	var counts [4][256]uint32
	for _, v := range px {
		counts[0][v>>24]++
		counts[1][v>>16&0xff]++
		counts[2][v>>8&0xff]++
		counts[3][v&0xff]++
	}
	all := logarithm(uint32(len(px)))
	var costs [4][256]uint32
	for c := range counts {
		for v, n := range counts[c] {
			if n > 0 {
				costs[c][v] = all - logarithm(n)
			}
		}
	}
	out := make([]uint32, len(px)+1)
	var sum uint32
	for i, v := range px {
		sum += costs[0][v>>24] + costs[1][v>>16&0xff] + costs[2][v>>8&0xff] + costs[3][v&0xff]
		out[i+1] = sum
	}
	return out
}

// fraction is the number of fractional bits of a logarithm.
const fraction = 8

// logarithm returns the binary logarithm of n (at least 1), computed in integers so that it is the same on every
// machine.
func logarithm(n uint32) uint32 {
	if n < smallNumbers {
		return smallLogarithms()[n]
	}
	return longLogarithm(n)
}

const smallNumbers = 1 << 10

var smallLogarithms = sync.OnceValue(func() *[smallNumbers]uint32 {
	t := &[smallNumbers]uint32{}
	for n := uint32(1); n < smallNumbers; n++ {
		t[n] = longLogarithm(n)
	}
	return t
})

func longLogarithm(n uint32) uint32 {
	whole := uint32(bits.Len32(n) - 1)
	x := uint64(n) << (31 - whole) // 1 to 2, with 31 bits after the point
	out := whole << fraction
	for bit := uint32(1 << (fraction - 1)); bit > 0; bit >>= 1 {
		if x = x * x >> 31; x >= 1<<32 {
			x >>= 1
			out |= bit
		}
	}
	return out
}

// codeCost is the cost of stating the length of a code, in bits.
const codeCost = 4

// entropy returns the bits that symbols and their code take if the code is made for them, in the unit of logarithm.
func entropy(counts []uint32) (sum uint64) {
	var total uint32
	used := uint64(0)
	for _, n := range counts {
		if n > 0 {
			total += n
			used++
			sum -= uint64(n) * uint64(logarithm(n))
		}
	}
	if used < 2 {
		return 0
	}
	return sum + uint64(total)*uint64(logarithm(total)) + used*codeCost<<fraction
}
