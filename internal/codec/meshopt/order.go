package meshopt

// Order returns the triangles in an order in which those around a vertex follow each other closely, for a GPU's
// vertex cache and for Triangles. The corners of each triangle keep their order. It is the fan method of Sander,
// Nehab and Barczak, "Fast Triangle Reordering for Vertex Locality and Reduced Overdraw" (2007).
func Order(indices []uint32, vertices int) []uint32 {
	n := len(indices) / 3
	if n == 0 {
		return nil
	}
	around := newFans(indices, vertices)
	live := make([]int32, vertices) // by vertex: triangles not written yet
	for _, v := range indices {
		live[v]++
	}
	entered := make([]int32, vertices) // by vertex: the time at which it entered the cache
	done := make([]bool, n)
	out := make([]uint32, 0, len(indices))
	var recent, ring []uint32 // recent: vertices to return to, the latest last; ring: those of the fan just written
	clock, next := int32(cacheSize+1), 0
	for at := 0; at >= 0; {
		ring = ring[:0]
		for _, t := range around.of(uint32(at)) {
			if done[t] {
				continue
			}
			done[t] = true
			for _, v := range indices[3*t : 3*t+3] {
				out = append(out, v)
				ring = append(ring, v)
				live[v]--
				if clock-entered[v] > cacheSize {
					entered[v] = clock
					clock++
				}
			}
		}
		recent = append(recent, ring...)
		at = best(ring, live, entered, clock)
		for at < 0 && len(recent) > 0 {
			if v := recent[len(recent)-1]; live[v] > 0 {
				at = int(v)
			}
			recent = recent[:len(recent)-1]
		}
		for ; at < 0 && next < vertices; next++ {
			if live[next] > 0 {
				at = next
			}
		}
	}
	return out
}

// cacheSize is the assumed size of the vertex cache, in vertices: as many as the encoder remembers.
const cacheSize = history

// best returns, among the vertices of a ring whose remaining triangles still fit into the cache, the one that entered
// the cache first, or -1.
func best(ring []uint32, live, entered []int32, clock int32) int {
	at, most := -1, int32(-1)
	for _, v := range ring {
		if live[v] == 0 {
			continue
		}
		age := int32(0)
		if clock-entered[v]+2*live[v] <= cacheSize {
			age = clock - entered[v]
		}
		if age > most {
			at, most = int(v), age
		}
	}
	return at
}

// fans holds the triangles around each vertex.
type fans struct{ start, triangles []int32 }

func newFans(indices []uint32, vertices int) fans {
	f := fans{make([]int32, vertices+1), make([]int32, len(indices))}
	for _, v := range indices {
		f.start[v+1]++
	}
	for v := range vertices {
		f.start[v+1] += f.start[v]
	}
	at := append([]int32(nil), f.start...)
	for i, v := range indices {
		f.triangles[at[v]] = int32(i / 3)
		at[v]++
	}
	return f
}

func (f *fans) of(v uint32) []int32 { return f.triangles[f.start[v]:f.start[v+1]] }

// Renumber renumbers vertices in the order of their first use, in place. It returns the old number of each new one.
// Vertices that no triangle uses get none.
func Renumber(indices []uint32, vertices int) (old []uint32) {
	number := make([]uint32, vertices)
	for i, v := range indices {
		if number[v] == 0 {
			old = append(old, v)
			number[v] = uint32(len(old))
		}
		indices[i] = number[v] - 1
	}
	return old
}
