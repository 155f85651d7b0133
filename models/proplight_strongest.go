package models

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

// A prop is lit by the lamps whose light reaches its lighting point. Examining every lamp for every prop would take
// too long, so lamps are sorted into a tree of boxes; a box gives an upper bound for the light of its lamps at a
// point.

const (
	// maxTraced is the most lamps, the strongest ones, that are traced for a prop. In 51 public maps no place has
	// more than 64 lamps whose light counts.
	maxTraced = 256

	// boxLamps is the number of lamps in a leaf of the tree.
	boxLamps = 4
)

// lampTree is a complete binary tree of boxes: the children of box i are 2i and 2i+1, and the root is box 1. Each
// leaf holds boxLamps consecutive lamps of the list.
type lampTree struct {
	lamps  []lamp
	boxes  []lampBox
	leaves int
}

// lampBox bounds the positions and the light of some lamps.
type lampBox struct {
	mins, maxs [3]float32
	strength   float64 // the greatest; 0 if there are no lamps
	reach      float64 // the greatest
	falls      [3]float64
}

// treeSize returns the bytes of a tree of n lamps.
func treeSize(n int) int64 {
	return limit.Bytes[lampBox](2*leavesOf(n)) + limit.Bytes[lampOnCurve](n) + 2*limit.Bytes[lamp](n)
}

// leavesOf returns the number of leafs of a tree of n lamps: a power of two.
func leavesOf(n int) int {
	return 1 << bits.Len(uint(max(1, (n+boxLamps-1)/boxLamps)-1))
}

// lampOnCurve is a lamp and its place on a Z-order curve, along which neighbours are mostly near each other.
type lampOnCurve struct {
	at   uint64
	lamp int
}

// newLampTree returns the tree of lamps, none of which is a sun.
func newLampTree(list []lamp) *lampTree {
	all := emptyBox()
	for i := range list {
		all.add(&list[i])
	}
	order := make([]lampOnCurve, len(list))
	for i := range list {
		order[i] = lampOnCurve{all.curve(list[i].origin), i}
	}
	slices.SortFunc(order, func(a, b lampOnCurve) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.lamp, b.lamp)) })
	t := &lampTree{lamps: make([]lamp, len(list)), leaves: leavesOf(len(list))}
	t.boxes = make([]lampBox, 2*t.leaves)
	for i := range t.boxes {
		t.boxes[i] = emptyBox()
	}
	for i, o := range order {
		t.lamps[i] = list[o.lamp]
		t.boxes[t.leaves+i/boxLamps].add(&t.lamps[i])
	}
	for i := t.leaves - 1; i > 0; i-- {
		t.boxes[i] = t.boxes[2*i].with(&t.boxes[2*i+1])
	}
	return t
}

func emptyBox() lampBox {
	inf := float32(math.Inf(1))
	return lampBox{
		mins: [3]float32{inf, inf, inf}, maxs: [3]float32{-inf, -inf, -inf}, falls: [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)},
	}
}

func (b *lampBox) add(l *lamp) {
	*b = b.with(&lampBox{mins: l.origin, maxs: l.origin, strength: l.strength, reach: l.reach, falls: l.falls})
}

// with returns the box around two boxes.
func (b *lampBox) with(o *lampBox) (out lampBox) {
	out.strength, out.reach = max(b.strength, o.strength), max(b.reach, o.reach)
	for k := range 3 {
		out.mins[k], out.maxs[k] = min(b.mins[k], o.mins[k]), max(b.maxs[k], o.maxs[k])
		out.falls[k] = min(b.falls[k], o.falls[k])
	}
	return out
}

// curve returns the place of a point of the box on a Z-order curve: the bits of the three coordinates, 21 each,
// interleaved.
func (b *lampBox) curve(at [3]float32) (place uint64) {
	const side = 1<<21 - 1
	for k := range 3 {
		part := 0.0
		if size := float64(b.maxs[k]) - float64(b.mins[k]); size > 0 {
			part = (float64(at[k]) - float64(b.mins[k])) / size
		}
		step := uint64(part * side)
		for bit := range 21 {
			place |= step >> bit & 1 << (3*bit + k)
		}
	}
	return place
}

// most returns an upper bound of the light of every lamp in the box at a point.
func (b *lampBox) most(place [3]float32) float64 {
	sum := 0.0
	for k, x := range place {
		d := max(float64(b.mins[k])-float64(x), float64(x)-float64(b.maxs[k]), 0)
		sum += float64(d * d)
	}
	if sum > float64(b.reach*b.reach) {
		return 0
	}
	// Computed exactly as in lamp.at, so that rounding can't make the bound smaller than the light.
	distance := max(math.Sqrt(sum), 1)
	return b.strength / (b.falls[0] + float64(b.falls[1]*distance) + float64(b.falls[2]*float64(distance*distance)))
}

// ratedLamp is a lamp with its light at a point.
type ratedLamp struct {
	lamp  *lamp
	light float64
}

// stronger orders lamps by their light, strongest first. Equal ones are in the order of the map.
func stronger(a, b ratedLamp) int {
	if a.light == b.light {
		return a.lamp.index - b.lamp.index
	}
	return cmp.Compare(b.light, a.light)
}

// strongest returns, sorted, the n strongest of the lamps that give at least leastLamp at a point, or all if there
// are fewer. Each box and lamp examined takes one of left; the search ends when none is left.
func (t *lampTree) strongest(place [3]float32, n int, left *int) (found []ratedLamp) {
	least := leastLamp
	full := false // n lamps are found: another one must give more than least
	weak := func(light float64) bool { return light < least || full && light == least }
	type bounded struct {
		box  int
		most float64
	}
	bound := func(box int) bounded { return bounded{box, t.boxes[box].most(place)} }
	var room [64]bounded
	for boxes := append(room[:0], bound(1)); len(boxes) > 0; {
		next := boxes[len(boxes)-1]
		boxes = boxes[:len(boxes)-1]
		if *left--; *left < 0 {
			break
		}
		i := next.box
		if weak(next.most) {
			continue
		}
		if i < t.leaves {
			near, far := bound(2*i), bound(2*i+1)
			if far.most > near.most {
				near, far = far, near
			}
			boxes = append(boxes, far, near) // the last is next
			continue
		}
		first := (i - t.leaves) * boxLamps
		for k := range t.lamps[min(first, len(t.lamps)):min(first+boxLamps, len(t.lamps))] {
			l := &t.lamps[first+k]
			*left--
			if square(l.origin, place) > float64(l.reach*l.reach) {
				continue
			}
			if light, _ := l.at(place); !weak(light) {
				found = append(found, ratedLamp{l, light})
			}
		}
		if len(found) >= 2*n {
			slices.SortFunc(found, stronger)
			found = found[:n]
			least, full = found[n-1].light, true
		}
	}
	slices.SortFunc(found, stronger)
	return found[:min(n, len(found))]
}
