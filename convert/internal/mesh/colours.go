package mesh

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"sync"
)

// colourLists holds the colours of props' vertices, those that are equal once: many props stand in the same light. Goroutines share it.
type colourLists struct {
	mu    sync.Mutex
	seed  maphash.Seed
	lists map[colourKey][][4]uint16
}

// colourKey says which positions colours belong to, as lists are shared only among primitives of one shape.
type colourKey struct {
	of   *[3]float32
	hash uint64
}

func newColourLists() *colourLists {
	return &colourLists{seed: maphash.MakeSeed(), lists: map[colourKey][][4]uint16{}}
}

// shared returns the list that is equal to c and belongs to the same positions. If there is none, it keeps c and returns it.
func (l *colourLists) shared(of *[3]float32, c [][4]uint16) [][4]uint16 {
	var h maphash.Hash
	h.SetSeed(l.seed)
	var b [8]byte
	for _, v := range c {
		binary.LittleEndian.PutUint64(b[:], uint64(v[0])|uint64(v[1])<<16|uint64(v[2])<<32|uint64(v[3])<<48)
		h.Write(b[:])
	}
	key := colourKey{of, h.Sum64()}
	l.mu.Lock()
	defer l.mu.Unlock()
	other, ok := l.lists[key]
	switch {
	case !ok:
		l.lists[key] = c
	case slices.Equal(other, c):
		return other
	}
	return c
}
