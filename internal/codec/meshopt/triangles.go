package meshopt

// Triangles compresses a list of indices, three per triangle. A decoder returns the same triangles in the same order;
// a triangle's corners may be rotated, but its winding stays. No index may be 1<<32 - 1.
func Triangles(indices []uint32) []byte {
	e := triangleEncoder{code: make([]byte, 1, len(indices)/3*2+32)}
	e.code[0] = triangleHeader
	for i := range e.edges {
		e.edges[i] = [2]uint32{none, none}
	}
	e.forget()
	for i := 0; i+2 < len(indices); i += 3 {
		t := [3]uint32(indices[i:])
		if slot, turn := e.edge(t); slot >= 0 {
			e.neighbour(slot, turned(t, turn))
		} else {
			e.free(turned(t, e.firstNew(t)))
		}
	}
	out := append(e.code, e.data...)
	return append(out, pairs[:]...)
}

const (
	triangleHeader = 0xe1
	none           = 1<<32 - 1
	history        = 16 // edges and vertices that are remembered
	explicit       = 15 // code of an explicit index
)

// pairs holds the combinations of codes for the second and third corner that take no extra byte. The table ends the
// stream; its last two entries are 0.
var pairs = [16]byte{0x00, 0x76, 0x87, 0x56, 0x67, 0x78, 0xa9, 0x86, 0x65, 0x89, 0x68, 0x98, 0x01, 0x69, 0, 0}

// triangleEncoder holds the state that encoder and decoder share, and the output.
type triangleEncoder struct {
	code, data         []byte // code: one byte per triangle; data: what doesn't fit there
	edges              [history][2]uint32
	vertices           [history]uint32
	edgeAt, vertexAt   int
	next, lastExplicit uint32 // next: the first index not seen yet; lastExplicit: the base of explicit indices
}

func (e *triangleEncoder) forget() {
	for i := range e.vertices {
		e.vertices[i] = none
	}
}

// turned returns the same triangle starting with its corner number by.
func turned(t [3]uint32, by int) [3]uint32 { return [3]uint32{t[by], t[(by+1)%3], t[(by+2)%3]} }

// edge finds the most recent edge that a triangle shares. slot is the age of the edge in edges; turn is the corner at
// which the edge begins. slot is -1 if there is none.
func (e *triangleEncoder) edge(t [3]uint32) (slot, turn int) {
	for i := range history - 1 { // the code of the last slot means no shared edge
		edge := e.edges[(e.edgeAt-1-i)&(history-1)]
		for k := range 3 {
			if edge == [2]uint32{t[k], t[(k+1)%3]} {
				return i, k
			}
		}
	}
	return -1, 0
}

// firstNew returns the corner that is the next index not seen yet, because it needs no bits there, or 0 if none is.
func (e *triangleEncoder) firstNew(t [3]uint32) int {
	switch e.next {
	case t[1]:
		return 1
	case t[2]:
		return 2
	}
	return 0
}

// recent returns how long ago a vertex was added, or -1.
func (e *triangleEncoder) recent(v uint32) int {
	for i := range history {
		if e.vertices[(e.vertexAt-1-i)&(history-1)] == v {
			return i
		}
	}
	return -1
}

func (e *triangleEncoder) addVertex(v uint32) {
	e.vertices[e.vertexAt] = v
	e.vertexAt = (e.vertexAt + 1) & (history - 1)
}

func (e *triangleEncoder) addEdge(a, b uint32) {
	e.edges[e.edgeAt] = [2]uint32{a, b}
	e.edgeAt = (e.edgeAt + 1) & (history - 1)
}

// neighbour writes a triangle whose first two corners are a recent edge.
func (e *triangleEncoder) neighbour(slot int, t [3]uint32) {
	const before, after = 13, 14 // codes for the index before and after the last explicit one
	c := t[2]
	code := explicit
	switch r := e.recent(c); {
	case r >= 1 && r < before:
		code = r
	case c == e.next:
		code = 0
		e.next++
	case c+1 == e.lastExplicit:
		code = before
	case c == e.lastExplicit+1:
		code = after
	}
	e.code = append(e.code, byte(slot<<4|code))
	if code == explicit {
		e.explicit(c)
	}
	if code >= before {
		e.lastExplicit = c
	}
	if code == 0 || code >= before {
		e.addVertex(c)
	}
	e.addEdge(c, t[1])
	e.addEdge(t[0], c)
}

// free writes a triangle that shares no recent edge.
func (e *triangleEncoder) free(t [3]uint32) {
	// 0, 1, 2 restart the numbering, because the list holds several meshes.
	reset := t == [3]uint32{0, 1, 2} && e.next > 0
	if reset {
		e.next = 0
		e.forget()
	}
	recent := [3]int{-1, e.recent(t[1]), e.recent(t[2])}
	var code [3]int
	for k, v := range t {
		code[k] = explicit
		if r := recent[k]; r >= 0 && r < 14 {
			code[k] = r + 1
		} else if v == e.next {
			code[k] = 0
			e.next++
		}
	}
	pair := byte(code[1]<<4 | code[2])
	if i := pairOf(pair); code[0] == 0 && i >= 0 && !reset {
		e.code = append(e.code, byte(explicit<<4|i))
	} else {
		// 14 means a new index as the first, 15 an explicit one.
		e.code = append(e.code, byte(explicit<<4|14|code[0]&1))
		e.data = append(e.data, pair)
	}
	for k, v := range t {
		if code[k] == explicit {
			e.explicit(v)
			e.lastExplicit = v
		}
	}
	for k, v := range t {
		if code[k] == 0 || code[k] == explicit {
			e.addVertex(v)
		}
	}
	e.addEdge(t[1], t[0])
	e.addEdge(t[2], t[1])
	e.addEdge(t[0], t[2])
}

// pairOf returns a pair's index among the first fourteen entries of the table, which have codes, or -1.
func pairOf(pair byte) int {
	for i, p := range pairs[:14] {
		if p == pair {
			return i
		}
	}
	return -1
}

// explicit writes an index as its difference from the last explicit one: seven bits per byte, lowest first.
func (e *triangleEncoder) explicit(v uint32) {
	d := v - e.lastExplicit
	z := d<<1 ^ uint32(int32(d)>>31)
	for z > 127 {
		e.data = append(e.data, byte(z|128))
		z >>= 7
	}
	e.data = append(e.data, byte(z))
}
