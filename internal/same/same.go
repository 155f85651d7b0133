// Package same keeps values that are equal once, so that many of them take little memory.
package same

import (
	"hash/maphash"
	"sync"
)

// Values holds values that differ, by what they belong to. Goroutines share it.
type Values[K comparable, V any] struct {
	hash  func(*maphash.Hash, V)
	equal func(a, b V) bool
	seed  maphash.Seed
	mu    sync.Mutex
	first map[key[K]]V
}

type key[K comparable] struct {
	of   K
	hash uint64
}

// New returns no values yet. Hash writes the parts of a value that equal compares.
func New[K comparable, V any](hash func(*maphash.Hash, V), equal func(a, b V) bool) *Values[K, V] {
	return &Values[K, V]{hash: hash, equal: equal, seed: maphash.MakeSeed(), first: map[key[K]]V{}}
}

// Add returns the value of the same K that is equal to v and was added before. If there is none, it returns v, and added is true.
func (s *Values[K, V]) Add(of K, v V) (first V, added bool) {
	var h maphash.Hash
	h.SetSeed(s.seed)
	s.hash(&h, v)
	k := key[K]{of, h.Sum64()}
	s.mu.Lock()
	defer s.mu.Unlock()
	first, ok := s.first[k]
	switch {
	case !ok:
		s.first[k] = v
	case s.equal(first, v):
		return first, false
	}
	return v, true
}
