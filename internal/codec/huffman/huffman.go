// Package huffman makes the prefix codes of DEFLATE and of lossless WebP, which are written lowest bit first.
package huffman

import (
	"math/bits"
	"slices"
)

// Code is a Huffman code with its first bit lowest.
type Code struct {
	Bits uint16
	N    uint8 // number of bits; 0 if the symbol does not occur
}

// Maker makes codes. It reuses its buffers. The zero value is ready.
type Maker struct {
	sort []symbol
	room []int // for depths
}

type symbol struct {
	count uint32
	index uint16
}

// Assign gives each symbol that occurs a code of at most most bits (most is at most 15); more frequent symbols get
// shorter codes. A single symbol gets a code of one bit.
func (m *Maker) Assign(out []Code, counts []uint32, most int) {
	m.sort = m.sort[:0]
	for i, n := range counts {
		out[i] = Code{}
		if n > 0 {
			m.sort = append(m.sort, symbol{n, uint16(i)})
		}
	}
	switch len(m.sort) {
	case 0:
		return
	case 1:
		out[m.sort[0].index].N = 1
		return
	}
	slices.SortFunc(m.sort, func(a, b symbol) int {
		if a.count != b.count {
			return int(a.count) - int(b.count)
		}
		return int(a.index) - int(b.index)
	})
	var lengths [16]int // number of codes by length
	m.room = slices.Grow(m.room[:0], len(m.sort))
	for _, n := range depths(m.sort, m.room[:len(m.sort)]) {
		lengths[min(n, most)]++
	}
	// Truncating codes to most bits makes too many: lengthening a shorter one makes room for two.
	total := 0
	for n := 1; n <= most; n++ {
		total += lengths[n] << (most - n)
	}
	for ; total > 1<<most; total-- {
		n := most - 1
		for lengths[n] == 0 {
			n--
		}
		lengths[n]--
		lengths[n+1] += 2
		lengths[most]--
	}
	at, next := 0, 0
	var first [16]int
	for n := 1; n <= most; n++ {
		next = (next + lengths[n-1]) << 1 // lengths[0] is 0
		first[n] = next
	}
	for n := most; n > 0; n-- {
		for range lengths[n] {
			out[m.sort[at].index].N = uint8(n)
			at++
		}
	}
	for i := range out {
		if n := out[i].N; n > 0 {
			out[i].Bits = bits.Reverse16(uint16(first[n])) >> (16 - n)
			first[n]++
		}
	}
}

// depths returns the lengths of the Huffman codes, longest first, of symbols in ascending order of counts. Source:
// Moffat and Katajainen, In-place calculation of minimum-redundancy codes, 1995.
func depths(list []symbol, a []int) []int {
	n := len(list)
	for i := range list {
		a[i] = int(list[i].count)
	}
	a[0] += a[1]
	root, leaf := 0, 2
	for next := 1; next < n-1; next++ {
		if leaf >= n || a[root] < a[leaf] {
			a[next] = a[root]
			a[root] = next
			root++
		} else {
			a[next] = a[leaf]
			leaf++
		}
		if leaf >= n || root < next && a[root] < a[leaf] {
			a[next] += a[root]
			a[root] = next
			root++
		} else {
			a[next] += a[leaf]
			leaf++
		}
	}
	a[n-2] = 0
	for next := n - 3; next >= 0; next-- {
		a[next] = a[a[next]] + 1
	}
	avail, used, depth := 1, 0, 0
	root, next := n-2, n-1
	for avail > 0 {
		for root >= 0 && a[root] == depth {
			used++
			root--
		}
		for avail > used {
			a[next] = depth
			next--
			avail--
		}
		avail, used = 2*used, 0
		depth++
	}
	return a
}
