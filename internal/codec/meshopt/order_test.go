package meshopt

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sorted returns the triangles of a list in an order of their own, to compare lists as sets.
func sorted(indices []uint32) (out [][3]uint32) {
	for i := 0; i+2 < len(indices); i += 3 {
		out = append(out, [3]uint32(indices[i:]))
	}
	slices.SortFunc(out, func(a, b [3]uint32) int { return slices.Compare(a[:], b[:]) })
	return out
}

func TestOrderKeepsTriangles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vertices := rapid.IntRange(1, 60).Draw(t, "vertices")
		indices := make([]uint32, 3*rapid.IntRange(0, 100).Draw(t, "triangles"))
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for i := range indices {
			indices[i] = uint32(r.IntN(vertices))
		}
		if got := Order(indices, vertices); !slices.Equal(sorted(got), sorted(indices)) {
			t.Fatalf("%v became %v", indices, got)
		}
	})
}

// misses returns the vertices per triangle that a cache which forgets the oldest has to fetch.
func misses(indices []uint32) float64 {
	var cache []uint32
	n := 0
	for _, v := range indices {
		if !slices.Contains(cache, v) {
			n++
			cache = append(cache, v)
			if len(cache) > cacheSize {
				cache = cache[1:]
			}
		}
	}
	return float64(n) / float64(len(indices)/3)
}

func TestOrderServesTheCache(t *testing.T) {
	indices := grid(40)
	r := rand.New(rand.NewPCG(3, 4))
	shuffled := slices.Clone(indices)
	r.Shuffle(len(indices)/3, func(i, j int) {
		for k := range 3 {
			shuffled[3*i+k], shuffled[3*j+k] = shuffled[3*j+k], shuffled[3*i+k]
		}
	})
	before, after := misses(shuffled), misses(Order(shuffled, 41*41))
	if before < 2 || after > 0.8 { // no order does with less than about 0.5
		t.Errorf("%.2f became %.2f, want at most 0.8", before, after)
	}
}

func TestRenumber(t *testing.T) {
	indices := []uint32{7, 2, 5, 5, 2, 9}
	old := Renumber(indices, 10)
	if want := []uint32{0, 1, 2, 2, 1, 3}; !slices.Equal(indices, want) {
		t.Errorf("indices are %v, want %v", indices, want)
	}
	if want := []uint32{7, 2, 5, 9}; !slices.Equal(old, want) {
		t.Errorf("old numbers are %v, want %v", old, want)
	}
}
