package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"
)

// kindsOfPNG returns files as image/png writes them, by what they hold. Rows are long enough for all filters to be chosen.
func kindsOfPNG(t testing.TB) map[string][]byte {
	opaque, clear := textured(24, 12, false), textured(24, 12, true)
	corner := textured(24, 12, false)
	corner.Pix[len(corner.Pix)-1] = 254
	grey, wide := image.NewGray(opaque.Rect), image.NewNRGBA64(opaque.Rect)
	palette := image.NewPaletted(opaque.Rect, color.Palette{color.Gray{0}, color.Gray{90}, color.Gray{200}})
	holed := image.NewPaletted(opaque.Rect, color.Palette{color.Gray{0}, color.NRGBA{}})
	for y := range 12 {
		for x := range 24 {
			grey.Set(x, y, opaque.At(x, y))
			palette.SetColorIndex(x, y, uint8(x*y%3))
			holed.SetColorIndex(x, y, uint8(x*y%2))
			wide.Set(x, y, opaque.At(x, y))
		}
	}
	files := map[string][]byte{}
	for name, im := range map[string]image.Image{"opaque": opaque, "clear": clear, "clear in the last corner": corner,
		"grey": grey, "palette": palette, "palette with a hole": holed, "16 bits": wide} {
		var b bytes.Buffer
		if err := png.Encode(&b, im); err != nil {
			t.Fatal(err)
		}
		files[name] = b.Bytes()
	}
	// image/png writes alphas only if one is not opaque: rows without a filter, as many other programs write them.
	rows := []byte{}
	for y := range opaque.Rect.Dy() {
		rows = append(append(rows, 0), opaque.Pix[y*opaque.Stride:][:4*opaque.Rect.Dx()]...)
	}
	packed := zlibbed(t, rows)
	files["opaque with alphas"] = slices.Concat(files["clear"][:33], chunkOf("IDAT", packed[:50]), chunkOf("IDAT", packed[50:]),
		chunkOf("IEND", nil))
	return files
}

func zlibbed(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write(data); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func chunkOf(id string, data []byte) []byte {
	body := slices.Concat([]byte(id), data)
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(data))), body,
		binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}

// What checkPNG knows is what image/png finds, and it knows most kinds.
func TestCheckPNGSaysWhatDecodingSays(t *testing.T) {
	for name, data := range kindsOfPNG(t) {
		im, want, err := Decode(data, "", nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		h, err := sniffPNG(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		alpha, ok := checkPNG(data, &h)
		if known := name != "palette with a hole"; ok != known || ok && alpha != hasAlpha(im) {
			t.Errorf("%s: alpha %v, known %v; decoding says %v", name, alpha, ok, hasAlpha(im))
		}
		if got, err := Check(data, "", nil); err != nil || got != want {
			t.Errorf("%s: %+v (%v), want %+v", name, got, err, want)
		}
	}
}

// No damage to a byte, no cut and nothing more in the stream of pixels passes.
func TestCheckPNGFindsDamage(t *testing.T) {
	for name, data := range kindsOfPNG(t) {
		for at := range data {
			damaged := bytes.Clone(data)
			damaged[at] ^= 1 << (at % 8)
			same(t, name, damaged)
			if at%7 == 0 {
				same(t, name, data[:at])
			}
		}
	}
	head := kindsOfPNG(t)["grey"][:33]
	rows := make([]byte, 25*12)
	for name, stream := range map[string][]byte{
		"too long":             zlibbed(t, append(bytes.Clone(rows), 0)),
		"too short":            zlibbed(t, rows[1:]),
		"a filter too many":    zlibbed(t, append([]byte{5}, rows[1:]...)),
		"bytes after the end":  append(zlibbed(t, rows), 1, 2, 3, 4),
		"bytes before its sum": slices.Insert(zlibbed(t, rows), len(zlibbed(t, rows))-4, 9, 9),
		"empty":                nil,
	} {
		data := slices.Concat(head, chunkOf("IDAT", stream), chunkOf("IEND", nil))
		if h, err := sniffPNG(data); err != nil {
			t.Fatal(err)
		} else if _, ok := checkPNG(data, &h); ok {
			t.Errorf("%s: is called whole", name)
		}
		same(t, name, data)
	}
	pixels := chunkOf("IDAT", zlibbed(t, rows))
	for name, c := range map[string]struct {
		chunks   []byte
		passable bool
	}{
		"the pixels alone":          {pixels, true},
		"with a transparent colour": {slices.Concat(chunkOf("tRNS", make([]byte, 2)), pixels), true},
		"more in their chunk":       {chunkOf("IDAT", append(zlibbed(t, rows), 0)), false},
		"a chunk more":              {slices.Concat(pixels, chunkOf("IDAT", make([]byte, 999))), false},
	} {
		if got, err := Check(slices.Concat(head, c.chunks, chunkOf("IEND", nil)), "", nil); err != nil || got.Passable != c.passable {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// same fails if Check and Decode disagree.
func same(t *testing.T, name string, data []byte) {
	t.Helper()
	got, gotErr := Check(data, "", nil)
	_, want, wantErr := Decode(data, "", nil)
	got.Passable = want.Passable // Check knows more
	if got != want || (gotErr == nil) != (wantErr == nil) {
		t.Fatalf("%s: %+v (%v), want %+v (%v)", name, got, gotErr, want, wantErr)
	}
}

// FuzzCheckPNG compares it with image/png.
func FuzzCheckPNG(f *testing.F) {
	for _, data := range kindsOfPNG(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := sniffPNG(data)
		if err != nil || h.Width*h.Height > 1<<16 {
			return
		}
		if alpha, ok := checkPNG(data, &h); ok {
			im, err := decodePNG(data)
			if err != nil || alpha != (h.Alpha && hasAlpha(im)) {
				t.Errorf("called whole, alpha %v: %v", alpha, err)
			}
		}
	})
}

func BenchmarkCheckPNG(b *testing.B) {
	for name, alpha := range map[string]bool{"opaque": false, "alpha": true} {
		im := textured(1024, 1024, alpha)
		data, err := EncodePNG(im, alpha, Default)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(im.Pix)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Check(data, "", nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
