package brushmap

// Loops is the vertices and the edges that faces share. I is the type of a vertex's index in the file.
type Loops[I uint16 | uint32] struct {
	Vertices  [][3]float32
	Edges     [][2]I
	Surfedges []int32 // a negative one is the edge of its amount, reversed

	vertexAt map[[3]float32]I
	edgeAt   map[[2]I]int32
}

// AddLoop adds the surfedges of a loop, and returns the index of the first. Vertices that are there already are shared, and so is the
// edge of a neighbour, which goes the other way. Edge 0 belongs to no face, because 0 can't be reversed.
func (l *Loops[I]) AddLoop(loop [][3]float32) (first int32) {
	if l.vertexAt == nil {
		l.vertexAt = map[[3]float32]I{}
	}
	if l.edgeAt == nil || len(l.Edges) == 0 {
		l.edgeAt = map[[2]I]int32{}
	}
	if len(l.Edges) == 0 {
		l.Edges = append(l.Edges, [2]I{})
	}
	at := make([]I, len(loop))
	for i, p := range loop {
		for k := range p {
			p[k] += 0 // -0 becomes 0
		}
		v, ok := l.vertexAt[p]
		if !ok {
			v = I(len(l.Vertices))
			l.vertexAt[p] = v
			l.Vertices = append(l.Vertices, p)
		}
		at[i] = v
	}
	first = int32(len(l.Surfedges))
	for i, a := range at {
		b := at[(i+1)%len(at)]
		e, ok := l.edgeAt[[2]I{b, a}]
		if ok {
			delete(l.edgeAt, [2]I{b, a}) // an edge has two faces at most
			l.Surfedges = append(l.Surfedges, -e)
			continue
		}
		e = int32(len(l.Edges))
		l.edgeAt[[2]I{a, b}] = e
		l.Edges = append(l.Edges, [2]I{a, b})
		l.Surfedges = append(l.Surfedges, e)
	}
	return first
}

// LoopAt returns the corners of a loop of n surfedges.
func (l *Loops[I]) LoopAt(first int32, n int) (loop [][3]float32) {
	for _, e := range l.Surfedges[first:][:n] {
		if e >= 0 {
			loop = append(loop, l.Vertices[l.Edges[e][0]])
		} else {
			loop = append(loop, l.Vertices[l.Edges[-e][1]])
		}
	}
	return loop
}
