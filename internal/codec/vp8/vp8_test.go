package vp8

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"testing"

	"golang.org/x/image/vp8"
)

// hills returns a picture of waves and an edge, with some noise.
func hills(width, height int) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, width, height))
	seed := uint32(1)
	for y := range height {
		for x := range width {
			seed = seed*1664525 + 1013904223
			n := int(seed >> 29)
			wave := 100 + 60*math.Sin(float64(x)/9)*math.Cos(float64(y)/13)
			c := color.NRGBA{uint8(wave) + uint8(n), uint8(200 - wave), uint8(y*3/2 + n), 255}
			if x > width/2 && y > height/3 {
				c.R, c.B = 20, 220
			}
			im.SetNRGBA(x, y, c)
		}
	}
	return im
}

func decoded(t testing.TB, data []byte) *image.YCbCr {
	t.Helper()
	d := vp8.NewDecoder()
	d.Init(bytes.NewReader(data), len(data))
	if _, err := d.DecodeFrameHeader(); err != nil {
		t.Fatal(err)
	}
	m, err := d.DecodeFrame()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lumaError returns the root of the mean square difference of luma.
func lumaError(im *image.NRGBA, m *image.YCbCr) float64 {
	sum := 0.0
	for y := range im.Rect.Dy() {
		for x := range im.Rect.Dx() {
			d := float64(luma(im.Pix[im.PixOffset(x, y):])) - float64(m.Y[m.YOffset(x, y)])
			sum += d * d
		}
	}
	return math.Sqrt(sum / float64(im.Rect.Dx()*im.Rect.Dy()))
}

// Another decoder shows what was meant, at every size of the last macroblocks and every quality.
func TestEncodeIsDecoded(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {2, 3}, {16, 16}, {17, 15}, {31, 33}, {100, 70}, {256, 40}} {
		for _, c := range []struct {
			quality int
			most    float64
		}{{0, 25}, {50, 8}, {80, 4.5}, {95, 2.5}, {100, 1.2}} {
			im := hills(size.X, size.Y)
			m := decoded(t, Encode(im, c.quality))
			if m.Rect.Dx() != size.X || m.Rect.Dy() != size.Y {
				t.Fatalf("%v in place of %v", m.Rect, size)
			}
			if got := lumaError(im, m); got > c.most {
				t.Errorf("%v at %d: luma is off by %.2f, want at most %.2f", size, c.quality, got, c.most)
			}
		}
	}
}

// The encoder must predict from the same pixels as the decoder: else errors grow along the rows.
func TestErrorsDoNotGrow(t *testing.T) {
	im := hills(1024, 16)
	m := decoded(t, Encode(im, 90))
	last := im.SubImage(image.Rect(1000, 0, 1024, 16)).(*image.NRGBA)
	sum := 0
	for y := range 16 {
		for x := 1000; x < 1024; x++ {
			d := int(luma(last.Pix[last.PixOffset(x, y):])) - int(m.Y[m.YOffset(x, y)])
			sum += d * d
		}
	}
	if got := math.Sqrt(float64(sum) / (24 * 16)); got > 4 {
		t.Errorf("at the right the luma is off by %.1f", got)
	}
}

func TestFlatPicturesAreSmall(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	for i := range im.Pix {
		im.Pix[i] = 90
	}
	data := Encode(im, 80)
	m := decoded(t, data)
	if len(data) > 150 || m.Y[0] != luma([]uint8{90, 90, 90}) || m.Cb[77] != 128 || m.Cr[9] != 128 {
		t.Error(len(data), m.Y[0], m.Cb[77], m.Cr[9])
	}
}

// Levels of every category of tokens: hard edges between black and white at the best quality.
func TestLargeLevels(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		v := uint8(0)
		if (i*i/7+i/64*3)%5 < 2 {
			v = 255
		}
		im.SetNRGBA(i%64, i/64, color.NRGBA{v, v, v, 255})
	}
	if got := lumaError(im, decoded(t, Encode(im, 100))); got > 1.5 {
		t.Errorf("luma is off by %.2f", got)
	}
}

func BenchmarkEncode(b *testing.B) {
	im := hills(512, 512)
	b.SetBytes(int64(len(im.Pix)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n = len(Encode(im, 80))
	}
	b.ReportMetric(float64(n), "bytes")
}
