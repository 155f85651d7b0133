package goldsrc_test

import (
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/goldsrc"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/brushmap"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/qbsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// told encodes a luxel's position in its light. It is grey, so that formats without colour can store it.
func told(l qbsp.Luxel) qbsp.RGB {
	c := uint8(100*int(l.Style%2) + 10*l.Y + l.X)
	return qbsp.RGB{c, c, c}
}

// wantLight holds a chart against told: flat layers in these styles.
func wantLight(t *testing.T, what string, w *decoding.Map, chart, width, height int, styles ...uint8) {
	t.Helper()
	c := w.Baked.Charts[chart]
	if c.Width != width || c.Height != height || len(c.Layers) != len(styles) {
		t.Fatalf("%s: chart %d has %d x %d luxels in %d layers, want %d x %d in %d", what, chart, c.Width, c.Height, len(c.Layers), width,
			height, len(styles))
	}
	table := luxelTable(t, w.Format)
	for i, l := range c.Layers {
		if l.Style != styles[i] || l.Basis != world.Flat {
			t.Errorf("%s: layer %d has style %d, %s", what, i, l.Style, l.Basis)
		}
		for k, luxel := range l.Luxels {
			if x := told(qbsp.Luxel{Style: l.Style, X: k % width, Y: k / width})[0]; luxel != (world.RGB{table[x], table[x], table[x]}) {
				t.Fatalf("%s: layer %d, luxel %d: %v, want that of %d", what, i, k, luxel.Float32(), x)
			}
		}
	}
}

// luxelTable is the light of each byte, as a map of 256 luxels tells.
func luxelTable(t *testing.T, f world.Format) (table [256]world.Half) {
	t.Helper()
	m := floor(bricks)
	m.TexInfo[0].Vecs = [2][4]float32{{3.75}, {0, 3.75}} // 240 texels: 16 luxels
	n := 0
	m.Light(0, []uint8{0}, func(qbsp.Luxel) qbsp.RGB { n++; return qbsp.RGB{uint8(n - 1), uint8(n - 1), uint8(n - 1)} })
	v := qbsp.HalfLife
	switch f.Family {
	case "Quake":
		v = qbsp.Quake
	case "Quake II":
		v = qbsp.Quake2
	}
	luxels := decode(t, m.Write(v)).Baked.Charts[0].Layers[0].Luxels
	if len(luxels) != 256 {
		t.Fatalf("%d luxels", len(luxels))
	}
	for i, l := range luxels {
		table[i] = l[0]
	}
	return table
}

// Each style has its luxels one after the other; style 0 comes first in the world.
func TestLayers(t *testing.T) {
	for _, v := range all {
		for _, styles := range [][2][]uint8{{{0}, {0}}, {{0, 1}, {0, 1}}, {{1, 2, 0, 3}, {0, 1, 2, 3}}, {{5, 4}, {5, 4}}} {
			m := floor(bricks)
			m.Light(0, []uint8{0}, even(0)) // so that the light does not start with it
			m.Light(0, styles[0], told)
			w := decode(t, m.Write(v.Variant))
			wantIssues(t, w)
			wantLight(t, v.name, w, 0, 5, 5, styles[1]...)
		}
	}
}

// Where light is coloured each byte is a channel.
func TestColouredLuxels(t *testing.T) {
	for _, v := range []qbsp.Variant{qbsp.HalfLife, qbsp.Quake2} {
		m := floor(bricks)
		m.Light(0, []uint8{0}, func(l qbsp.Luxel) qbsp.RGB { return qbsp.RGB{10, 20, 30} })
		w := decode(t, m.Write(v))
		table := luxelTable(t, w.Format)
		if got, want := w.Baked.Charts[0].Layers[0].Luxels[7], (world.RGB{table[10], table[20], table[30]}); got != want {
			t.Errorf("%v, want %v", got.Float32(), want.Float32())
		}
	}
}

// The engines' brightness, in a linear viewer with a white texture.
func TestBrightness(t *testing.T) {
	for _, c := range []struct {
		v          qbsp.Variant
		overbright int
		stored     uint8
		shown      float64
	}{
		{qbsp.Quake, -1, 0, 0}, {qbsp.Quake, -1, 64, 64 * 2.0625 / 255}, {qbsp.Quake, -1, 255, 2}, // 2.0625
		// With gl_overbright: 1.03125 * 128/192 * 2 is 1.375, and ends at 4/3. Without: 1.03125 * 338/256 is 1.36157, and ends at 1.
		{qbsp.HalfLife, -1, 100, 137.5 / 255}, {qbsp.HalfLife, -1, 240, 330.0 / 255}, {qbsp.HalfLife, -1, 255, 4.0 / 3},
		{qbsp.HalfLife, 0, 100, 136.157 / 255}, {qbsp.HalfLife, 0, 188, 1}, {qbsp.HalfLife, 0, 255, 1}, // 1.0038
		{qbsp.Quake2, -1, 64, 64.0 / 255}, {qbsp.Quake2, -1, 255, 1},
	} {
		m := floor(bricks)
		m.Light(0, []uint8{0}, even(c.stored))
		got := decodeOptions(t, m.Write(c.v), goldsrc.Options{Overbright: c.overbright}).Baked.Charts[0].Layers[0].Luxels[0].Float32()[0]
		want := c.shown / 12.92
		if c.shown > 0.04045 {
			want = math.Pow((c.shown+0.055)/1.055, 2.4)
		}
		if math.Abs(float64(got)-want) > want/1000 {
			t.Errorf("version %d, light %d: %g, want %g", c.v.Version, c.stored, got, want)
		}
	}
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(255))
	// GoldSrc shows a texture t as t^0.8, so one of 0.35 as 0.43179: decode(0.43179)/decode(0.35) = 0.156303/0.100482 = 1.5555.
	if got := decodeOptions(t, m.Write(qbsp.HalfLife),
		goldsrc.Options{Albedo: 0.35}).Baked.Charts[0].Layers[0].Luxels[0].Float32()[0]; math.Abs(float64(got)-1.5555) > 0.002 {
		t.Errorf("%g, want 1.5555", got)
	}
}

// A map with a weapon of Alien Arena is shown by its engine: light of 40 is 160 of 255, and one of 255, 51 and 0, which ends at white, is
// divided by its greatest channel before it is doubled: 2, 0.4 and 0. Its textures are as they are.
func TestAlienArena(t *testing.T) {
	m := floor(bricks)
	m.Entities = append(m.Entities, qbsp.Entity{{"classname", "Weapon_Smartgun"}, {"origin", "0 0 8"}})
	m.Light(0, []uint8{0}, func(l qbsp.Luxel) qbsp.RGB {
		if l.X+l.Y == 0 {
			return qbsp.RGB{255, 51, 0}
		}
		return even(40)(l)
	})
	w := decodeOptions(t, m.Write(qbsp.Quake2), goldsrc.Options{Overbright: -1})
	if w.Format.Game != "Alien Arena" || !strings.HasSuffix(w.Format.Why, "has entities of the class weapon_smartgun") ||
		w.Baked.Display.Doubled || w.Baked.Display.Most != 2 || !w.Baked.Display.Whole {
		t.Errorf("%+v %+v", w.Format, w.Baked.Display)
	}
	linear := func(shown float64) float64 {
		if shown <= 0.04045 {
			return shown / 12.92
		}
		return math.Pow((shown+0.055)/1.055, 2.4)
	}
	got := w.Baked.Charts[0].Layers[0].Luxels
	for k, want := range [2][3]float64{{2, 0.4, 0}, {160.0 / 255, 160.0 / 255, 160.0 / 255}} {
		for i, x := range got[k].Float32() {
			if math.Abs(float64(x)-linear(want[i])) > linear(want[i])/1000 {
				t.Errorf("luxel %d: %v, want %v as displayed", k, got[k].Float32(), want)
				break
			}
		}
	}
}

// Faces that the engines draw without light are bright, and so is a map without light. A face that receives no light is dark
// in Quake and GoldSrc and bright in Quake II.
func TestUnlitFaces(t *testing.T) {
	for _, c := range []struct {
		what    string
		v       qbsp.Variant
		texture string
		flags   int32
		lit     bool // the face has light
		other   bool // another has
		charts  int
		want    world.Lighting
	}{
		{"lit", qbsp.Quake, "a", 0, true, true, 2, world.Lightmap},
		{"a map without light", qbsp.Quake, "a", 0, false, false, 0, world.Fullbright},
		{"dark", qbsp.Quake, "a", 0, false, true, 2, world.Lightmap},
		{"dark in GoldSrc", qbsp.HalfLife, "a", 0, false, true, 2, world.Lightmap},
		{"bright in Quake II", qbsp.Quake2, "a", 0, false, true, 1, world.Fullbright},
		{"special", qbsp.HalfLife, "a", qbsp.Special, true, true, 1, world.Fullbright},
		{"Quake II's first flag only shines", qbsp.Quake2, "a", qbsp.Special, true, true, 2, world.Lightmap},
		{"sky", qbsp.HalfLife, "SKY", 0, true, true, 1, world.Fullbright},
		{"Quake's liquid", qbsp.Quake, "*lava", qbsp.Special, true, true, 1, world.Fullbright},
		{"Quake's lit liquid", qbsp.Quake, "*lava", 0, true, true, 2, world.Lightmap},
		{"Quake's lit liquid where the compiler gave it no light", qbsp.Quake, "*lava", 0, false, true, 1, world.Fullbright},
		{"lit liquid of BSP2", qbsp.BSP2, "*water0", 0, true, true, 2, world.Lightmap},
		{"GoldSrc's liquid", qbsp.HalfLife, "!water", 0, true, true, 1, world.Fullbright},
		{"! is a name in Quake", qbsp.Quake, "!water", 0, true, true, 2, world.Lightmap},
		{"a laser is a liquid in GoldSrc", qbsp.HalfLife, "laserred", 0, true, true, 1, world.Fullbright},
		{"warp", qbsp.Quake2, "a", qbsp.Warp2, true, true, 1, world.Fullbright},
		{"translucent", qbsp.Quake2, "a", qbsp.Trans33, true, true, 1, world.Fullbright},
		{"trigger", qbsp.HalfLife, "AAATRIGGER", 0, true, true, 1, world.Fullbright},
	} {
		m := &qbsp.Map{Entities: []qbsp.Entity{{{"classname", "worldspawn"}}}}
		up := vec3{0, 0, 1}
		m.Polygon(m.Project(bricks, up, 0), square(0, 0, 0)...)
		m.Polygon(m.Project(qbsp.Texture{Name: c.texture}, up, c.flags), square(64, 0, 0)...)
		if c.other {
			m.Light(0, []uint8{0}, even(9))
		}
		if c.lit {
			m.Light(1, []uint8{0}, even(9))
		}
		w := decode(t, m.Write(c.v))
		wantIssues(t, w)
		s := w.Models[0].Surfaces[1]
		if got := w.Materials[s.Material].Lighting; got != c.want || len(w.Baked.Charts) != c.charts ||
			(s.Chart == world.NoChart) != (c.want == world.Fullbright) {
			t.Errorf("%s: %s, chart %d of %d", c.what, got, s.Chart, len(w.Baked.Charts))
		}
	}
	// All dark faces share a chart of one black luxel.
	m := two(bricks)
	m.Polygon(m.Project(bricks, vec3{0, 0, 1}, 0), square(0, 64, 0)...)
	m.Light(0, []uint8{0}, even(9))
	m.Faces[1].LightOfs = 0 // and no style
	w := decode(t, m.Write(qbsp.HalfLife))
	s := w.Models[0].Surfaces
	if s[1].Chart != s[2].Chart || !reflect.DeepEqual(w.Baked.Charts[s[1].Chart],
		world.Chart{Width: 1, Height: 1, Layers: []world.Layer{{Luxels: make([]world.RGB, 1)}}}) {
		t.Errorf("%+v", w.Baked.Charts)
	}
	for _, v := range polygon(t, w, 1) {
		if v.Luxel != (vec2{0.5, 0.5}) {
			t.Errorf("%+v", v)
		}
	}
}

// A face with incomplete light is bright.
func TestLightOutsideTheLump(t *testing.T) {
	v := qbsp.HalfLife
	m := floor(bricks)
	m.Light(0, []uint8{0}, even(9))
	data := m.Write(v)
	offset := v.Record(data, qbsp.LumpFaces, 20, 0) + 16
	brushmap.SetInt32(data, offset, 3)
	w := decode(t, data)
	wantIssues(t, w, "light-range: face 0: 5 x 5 luxels in 1 styles at byte 3 are outside the light of 75 bytes: it is bright")
	if len(w.Baked.Charts) != 0 || w.Materials[0].Lighting != world.Fullbright {
		t.Errorf("%+v", w.Baked.Charts)
	}
	for _, n := range []int32{math.MaxInt32, 76} {
		brushmap.SetInt32(data, offset, n)
		if w := decode(t, data); len(w.Issues) != 1 || w.Issues[0].Code != "light-range" {
			t.Errorf("offset %d: %q", n, issues(w))
		}
	}
}

// Coloured light beside a map of Quake replaces the grey light; if its size differs it is left out with an issue.
func TestLitFile(t *testing.T) {
	m := two(bricks)
	m.Light(0, []uint8{0}, even(9))
	m.Light(1, []uint8{0, 1}, told)
	data := m.Write(qbsp.Quake)
	colours := make([]qbsp.RGB, len(m.Lighting))
	for i := range colours {
		colours[i] = qbsp.RGB{uint8(i), uint8(2 * i), uint8(3 * i)}
	}
	lit := qbsp.Lit(colours)
	other := append([]byte{}, lit...)
	binary.LittleEndian.PutUint32(other[4:], 2)
	for _, c := range []struct {
		what  string
		files fstest.MapFS
		want  bool
		issue []string
	}{
		{"in maps", fstest.MapFS{"maps/x.lit": {Data: lit}}, true, nil},
		{"beside", fstest.MapFS{"x.lit": {Data: lit}}, true, nil},
		{"in a folder of such files", fstest.MapFS{"lits/x.lit": {Data: lit}}, true, nil},
		{"of another map", fstest.MapFS{"y.lit": {Data: lit}}, false, nil},
		{"a folder", fstest.MapFS{"x.lit/y": {Data: lit}}, false, nil},
		{"short", fstest.MapFS{"x.lit": {Data: lit[:len(lit)-3]}}, false,
			[]string{"light-file: x.lit: is left out: it has 230 bytes, for this map it would have 233"}},
		{"another version", fstest.MapFS{"x.lit": {Data: other}}, false,
			[]string{"light-file: x.lit: is left out: its version is 2, known are 1 and 65537"}},
		{"something else", fstest.MapFS{"x.lit": {Data: []byte("QLI")}}, false,
			[]string{"light-file: x.lit: is left out: it does not start with QLIT"}},
	} {
		w := decodeOptions(t, data, goldsrc.Options{Name: "x", Files: c.files})
		wantIssues(t, w, c.issue...)
		if !c.want {
			wantLight(t, c.what, w, 1, 5, 5, 0, 1)
			continue
		}
		table := luxelTable(t, w.Format)
		for i, l := range w.Baked.Charts[1].Layers {
			for k, luxel := range l.Luxels {
				in := colours[25+25*i+k]
				if luxel != (world.RGB{table[in[0]], table[in[1]], table[in[2]]}) {
					t.Fatalf("%s: layer %d, luxel %d: %v", c.what, i, k, luxel.Float32())
				}
			}
		}
	}
	// Where the map's own light is coloured nothing replaces it.
	w := decodeOptions(t, m.Write(qbsp.HalfLife), goldsrc.Options{Name: "x", Files: fstest.MapFS{"x.lit": {Data: lit}}})
	wantIssues(t, w)
	wantLight(t, "GoldSrc", w, 1, 5, 5, 0, 1)
}

// Light of high dynamic range has 9 bits for red, green and blue each, and 5 for an exponent: in a .lit file of its own version, or in a
// block of BSPX. 1 is the light of a byte of 128, and light goes on to 8.
func TestLightOfHighRange(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, told)
	packed := make([]uint32, len(m.Lighting))
	packed[0] = 16<<27 | 256<<18 | 128<<9 | 64 // 64, 128 and 256 times 2^-8
	packed[1] = 19<<27 | 511                   // 511 * 2^-5
	packed[2] = 511                            // 511 * 2^-24
	const one = 2.0625 * 128 / 255
	shown := [][3]float64{{one / 4, one / 2, one}, {1023.0 / 128}, {one * 511 / (1 << 24)}, {}}
	check := func(what string, w *decoding.Map) {
		t.Helper()
		wantIssues(t, w)
		if !w.Baked.HDR || w.Baked.Display.Most != 1023.0/128 {
			t.Errorf("%s: %+v", what, w.Baked.Display)
		}
		for i, want := range shown {
			for k, got := range w.Baked.Charts[0].Layers[0].Luxels[i].Float32() {
				if x := gamma.Decode(want[k]); math.Abs(float64(got)-x) > x/1000+1e-7 {
					t.Errorf("%s: luxel %d: %g, want %g", what, i, got, x)
				}
			}
		}
	}
	file := fstest.MapFS{"x.lit": {Data: qbsp.LitHDR(packed)}}
	check("file", decodeOptions(t, m.Write(qbsp.Quake), goldsrc.Options{Name: "x", Files: file, Overbright: -1}))
	m.Blocks = []qbsp.Block{{Name: "RGBLIGHTING", Content: qbsp.Bytes(m.Lighting)},
		{Name: "LIGHTING_E5BGR9", Content: qbsp.PackedBytes(packed)}}
	check("block", decodeOptions(t, m.Write(qbsp.BSP2), goldsrc.Options{Overbright: -1}))
	// Both are of the map's size, or left out.
	m.Blocks[1].Content = m.Blocks[1].Content[4:]
	short := fstest.MapFS{"x.lit": {Data: qbsp.LitHDR(packed[1:])}}
	w := decodeOptions(t, m.Write(qbsp.Quake), goldsrc.Options{Name: "x", Files: short, Overbright: -1})
	wantIssues(t, w, "light-file: x.lit: is left out: it has 104 bytes, for this map it would have 108",
		"lump-broken: BSPX LIGHTING_E5BGR9: is left out: it has 96 bytes where 100 are wanted")
	wantLight(t, "bytes", w, 0, 5, 5, 0)
}

// FTE and DarkPlaces find the directions of light in files beside the map.
func TestDirectionsBesideTheMap(t *testing.T) {
	m := floor(bricks)
	m.LightAll(qbsp.RGB{200, 100, 50})
	up := make([]qbsp.RGB, len(m.Lighting))
	for i := range up {
		up[i] = qbsp.RGB{128, 128, 255}
	}
	for name, want := range map[string]int{"x.lux": 2, "maps/x.dlit": 2, "x.lit2": 1} {
		w := decodeOptions(t, m.Write(qbsp.Quake), goldsrc.Options{Name: "x", Files: fstest.MapFS{name: {Data: qbsp.Lit(up)}}})
		wantIssues(t, w)
		if layers := w.Baked.Charts[0].Layers; len(layers) != want || want == 2 && layers[1].Luxels[0].Float32()[2] < 0.99 {
			t.Errorf("%s: %d layers, want %d", name, len(layers), want)
		}
	}
	short := fstest.MapFS{"x.lux": {Data: qbsp.Lit(up[1:])}}
	w := decodeOptions(t, m.Write(qbsp.Quake), goldsrc.Options{Name: "x", Files: short})
	wantIssues(t, w, "light-file: x.lux: is left out: it has 80 bytes, for this map it would have 83")
}

// The blocks of BSPX, one by one.
func TestBSPXColours(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, told)
	colours := append([]qbsp.RGB{}, m.Lighting...)
	colours[0] = qbsp.RGB{1, 2, 3}
	m.Blocks = []qbsp.Block{{Name: "RGBLIGHTING", Content: qbsp.Bytes(colours)}, {Name: "RGBLIGHTING", Content: []byte{1}},
		{Name: "BRUSHLIST", Content: []byte("what")}}
	for _, v := range []qbsp.Variant{qbsp.Quake, qbsp.BSP2} {
		w := decode(t, m.Write(v))
		wantIssues(t, w)
		table := luxelTable(t, w.Format)
		if got := w.Baked.Charts[0].Layers[0].Luxels[0]; got != (world.RGB{table[1], table[2], table[3]}) {
			t.Errorf("%v", got.Float32())
		}
		if l := w.Lumps[17]; l.Name != "BSPX BRUSHLIST" || l.Size != 4 || l.Index != 17 {
			t.Errorf("%+v", l)
		}
	}
	// A file beside the map goes first.
	w := decodeOptions(t, m.Write(qbsp.Quake), goldsrc.Options{Name: "x", Files: fstest.MapFS{"x.lit": {Data: qbsp.Lit(m.Lighting)}}})
	wantLight(t, "file", w, 0, 5, 5, 0)
	// Without grey light the colours are all there is.
	m.Blocks = m.Blocks[:1]
	m.Blocks[0].Content = append(qbsp.Bytes(m.Lighting), 9)
	m.Lighting = nil
	w = decode(t, m.Write(qbsp.Quake))
	wantIssues(t, w)
	wantLight(t, "no grey", w, 0, 5, 5, 0)
	// One of another size is left out.
	m.Light(0, []uint8{0}, told)
	w = decode(t, m.Write(qbsp.Quake))
	wantIssues(t, w, "lump-broken: BSPX RGBLIGHTING: is left out: it has 76 bytes where 75 are wanted")
	wantLight(t, "grey", w, 0, 5, 5, 0)
}

func TestBrokenBSPX(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0}, told)
	m.Blocks = []qbsp.Block{{Name: "RGBLIGHTING", Content: qbsp.Bytes(m.Lighting)}}
	data := m.Write(qbsp.Quake)
	at := len(data) - 75 - 32 - 4
	for n, want := range map[int32]string{
		-1: "bspx: BSPX: -1 blocks are left out", 65: "bspx: BSPX: 65 blocks are left out",
	} {
		brushmap.SetInt32(data, at, n)
		w := decode(t, data)
		wantIssues(t, w, want)
		wantLight(t, want, w, 0, 5, 5, 0)
	}
	brushmap.SetInt32(data, at, 1)
	brushmap.SetInt32(data, at+4+24, -4) // the offset
	if w := decode(t, data); len(w.Issues) != 1 || w.Issues[0].Code != "lump-broken" {
		t.Errorf("%q", issues(w))
	}
}

// LMSHIFT says how fine the light of a face is, LMOFFSET where it is.
func TestBSPXFineLight(t *testing.T) {
	m := two(bricks)
	m.Light(0, []uint8{0}, even(9))
	m.Light(1, []uint8{0}, even(9))
	fine := int32(len(m.Lighting))
	w8, h8 := m.LuxelsOf(1, 8)
	m.LightSize(1, w8, h8, []uint8{0}, told)
	m.Faces[1].LightOfs = 25
	coarse := int32(len(m.Lighting))
	m.LightSize(0, 2, 2, []uint8{0}, told)
	m.Faces[0].LightOfs = 0
	offsets := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(coarse)), uint32(fine))
	m.Blocks = []qbsp.Block{{Name: "LMSHIFT", Content: []byte{6, 3}}, {Name: "LMOFFSET", Content: offsets},
		{Name: "RGBLIGHTING", Content: qbsp.Bytes(m.Lighting)}}
	w := decode(t, m.Write(qbsp.Quake))
	wantIssues(t, w)
	wantLight(t, "of 64", w, 0, 2, 2, 0)
	wantLight(t, "of 8", w, 1, 9, 9, 0)
	// The square at 64 0 is 64 units wide, so its corner at 128 0 is at 8 steps.
	if c := polygon(t, w, 1)[1]; c.Position != (vec3{128, 0, 0}) || c.Luxel != (vec2{8.5, 8.5}) {
		t.Errorf("%+v", c)
	}
}

// DECOUPLED_LM places luxels on a face: here 64 units are two luxels to the right and three down, along the texture's axes.
func TestBSPXDecoupledLight(t *testing.T) {
	m := two(bricks)
	m.LightSize(0, 3, 4, []uint8{0}, told)
	m.LightSize(1, 3, 4, []uint8{1, 0}, told)
	record := func(offset uint32, x float32) []byte {
		b := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, 3), 4)
		b = binary.LittleEndian.AppendUint32(b, offset)
		for _, f := range []float32{2.0 / 64, 0, 0, -x * 2 / 64, 0, -3.0 / 64, 0, 3} {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
		return b
	}
	m.Blocks = []qbsp.Block{{Name: "DECOUPLED_LM", Content: append(record(0, 0), record(12, 64)...)}}
	m.Faces[0].LightOfs, m.Faces[1].LightOfs = -1, -1
	for _, v := range []qbsp.Variant{qbsp.Quake, qbsp.BSP2} {
		w := decode(t, m.Write(v))
		wantIssues(t, w)
		wantLight(t, "first", w, 0, 3, 4, 0)
		wantLight(t, "second", w, 1, 3, 4, 0, 1)
		for k, want := range []vec2{{0.5, 3.5}, {2.5, 3.5}, {2.5, 0.5}, {0.5, 0.5}} {
			if got := polygon(t, w, 1)[k].Luxel; got != want {
				t.Errorf("corner %d: %v, want %v", k, got, want)
			}
		}
	}
	copy(m.Blocks[0].Content, []byte{0, 0})
	w := decode(t, m.Write(qbsp.Quake))
	wantIssues(t, w, "light-range: face 0: 0 x 4 luxels in 1 styles at byte 0 are outside the light of 36 bytes: it is bright")
}

// Directions are stored along the texture's axes: U, against V, and the normal. On the floor U is +X and V is -Y.
func TestDirections(t *testing.T) {
	m := floor(bricks)
	m.Light(0, []uint8{0, 7}, told)
	dirs := make([]qbsp.RGB, len(m.Lighting))
	copy(dirs, []qbsp.RGB{{255, 128, 128}, {128, 255, 128}, {128, 128, 255}, {128, 128, 128}, {0, 128, 128}})
	dirs[25] = qbsp.RGB{128, 0, 128}
	want := map[[2]int]vec3{{0, 0}: {1, 0, 0}, {0, 1}: {0, 1, 0}, {0, 2}: {0, 0, 1}, {0, 3}: {}, {0, 4}: {-1, 0, 0}, {1, 0}: {0, -1, 0}}
	check := func(what string, w *decoding.Map) {
		t.Helper()
		wantIssues(t, w)
		layers := w.Baked.Charts[0].Layers
		if len(layers) != 4 || layers[0].Basis != world.Flat || layers[1].Basis != world.Direction || layers[3].Basis != world.Direction ||
			layers[3].Style != 7 {
			t.Fatalf("%s: %d layers", what, len(layers))
		}
		for at, d := range want {
			got := layers[1+2*at[0]].Luxels[at[1]].Float32()
			for k := range got {
				if math.Abs(float64(got[k]-d[k])) > 0.006 {
					t.Errorf("%s: luxel %v: %v, want %v", what, at, got, d)
				}
			}
		}
	}
	m.Blocks = []qbsp.Block{{Name: "LIGHTINGDIR", Content: qbsp.Bytes(dirs)}}
	for _, v := range []qbsp.Variant{qbsp.Quake, qbsp.BSP2, qbsp.HalfLife, qbsp.Quake2} {
		check("BSPX", decode(t, m.Write(v)))
	}
	m.Blocks, m.Directions = nil, dirs
	check("30", decode(t, m.Write(qbsp.Xash30)))
	check("31", decode(t, m.Write(qbsp.Xash31)))
	m.Directions = dirs[:9]
	w := decode(t, m.Write(qbsp.Xash30))
	wantIssues(t, w, "light-directions: extra lump 0 (directions): are left out: 27 bytes for 50 luxels")
	wantLight(t, "without", w, 0, 5, 5, 0, 7)
}

// The last sun counts. 255 * 127 / 255 is 127: 264 * (127/114)^0.6 is 281.6; 228 * 127 / 255 is 113, 262.6; both are cut off. Its pitch of
// -30 points down.
func TestModelsInTheSun(t *testing.T) {
	suns := []qbsp.Entity{{{"classname", "light_environment"}, {"_light", "1 1 1"}},
		{{"classname", "light_environment"}, {"_light", "255 228 0 127"}, {"angles", "0 90 0"}, {"pitch", "-30"}}}
	f := decodeOptions(t, with(suns...).Write(qbsp.HalfLife), goldsrc.Options{Overbright: -1}).Ambient.Floor
	if f == nil || f.Gain != 0.75 || f.Spread != 16 || f.Sun == nil {
		t.Fatalf("%+v", f)
	}
	want := world.Sun{Color: vec3{281.0 / 255, 262.0 / 255, 0}, Direction: vec3{0, 0.8660254, -0.5}}
	for k := range 3 {
		if math.Abs(float64(f.Sun.Color[k]-want.Color[k])) > 1e-6 || math.Abs(float64(f.Sun.Direction[k]-want.Direction[k])) > 1e-6 {
			t.Errorf("%+v, want %+v", f.Sun, want)
		}
	}
	// The game takes the keys in their order: angles after pitch have the pitch, and angle after them the yaw.
	ordered := qbsp.Entity{{"classname", "light_environment"}, {"_light", "255 228 0 127"}, {"pitch", "-30"}, {"angles", "-60 0 0"}, {"angle", "180"}}
	f = decodeOptions(t, with(ordered).Write(qbsp.HalfLife), goldsrc.Options{Overbright: -1}).Ambient.Floor
	if d := f.Sun.Direction; math.Abs(float64(d[0]+0.5)) > 1e-6 || math.Abs(float64(d[2]+0.8660254)) > 1e-6 {
		t.Errorf("in the order of the keys: %v", d)
	}
	dark := append(suns, qbsp.Entity{{"classname", "light_environment"}})
	if f := decode(t, with(dark...).Write(qbsp.HalfLife)).Ambient.Floor; f == nil || f.Sun != nil {
		t.Errorf("%+v", f)
	}
	if f := decode(t, with(suns...).Write(qbsp.Quake)).Ambient.Floor; f != nil {
		t.Errorf("%+v", f)
	}
}

// A liquid that shows no light has some for models above it, if it looks up and its texinfo does not say otherwise.
func TestLightOfLiquidsOnModels(t *testing.T) {
	m, water := floor(bricks), qbsp.Texture{Name: "!water", Width: 64, Height: 64}
	m.Polygon(m.Project(water, vec3{0, 0, 1}, 0), square(0, 0, 8)...)
	m.Polygon(m.Project(water, vec3{0, 0, -1}, 0), [][3]float32{{0, 0, 16}, {64, 0, 16}, {64, 64, 16}, {0, 64, 16}}...)
	m.Polygon(m.Project(water, vec3{0, 0, 1}, 1), square(0, 0, 24)...)
	m.Polygon(m.Project(water, vec3{0, 0, 1}, 0), square(0, 0, 32)...) // dark
	for i := range 4 {
		m.Light(i, []uint8{0}, even(uint8(100+i)))
	}
	w := decode(t, m.Write(qbsp.HalfLife))
	wantIssues(t, w)
	hidden := w.Ambient.Floor.Hidden
	if len(hidden) != 2 || hidden[0].Shape.Corners[0].Position[2] != 8 || hidden[1].Shape.Corners[0].Position[2] != 32 {
		t.Fatalf("%+v", hidden)
	}
	wet, dry := hidden[0].Chart.Layers[0].Luxels[0].Float32(), w.Baked.Charts[0].Layers[0].Luxels[0].Float32()
	if !(wet[0] > dry[0]) || hidden[1].Chart.Layers[0].Luxels[0].Float32() != (vec3{}) || len(w.Baked.Charts) != 1 {
		t.Errorf("a light of %v, %v, floor %v; %d charts", wet, hidden[1].Chart, dry, len(w.Baked.Charts))
	}
	if a, b := w.Models[0].Surfaces[1].Shape.(*world.Polygon), hidden[0].Shape; a.Corners[0].Luxel == b.Corners[2].Luxel ||
		a.Corners[0].Position != b.Corners[0].Position {
		t.Errorf("corners %v, %v", a.Corners[0], b.Corners[0])
	}
	if f := decode(t, m.Write(qbsp.Quake)).Ambient.Floor; f != nil {
		t.Errorf("%+v", f)
	}
}
