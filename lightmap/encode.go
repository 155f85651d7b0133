package lightmap

import (
	"math"
	"sort"
	"sync"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// table maps each world.Half to an 8-bit value.
type table [1 << 16]uint8

// lightTable returns the table from linear light to the nearest 8-bit sRGB value, where scale becomes white. Values are
// clamped to 0 to 255.
func lightTable(scale float32) *table {
	if scale == 1 {
		return unscaled()
	}
	return newLightTable(scale)
}

var unscaled = sync.OnceValue(func() *table { return newLightTable(1) })

func newLightTable(scale float32) *table {
	t := &table{}
	from := 0
	for v := range 256 {
		next := threshold(v+1, scale)
		to := from + sort.Search(1<<15-from, func(i int) bool { return float64(world.Half(from+i).Float32()) >= next })
		for h := from; h < to; h++ {
			t[h] = uint8(v)
		}
		from = to
	}
	return t
}

// threshold returns the least light that maps to a value.
func threshold(v int, scale float32) float64 {
	if v > 255 {
		return math.Inf(1)
	}
	return gamma.Decode((float64(v)-0.5)/255) * float64(scale)
}

// directions returns the table for a unit vector's components: -1 to 1 become 0 to 255.
var directions = sync.OnceValue(func() *table {
	t := &table{}
	for i := range t {
		v := min(max(world.Half(i).Float32(), -1), 1)
		t[i] = uint8(float32((v+1)*127.5) + 0.5)
	}
	return t
})
