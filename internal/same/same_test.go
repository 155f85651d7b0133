package same

import (
	"hash/maphash"
	"slices"
	"sync"
	"testing"
)

func bytesOf() *Values[int, []byte] {
	return New[int](func(h *maphash.Hash, b []byte) { _, _ = h.Write(b) }, slices.Equal[[]byte])
}

func TestEqualValuesAreKeptOnce(t *testing.T) {
	s := bytesOf()
	a := []byte("light")
	for _, c := range []struct {
		of    int
		v     string
		added bool
	}{{1, "light", false}, {2, "light", true}, {1, "dark", true}, {1, "dark", false}, {1, "", true}, {1, "", false}} {
		if c.of == 1 && c.v == "light" {
			if first, added := s.Add(1, a); &first[0] != &a[0] || !added {
				t.Error("the first value is not kept")
			}
		}
		if first, added := s.Add(c.of, []byte(c.v)); string(first) != c.v || added != c.added {
			t.Errorf("%d %q: %q, added %t", c.of, c.v, first, added)
		}
	}
	if first, _ := s.Add(1, []byte("light")); &first[0] != &a[0] {
		t.Error("another value than the first")
	}
}

// Values whose hashes are the same but which differ are all kept.
func TestAHashIsNotEquality(t *testing.T) {
	s := New[int](func(*maphash.Hash, []byte) {}, slices.Equal[[]byte])
	for _, v := range []string{"a", "b", "c"} {
		if first, added := s.Add(0, []byte(v)); string(first) != v || !added {
			t.Errorf("%s became %s", v, first)
		}
	}
}

func TestGoroutinesShareValues(t *testing.T) {
	s := bytesOf()
	var all [8][]byte
	var wait sync.WaitGroup
	for i := range all {
		wait.Go(func() { all[i], _ = s.Add(0, []byte("light")) })
	}
	wait.Wait()
	for _, v := range all {
		if &v[0] != &all[0][0] {
			t.Error("two lists of the same bytes")
		}
	}
}
