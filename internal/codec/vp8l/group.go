package vp8l

import (
	"cmp"
	"slices"
)

// groups states which group of codes each tile of a picture uses.
type groups struct {
	of     []int // group by tile
	n      int   // number of groups
	bits   uint  // binary logarithm of a tile's side
	across int   // tiles in a row
}

func oneGroup() groups { return groups{[]int{0}, 1, 16, 1} }

// tile returns the tile of the pixel number at.
func (g *groups) tile(at int32, width int) int {
	y := int(at) / width
	return y>>g.bits*g.across + (int(at)-y*width)>>g.bits
}

// maxGroups is the most groups that are tried.
const maxGroups = 16

// count is how often a symbol occurs.
type count struct{ symbol, n uint32 }

// group divides a picture's tiles into groups of similar symbols. It starts with tiles grouped by their size in bits,
// moves each tile to the group whose codes suit it best, and joins groups where that saves bits.
func group(symbols []symbol, p *picture, cache uint) groups {
	g := groups{bits: 5}
	for p.width>>g.bits*p.height>>g.bits > 1<<12 {
		g.bits++
	}
	g.across = (p.width + 1<<g.bits - 1) >> g.bits
	b := bounds(cache)
	tiles := tally(symbols, p, g, &b, (p.height+1<<g.bits-1)>>g.bits*g.across)
	g.of, g.n = start(tiles, &b)
	for range 3 {
		lists := sumGroups(tiles, g, b[5])
		if lists = join(lists, &b); len(lists) == 1 {
			return oneGroup()
		}
		g.n = len(lists)
		g.assign(tiles, lists, &b)
	}
	g.compact()
	if g.n == 1 {
		return oneGroup()
	}
	return g
}

// tally counts the symbols of each tile.
func tally(symbols []symbol, p *picture, g groups, b *[6]int, tiles int) [][]count {
	out := make([][]count, tiles)
	row := make([]uint32, g.across*b[5])
	flush := func(y int) {
		for x := range g.across {
			list := &out[y*g.across+x]
			for i, n := range row[x*b[5]:][:b[5]] {
				if n > 0 {
					*list = append(*list, count{uint32(i), n})
				}
			}
		}
		clear(row)
	}
	y := 0
	for i := range symbols {
		s := &symbols[i]
		t := g.tile(s.at, p.width)
		if t/g.across != y {
			flush(y)
			y = t / g.across
		}
		counts := row[t%g.across*b[5]:][:b[5]]
		s.each(b, func(at int) { counts[at]++ })
	}
	flush(y)
	return out
}

// start groups tiles by the bits that they take with codes for the whole picture.
func start(tiles [][]count, b *[6]int) ([]int, int) {
	all := make([]uint32, b[5])
	for _, t := range tiles {
		for _, c := range t {
			all[c.symbol] += c.n
		}
	}
	costs := costsOf(all, b)
	sizes, order := make([]uint64, len(tiles)), make([]int, 0, len(tiles))
	for i, t := range tiles {
		order = append(order, i)
		sizes[i] = size(t, costs)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(sizes[i], sizes[j]) })
	n := min(maxGroups, len(tiles))
	of := make([]int, len(tiles))
	for at, i := range order {
		of[i] = at * n / len(order)
	}
	return of, n
}

// costsOf returns the cost in bits of each symbol, by the counts of all symbols of its code.
func costsOf(counts []uint32, b *[6]int) []uint32 {
	out := make([]uint32, len(counts))
	for k := range 5 {
		part := counts[b[k]:b[k+1]]
		total, used := uint32(0), 0
		for _, n := range part {
			total += n
			used += int(min(n, 1))
		}
		if used == 1 && total > 0 {
			total-- // makes a single symbol almost free, and missing ones expensive
		}
		all := logarithm(max(total, 1)) + 1
		for i, n := range part {
			if n == 0 {
				out[b[k]+i] = all + 6<<fraction
			} else {
				out[b[k]+i] = max(all, logarithm(n)) - logarithm(n)
			}
		}
	}
	return out
}

func size(t []count, costs []uint32) (sum uint64) {
	for _, c := range t {
		sum += uint64(c.n) * uint64(costs[c.symbol])
	}
	return sum
}

// sumGroups returns the counts of each group that has tiles.
func sumGroups(tiles [][]count, g groups, symbols int) (out [][]uint32) {
	lists := make([][]uint32, g.n)
	for i, t := range tiles {
		list := &lists[g.of[i]]
		if *list == nil {
			*list = make([]uint32, symbols)
		}
		for _, c := range t {
			(*list)[c.symbol] += c.n
		}
	}
	return slices.DeleteFunc(lists, func(l []uint32) bool { return l == nil })
}

// join joins pairs of groups, each time the pair that saves most bits, until none does.
func join(lists [][]uint32, b *[6]int) [][]uint32 {
	sizes := make([]uint64, len(lists))
	for i, l := range lists {
		sizes[i] = whole(l, b)
	}
	both := make([]uint32, b[5])
	saved := map[[2]*uint32]int64{}
	for len(lists) > 1 {
		at, best := [2]int{}, int64(-1)
		for i := range lists {
			for j := range i {
				key := [2]*uint32{&lists[i][0], &lists[j][0]}
				s, ok := saved[key]
				if !ok {
					for k := range both {
						both[k] = lists[i][k] + lists[j][k]
					}
					s = int64(sizes[i]+sizes[j]) - int64(whole(both, b))
					saved[key] = s
				}
				if s > best {
					at, best = [2]int{j, i}, s
				}
			}
		}
		if best < 0 {
			break
		}
		sum := make([]uint32, b[5])
		for k := range sum {
			sum[k] = lists[at[0]][k] + lists[at[1]][k]
		}
		lists, sizes = slices.Delete(lists, at[1], at[1]+1), slices.Delete(sizes, at[1], at[1]+1)
		lists[at[0]], sizes[at[0]] = sum, whole(sum, b)
	}
	return lists
}

// whole returns the bits that a group takes with codes of its own.
func whole(counts []uint32, b *[6]int) (sum uint64) {
	for k := range 5 {
		sum += entropy(counts[b[k]:b[k+1]])
	}
	return sum + 40<<fraction
}

// assign moves each tile to the group in which it takes the fewest bits.
func (g *groups) assign(tiles [][]count, lists [][]uint32, b *[6]int) {
	costs := make([][]uint32, len(lists))
	for i, l := range lists {
		costs[i] = costsOf(l, b)
	}
	before := 0
	for i, t := range tiles {
		best, least := before, size(t, costs[before])
		for k := range costs {
			if s := size(t, costs[k]); s < least {
				best, least = k, s
			}
		}
		g.of[i], before = best, best
	}
}

// compact renumbers the groups in the order of their first tiles.
func (g *groups) compact() {
	number := map[int]int{}
	for i, k := range g.of {
		n, ok := number[k]
		if !ok {
			n = len(number)
			number[k] = n
		}
		g.of[i] = n
	}
	g.n = len(number)
}
