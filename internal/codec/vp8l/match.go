package vp8l

import "math/bits"

const (
	longest  = 4096
	farthest = 1<<20 - 120
	tries    = 5 // earlier places that are compared
)

// match returns a picture's tokens, in order. A copy is taken where it takes fewer bits than its pixels, by the frequencies of all
// channels' values.
func (p *picture) match() []token {
	px := p.px
	m := &matcher{px: px, width: p.width, sums: sums(px)}
	if len(px) > 1 {
		m.size = uint(max(32-min(bits.Len(uint(len(px))), 16), 16))
		m.head, m.before = make([]int32, 1<<(32-m.size)), make([]int32, len(px))
	}
	tokens := make([]token, 0, len(px)/4)
	var next token
	var gain int
	known := false
	for i := 0; i < len(px); {
		if !known {
			next, gain = m.find(i)
		}
		known = false
		if gain > 0 && next.length < 32 && i+1 < len(px) { // a longer copy may start at the next pixel
			later, more := m.find(i + 1)
			if more > gain {
				next, gain, known = later, more, true
			}
		}
		if gain <= 0 || known {
			tokens = append(tokens, token{})
			i++
			continue
		}
		tokens = append(tokens, next)
		i += int(next.length)
	}
	return tokens
}

// matcher finds earlier pixels that are equal.
type matcher struct {
	px           []uint32
	width        int
	sums         []uint32 // bits of all pixels before each
	head, before []int32  // by hash the last place, by place the one before with the same hash, both plus 1
	size         uint     // how far a hash is shifted
	entered      int      // places before this one are entered
}

// find returns the copy at a place that saves most bits, and how many.
func (m *matcher) find(i int) (best token, gain int) {
	px := m.px
	if i+1 >= len(px) {
		return best, 0
	}
	most := min(longest, len(px)-i)
	try := func(distance int) {
		from := i - distance
		if best.length > 0 && (int(best.length) >= most || px[from+int(best.length)] != px[i+int(best.length)]) {
			return
		}
		n := 0
		for n < most && px[from+n] == px[i+n] {
			n++
		}
		if n < 2 {
			return
		}
		if g := int(m.sums[i+n]-m.sums[i]) - m.copyCost(n, distance); g > gain {
			best, gain = token{uint32(n), uint32(distance)}, g
		}
	}
	if i > 0 {
		try(1)
	}
	if i >= m.width && m.width > 1 {
		try(m.width)
	}
	if best.length >= 64 {
		return best, gain
	}
	m.enter(i)
	at := m.head[m.hash(i)]
	for range tries {
		if at == 0 || i-int(at-1) > farthest {
			break
		}
		if int(at-1) < i {
			try(i - int(at-1))
		}
		at = m.before[at-1]
	}
	return best, gain
}

// enter enters the places before a place, but not all of a long copy.
func (m *matcher) enter(i int) {
	for at := max(m.entered, i-256); at < i && at+1 < len(m.px); at++ {
		h := m.hash(at)
		m.before[at] = m.head[h]
		m.head[h] = int32(at + 1)
	}
	m.entered = max(m.entered, i)
}

func (m *matcher) hash(i int) uint32 {
	return (m.px[i]*0x9e3779b1 ^ m.px[i+1]*0x85ebca77) * 0xc2b2ae3d >> m.size
}

// copyCost estimates the bits of a copy, in the unit of logarithm.
func (m *matcher) copyCost(length, distance int) int {
	near := planeCode(distance, m.width)
	_, extra, _ := prefix(uint32(length))
	_, far, _ := prefix(near)
	base := 9 // of the code of the length and that of the distance
	if near > 120 {
		base = 11
	}
	return (base + int(extra) + int(far)) << fraction
}
