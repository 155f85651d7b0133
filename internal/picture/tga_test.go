package picture

import (
	"bytes"
	"testing"
)

func TestDecodeTGA(t *testing.T) {
	// Two rows of one pixel: 1,2,3 comes first in the file, 4,5,6 second; BGR.
	raw := []byte{1, 2, 3, 4, 5, 6}
	up, down := []byte{6, 5, 4, 255, 3, 2, 1, 255}, []byte{3, 2, 1, 255, 6, 5, 4, 255}
	for _, c := range []struct {
		name string
		data []byte
		want []byte
	}{
		{"bottom-up", tga(2, 24, 1, 2, 0, raw...), up},
		{"top-down, which the engine ignores", tga(2, 24, 1, 2, 0x20, raw...), up},
		{"packed, which the engine ignores", tga(10, 24, 1, 2, 0x20, 1, 1, 2, 3, 4, 5, 6), up},
		{"mirrored, which the engine ignores", tga(2, 24, 2, 1, 0x10, raw...), down},
		{"mirrored, and no engine reads type 11", tga(11, 8, 2, 1, 0x10, 1, 7, 9), []byte{9, 9, 9, 255, 7, 7, 7, 255}},
		{"no engine reads type 11, so its header holds", tga(11, 8, 1, 2, 0x20, 1, 7, 9), []byte{7, 7, 7, 255, 9, 9, 9, 255}},
		{"an id to skip", append(append([]byte{3}, tga(2, 24, 1, 1, 0)[1:]...), 9, 9, 9, 1, 2, 3), []byte{3, 2, 1, 255}},
		{"32 bits with alpha that the header denies", tga(2, 32, 1, 1, 0, 1, 2, 3, 4), []byte{3, 2, 1, 4}},
		// 0x8000 is black with alpha, 0x7fff white without; 0x0421 is 1 of 31 in each: 255/31 = 8.2.
		{"16 bits", tga(2, 16, 3, 1, 1, 0, 0x80, 0xff, 0x7f, 0x21, 0x04), []byte{0, 0, 0, 255, 255, 255, 255, 0, 8, 8, 8, 0}},
		{"16 bits, bit 15 is no alpha", tga(2, 16, 1, 1, 0, 0, 0x7c), []byte{255, 0, 0, 255}},
		{"15 bits", tga(2, 15, 1, 1, 1, 0xe0, 0x03), []byte{0, 255, 0, 255}},
		{"grey", tga(3, 8, 2, 1, 0, 5, 6), []byte{5, 5, 5, 255, 6, 6, 6, 255}},
		{"grey with alpha", tga(3, 16, 1, 1, 8, 5, 6), []byte{5, 5, 5, 6}},
		{"mapped from 5", withMap(tga(1, 8, 2, 1, 0, 6, 5), 5, 24, 1, 2, 3, 4, 5, 6), []byte{6, 5, 4, 255, 3, 2, 1, 255}},
		{"mapped by 16 bits to 16 bits", withMap(tga(1, 16, 1, 1, 0, 1, 0), 0, 16, 0, 0, 0x1f, 0), []byte{0, 0, 255, 255}},
		{"a map of no use", withMap(tga(2, 24, 1, 1, 0, 1, 2, 3), 0, 24, 9, 9, 9), []byte{3, 2, 1, 255}},
		{"a packet across rows", tga(10, 24, 2, 2, 0, 0x82, 1, 2, 3, 0, 4, 5, 6),
			[]byte{3, 2, 1, 255, 6, 5, 4, 255, 3, 2, 1, 255, 3, 2, 1, 255}},
		{"a last packet too long", tga(10, 24, 1, 1, 0, 0x84, 1, 2, 3), []byte{3, 2, 1, 255}},
		{"a footer after the pixels", append(tga(2, 24, 1, 1, 0, 1, 2, 3), "\x00\x00\x00\x00\x00\x00\x00\x00TRUEVISION-XFILE.\x00"...),
			[]byte{3, 2, 1, 255}},
	} {
		im, err := decodeTGA(c.data)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !bytes.Equal(im.Pix, c.want) {
			t.Errorf("%s: % x, want % x", c.name, im.Pix, c.want)
		}
	}
}

// Every width from 1 to 40, against a loop that takes one pixel at a time.
func TestTGAPixelsOfEveryWidth(t *testing.T) {
	for w := 1; w <= 40; w++ {
		for _, n := range []int{3, 4} {
			body := make([]byte, w*2*n)
			for i := range body {
				body[i] = byte(i*7 + w)
			}
			im, err := decodeTGA(tga(2, n*8, w, 2, 0, body...))
			if err != nil {
				t.Fatal(err)
			}
			for i := range w * 2 {
				at := (i + w) % (2 * w) * n // the rows are bottom-up
				want := []byte{body[at+2], body[at+1], body[at], 255}
				if n == 4 {
					want[3] = body[at+3]
				}
				if !bytes.Equal(im.Pix[i*4:i*4+4], want) {
					t.Fatalf("%d bytes, width %d: pixel %d is % x, want % x", n, w, i, im.Pix[i*4:i*4+4], want)
				}
			}
		}
	}
}

func TestDecodePCX(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want []byte
	}{
		// Rows of 4 bytes for 3 pixels; one run of 8 covers both.
		{"a run across rows and padding", pcx(3, 2, 1, 4, 1, append([]byte{0xc8, 7}, ramp()...)...),
			bytes.Repeat([]byte{7, 14, 21, 255}, 6)},
		{"a byte over 0xc0 as a run of one", pcx(2, 1, 1, 2, 1, append([]byte{0xc1, 0xff, 1}, ramp()...)...),
			[]byte{255, 254, 253, 255, 1, 2, 3, 255}},
		{"a run of none", pcx(2, 1, 1, 2, 1, append([]byte{0xc0, 9, 1, 2}, ramp()...)...), []byte{1, 2, 3, 255, 2, 4, 6, 255}},
		{"not packed", pcx(2, 1, 1, 2, 0, append([]byte{0xc1, 2}, ramp()...)...), []byte{193, 130, 67, 255, 2, 4, 6, 255}},
		{"three planes", pcx(2, 1, 3, 2, 1, 1, 2, 3, 4, 5, 6), []byte{1, 3, 5, 255, 2, 4, 6, 255}},
	} {
		im, _, err := Decode(c.data, "a.pcx", nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !bytes.Equal(im.Pix, c.want) {
			t.Errorf("%s: % x, want % x", c.name, im.Pix, c.want)
		}
	}
}
