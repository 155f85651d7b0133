package vtf

import (
	"errors"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	build "github.com/bsp2gltf/bsp2gltf/testdata/build/vtf"
)

func TestLight(t *testing.T) {
	for _, c := range []struct {
		name   string
		format build.Format
		kind   Kind
		in     []byte
		want   [3]float64
	}{
		{"halfs", 24, ByFormat, stored16(0x4400, 0x3800, 1, 0x3c00), [3]float64{4, 0.5, 1.0 / (1 << 24)}},
		{"halfs by name", 24, Floats, stored16(0x7c00, 0xfc00, 0x7c01, 0), [3]float64{65504, 0, 0}},
		// 0x4400 is 17408: 17408 * 16 / 65535 = 4.2501; 4096 is 1.00002.
		{"integers", 25, ByFormat, stored16(0x4400, 4096, 65535, 0), [3]float64{4.2501, 1.00002, 16}},
		{"integers by name", 25, Integers, stored16(0, 2048, 0, 0), [3]float64{0, 0.50001, 0}},
		{"floats", 29, Floats, stored16(0, 0x4080, 0, 0x7f80, 0, 0x8000, 0, 0), [3]float64{4, 65504, 0}},
		{"two floats", 31, ByFormat, stored16(0, 0x4080, 0, 0x7fc0), [3]float64{4, 0, 0}},
		// 255/255 * 128/255 * 8 = 4.0157; 51/255 * 128/255 * 8 = 0.80314.
		{"RGBS", 12, RGBS, []byte{0, 51, 255, 128}, [3]float64{4.0157, 0.80314, 0}},
		// The numbers are linear light, not sRGB: 188/255 * 32/255 * 8 = 0.74013. Source SDK 2013, sky_hdr_compressed_rgbs_ps2x.fxc.
		{"RGBS of little light", 12, RGBS, []byte{255, 188, 1, 32}, [3]float64{0.0039370, 0.74013, 1.0039}},
		{"the most of RGBS", 12, RGBS, []byte{255, 255, 128, 255}, [3]float64{4.0157, 8, 8}},
		{"RGBS without light", 12, RGBS, []byte{255, 255, 255, 0}, [3]float64{}},
		// 188 is 0.5029 of linear light.
		{"sRGB", 12, ByFormat, []byte{0, 188, 255, 0}, [3]float64{1, 0.5029, 0}},
	} {
		b := limit.NewBudget(limit.Limits{})
		light, err := open(t, of(c.format, 1, 1, c.in)).Light(At{}, c.kind, b)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for k, want := range c.want {
			if math.Abs(float64(light[k])-want) > 1e-4*max(want, 1e-3) {
				t.Errorf("%s: %v, want %v", c.name, light, c.want)
			}
		}
		if len(light) != 3 || b.Reserved() != 12 {
			t.Errorf("%s: %d numbers, %d bytes are reserved", c.name, len(light), b.Reserved())
		}
	}
}

func TestLightIsOfItsKind(t *testing.T) {
	for _, c := range []struct {
		format build.Format
		kind   Kind
	}{{12, Integers}, {12, Floats}, {24, RGBS}, {24, Integers}, {25, Floats}, {25, RGBS}} {
		b := limit.NewBudget(limit.Limits{})
		if _, err := open(t, of(c.format, 1, 1, make([]byte, 8))).Light(At{}, c.kind, b); !errors.Is(err, errors.ErrUnsupported) ||
			b.Reserved() != 0 {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// A block of mode 11 (five bits: 3): two colours of ten bits a channel as they are, and choices between them.
func TestBC6HIsLight(t *testing.T) {
	// 248 of 511 is the half 248*62+31 = 15407, 0x3c2f: 1.0459; red is 248 in both colours, the rest is 0: 31*0 = 0.
	// Bits 5 to 14 are red of the first colour, 35 to 44 of the second: 248<<5 = 0x1f00, 248<<35 = 0x7c0<<32.
	block := []byte{0x03, 0x1f, 0, 0, 0xc0, 0x07, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	f := open(t, of(build.BC6H, 5, 3, append(block, block...)))
	b := limit.NewBudget(limit.Limits{})
	light, err := f.Light(At{}, Floats, b)
	if err != nil || len(light) != 3*15 || b.Reserved() != 4*int64(len(light)) {
		t.Fatal(light, err, b.Reserved())
	}
	for i, v := range light {
		if want := []float64{1.0459, 0, 0}[i%3]; math.Abs(float64(v)-want) > 1e-4 {
			t.Errorf("number %d: %v, want %v", i, v, want)
		}
	}
	// Less than nothing: the second is -248, 0x308 of ten bits; only the signed kind has that.
	copy(block, []byte{0x03, 0x61, 0, 0, 0x40, 0x18})
	if light, err := open(t, of(build.BC6H, 4, 4, block)).Light(At{}, Floats, b); err != nil || light[0] != 0 {
		t.Error(light, err)
	}
	if light, err := open(t, of(66, 4, 4, block)).Light(At{}, Floats, b); err != nil || light[0] < 100 {
		t.Error(light, err)
	}
}

func TestReadsTheLightThatIsWritten(t *testing.T) {
	for _, format := range []build.Format{build.RGBA16161616F, build.RGBA16161616, build.RGB323232F, build.RGBA32323232F, build.BC6H} {
		im := picture(8, 8)
		if format == build.BC6H { // a block has one line of colours
			for i := range im.Pix {
				im.Pix[i] = im.Pix[i&^3]
			}
		}
		x := of(format, 8, 8, build.Encode(im, format))
		light, err := open(t, x).Light(At{}, ByFormat, limit.NewBudget(limit.Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range im.Pix {
			if i%4 == 3 {
				continue
			}
			v := float64(p) / 255
			want := math.Pow((v+0.055)/1.055, 2.4)
			if v <= 0.04045 {
				want = v / 12.92
			}
			within := 2e-4 + want/1000
			if format == build.BC6H {
				within += want / 2 // sixteen steps of a logarithm
			}
			if got := float64(light[i/4*3+i%4]); math.Abs(got-want) > within {
				t.Fatalf("%d: pixel %d: %v, want %v", format, i/4, got, want)
			}
		}
	}
}
