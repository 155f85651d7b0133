package vp8l

import "github.com/bsp2gltf/bsp2gltf/internal/codec/huffman"

// longestCode is the most bits that a code may have.
const longestCode = 15

// body writes the codes of all groups, then the symbols.
func (w *writer) body(symbols []symbol, g groups, width int, cache uint) {
	b := bounds(cache)
	counts, codes := make([]uint32, g.n*b[5]), make([]huffman.Code, g.n*b[5])
	of := func(s *symbol) int {
		if g.n == 1 {
			return 0
		}
		return g.of[g.tile(s.at, width)]
	}
	for i := range symbols {
		list := counts[of(&symbols[i])*b[5]:][:b[5]]
		symbols[i].each(&b, func(at int) { list[at]++ })
	}
	var m huffman.Maker
	for k := range g.n {
		for c := range 5 {
			from, to := k*b[5]+b[c], k*b[5]+b[c+1]
			m.Assign(codes[from:to], counts[from:to], longestCode)
			w.code(codes[from:to], &m)
		}
	}
	for i := range symbols {
		s := &symbols[i]
		list := codes[of(s)*b[5]:][:b[5]]
		w.symbol(list[s.main])
		if s.main < lengthsFrom {
			w.symbol(list[b[1]+int(s.pixel>>16&0xff)])
			w.symbol(list[b[2]+int(s.pixel&0xff)])
			w.symbol(list[b[3]+int(s.pixel>>24)])
		} else if s.main < cacheFrom {
			w.put(uint64(s.lengthExtra), uint(s.lengthExtraBits))
			w.symbol(list[b[4]+int(s.distance)])
			w.put(uint64(s.distanceExtra), uint(s.distanceExtraBits))
		}
	}
}

func (w *writer) symbol(c huffman.Code) { w.put(uint64(c.Bits), uint(c.N)) }

// lengthOrder is the order in which the lengths of the codes for lengths are written.
var lengthOrder = [19]int{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// code writes the lengths of a code. If the code has one symbol, it sets its length to 0, because that symbol takes
// no bits.
func (w *writer) code(list []huffman.Code, m *huffman.Maker) {
	var used []int
	for i, c := range list {
		if c.N > 0 && len(used) < 3 {
			used = append(used, i)
		}
	}
	if len(used) == 0 {
		w.put(1, 4) // the code has one symbol, 0, stated in one bit
		return
	}
	if len(used) <= 2 && used[len(used)-1] < 256 {
		w.simple(used)
	} else {
		w.lengths(list, m)
	}
	if len(used) == 1 {
		list[used[0]] = huffman.Code{}
	}
}

// simple writes a code of one or two symbols below 256.
func (w *writer) simple(used []int) {
	w.put(1, 1)
	w.put(uint64(len(used)-1), 1)
	w.put(b2u(used[0] > 1), 1)
	if used[0] > 1 {
		w.put(uint64(used[0]), 8)
	} else {
		w.put(uint64(used[0]), 1)
	}
	if len(used) == 2 {
		w.put(uint64(used[1]), 8)
	}
}

// lengths writes the lengths of a code, run-length encoded.
func (w *writer) lengths(list []huffman.Code, m *huffman.Maker) {
	runs := runsOf(list)
	var counts [19]uint32
	for _, r := range runs {
		counts[r.symbol]++
	}
	var own [19]huffman.Code
	m.Assign(own[:], counts[:], 7)
	shown := 19
	for shown > 4 && own[lengthOrder[shown-1]].N == 0 {
		shown--
	}
	w.put(0, 1)
	w.put(uint64(shown-4), 4)
	only := 0
	for _, k := range lengthOrder[:shown] {
		w.put(uint64(own[k].N), 3)
		only += int(min(own[k].N, 1))
	}
	w.put(0, 1) // the lengths of all symbols follow
	for _, r := range runs {
		if only > 1 {
			w.symbol(own[r.symbol])
		}
		w.put(uint64(r.extra), uint(r.bits))
	}
}

// run is one or several equal lengths.
type run struct{ symbol, extra, bits uint8 }

// runsOf returns code lengths as runs.
func runsOf(list []huffman.Code) (runs []run) {
	before := uint8(8) // the length that a run repeats initially
	for i := 0; i < len(list); {
		k := i + 1
		for k < len(list) && list[k].N == list[i].N {
			k++
		}
		length, v := k-i, list[i].N
		i = k
		if v != 0 && v != before {
			runs = append(runs, run{symbol: v})
			length--
			before = v
		}
		for length > 0 {
			n := 1
			switch {
			case v == 0 && length >= 11:
				n = min(length, 138)
				runs = append(runs, run{18, uint8(n - 11), 7})
			case v == 0 && length >= 3:
				n = length
				runs = append(runs, run{17, uint8(n - 3), 3})
			case length >= 3:
				n = min(length, 6)
				runs = append(runs, run{16, uint8(n - 3), 2})
			default:
				runs = append(runs, run{symbol: v})
			}
			length -= n
		}
	}
	return runs
}
