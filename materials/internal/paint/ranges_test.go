package paint

import "testing"

// The rows of Quake's palette: the first is grey, eight brighten, six darken, and the hole of sprites is the last colour.
func TestRangesAreThoseOfQuake(t *testing.T) {
	if len(Ranges) != 256 || Ranges[0] != [3]uint8{} || Ranges[10] != [3]uint8{156, 156, 156} || Ranges[15] != [3]uint8{235, 235, 235} {
		t.Fatalf("%d colours, the first row is %v", len(Ranges), Ranges[:16])
	}
	sum := func(i int) int { return int(Ranges[i][0]) + int(Ranges[i][1]) + int(Ranges[i][2]) }
	for row := range 14 {
		for i := 16*row + 1; i < 16*row+16; i++ {
			if brighter := sum(i) > sum(i-1); brighter != (row < 8) && row != 13 { // pale blue is as bright as blue
				t.Errorf("colour %d of row %d is %v after %v", i, row, Ranges[i], Ranges[i-1])
			}
		}
	}
	for i, strongest := range map[int]int{72: 0, 56: 1, 208: 2, 230: 0, 251: 0} { // red, green, blue, fire, a lamp
		for k := range 3 {
			if Ranges[i][k] > Ranges[i][strongest] {
				t.Errorf("colour %d is %v", i, Ranges[i])
			}
		}
	}
}
