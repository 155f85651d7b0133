package paint

import (
	"image"
	"image/color"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestChangesPixels(t *testing.T) {
	for _, c := range []struct {
		Pixels   Pixels
		in, want [4]uint8
	}{
		{AsStored, [4]uint8{1, 2, 3, 4}, [4]uint8{1, 2, 3, 4}},
		{Added, [4]uint8{100, 50, 0, 9}, [4]uint8{255, 128, 0, 100}}, // 50/100 of 255
		{Added, [4]uint8{0, 0, 0, 255}, [4]uint8{}},
		{AddedByAlpha, [4]uint8{200, 100, 0, 51}, [4]uint8{255, 128, 0, 40}}, // a fifth: 40 and 20
		{Brightened, [4]uint8{100, 127, 200, 9}, [4]uint8{200, 254, 255, 9}},
		{Dimmed, [4]uint8{100, 127, 200, 9}, [4]uint8{100, 127, 128, 9}}, // 127.5
	} {
		im := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		copy(im.Pix, c.in[:])
		if Change(c.Pixels, im); [4]uint8(im.Pix) != c.want {
			t.Errorf("%v %v: %v, want %v", c.Pixels, c.in, im.Pix, c.want)
		}
	}
}

// A decal of 0 alpha is not drawn; else its alpha counts for nothing. The other decals count by their alpha; the rest is one half.
func TestMultipliesTheBackground(t *testing.T) {
	white, half := [3]float32{1, 1, 1}, [3]float32{1, 0.5, 1}
	for _, c := range []struct {
		Pixels   Pixels
		tint     [3]float32
		opacity  float32
		in, want [4]uint8
	}{
		{Modulated, white, 1, [4]uint8{0, 0, 0, 255}, [4]uint8{0, 0, 0, 255}},
		{Modulated, white, 1, [4]uint8{255, 255, 255, 1}, [4]uint8{255, 255, 255, 255}},
		{Modulated, white, 1, [4]uint8{255, 255, 255, 0}, [4]uint8{128, 128, 128, 0}},
		// 64·2/255 is 0.502: a is 0.498. Red is the furthest and black; 96·2/255 is 0.753: (1 - 0.247/0.498)/2 = 0.252.
		{Modulated, white, 1, [4]uint8{64, 96, 64, 255}, [4]uint8{0, 64, 0, 127}},
		{Multiplied, white, 1, [4]uint8{255, 255, 255, 255}, [4]uint8{128, 128, 128, 0}},
		{Multiplied, white, 1, [4]uint8{0, 255, 0, 255}, [4]uint8{0, 128, 0, 255}},
		{Multiplied, white, 1, [4]uint8{255, 255, 255, 0}, [4]uint8{0, 0, 0, 128}}, // one half: the engine has no white there either
		{Multiplied, half, 1, [4]uint8{255, 255, 255, 255}, [4]uint8{128, 0, 128, 128}},
		{Doubling, white, 1, [4]uint8{255, 255, 255, 255}, [4]uint8{255, 255, 255, 255}},
		{Doubling, white, 0, [4]uint8{255, 255, 255, 255}, [4]uint8{128, 128, 128, 0}},
		{Doubling, half, 1, [4]uint8{0, 255, 0, 255}, [4]uint8{0, 128, 0, 255}},
	} {
		im := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		copy(im.Pix, c.in[:])
		if Product(c.Pixels, im, c.tint, c.opacity); [4]uint8(im.Pix) != c.want {
			t.Errorf("%v %v by %v: %v, want %v", c.Pixels, c.in, c.tint, im.Pix, c.want)
		}
	}
}

func TestNormalMapsOfDirections(t *testing.T) {
	for _, c := range []struct {
		in   [4]uint8
		bump bool
		want [4]uint8
	}{
		{[4]uint8{140, 100, 250, 7}, false, [4]uint8{140, 155, 250, 255}}, // V turned up
		{[4]uint8{100, 100, 100, 7}, true, [4]uint8{128, 127, 255, 255}},  // flat; 127.5 is 128, and 255-128 is 127
		{[4]uint8{0, 0, 0, 7}, true, [4]uint8{128, 127, 255, 255}},
		{[4]uint8{255, 0, 0, 7}, true, [4]uint8{232, 127, 201, 255}}, // (√⅔ + 1)/2 is 0.908, (√⅓ + 1)/2 0.789
		{[4]uint8{0, 255, 0, 7}, true, [4]uint8{75, 37, 201, 255}},   // (-√⅙ + 1)/2 is 0.296, (√½ + 1)/2 0.854: 218 downwards
	} {
		im := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		copy(im.Pix, c.in[:])
		if ToNormals(im, c.bump, true); [4]uint8(im.Pix) != c.want {
			t.Errorf("%v %t: %v, want %v", c.in, c.bump, im.Pix, c.want)
		}
	}
}

// 0.578 0.127 0.0319 in linear light, an alpha of 0.4 and an opacity of a half: 0.8 of white and 0.2 of that are 0.9156, 0.8254
// and 0.8064; 0.8 goes through.
func TestPanesAreWhereLightDoesNotGoThrough(t *testing.T) {
	im := imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 102})
	PaintPane(im, 0.5)
	if want := [4]uint8{245, 234, 232, 255}; [4]uint8(im.Pix) != want {
		t.Errorf("%v, want %v", im.Pix, want)
	}
	im = imagetest.Filled(1, 1, color.NRGBA{200, 100, 50, 102})
	if PaintPassed(im, 0.5); [4]uint8(im.Pix) != [4]uint8{204, 0, 0, 255} {
		t.Error(im.Pix)
	}
}

// A slope of heights points downhill, with V upwards; a picture repeats, so its edges are neighbours. The numbers are the engine's.
func TestSlopesOfHeights(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		v := uint8(0)
		if i%4 == 1 || i/4 == 3 { // a column and a row are high
			v = 255
		}
		copy(im.Pix[4*i:], []byte{v, v, v, 7})
	}
	Change(Slopes, im)
	for _, c := range []struct {
		x, y int
		want [4]uint8
	}{
		{3, 1, [4]uint8{128, 128, 255, 255}}, // flat between equal heights
		{2, 1, [4]uint8{241, 128, 184, 255}}, // right of the column: (765, 0, 382.5)
		{0, 1, [4]uint8{14, 128, 184, 255}},  // left of it
		{3, 2, [4]uint8{128, 241, 184, 255}}, // above the row: (0, 765, 382.5)
		{3, 0, [4]uint8{128, 14, 184, 255}},  // below it, across the edge
	} {
		if got := [4]uint8(im.Pix[c.y*im.Stride+4*c.x:]); got != c.want {
			t.Errorf("%d, %d: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

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

// Filtering between white, of which all is added, and black gives what is between: black has no colour of its own.
func TestWhatIsAddedHasNoDarkFringe(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	im.SetNRGBA(0, 0, color.NRGBA{200, 100, 0, 255})
	Change(Added, im)
	for x, alpha := range []uint8{200, 0} {
		if got, want := im.NRGBAAt(x, 0), (color.NRGBA{255, 128, 0, alpha}); got != want {
			t.Errorf("pixel %d is %v, want %v", x, got, want)
		}
	}
}
