package vp8

import (
	"math"
	"sync"
)

// The dimensions of the table of probabilities: kind of block, band of the coefficient, context, decision. RFC 6386, section
// 13.3.
const (
	bands     = 8
	contexts  = 3
	decisions = 11
)

// token is a decision. Its highest bit is the decision; the lower bits are the index of its probability or, with the
// bit fixed, the probability itself.
type token uint16

const (
	one   token = 1 << 15
	fixed token = 1 << 14
)

// tokens holds the decisions for a picture's coefficients, and counts how often each was 0 and 1.
type tokens struct {
	list   []token
	counts [kinds * bands * contexts * decisions][2]uint32
}

func (t *tokens) reset() {
	t.list = t.list[:0]
	clear(t.counts[:])
}

// add appends a decision by the index of its probability.
func (t *tokens) add(at int, is bool) {
	if is {
		t.counts[at][1]++
		t.list = append(t.list, token(at)|one)
	} else {
		t.counts[at][0]++
		t.list = append(t.list, token(at))
	}
}

// bit appends a decision by its probability.
func (t *tokens) bit(p uint8, is bool) {
	v := fixed | token(p)
	if is {
		v |= one
	}
	t.list = append(t.list, v)
}

// block appends the levels of a block from index first on; n is the number of levels up to the last that is not 0.
// context is how many of the left and upper neighbours have levels. It returns 1 if this block has any, otherwise 0.
func (t *tokens) block(kind int, context uint8, first int, levels *[16]int16, n int) uint8 {
	at := ((kind*bands+bandOf[first])*contexts + int(context)) * decisions
	if n <= first {
		t.add(at, false)
		return 0
	}
	t.add(at, true)
	for i := first; ; {
		level := int(levels[i])
		i++
		next := (kind*bands + bandOf[i]) * contexts * decisions
		if level == 0 {
			t.add(at+1, false)
			at = next
			continue
		}
		size := max(level, -level)
		t.add(at+1, true)
		t.add(at+2, size > 1)
		if size > 1 {
			t.large(at, size)
			next += 2 * decisions
		} else {
			next += decisions
		}
		at = next
		t.bit(128, level < 0)
		if i == 16 {
			return 1
		}
		t.add(at, i < n)
		if i == n {
			return 1
		}
	}
}

// large appends a level of 2 or more. RFC 6386, section 13.2.
func (t *tokens) large(at, size int) {
	t.add(at+3, size > 4)
	if size <= 4 {
		t.add(at+4, size > 2)
		if size > 2 {
			t.add(at+5, size == 4)
		}
		return
	}
	t.add(at+6, size > 10)
	if size <= 10 {
		t.add(at+7, size > 6)
		if size <= 6 {
			t.extra(0, size-5)
		} else {
			t.extra(1, size-7)
		}
		return
	}
	// Categories 2 to 5 start at 11, 19, 35 and 67.
	category := 2
	for category < 5 && size >= 3+8<<(category-1) {
		category++
	}
	t.add(at+8, category >= 4)
	t.add(at+9+(category-2)/2, category&1 != 0)
	t.extra(category, size-(3+8<<(category-2)))
}

// extra appends the extra bits of a level in its category.
func (t *tokens) extra(category, v int) {
	list := extraBits[category]
	for i, p := range list {
		t.bit(p, v>>(len(list)-1-i)&1 != 0)
	}
}

// probabilities returns the probabilities of the picture's tokens, and which of them save more bits than replacing
// the default costs.
func (t *tokens) probabilities() (probs [len(defaultProbs)]uint8, replaced [len(defaultProbs)]bool) {
	bits := costs()
	probs = defaultProbs
	for i, n := range t.counts {
		total := n[0] + n[1]
		if total == 0 {
			continue
		}
		p := uint8(min(max((uint64(n[0])*256+uint64(total)/2)/uint64(total), 1), 255))
		cost := func(p uint8) int64 { return int64(n[0])*int64(bits[p]) + int64(n[1])*int64(bits[256-int(p)]) }
		u := updateProbs[i]
		if cost(p)+int64(bits[256-int(u)])+8*bit < cost(defaultProbs[i])+int64(bits[u]) {
			probs[i], replaced[i] = p, true
		}
	}
	return probs, replaced
}

// bit is the cost of a bit with even probabilities, in 256ths of a bit.
const bit = 256

// costs returns the cost of a decision with a probability of n/256, in 256ths of a bit.
var costs = sync.OnceValue(func() *[257]uint16 {
	t := new([257]uint16)
	t[0] = 8 * bit
	for i := 1; i < 256; i++ {
		t[i] = uint16(math.Round(-math.Log2(float64(i)/256) * bit))
	}
	return t
})
