package space

import (
	"math"
	"testing"
)

func TestCrossProducts(t *testing.T) {
	if got := Cross([3]float64{1, 2, 3}, [3]float64{4, 5, 6}); got != [3]float64{2*6 - 3*5, 3*4 - 1*6, 1*5 - 2*4} {
		t.Errorf("%v", got)
	}
	if got := Cross([3]float32{1, 0, 0}, [3]float32{0, 1, 0}); got != [3]float32{0, 0, 1} {
		t.Errorf("X × Y is %v", got)
	}
}

// Products are rounded before they are subtracted: a fused multiply-add would keep the last bits, here 2^-60.
func TestProductsAreRounded(t *testing.T) {
	x := 1 + math.Ldexp(1, -30)
	if got := Cross([3]float64{0, x, 1}, [3]float64{0, 1 + math.Ldexp(1, -29), x})[0]; got != 0 {
		t.Errorf("%g", got)
	}
}

// Half a turn about Z after a quarter about X: Y goes to Z, and Z stays.
func TestMultiply(t *testing.T) {
	half, quarter := [4]float64{0, 0, 1, 0}, [4]float64{math.Sqrt2 / 2, 0, 0, math.Sqrt2 / 2}
	if got := Multiply(half, quarter); got != [4]float64{0, math.Sqrt2 / 2, math.Sqrt2 / 2, 0} {
		t.Errorf("%v", got)
	}
}
