package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"
)

// segment returns a segment of a JPEG.
func segment(marker byte, payload string) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(payload)+2)), payload...)
}

// restarts is a grey JPEG of 64 x 64 with a restart marker after each row of 8 x 8 blocks. Its codes are cut from pictures of one row.
func restarts(t testing.TB) []byte {
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
			file = append(append(file, data[:scan]...), 0xff, 0xdd, 0, 4, 0, 8)
			file = append(append(file, data[scan:scan+10]...), codes...)
			continue
		}
		file = append(append(file, 0xff, 0xd0+byte(y-1)), codes...)
	}
	return append(file, 0xff, 0xd9)
}

func jpegOf(t testing.TB, im image.Image) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, im, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Chromium's createImageBitmap, by which three.js and Babylon.js load pictures, shows every file that passes, grey or wrong where its
// codes are damaged, and fails on those that are cut or have no quantization tables.
func TestStrippedJPEG(t *testing.T) {
	plain, rows := jpegOf(t, grain(64, 64)), restarts(t)
	middle := bytes.Index(plain, []byte{0xff, 0xda}) + 400
	for plain[middle-1] == 0xff || plain[middle] == 0xff {
		middle++
	}
	without := func(marker byte) []byte {
		i := bytes.Index(plain, []byte{0xff, marker})
		return slices.Delete(bytes.Clone(plain), i, i+2+int(plain[i+2])<<8+int(plain[i+3]))
	}
	with := func(segments ...[]byte) []byte {
		return slices.Concat(plain[:2], slices.Concat(segments...), plain[2:])
	}
	exif := segment(0xe1, "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00")
	jfif, adobe := segment(0xe0, "JFIF\x00\x01\x02\x00\x00\x01\x00\x01\x00\x00"), segment(0xee, "Adobe\x00\x64\x00\x00\x00\x00\x00")
	cmyk := bytes.Clone(plain)
	cmyk[bytes.Index(cmyk, []byte{0xff, 0xc0})+9] = 4
	for _, c := range []struct {
		name     string
		in, want []byte // want nil: the file must be encoded again
	}{
		{"plain", plain, plain},
		{"restart markers", rows, rows},
		{"codes are missing", append(bytes.Clone(plain[:middle]), 0xff, 0xd9), append(bytes.Clone(plain[:middle]), 0xff, 0xd9)},
		{"bytes after the end", append(bytes.Clone(plain), strings.Repeat("x", 25<<10)...), plain},
		{"a second picture after the end", append(bytes.Clone(plain), plain...), plain},
		{"an orientation", with(exif), plain},
		{"a colour profile of 3 MB", with(slices.Repeat([][]byte{segment(0xe2, "ICC_PROFILE\x00"+strings.Repeat("p", 60000))}, 50)...), plain},
		{"a comment", with(segment(0xfe, "made by")), plain},
		{"JFIF", with(jfif), with(jfif)},
		{"JFIF with a thumbnail", with(segment(0xe0, "JFIF\x00\x01\x02\x00\x00\x01\x00\x01\x01\x01rgb")), plain},
		{"what the three components are", with(adobe, exif), with(adobe)},
		{"four components", cmyk, nil},
		{"cut in the codes", plain[:middle], nil},
		{"cut in the end marker", plain[:len(plain)-1], nil},
		{"no quantization tables", without(0xdb), nil},
		{"no frame", without(0xc0), nil},
		{"an unknown marker", with(segment(0xf1, "?")), nil},
		{"no scan", append(bytes.Clone(plain[:2]), 0xff, 0xd9), nil},
	} {
		got, ok := Stripped(c.in)
		if ok != (c.want != nil) || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %d bytes, %v; want %d", c.name, len(got), ok, len(c.want))
		}
	}
	for n := range len(plain) - 1 {
		if _, ok := Stripped(plain[:n]); ok {
			t.Fatalf("passes with %d of %d bytes", n, len(plain))
		}
	}
}

func TestStrippedPNG(t *testing.T) {
	for name, plain := range kindsOfPNG(t) {
		if got, ok := Stripped(plain); !ok || len(got) != len(plain) || &got[0] != &plain[0] {
			t.Errorf("%s: is not returned itself", name)
		}
	}
	plain := kindsOfPNG(t)["clear"]
	with := func(chunks ...[]byte) []byte { return slices.Concat(plain[:33], slices.Concat(chunks...), plain[33:]) }
	bomb := zlibbed(t, make([]byte, 20<<20))
	for _, c := range []struct {
		name     string
		in, want []byte
	}{
		{"a colour profile that inflates to 20 MB", with(chunkOf("iCCP", append([]byte("p\x00\x00"), bomb...))), plain},
		{"a text that inflates to 20 MB", with(chunkOf("zTXt", append([]byte("p\x00\x00"), bomb...))), plain},
		{"an orientation", with(chunkOf("eXIf", []byte("MM\x00*\x00\x00\x00\x08\x00\x00"))), plain},
		{"a colour space", with(chunkOf("cICP", []byte{9, 16, 0, 1}), chunkOf("gAMA", []byte{0, 1, 0x86, 0xa0})), plain},
		{"an animation", slices.Concat(with(chunkOf("acTL", []byte{0, 0, 0, 2, 0, 0, 0, 0}))), plain},
		{"bytes after the end", append(bytes.Clone(plain), make([]byte, 25<<10)...), plain},
		{"an unknown chunk that is needed", with(chunkOf("ABCD", nil)), nil},
		{"a name without letters", with(chunkOf("\x80BCD", nil)), nil},
		{"without an end", plain[:len(plain)-12], nil},
	} {
		got, ok := Stripped(c.in)
		if ok != (c.want != nil) || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %d bytes, %v; want %d", c.name, len(got), ok, len(c.want))
		}
	}
}

// FuzzStripped checks that a file that passes has the pixels of the whole file, as far as Go decodes both.
func FuzzStripped(f *testing.F) {
	for _, data := range kindsOfPNG(f) {
		f.Add(data)
	}
	f.Add(jpegOf(f, grain(16, 16)))
	f.Add(restarts(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		stripped, ok := Stripped(data)
		if !ok {
			return
		}
		if again, ok := Stripped(stripped); !ok || !bytes.Equal(again, stripped) {
			t.Fatal("what was stripped does not pass itself")
		}
		if h, err := Sniff(data, "", nil); err != nil || h.Width*h.Height > 1<<14 || h.Format != PNG {
			return
		}
		before, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		after, err := png.Decode(bytes.NewReader(stripped))
		if err != nil || before.Bounds() != after.Bounds() || !slices.Equal(toNRGBA(before).Pix, toNRGBA(after).Pix) {
			t.Errorf("other pixels: %v", err)
		}
	})
}
