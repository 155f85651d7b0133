package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"runtime"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
)

func TestSniffTellsFormats(t *testing.T) {
	files := samples(t)
	for _, c := range []struct {
		name string
		want Info
	}{
		{"a.png", Info{"png", 19, 13, false, true}},
		{"alpha.png", Info{"png", 19, 13, true, true}},
		{"few.png", Info{"png", 19, 13, true, true}},
		{"deep.png", Info{"png", 19, 13, true, true}},
		{"a.jpg", Info{"jpeg", 19, 13, false, true}},
		{"grey.jpg", Info{"jpeg", 19, 13, false, true}},
		{"a.bmp", Info{"bmp", 19, 13, false, false}},
		{"alpha.bmp", Info{"bmp", 19, 13, true, false}},
		{"a.webp", Info{"webp", 19, 13, true, false}},
		{"lossless.webp", Info{"webp", 19, 13, true, false}},
		{"raw24.tga", Info{"tga", 2, 2, false, false}},
		{"raw32.tga", Info{"tga", 1, 2, true, false}},
		{"raw16.tga", Info{"tga", 2, 1, true, false}},
		{"a.pcx", Info{"pcx", 3, 2, false, false}},
		{"planes.pcx", Info{"pcx", 2, 1, false, false}},
	} {
		// The name is of no account where there are magic bytes, and for an exact TGA.
		for _, name := range []string{c.name, "textures/wrong.jpg", "noextension"} {
			got, err := Sniff(files[c.name], name, nil)
			if err != nil || got != c.want {
				t.Errorf("%s as %s: %+v, %v; want %+v", c.name, name, got, err, c.want)
			}
		}
	}
}

func TestDecodeReadsEveryFormat(t *testing.T) {
	for name, data := range samples(t) {
		b := limit.NewBudget(limit.Limits{})
		im, info, err := Decode(data, name, b)
		if name == "a.gif" {
			if !errors.Is(err, limit.ErrCorrupt) {
				t.Errorf("%s: %v, want corrupt", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if im.Rect != image.Rect(0, 0, info.Width, info.Height) || info.Alpha == im.Opaque() {
			t.Errorf("%s: %v, alpha %v, opaque %v", name, im.Rect, info.Alpha, im.Opaque())
		}
		// All that was reserved has been released.
		if err := b.Reserve(b.Limits.MaxMemory); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The pixels of files with a loss, against what they were made of: 3 is a JPEG's error, video levels would be 16 off.
func TestDecodeKeepsLevels(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 33, 17))
	for i := range im.Pix {
		im.Pix[i] = []byte{250, 128, 3, 255}[i%4]
	}
	lossy, err := EncodeWebP(im, false, 95)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := EncodeWebP(im, true, 95)
	if err != nil {
		t.Fatal(err)
	}
	photo, err := EncodeJPEG(im, 95)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		most int
	}{"lossy": {lossy, 4}, "lossless": {exact, 0}, "jpeg": {photo, 3}} {
		got, _, err := Decode(c.data, "", nil)
		if err != nil {
			t.Fatal(name, err)
		}
		for i, v := range got.Pix {
			if d := int(v) - int(im.Pix[i]); d > c.most || -d > c.most {
				t.Fatalf("%s: byte %d is %d, want %d", name, i, v, im.Pix[i])
			}
		}
	}
}

func TestPassableIsWhatEveryClientReads(t *testing.T) {
	files := samples(t)
	whole := files["a.jpg"]
	for _, c := range []struct {
		name string
		data []byte
		want bool
	}{
		{"png without its end", files["a.png"][:len(files["a.png"])-12], false},
		{"jpeg without its end", whole[:len(whole)-2], false},
		{"jpeg with something after its end", append(bytes.Clone(whole), "made by"...), true},
		{"jpeg of four components", jpegHead(0xc0, 8, 8, 0x11, 0x11, 0x11, 0x11), false},
		{"progressive jpeg", jpegHead(0xc2, 8, 8, 0x11, 0x11, 0x11), true},
		{"tga", files["raw24.tga"], false},
	} {
		if got, err := Sniff(c.data, "", nil); err != nil || got.Passable != c.want {
			t.Errorf("%s: %v, %v; want %v", c.name, got.Passable, err, c.want)
		}
	}
}

func TestRejectsBrokenFiles(t *testing.T) {
	files := samples(t)
	huge := limit.ErrLimit
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, limit.ErrCorrupt},
		{"text", []byte("<!DOCTYPE html><html><body>404</body></html>"), limit.ErrCorrupt},
		{"zeros", make([]byte, 100), limit.ErrCorrupt},
		{"png, signature only", []byte(pngMagic), limit.ErrCorrupt},
		{"png, 65535 x 65535", pngHead(65535, 65535, 8, 6, 0), limit.ErrCorrupt},
		{"png, 2^31-1 x 2^31-1 of 16 bits", pngHead(1<<31-1, 1<<31-1, 16, 6, 0), limit.ErrCorrupt},
		{"png, interlaced, 30000 x 30000", pngHead(30000, 30000, 1, 0, 1), limit.ErrCorrupt},
		{"png, 0 wide", pngHead(0, 5, 8, 6, 0), limit.ErrCorrupt},
		{"png, 3 bits", pngHead(5, 5, 3, 0, 0), limit.ErrCorrupt},
		{"png, apple's", append([]byte(pngMagic+"\x00\x00\x00\x04CgBI"), make([]byte, 40)...), errors.ErrUnsupported},
		{"png, truncated", files["a.png"][:80], limit.ErrCorrupt},
		{"jpeg, progressive 65500 x 65500", jpegHead(0xc2, 65500, 65500, 0x11, 0x11, 0x11), limit.ErrCorrupt},
		{"jpeg, baseline 65500 x 65500", jpegHead(0xc0, 65500, 65500, 0x22, 0x11, 0x11), limit.ErrCorrupt},
		{"jpeg, 65500 x 65500 and filled up", append(jpegHead(0xc0, 65500, 65500, 0x22, 0x11, 0x11), make([]byte, 9<<20)...), huge},
		{"jpeg, arithmetic", jpegHead(0xc9, 8, 8, 0x11), errors.ErrUnsupported},
		{"jpeg, lossless", jpegHead(0xc3, 8, 8, 0x11), errors.ErrUnsupported},
		{"jpeg, 0 high", jpegHead(0xc0, 8, 0, 0x11), limit.ErrCorrupt},
		{"jpeg, no frame", []byte("\xff\xd8\xff\xd9\x00\x00"), limit.ErrCorrupt},
		{"jpeg, 300 scans", append(jpegHead(0xc2, 8, 8, 0x11), bytes.Repeat([]byte("\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00"), 300)...),
			limit.ErrCorrupt},
		{"jpeg, truncated", files["a.jpg"][:len(files["a.jpg"])-40], limit.ErrCorrupt},
		{"webp, lossless 16384 x 16384", webpChunk("VP8L", 8, 0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0), huge},
		{"webp, lossy 16383 x 16383", webpChunk("VP8 ", 12, 0x10, 0, 0, 0x9d, 1, 0x2a, 0xff, 0x3f, 0xff, 0x3f, 0, 0), limit.ErrCorrupt},
		{"webp, a chunk of 2 GB", webpChunk("VP8 ", 1<<31-1, 0x10, 0, 0, 0x9d, 1, 0x2a, 8, 0, 8, 0), limit.ErrCorrupt},
		{"webp, animated", webpChunk("VP8X", 10, 2, 0, 0, 0, 7, 0, 0, 7, 0, 0), errors.ErrUnsupported},
		{"webp, a canvas only", webpChunk("VP8X", 10, 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0), limit.ErrCorrupt},
		{"bmp, 2^31-1 x 1", bmpHead(1<<31-1, 1, 24), limit.ErrCorrupt},
		{"bmp, 60000 x 60000", bmpHead(60000, 60000, 32), limit.ErrCorrupt},
		{"bmp, 16 bits", bmpHead(4, 4, 16), errors.ErrUnsupported},
		{"bmp, 0 x 0", bmpHead(0, 0, 24), limit.ErrCorrupt},
		{"pcx, 65536 x 65536", pcx(65536, 65536, 1, 65535, 1, ramp()...), limit.ErrCorrupt},
		{"pcx, 60000 x 60000", pcx(60000, 60000, 1, 60000, 1, ramp()...), limit.ErrCorrupt},
		{"pcx, 4 planes", pcx(4, 4, 4, 4, 1), errors.ErrUnsupported},
		{"pcx, rows shorter than its width", pcx(9, 1, 1, 8, 1, ramp()...), limit.ErrCorrupt},
		{"pcx, no palette", pcx(2, 1, 1, 2, 1, make([]byte, 800)...), limit.ErrCorrupt},
		{"pcx, a run without its byte", pcx(2, 1, 1, 2, 1, append([]byte{0xc1}, ramp()...)...), limit.ErrCorrupt},
		{"tga, 65535 x 65535", tga(2, 32, 65535, 65535, 8), limit.ErrCorrupt},
		{"tga, packed, 65535 x 65535", tga(10, 32, 65535, 65535, 8, make([]byte, 1000)...), limit.ErrCorrupt},
		{"tga, packed, 20000 x 20000 and filled up", tga(10, 8<<1, 20000, 20000, 0, make([]byte, 10<<20)...), huge},
		{"tga, 0 high", tga(2, 24, 5, 0, 0), limit.ErrCorrupt},
		{"tga, one byte short", tga(2, 24, 1, 1, 0, 1, 2), limit.ErrCorrupt},
		{"tga, an index beyond its map", withMap(tga(1, 8, 1, 1, 0, 9), 0, 24, 1, 2, 3), limit.ErrCorrupt},
		{"tga, an index before its map", withMap(tga(1, 8, 1, 1, 0, 1), 2, 24, 1, 2, 3), limit.ErrCorrupt},
		{"tga, mapped without a map", tga(1, 8, 1, 1, 0, 9), limit.ErrCorrupt},
		{"tga, a map longer than the file", withMap(tga(1, 8, 1, 1, 0, 9), 0, 24, 1, 2, 3)[:20], limit.ErrCorrupt},
		{"tga, packets end early", tga(10, 24, 200, 1, 0, 0xff, 1, 2, 3, 0x80, 1, 2, 3), limit.ErrCorrupt},
		{"tga, a raw packet cut off", tga(10, 24, 4, 1, 0, 3, 1, 2, 3, 4, 5), limit.ErrCorrupt},
		{"tga, interleaved", tga(2, 24, 1, 1, 0x40, 1, 2, 3), errors.ErrUnsupported},
		{"tga, 12 bits", tga(2, 12, 1, 1, 0, 1, 2, 3), limit.ErrCorrupt},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		im, _, err := Decode(c.data, "textures/hostile.tga", nil)
		runtime.ReadMemStats(&after)
		if im != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
			t.Errorf("%s: allocated %d MiB", c.name, n>>20)
		}
	}
}

func TestAnInexactTGANeedsItsName(t *testing.T) {
	data := append(tga(2, 24, 1, 1, 0, 1, 2, 3), "trailing"...)
	for name, want := range map[string]bool{"a.tga": true, "a": true, "a.jpg": false, "a.PNG": false} {
		if _, err := Sniff(data, name, nil); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecodeHonoursTheBudget(t *testing.T) {
	data := samples(t)["a.png"]
	b := limit.NewBudget(limit.Limits{MaxPixels: 19*13 - 1})
	if _, _, err := Decode(data, "", b); !errors.Is(err, limit.ErrLimit) || !strings.Contains(err.Error(), "MaxPixels") {
		t.Error(err)
	}
	b = limit.NewBudget(limit.Limits{MaxMemory: 1000})
	if _, _, err := Decode(data, "", b); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
	b = limit.NewBudget(limit.Limits{MaxTextureTotal: 19 * 13})
	if _, _, err := Decode(data, "", b); err != nil {
		t.Error(err)
	}
	if _, _, err := Decode(data, "", b); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
}

func TestDecodePNGAgreesWithImagePNG(t *testing.T) {
	for name, data := range samples(t) {
		if !strings.HasSuffix(name, ".png") {
			continue
		}
		got, _, err := Decode(data, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for y := range got.Rect.Dy() {
			for x := range got.Rect.Dx() {
				want := color.NRGBAModel.Convert(m.At(x, y))
				if c, ok := m.At(x, y).(color.NRGBA64); ok {
					// The model multiplies by alpha on the way and loses what is under alpha 0.
					want = color.NRGBA{uint8(c.R >> 8), uint8(c.G >> 8), uint8(c.B >> 8), uint8(c.A >> 8)}
				}
				if got.At(x, y) != want {
					t.Fatalf("%s: %d,%d is %v, want %v", name, x, y, got.At(x, y), want)
				}
			}
		}
	}
}

// readable fails the test unless Decode keeps its promises for data.
func readable(t *testing.T, data []byte, name string) {
	info, sniffed := Sniff(data, name, nil)
	b := limit.NewBudget(limit.Limits{MaxPixels: 1 << 20, MaxMemory: 64 << 20})
	im, got, err := Decode(data, name, b)
	if err != nil {
		if !errors.Is(err, limit.ErrCorrupt) && !errors.Is(err, limit.ErrLimit) && !errors.Is(err, errors.ErrUnsupported) {
			t.Fatalf("an error of no kind: %v", err)
		}
		return
	}
	if sniffed != nil || im.Rect != image.Rect(0, 0, info.Width, info.Height) || len(im.Pix) < im.Stride*(info.Height-1)+info.Width*4 {
		t.Fatalf("sniffed %+v, %v; decoded %v", info, sniffed, im.Rect)
	}
	if got.Alpha == im.Opaque() || got.Alpha && !info.Alpha {
		t.Fatalf("alpha %v, sniffed %v, opaque %v", got.Alpha, info.Alpha, im.Opaque())
	}
}

func FuzzDecode(f *testing.F) {
	for name, data := range samples(f) {
		f.Add(data, name)
		f.Add(data[:len(data)*2/3], name)
	}
	for name, c := range packedSamples() {
		f.Add(c.data, name)
	}
	f.Add(jpegHead(0xc2, 65500, 65500, 0x11, 0x11, 0x11), "a.jpg")
	f.Add(jpegHead(0xc0, 8, 8, 0x41, 0x11, 0x11), "a.jpg")
	f.Add(webpChunk("VP8L", 8, 0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0), "")
	f.Fuzz(readable)
}

func FuzzSniff(f *testing.F) {
	for name, data := range samples(f) {
		f.Add(data[:min(len(data), 64)], name)
	}
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		info, err := Sniff(data, name, nil)
		if err == nil && (info.Width < 1 || info.Height < 1 || info.Format == "" ||
			int64(info.Width)*int64(info.Height) > limit.Defaults.MaxPixels) {
			t.Fatalf("%+v", info)
		}
	})
}
