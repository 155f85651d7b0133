package lightmap

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// readEXR reads what picture.EncodeEXR writes: its attributes by name, and red, green and blue of each pixel.
func readEXR(t testing.TB, data []byte) (attributes map[string]string, size Rect, pixels []world.RGB) {
	t.Helper()
	le := binary.LittleEndian
	if le.Uint32(data) != 20000630 || le.Uint32(data[4:]) != 2 {
		t.Fatalf("it starts with % x", data[:8])
	}
	rest := data[8:]
	text := func() string {
		s, after, ok := bytes.Cut(rest, []byte{0})
		if !ok {
			t.Fatal("a name has no end")
		}
		rest = after
		return string(s)
	}
	attributes = map[string]string{}
	for name := text(); name != ""; name = text() {
		kind, n := text(), le.Uint32(rest)
		attributes[name] = kind + " " + string(rest[4:4+n])
		rest = rest[4+n:]
	}
	window := []byte(attributes["dataWindow"][len("box2i "):])
	size = Rect{int(le.Uint32(window[8:])) + 1, int(le.Uint32(window[12:])) + 1}
	pixels = make([]world.RGB, size.Width*size.Height)
	for block := range (size.Height + 15) / 16 {
		b := data[le.Uint64(rest[8*block:]):]
		first, n := int(le.Uint32(b)), int(le.Uint32(b[4:]))
		lines := min(16, size.Height-first)
		if first != 16*block {
			t.Fatalf("block %d starts with line %d", block, first)
		}
		raw := b[8 : 8+n]
		if n < lines*size.Width*6 {
			z, err := zlib.NewReader(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			packed, err := io.ReadAll(z)
			if err != nil || len(packed) != lines*size.Width*6 {
				t.Fatalf("block %d: %d bytes, %v", block, len(packed), err)
			}
			for i := 1; i < len(packed); i++ {
				packed[i] += packed[i-1] - 128
			}
			raw = make([]byte, len(packed))
			for i := range raw { // the first half has the bytes of even places
				raw[i] = packed[i%2*len(packed)/2+i/2]
			}
		}
		for y := range lines {
			for x := range size.Width {
				for k := range 3 {
					at := ((y*3+2-k)*size.Width + x) * 2
					pixels[(first+y)*size.Width+x][k] = world.Half(le.Uint16(raw[at:]))
				}
			}
		}
	}
	return attributes, size, pixels
}

// light returns a page of smooth light with noise, from 0 to 20.
func light(size Rect) []byte {
	r := rand.New(rand.NewPCG(3, 4))
	pix := make([]byte, 0, size.Width*size.Height*picture.EXRPixel)
	for y := range size.Height {
		for x := range size.Width {
			v := float32(10+10*math.Sin(float64(x)/40)*math.Cos(float64(y)/30)) + r.Float32()/10
			for _, half := range world.NewRGB(v, v*0.9, v*0.7) {
				pix = binary.LittleEndian.AppendUint16(pix, uint16(half))
			}
		}
	}
	return pix
}

// noise can't be packed.
func noise(size Rect) []byte {
	r := rand.New(rand.NewPCG(5, 6))
	pix := make([]byte, size.Width*size.Height*picture.EXRPixel)
	for i := range pix {
		pix[i] = byte(r.Uint32())
	}
	for i := 1; i < len(pix); i += 2 {
		pix[i] &^= 0x40 // no infinity, no NaN
	}
	return pix
}

func TestEXRKeepsEachHalf(t *testing.T) {
	for _, size := range []Rect{{1, 1}, {3, 2}, {1, 40}, {40, 1}, {64, 16}, {65, 17}, {300, 200}} {
		for name, f := range map[string]func(Rect) []byte{"light": light, "noise": noise} {
			pix := f(size)
			data, err := picture.EncodeEXR(t.Context(), pix, size.Width, size.Height)
			if err != nil {
				t.Fatal(err)
			}
			attributes, got, pixels := readEXR(t, data)
			if got != size {
				t.Fatalf("%v became %v", size, got)
			}
			for i, p := range pixels {
				for k, half := range p {
					if want := binary.LittleEndian.Uint16(pix[6*i+2*k:]); uint16(half) != want {
						t.Fatalf("%v %s: pixel %d channel %d is %04x, want %04x", size, name, i, k, half, want)
					}
				}
			}
			if attributes["compression"] != "compression \x03" || attributes["lineOrder"] != "lineOrder \x00" ||
				attributes["displayWindow"] != attributes["dataWindow"] || !strings.HasPrefix(attributes["channels"], "chlist B\x00\x01") {
				t.Errorf("attributes %q", attributes)
			}
			if most := len(pix) + 400 + 16*size.Height; len(data) > most {
				t.Errorf("%v %s: %d bytes of %d", size, name, len(data), most)
			}
		}
	}
}

func TestPagesAsEXR(t *testing.T) {
	c := chart(5, 3, func(x, y int) [3]float32 { return [3]float32{float32(x) * 3, float32(y), 0.1} })
	c.Layers = append(c.Layers, layer(3, world.Flat, 5, 3, plain(100)), layer(0, world.Direction, 5, 3, plain(1)))
	first, second := c.Layers[0].Luxels, c.Layers[1].Luxels
	for _, test := range []struct {
		hdr        HDR
		world, exr bool
	}{{"sidecar", true, true}, {"sidecar", false, false}, {"always", false, true}, {"none", true, false}} {
		o := options
		o.HDR, o.Scale = test.hdr, 2
		w := &world.World{Baked: world.BakedLight{HDR: test.world, Charts: owned([]world.Chart{c})}}
		b := limit.NewBudget(limit.Limits{})
		a, err := Bake(limit.With(t.Context(), b), Input{World: w, Effort: EffortFast}, o)
		if err != nil || len(a.Pages) != 3 {
			t.Fatalf("%d pages, %v", len(a.Pages), err)
		}
		files := 0
		for i, luxels := range [][]world.RGB{first, second} {
			if (a.Pages[i].EXR != nil) != test.exr {
				t.Fatalf("%s: page %d has %d bytes of OpenEXR", test.hdr, i, len(a.Pages[i].EXR))
			}
			if !test.exr {
				continue
			}
			files += len(a.Pages[i].EXR)
			_, size, pixels := readEXR(t, a.Pages[i].EXR)
			if size != a.Sizes[0] {
				t.Fatalf("%v of %v", size, a.Sizes[0])
			}
			p := a.Places[0]
			for y := -2; y < 5; y++ {
				for x := -2; x < 7; x++ {
					want := luxels[min(max(y, 0), 2)*5+min(max(x, 0), 4)]
					if got := pixels[(p.Y+y)*size.Width+p.X+x]; got != want {
						t.Fatalf("page %d at %d, %d: %v, want %v", i, x, y, got.Float32(), want.Float32())
					}
				}
			}
		}
		if a.Pages[2].EXR != nil {
			t.Error("directions are no light")
		}
		if got := b.Reserved(); got != int64(files) {
			t.Errorf("%d bytes stay reserved, of %d in files", got, files)
		}
	}
}

func TestEXRIsWithinTheLimits(t *testing.T) {
	o := options
	o.HDR = "always"
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxMemory: 200 * 200 * 5}))
	w := &world.World{Baked: world.BakedLight{Charts: []world.Chart{chart(200, 200, plain(1))}}}
	if _, err := Bake(ctx, Input{World: w, Effort: EffortFast}, o); !strings.Contains(fmt.Sprint(err), "MaxMemory") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := picture.EncodeEXR(ctx, light(Rect{100, 100}), 100, 100); err == nil {
		t.Error("it was not cancelled")
	}
}

// OpenImageIO, which Blender reads with, too, tells the same numbers.
func TestOpenImageIOReadsOurs(t *testing.T) {
	testkit.Real(t)
	tool, err := exec.LookPath("oiiotool")
	if err != nil {
		t.Skip("there is no oiiotool (Debian's openimageio-tools)")
	}
	size := Rect{70, 50}
	for name, f := range map[string]func(Rect) []byte{"light": light, "noise": noise} {
		pix := f(size)
		data, err := picture.EncodeEXR(t.Context(), pix, size.Width, size.Height)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		in := filepath.Join(dir, "in.exr")
		if err := os.WriteFile(in, data, 0o644); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command(tool, "--info", "-v", "--stats", in).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		for _, want := range []string{"70 x   50, 3 channel, half openexr", "channel list: R, G, B", `compression: "zip"`,
			"NanCount: 0 0 0", "InfCount: 0 0 0"} {
			if !strings.Contains(string(said), want) {
				t.Errorf("%s: it does not say %q, but %s", name, want, said)
			}
		}
		said, err = exec.Command(tool, "--dumpdata", in).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		seen := 0
		for line := range strings.Lines(string(said)) {
			var x, y int
			var c [3]float32
			if n, _ := fmt.Sscanf(strings.TrimSpace(line), "Pixel (%d, %d): %g %g %g", &x, &y, &c[0], &c[1], &c[2]); n != 5 {
				continue
			}
			for k, v := range c {
				if want := binary.LittleEndian.Uint16(pix[6*(y*size.Width+x)+2*k:]); world.NewHalf(v) != world.Half(want) {
					t.Fatalf("%s: %s is not %g", name, line, world.Half(want).Float32())
				}
			}
			seen++
		}
		if seen != size.Width*size.Height {
			t.Errorf("%d pixels of %v; %.300s", seen, size, said)
		}
	}
}

func BenchmarkEXR(b *testing.B) {
	size := Rect{2048, 2048}
	pix := light(size)
	b.SetBytes(int64(len(pix)))
	b.ReportAllocs()
	for b.Loop() {
		data, err := picture.EncodeEXR(b.Context(), pix, size.Width, size.Height)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(data))/float64(len(pix)), "share")
	}
}
