package vp8l

import "math/bits"

const (
	longest  = 4096
	farthest = 1<<20 - 120
	tries    = 5 // earlier places compared per pixel

	leastCost = 9 << fraction // of a copy, in the unit of logarithm
)

// matcher finds earlier pixels that are equal to the current ones.
type matcher struct {
	px           []uint32
	width        int
	sums         []uint32 // by pixel: the bits of all pixels before it
	head, before []int32  // head: the last place with a hash; before: the previous place with the same hash; both plus 1
	size         uint     // shift of a hash
	entered      int      // places before this one have been entered
	runs         [2]int   // ends of the runs that equal the pixel to the left, and the row above
	compared     int      // pixels compared so far
}

func newMatcher(p *picture) *matcher {
	m := &matcher{px: p.px, width: p.width, sums: sums(p.px)}
	if len(m.px) > 1 {
		m.size = uint(max(32-min(bits.Len(uint(len(m.px))), 16), 16))
		m.head, m.before = make([]int32, 1<<(32-m.size)), make([]int32, len(m.px))
	}
	return m
}

// match returns a picture's tokens in order. It chooses a copy where that takes fewer bits than the pixels, by the
// frequencies of the channels' values.
func (m *matcher) match() []token {
	px := m.px
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

// find returns the copy at pixel i that saves most bits, and how many. Calls must have ascending i.
func (m *matcher) find(i int) (best token, gain int) {
	most := min(longest, len(m.px)-i)
	if i+1 >= len(m.px) || int(m.sums[i+most]-m.sums[i]) <= leastCost {
		return best, 0 // no copy saves anything
	}
	seen := 1 // length of the longest copy tried
	try := func(distance, n int) {
		if n > seen {
			seen = n
			if g := int(m.sums[i+n]-m.sums[i]) - m.copyCost(n, distance); g > gain {
				best, gain = token{uint32(n), uint32(distance)}, g
			}
		}
	}
	for k, distance := range [2]int{1, m.width} {
		if i >= distance && (k == 0 || distance > 1) {
			n := m.equal(i, distance, max(m.runs[k]-i, 0), most)
			m.runs[k] = i + n
			try(distance, n)
		}
	}
	if seen >= 64 {
		return best, gain
	}
	m.enter(i)
	at := m.head[m.hash(i)]
	for range tries {
		if at == 0 || i-int(at-1) > farthest {
			break
		}
		if distance := i - int(at-1); distance > 0 && seen < most && m.px[i+seen] == m.px[i+seen-distance] {
			try(distance, m.equal(i, distance, 0, most))
		}
		at = m.before[at-1]
	}
	return best, gain
}

// equal returns how many pixels from i on equal those distance before, at most most. The first n are known to.
func (m *matcher) equal(i, distance, n, most int) int {
	known := n
	for n < most && m.px[i+n-distance] == m.px[i+n] {
		n++
	}
	m.compared += n - known + 1
	return min(n, most)
}

// enter enters the pixels before i into the hash table; of a long copy, only the last 256.
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

// copyCost estimates the bits that a copy takes, in the unit of logarithm.
func (m *matcher) copyCost(length, distance int) int {
	near := planeCode(distance, m.width)
	_, extra, _ := prefix(uint32(length))
	_, far, _ := prefix(near)
	base := leastCost // of the codes for length and distance
	if near > 120 {
		base += 2 << fraction
	}
	return base + (int(extra)+int(far))<<fraction
}
