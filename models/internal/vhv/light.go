package vhv

import (
	"math"
	"sync"
)

// linear returns the linear light of a stored value, which is half of the light to the power of 1/2.2: 128 is about
// white and 255 is 2^2.2 times white.
var linear = sync.OnceValue(func() *[256]float32 {
	var t [256]float32
	for i := range t {
		t[i] = float32(math.Pow(2*float64(i)/255, 2.2))
	}
	return &t
})
