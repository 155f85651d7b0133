package deflate

import (
	"math/bits"
	"slices"
)

// code is a Huffman code with its first bit lowest.
type code struct {
	bits uint16
	n    uint8 // bits; 0 if the symbol is not used
}

// codes holds the Huffman codes of a block.
type codes struct {
	lit  [286]code
	dist [30]code

	packed [256]uint32 // of the literals: bits, then their number in the lowest byte
	sort   []symbol
	room   [286]int // for depths
}

type symbol struct {
	count uint32
	index uint16
}

func (c *codes) make(lits *[286]uint32, dists *[30]uint32) {
	c.assign(c.lit[:], lits[:], 14) // 15 are allowed: see literals
	c.assign(c.dist[:], dists[:], 15)
}

// size returns how many bits a block takes without its header.
func (c *codes) size(lits *[286]uint32, dists *[30]uint32) (n int) {
	for i, k := range lits {
		n += int(k) * int(c.lit[i].n)
		if i > 256 {
			n += int(k) * int(lengthExtra[i-257])
		}
	}
	for i, k := range dists {
		n += int(k) * (int(c.dist[i].n) + max(i/2-1, 0))
	}
	return n
}

// assign gives each symbol a code of at most most bits. Symbols that are used more get shorter codes.
func (c *codes) assign(out []code, counts []uint32, most int) {
	c.sort = c.sort[:0]
	for i, n := range counts {
		out[i] = code{}
		if n > 0 {
			c.sort = append(c.sort, symbol{n, uint16(i)})
		}
	}
	switch len(c.sort) {
	case 0:
		return
	case 1:
		out[c.sort[0].index].n = 1
		return
	}
	slices.SortFunc(c.sort, func(a, b symbol) int {
		if a.count != b.count {
			return int(a.count) - int(b.count)
		}
		return int(a.index) - int(b.index)
	})
	var lengths [16]int // number of codes by length
	for _, n := range depths(c.sort, &c.room) {
		lengths[min(n, most)]++
	}
	// Cutting codes to most bits leaves too many codes: a shorter one is lengthened to make room for two.
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
			out[c.sort[at].index].n = uint8(n)
			at++
		}
	}
	for i := range out {
		if n := out[i].n; n > 0 {
			out[i].bits = bits.Reverse16(uint16(first[n])) >> (16 - n)
			first[n]++
		}
	}
}

// depths returns the lengths of the Huffman codes, the longest first, of symbols in ascending order of their counts. Source:
// Moffat and Katajainen, In-place calculation of minimum-redundancy codes, 1995.
func depths(list []symbol, room *[286]int) []int {
	n := len(list)
	a := room[:n]
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
