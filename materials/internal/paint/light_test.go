package paint

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Five of a thousand pixels may be brighter than the value that becomes white.
func TestBrightness(t *testing.T) {
	var light []byte
	for i := range 1000 {
		c := world.NewHalf(2)
		if i < 4 {
			c = world.NewHalf(1000)
		}
		light = append(light, byte(c), byte(c>>8), 0, 0, 0, 0)
	}
	if got := Brightness([][]byte{light[:3000], light[3000:]}); got != 2 {
		t.Error(got)
	}
	if got := Brightness(nil); got != 0 {
		t.Error(got)
	}
}

// A light of 4 at a quarter is white, 1 is a quarter, 137 in sRGB, and 0 is black.
func TestToneScalesLight(t *testing.T) {
	var light []byte
	for _, v := range []float32{4, 1, 0} {
		h := world.NewHalf(v)
		light = append(light, byte(h), byte(h>>8))
	}
	if im := Tone(light, 1, 1, 0.25); [4]uint8(im.Pix) != [4]uint8{255, 137, 0, 255} {
		t.Error(im.Pix)
	}
}
