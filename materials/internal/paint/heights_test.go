package paint

import (
	"math"
	"testing"
)

func TestModulatesByAMask(t *testing.T) {
	for _, c := range []struct{ red, green, weight, want float64 }{
		{0.25, 0.5, 0.25, 0},
		{0.25, 0.5, 0.5, 0.5},
		{0.25, 0.5, 0.375, 0.15625}, // a quarter of the way: 3/16 - 2/64
		{0.25, 0.5, 0.75, 1},
		{0, 0.5, 0.4, 0}, // at once
		{0, 0.5, 0.5, 1},
		{0.5, 0.25, 0, 0},       // from 0 to 0.75: what is below 0 is cut off
		{0.5, 0.75, 1, 1},       // from 0.25 to 1
		{0.5, 0.75, 0.625, 0.5}, // of which this is the middle
		{0, 0, 0, 1},
	} {
		got := Modulate([4]float32{float32(c.red), float32(c.green)}, float32(c.weight))
		if math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("%v: %v", c, got)
		}
	}
}

// With all parameters as they are set here brightness is what it is, and an opacity as painted comes out smooth.
func TestBrightTexelsComeInFirst(t *testing.T) {
	h := Heights{Set: true, High: 1, End: 1, Balance: 1}
	for _, c := range []struct{ weight, own, below, want float64 }{
		{0, 1, 0, 0},
		{1, 0, 1, 1},
		{0.5, 1, 0, 0.5},          // bright: as painted
		{0.5, 0, 0, 0.15625},      // dark: a quarter
		{0.5, 0.5, 1, 0.31640625}, // between: 3/8: 27/64 - 54/512
	} {
		if got := OpacityBy(&h, float32(c.weight), float32(c.own), float32(c.below)); math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("%v: %v", c, got)
		}
	}
	if got := OpacityBy(&Heights{}, 0.3, 1, 1); got != 0.3 {
		t.Errorf("without parameters %v", got)
	}
	h.Balance = 0 // the darkness of what is below counts alone
	if got := OpacityBy(&h, 0.5, 0, 0); got != 0.5 {
		t.Errorf("over black %v", got)
	}
	if got := BrightnessBy(&h, &[4]float32{1, 0, 0, 0}); math.Abs(float64(got)-0.214741) > 1e-5 { // 3·0.299² - 2·0.299³
		t.Errorf("the brightness of red %v", got)
	}
}
