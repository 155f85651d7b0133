package jpegwalk

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// grain is a picture whose blocks all differ.
func grain(w, h int) *image.NRGBA {
	im := image.NewNRGBA(image.Rect(0, 0, w, h))
	v := uint32(7)
	for i := range im.Pix {
		v = v*1664525 + 1013904223
		if im.Pix[i] = byte(v >> 27 << 2); i%4 == 3 {
			im.Pix[i] = 255
		}
	}
	return im
}

func TestAgreesWithDecoding(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {8, 8}, {17, 33}, {64, 64}, {200, 3}} {
		im := grain(size[0], size[1])
		gray := image.NewGray(im.Rect)
		for i := range gray.Pix {
			gray.Pix[i] = im.Pix[4*i]
		}
		for _, m := range []image.Image{im, gray, image.NewUniform(color.White)} {
			if m.Bounds() != im.Rect {
				m = image.NewGray(im.Rect)
			}
			var b bytes.Buffer
			if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
				t.Fatal(err)
			}
			data := b.Bytes()
			if !Whole(data) {
				t.Errorf("%v %T: not whole", size, m)
			}
			if !Whole(append(bytes.Clone(data), "what comes after the end is not the picture's"...)) {
				t.Errorf("%v %T: not whole with more behind it", size, m)
			}
			for n := len(data) - 1; n > 2; n -= 1 + n/50 {
				if Whole(data[:n]) {
					t.Errorf("%v %T: whole with %d of %d bytes", size, m, n, len(data))
				}
				// With an end marker put there, it misses at most codes.
				cut := append(bytes.Clone(data[:n]), 0xff, 0xd9)
				if _, err := jpeg.Decode(bytes.NewReader(cut)); Whole(cut) && err != nil && !inCodes(err) {
					t.Errorf("%v %T: whole with %d of %d bytes, but %v", size, m, n, len(data), err)
				}
			}
		}
	}
}

// inCodes reports whether image/jpeg fails on the codes of a segment. There libjpeg warns, and viewers show the picture.
func inCodes(err error) bool {
	for _, s := range []string{"missing 0xff00 sequence", "short Huffman data", "bad Huffman code", "too many coefficients",
		"excessive DC component", "bad RST marker"} {
		if strings.HasSuffix(err.Error(), s) {
			return true
		}
	}
	return false
}

// restarts is grain of 64 x 64 with a restart marker after each row of 8 x 8 blocks. Its codes are cut from pictures of one row.
func restarts(t *testing.T) []byte {
	var file []byte
	for y := range 8 {
		var b bytes.Buffer
		row := image.NewGray(image.Rect(0, 0, 64, 8))
		for i := range row.Pix {
			row.Pix[i] = byte(i * i * (y + 3) >> 3)
		}
		if err := jpeg.Encode(&b, row, nil); err != nil {
			t.Fatal(err)
		}
		data := b.Bytes()
		frame, scan := bytes.Index(data, []byte{0xff, 0xc0}), bytes.Index(data, []byte{0xff, 0xda})
		codes := data[scan+10 : len(data)-2]
		if y == 0 {
			data[frame+6] = 64 // the height
			file = append(file, data[:scan]...)
			file = append(file, 0xff, 0xdd, 0, 4, 0, 8)
			file = append(append(file, data[scan:scan+10]...), codes...)
			continue
		}
		file = append(append(file, 0xff, 0xd0+byte(y-1)), codes...)
	}
	return append(file, 0xff, 0xd9)
}

// Chromium 156 was shown each of these. Its createImageBitmap, by which three.js and Babylon.js load pictures, shows those with shown
// set, grey or wrong where they are damaged, and fails on the others.
func TestDamagedFiles(t *testing.T) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, grain(64, 64), nil); err != nil {
		t.Fatal(err)
	}
	plain, rows := b.Bytes(), restarts(t)
	if m, err := jpeg.Decode(bytes.NewReader(rows)); err != nil || m.Bounds().Dy() != 64 {
		t.Fatalf("the picture with restart markers: %v", err)
	}
	codes := bytes.Index(plain, []byte{0xff, 0xda}) + 14
	without := func(data []byte, marker byte) []byte {
		i := bytes.Index(data, []byte{0xff, marker})
		return slices.Delete(bytes.Clone(data), i, i+2+int(data[i+2])<<8+int(data[i+3]))
	}
	replace := func(data []byte, old, with string) []byte { return bytes.Replace(data, []byte(old), []byte(with), 1) }
	middle := codes + (len(plain)-codes)/2
	for plain[middle-1] == 0xff || plain[middle] == 0xff {
		middle++
	}
	for _, c := range []struct {
		what  string
		data  []byte
		whole bool
		shown bool // by Chromium; a file that is not whole is decoded by image/jpeg, which decides
	}{
		{"whole", plain, true, true},
		{"whole, with restart markers", rows, true, true},
		{"cut in the codes", plain[:middle], false, false},
		{"cut before the end marker", plain[:len(plain)-2], false, false},
		{"cut in the end marker", plain[:len(plain)-1], false, false},
		{"half of the codes, and an end marker", append(bytes.Clone(plain[:middle]), 0xff, 0xd9), true, true},
		{"no codes, and an end marker", append(bytes.Clone(plain[:codes]), 0xff, 0xd9), false, true},
		{"damaged codes", append(append(bytes.Clone(plain[:middle]), 0x12, 0x34, 0x56), plain[middle+3:]...), true, true},
		{"codes after the last block", append(bytes.Clone(plain[:len(plain)-2]), 1, 2, 3, 0xff, 0xd9), true, true},
		{"a comment among the codes", append(append(bytes.Clone(plain[:middle]), 0xff, 0xfe, 0, 3, 'a'), plain[middle:]...), false, true},
		{"a restart marker too many", append(append(bytes.Clone(plain[:middle]), 0xff, 0xd0), plain[middle:]...), false, true},
		{"a restart marker missing", replace(rows, "\xff\xd3", ""), false, true},
		{"restart markers in another order", replace(rows, "\xff\xd3", "\xff\xd6"), false, true},
		{"half of the restart intervals", append(bytes.Clone(rows[:bytes.Index(rows, []byte{0xff, 0xd3})]), 0xff, 0xd9), false, true},
		{"no quantization tables", without(plain, 0xdb), false, false},
		{"no Huffman tables", without(plain, 0xc4), false, true}, // libjpeg-turbo has the usual ones
	} {
		if got := Whole(c.data); got != c.whole {
			t.Errorf("%s: whole %v, want %v", c.what, got, c.whole)
		}
		if c.whole && !c.shown {
			t.Errorf("%s: whole, but browsers don't show it", c.what)
		}
		if dir := os.Getenv("BSP2GLTF_JPEGS"); dir != "" { // a folder for the files, to look at them in a browser
			if err := os.WriteFile(filepath.Join(dir, c.what+".jpg"), c.data, 0o666); err != nil {
				t.Error(err)
			}
		}
	}
}

// What is reported whole decodes, except for its codes, whatever its bytes.
func FuzzWhole(f *testing.F) {
	for _, side := range []int{8, 17} {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, grain(side, side), nil); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := jpeg.DecodeConfig(bytes.NewReader(data)); err == nil && c.Width*c.Height > 1<<20 || !Whole(data) {
			return
		}
		if _, err := jpeg.Decode(bytes.NewReader(data)); err != nil && !inCodes(err) {
			t.Errorf("whole, but %v", err)
		}
	})
}
