package keyframes

import (
	"slices"
	"testing"
)

// Of 0 1 2 2 2 5 the corners are kept: the values between lie on straight lines.
func TestReduceKeepsCorners(t *testing.T) {
	values := []int{0, 1, 2, 2, 2, 5}
	straight := func(from, to int) bool {
		for i := from; i <= to; i++ {
			if (values[i]-values[from])*(to-from) != (values[to]-values[from])*(i-from) {
				return false
			}
		}
		return true
	}
	if got := Reduce(len(values), straight); !slices.Equal(got, []int{0, 2, 4, 5}) {
		t.Errorf("%v", got)
	}
	if got := Reduce(1, straight); !slices.Equal(got, []int{0}) {
		t.Errorf("one key: %v", got)
	}
}

func TestCommonPeriod(t *testing.T) {
	for _, c := range []struct {
		periods []float64
		want    float64
		ok      bool
	}{
		{nil, 0.1, true},
		{[]float64{0.2, 0.3, 0}, 0.6, true},
		{[]float64{7, 9}, 0, false},   // 63 s
		{[]float64{0.25}, 0, false},   // no tenths
		{[]float64{0.01}, 0, false},   // less than one
		{[]float64{61}, 0, false},     // longer by itself
		{[]float64{0.3334}, 0, false}, // over a thousandth beside
		{[]float64{0.3001}, 0.3, true},
	} {
		if got, ok := CommonPeriod(c.periods, 60); got != c.want || ok != c.ok {
			t.Errorf("%v: %g %t", c.periods, got, ok)
		}
	}
}
