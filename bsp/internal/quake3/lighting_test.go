package quake3_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/quake3"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/testdata/build/ibsp"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// plain returns a page of one colour.
func plain(side int, r, g, b byte) []byte { return bytes.Repeat([]byte{r, g, b}, side*side) }

func picture(t *testing.T, side int, r, g, b byte) *fstest.MapFile {
	t.Helper()
	im := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			im.Set(x, y, color.NRGBA{r, g, b, 255})
		}
	}
	var file bytes.Buffer
	if err := png.Encode(&file, im); err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: file.Bytes()}
}

// lights returns the material's lighting and the chart of each surface of the world.
func lights(w *decoding.Map) (list []string) {
	for _, s := range w.Models[0].Surfaces {
		list = append(list, fmt.Sprintf("%s %d", w.Materials[s.Material].Lighting, s.Chart))
	}
	return list
}

func wantLights(t *testing.T, w *decoding.Map, want ...string) {
	t.Helper()
	if got := lights(w); !reflect.DeepEqual(got, want) {
		t.Errorf("lit by %q, want %q", got, want)
	}
}

// luxel returns a corner's light of a chart, as 8 bits.
func luxel(c world.Chart, layer int) [3]int {
	l := c.Layers[layer].Luxels[0].Float32()
	return [3]int{int(l[0]*255 + 0.5), int(l[1]*255 + 0.5), int(l[2]*255 + 0.5)}
}

// Pages are charts in their order; those that no surface shows are left out.
func TestPages(t *testing.T) {
	m := mapOf(litBy(3), litBy(1), litBy(3))
	for i := range 5 {
		m.Pages = append(m.Pages, plain(128, byte(51*i), 0, 0))
	}
	w := decode(t, m.Write(ibsp.Quake3))
	wantLights(t, w, "lightmap 1", "lightmap 0", "lightmap 1")
	if len(w.Baked.Charts) != 2 {
		t.Fatalf("%d charts", len(w.Baked.Charts))
	}
	// 51/255 = 0.2 is 0.0331 = 8.4/255, 153/255 = 0.6 is 0.3185 = 81.2/255.
	for i, want := range [][3]int{{8, 0, 0}, {81, 0, 0}} {
		c := w.Baked.Charts[i]
		if c.Width != 128 || c.Height != 128 || len(c.Layers) != 1 || len(c.Layers[0].Luxels) != 128*128 || luxel(c, 0) != want {
			t.Errorf("chart %d: %d x %d, %v, want %v", i, c.Width, c.Height, luxel(c, 0), want)
		}
	}
	wantIssues(t, w)
}

func TestPagesAreRowByRow(t *testing.T) {
	page := make([]byte, 512*512*3)
	page[(3*512+7)*3+1] = 255 // row 3, column 7
	m := mapOf(litBy(0))
	m.Pages = [][]byte{page}
	w := decode(t, m.Write(ibsp.QFusion))
	if c := w.Baked.Charts[0]; c.Width != 512 || c.Layers[0].Luxels[3*512+7] != world.NewRGB(0, 1, 0) {
		t.Error("the luxel is not there")
	}
}

func TestWaysToHaveNoLightmap(t *testing.T) {
	m := mapOf(litBy(-3), litBy(-1), litBy(-2), litBy(1), litBy(-4), litBy(0))
	m.Pages = [][]byte{plain(128, 1, 1, 1)}
	data := m.Write(ibsp.Quake3)
	w := decode(t, data)
	wantLights(t, w, "vertex -1", "vertex -1", "fullbright -1", "vertex -1", "vertex -1", "lightmap 0")
	wantIssues(t, w,
		"lightmap-missing: lightmaps: surfaces show 1 pages that are neither among the 1 of the map nor beside it as maps/x/lm_NNNN")
}

func TestRestOfAPage(t *testing.T) {
	m := mapOf(litBy(0))
	m.Pages = [][]byte{plain(128, 1, 1, 1), {1, 2, 3, 4, 5}}
	w := decode(t, m.Write(ibsp.Quake3))
	wantLights(t, w, "lightmap 0")
	wantIssues(t, w, "lightmap-size: lump 14 (lightmaps): 5 bytes behind the last whole page of 49152 were left out")
}

func TestExternalPages(t *testing.T) {
	m := mapOf(litBy(0), litBy(2), litBy(3))
	s := &m.Models[0].Surfaces[1]
	s.Vertices[1].Light[0] = vec2{0.5, 0.25}
	files := fstest.MapFS{"maps/x/lm_0000.png": picture(t, 8, 255, 0, 0), "maps/x/lm_0001.png": picture(t, 8, 9, 9, 9),
		"maps/x/lm_0002.png": picture(t, 32, 0, 255, 0)}
	w := decodeOptions(t, m.Write(ibsp.Quake3), quake3.Options{Name: "x", Files: files})
	wantLights(t, w, "lightmap 0", "lightmap 1", "vertex -1")
	if c := w.Baked.Charts; len(c) != 2 || c[0].Width != 8 || luxel(c[0], 0) != [3]int{255, 0, 0} || c[1].Width != 32 ||
		luxel(c[1], 0) != [3]int{0, 255, 0} {
		t.Errorf("%d charts", len(c))
	}
	if got := triangles(t, w, 1).Vertices[1].Luxel; got != (vec2{16, 8}) {
		t.Error(got)
	}
	wantIssues(t, w,
		"lightmap-missing: lightmaps: surfaces show 1 pages that are neither among the 0 of the map nor beside it as maps/x/lm_NNNN")
}

// Images go on where the lump ends.
func TestInternalThenExternalPages(t *testing.T) {
	m := mapOf(litBy(0), litBy(1))
	m.Pages = [][]byte{plain(128, 255, 255, 255)}
	files := fstest.MapFS{"maps/x/lm_0000.png": picture(t, 8, 9, 9, 9), "maps/x/lm_0001.png": picture(t, 8, 255, 0, 0)}
	w := decodeOptions(t, m.Write(ibsp.Quake3), quake3.Options{Name: "x", Files: files})
	wantLights(t, w, "lightmap 0", "lightmap 1")
	if w.Baked.Charts[0].Width != 128 || luxel(w.Baked.Charts[1], 0) != [3]int{255, 0, 0} {
		t.Error(w.Baked.Charts[0].Width, luxel(w.Baked.Charts[1], 0))
	}
	wantIssues(t, w)
}

func TestBrokenExternalPage(t *testing.T) {
	files := fstest.MapFS{"maps/x/lm_0000.png": &fstest.MapFile{Data: []byte("\x89PNG\r\n\x1a\nrest")}}
	w := decodeOptions(t, mapOf(litBy(0)).Write(ibsp.Quake3), quake3.Options{Name: "x", Files: files})
	wantLights(t, w, "vertex -1")
	if len(w.Issues) != 2 || w.Issues[0].Code != "lightmap-image" || w.Issues[0].Where != "maps/x/lm_0000.png" ||
		w.Issues[1].Code != "lightmap-missing" {
		t.Errorf("%q", issues(w))
	}
}

// A surface without a page takes the image that its shader maps with the lightmap coordinates.
func TestLightmapsThatScriptsName(t *testing.T) {
	m := mapOf(litBy(-3), litBy(-3), litBy(-3), litBy(-3), litBy(-2))
	for i, name := range []string{"x/one", "x/two", "x/one", "x/none", "x/one"} {
		m.Models[0].Surfaces[i].Shader = m.Shader(name, 0, 0)
	}
	m.Shader("textures/a", 0, 0)
	s := &m.Models[0].Surfaces[1]
	s.Vertices[1].Light[0] = vec2{0.5, 1}
	files := fstest.MapFS{"maps/x/lm_0000.png": picture(t, 16, 255, 0, 0)}
	asked := map[string]int{}
	w := decodeOptions(t, m.Write(ibsp.Quake3), quake3.Options{Name: "x", Files: files, LightImage: func(name string) string {
		asked[name]++
		return map[string]string{"x/one": "maps/x/lm_0000.tga", "x/two": "maps/x/lm_0000.tga", "x/none": "maps/x/lm_0009.tga"}[name]
	}})
	wantLights(t, w, "lightmap 0", "lightmap 0", "lightmap 0", "vertex -1", "fullbright -1")
	if !reflect.DeepEqual(asked, map[string]int{"x/one": 1, "x/two": 1, "x/none": 1}) {
		t.Errorf("asked for %v", asked)
	}
	if got := triangles(t, w, 1).Vertices[1].Luxel; len(w.Baked.Charts) != 1 || got != (vec2{8, 16}) {
		t.Errorf("%d charts, luxel %v", len(w.Baked.Charts), got)
	}
	wantIssues(t, w, "lightmap-missing: maps/x/lm_0009.tga: a script names it as the lightmap of a surface")
}

func TestFixtureWithExternalPages(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/features/maps/external.bsp")
	if err != nil {
		t.Fatal(err)
	}
	w := decodeOptions(t, data, quake3.Options{Name: "external", Files: os.DirFS("../../../testdata/features"), Overbright: 2})
	wantLights(t, w, "lightmap 0", "lightmap 1")
	if w.Baked.Charts[0].Width != 64 || w.Baked.Charts[1].Width != 64 {
		t.Error(w.Baked.Charts[0].Width, w.Baked.Charts[1].Width)
	}
	wantIssues(t, w)
}

// bases returns the layers of a world's charts.
func bases(w *decoding.Map) (list []string) {
	for _, c := range w.Baked.Charts {
		s := ""
		for _, l := range c.Layers {
			s += l.Basis.String() + " "
		}
		list = append(list, s)
	}
	return list
}

func TestDeluxe(t *testing.T) {
	light, dark, up, grey := plain(128, 200, 200, 200), plain(128, 0, 0, 0), plain(128, 128, 128, 255), plain(128, 128, 128, 128)
	pair, alone := "flat direction ", "flat "
	for _, c := range []struct {
		name  string
		keys  [2]string
		used  []int32
		pages [][]byte
		want  []string
	}{
		{"by key", [2]string{"deluxeMapping", "1"}, []int32{0}, [][]byte{light, grey}, []string{pair}},
		{"by command line", [2]string{"_q3map2_cmdline", "-meta; -light -fast -deluxe"}, []int32{0}, [][]byte{light, grey}, []string{pair}},
		{"by the odd rule", [2]string{}, []int32{0, 2}, [][]byte{light, up, light, up}, []string{pair, pair}},
		{"only what is lit counts", [2]string{}, []int32{0, 2}, [][]byte{dark, grey, light, up}, []string{pair, pair}},
		{"last direction is cut off", [2]string{}, []int32{0, 2}, [][]byte{light, up, light}, nil},
		{"last direction is cut off, by key", [2]string{"deluxeMapping", "1"}, []int32{0, 2}, [][]byte{light, up, light},
			[]string{pair, alone}},
		// ioquake3 takes it for one.
		{"page 0 of two", [2]string{}, []int32{0}, [][]byte{light, light}, []string{alone}},
		{"page 0 of two, in light that is as long as a vector", [2]string{}, []int32{0}, [][]byte{light, plain(128, 54, 54, 58)},
			[]string{alone}},
		{"page 0 of two, the other black", [2]string{}, []int32{0}, [][]byte{light, dark}, []string{alone}},
		{"nothing is lit", [2]string{}, []int32{0}, [][]byte{dark, up}, []string{alone}},
		{"odd page used", [2]string{"deluxeMapping", "1"}, []int32{0, 1}, [][]byte{light, up}, []string{alone, alone}},
		{"key says no", [2]string{"deluxeMapping", "0"}, []int32{0}, [][]byte{light, grey}, []string{alone}},
		{"another switch", [2]string{"_q3map2_cmdline", "-light -deluxemode 1"}, []int32{0}, [][]byte{light, grey}, []string{alone}},
		{"one page", [2]string{"deluxeMapping", "1"}, []int32{0}, [][]byte{light}, []string{alone}},
	} {
		m := mapOf()
		for _, p := range c.used {
			m.Models[0].Surfaces = append(m.Models[0].Surfaces, litBy(p))
		}
		m.Entities[0] = append(m.Entities[0], c.keys)
		m.Pages = c.pages
		if c.name == "last direction is cut off" {
			c.want = []string{alone, alone} // half of what is lit has no direction
		}
		w := decode(t, m.Write(ibsp.Quake3))
		if got := bases(w); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		// The same pages beside the map.
		m.Pages = nil
		files := fstest.MapFS{}
		for i, p := range c.pages {
			files[fmt.Sprintf("maps/x/lm_%04d.png", i)] = picture(t, 16, p[0], p[1], p[2])
		}
		w = decodeOptions(t, m.Write(ibsp.Quake3), quake3.Options{Name: "x", Files: files})
		if got := bases(w); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s, external: %q, want %q", c.name, got, c.want)
		}
		wantIssues(t, w)
	}
}

func TestDeluxeDirections(t *testing.T) {
	m := mapOf(litBy(0))
	m.Pages = [][]byte{plain(128, 200, 200, 200), plain(128, 255, 128, 128)}
	w := decode(t, m.Write(ibsp.Quake3))
	l := w.Baked.Charts[0].Layers
	if d := l[1].Luxels[77]; len(l) != 2 || d[0].Float32() < 0.9999 || len(l[1].Luxels) != 128*128 {
		t.Error(l[1].Luxels[77])
	}
}

// styledTriangle has light in styles, each on the page of its slot, at the same place.
func styledTriangle(styles ...uint8) ibsp.Surface {
	s := triangle()
	s.LightStyles, s.Page = [4]uint8{255, 255, 255, 255}, [4]int32{-3, -3, -3, -3}
	for k, style := range styles {
		s.LightStyles[k], s.Page[k] = style, int32(k)
		// A rectangle of the luxels 10 to 18 by 20 to 24.
		for i, lm := range []vec2{{10.5, 20.5}, {18.5, 20.5}, {10.5, 24.5}} {
			s.Vertices[i].Light[k] = vec2{lm[0] / 128, lm[1] / 128}
		}
	}
	s.VertexStyles = s.LightStyles
	return s
}

// coordinates returns a page whose luxels are their own coordinates.
func coordinates(blue byte) []byte {
	p := make([]byte, 128*128*3)
	for i := range 128 * 128 {
		p[3*i], p[3*i+1], p[3*i+2] = byte(i%128), byte(i/128), blue
	}
	return p
}

// linear is 8-bit sRGB as linear light.
var linear = func() (table [256]float64) {
	for i := range table {
		c := float64(i) / 255
		if table[i] = c / 12.92; c > 0.04045 {
			table[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return table
}()

// at turns a luxel back into the bytes it is from.
func at(l world.RGB) [3]int {
	var out [3]int
	for k, v := range l.Float32() {
		for i, c := range linear {
			if math.Abs(c-float64(v)) < math.Abs(linear[out[k]]-float64(v)) {
				out[k] = i
			}
		}
	}
	return out
}

// A surface with two styles has a chart of its own, cut from its pages by the lightmap coordinates: q3map2 leaves the
// rectangle of the record empty.
func TestStyles(t *testing.T) {
	two := styledTriangle(0, 7)
	for i := range two.Vertices { // the second lies 30 luxels to the right and 40 down
		lm := &two.Vertices[i].Light[1]
		lm[0], lm[1] = lm[0]+30.0/128, lm[1]+40.0/128
	}
	m := mapOf(two, two, litBy(0))
	m.Pages = [][]byte{coordinates(1), coordinates(2)}
	w := decode(t, m.Write(ibsp.Raven))
	wantLights(t, w, "lightmap 1", "lightmap 1", "lightmap 0") // the page first; the same rectangle once
	wantIssues(t, w)
	c := w.Baked.Charts[1]
	// The filter takes the luxels 10 to 19 and 20 to 25.
	if c.Width != 10 || c.Height != 6 || len(c.Layers) != 2 || c.Layers[0].Style != 0 || c.Layers[1].Style != 7 {
		t.Fatalf("%d x %d, %d layers", c.Width, c.Height, len(c.Layers))
	}
	if a, b := at(c.Layers[0].Luxels[0]), at(c.Layers[1].Luxels[0]); a != [3]int{10, 20, 1} || b != [3]int{40, 60, 2} {
		t.Error(a, b)
	}
	if a, b := at(c.Layers[0].Luxels[59]), at(c.Layers[1].Luxels[59]); a != [3]int{19, 25, 1} || b != [3]int{49, 65, 2} {
		t.Error(a, b)
	}
	// 10.5 on the page is 0.5 on the chart.
	for i, want := range []vec2{{0.5, 0.5}, {8.5, 0.5}, {0.5, 4.5}} {
		if got := triangles(t, w, 0).Vertices[i].Luxel; math.Abs(float64(got[0]-want[0]))+math.Abs(float64(got[1]-want[1])) > 1e-4 {
			t.Errorf("vertex %d: %v, want %v", i, got, want)
		}
	}
}

// A style that is the same all over has one luxel, wherever it is.
func TestSolidStyles(t *testing.T) {
	for _, c := range []struct {
		name  string
		solid int
		want  [2][3]int // of the last luxel
	}{
		{"second", 1, [2][3]int{{19, 25, 1}, {50, 60, 2}}},
		{"first", 0, [2][3]int{{50, 60, 1}, {19, 25, 2}}},
	} {
		s := styledTriangle(0, 7)
		for i := range s.Vertices {
			s.Vertices[i].Light[c.solid] = vec2{50.5 / 128, 60.5 / 128}
		}
		m := mapOf(s)
		m.Pages = [][]byte{coordinates(1), coordinates(2)}
		w := decode(t, m.Write(ibsp.Raven))
		chart := w.Baked.Charts[0]
		if chart.Width != 10 || len(chart.Layers) != 2 || at(chart.Layers[0].Luxels[59]) != c.want[0] ||
			at(chart.Layers[1].Luxels[59]) != c.want[1] {
			t.Errorf("%s: %d x %d, %d layers", c.name, chart.Width, chart.Height, len(chart.Layers))
		}
		wantIssues(t, w)
	}
}

func TestStyleZeroComesFirst(t *testing.T) {
	m := mapOf(styledTriangle(5, 0), styledTriangle(9))
	m.Pages = [][]byte{coordinates(1), coordinates(2)}
	w := decode(t, m.Write(ibsp.Raven))
	wantIssues(t, w)
	if c := w.Baked.Charts; len(c) != 2 || c[0].Layers[0].Style != 0 || c[0].Layers[1].Style != 5 || len(c[1].Layers) != 1 ||
		c[1].Layers[0].Style != 9 {
		t.Errorf("%d charts", len(c))
	}
	if got := at(w.Baked.Charts[0].Layers[0].Luxels[0]); got != [3]int{10, 20, 2} {
		t.Error(got)
	}
}

// Only slot 1 holds light: its coordinates count.
func TestFirstSlotIsEmpty(t *testing.T) {
	s := styledTriangle(0, 0)
	s.LightStyles[0], s.Vertices[0].Light[1] = 255, vec2{0.5, 0.25}
	m := mapOf(s)
	m.Pages = [][]byte{coordinates(1), coordinates(2)}
	w := decode(t, m.Write(ibsp.Raven))
	wantLights(t, w, "lightmap 0")
	if got := triangles(t, w, 0).Vertices[0].Luxel; got != (vec2{64, 32}) || luxel(w.Baked.Charts[0], 0)[2] != 0 ||
		at(w.Baked.Charts[0].Layers[0].Luxels[5]) != [3]int{5, 0, 2} {
		t.Error(got)
	}
}

func TestStylesThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*ibsp.Surface)
		layers int
		want   []string
	}{
		{"outside", func(s *ibsp.Surface) {
			for i := range s.Vertices {
				s.Vertices[i].Light[1][0] += 112.0 / 128
			}
		}, 1, []string{"light-style: face 0: style 7 on lightmap page 1 does not lie over style 0"}},
		{"another size", func(s *ibsp.Surface) { s.Vertices[1].Light[1][0] += 3.0 / 128 }, 1,
			[]string{"light-style: face 0: style 0 on lightmap page 0 does not lie over style 7"}},
		{"no such page", func(s *ibsp.Surface) { s.Page[1] = 5 }, 1, []string{
			"lightmap-missing: lightmaps: surfaces show 1 pages that are neither among the 2 of the map nor beside it as maps/x/lm_NNNN",
			"light-style: face 0: style 7 is on lightmap page 5, which is not there"}},
		{"not a number", func(s *ibsp.Surface) { s.Vertices[2].Light[1][0] = float32(math.NaN()) }, 0,
			[]string{"light-style: face 0: style 7 has lightmap coordinates that are not numbers"}},
	} {
		s := styledTriangle(0, 7)
		c.change(&s)
		m := mapOf(s)
		m.Pages = [][]byte{coordinates(1), coordinates(2)}
		w := decode(t, m.Write(ibsp.Raven))
		if c.layers == 0 {
			wantLights(t, w, "vertex -1")
			wantIssues(t, w, c.want...)
			continue
		}
		if len(w.Baked.Charts) != 1 || len(w.Baked.Charts[0].Layers) != c.layers {
			t.Errorf("%s: %d charts", c.name, len(w.Baked.Charts))
		}
		if got := issues(w); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestStylesOfVertices(t *testing.T) {
	s := triangle()
	s.VertexStyles = [4]uint8{255, 0, 32, 255}
	s.Vertices[0].Color = [4][4]uint8{{9, 9, 9, 9}, {255, 0, 255, 255}, {1, 1, 1, 1}, {2, 2, 2, 2}}
	s.Vertices[1].Color = [4][4]uint8{{9, 9, 9, 9}, {100, 0, 0, 51}, {100, 50, 0, 255}, {2, 2, 2, 2}}
	m := mapOf(s)
	w := decode(t, m.Write(ibsp.Raven))
	if got := triangles(t, w, 0).Vertices[0].Color; got != [4]float32{1, float32(gamma.Decode(1.0 / 255)), 1, 1} { // 255+1 ends at 255
		t.Error(got)
	}
	if got, want := triangles(t, w, 0).Vertices[1].Color,
		[4]float32{float32(gamma.Decode(200.0 / 255)), float32(gamma.Decode(50.0 / 255)), 0, 0.2}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	wantIssues(t, w)
	// A lamp that starts off takes its style's light away: 100 remain.
	m.Entities = append(m.Entities, ibsp.Entity{{"classname", "light"}, {"targetname", "x"}, {"style", "32"}, {"spawnflags", "4"}})
	w = decode(t, m.Write(ibsp.Raven))
	if got, want := triangles(t, w, 0).Vertices[1].Color[0], float32(gamma.Decode(100.0/255)); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// A sample of the grid is the sum of its styles: 20 + 0.48·100 = 68 and 40 + 0.48·50 = 64 where style 1 is m alone.
func TestStylesOfTheGrid(t *testing.T) {
	m := lit(vec3{0, 0, 0}, vec3{63, 63, 63}, 1)
	m.Entities[0] = append(m.Entities[0], [2]string{"ls_1r", "m"}, [2]string{"ls_1g", "m"}, [2]string{"ls_1b", "z"})
	m.Grid[0] = ibsp.GridPoint{Styles: [4]uint8{0, 1, 255, 255}, Ambient: [4][3]uint8{{20, 0, 0}, {100, 0, 7}, {9, 9, 9}},
		Directed: [4][3]uint8{{0, 40, 0}, {0, 50, 0}}}
	g := decode(t, m.Write(ibsp.Raven)).Ambient.Grid
	if g.Ambient[0] != [3]uint8{68, 0, 7} || g.Directed[0] != [3]uint8{0, 64, 0} || g.Scale != 1 {
		t.Errorf("%v %v, scale %g", g.Ambient[0], g.Directed[0], g.Scale)
	}
}

// Raven's engine skips a sample whose first style is none, and counts a black one; the others skip one without ambient light.
func TestSamplesOfTheGridInWalls(t *testing.T) {
	for _, c := range []struct {
		what    string
		variant ibsp.Variant
		sample  ibsp.GridPoint
		want    [3]uint8
	}{
		{"Raven, no first style", ibsp.Raven, ibsp.GridPoint{Styles: [4]uint8{255, 0, 255, 255},
			Ambient: [4][3]uint8{{20, 20, 20}, {30, 30, 30}}}, [3]uint8{}},
		{"Raven, black", ibsp.Raven, ibsp.GridPoint{Styles: [4]uint8{0, 255, 255, 255}}, [3]uint8{1, 1, 1}},
		{"QFusion, no first style", ibsp.QFusion, ibsp.GridPoint{Styles: [4]uint8{255, 0, 255, 255},
			Ambient: [4][3]uint8{{}, {10, 10, 10}}}, [3]uint8{10, 10, 10}},
		{"QFusion, black", ibsp.QFusion, ibsp.GridPoint{Styles: [4]uint8{0, 255, 255, 255}}, [3]uint8{}},
	} {
		m := lit(vec3{0, 0, 0}, vec3{63, 63, 63}, 1)
		m.Grid[0] = c.sample
		if got := decode(t, m.Write(c.variant)).Ambient.Grid.Ambient[0]; got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

func TestDeluxeWithStyles(t *testing.T) {
	s := styledTriangle(0, 3)
	s.Page = [4]int32{0, 2, -3, -3}
	m := mapOf(s)
	m.Entities[0] = append(m.Entities[0], [2]string{"deluxeMapping", "1"})
	m.Pages = [][]byte{coordinates(1), plain(128, 255, 128, 128), coordinates(2), plain(128, 128, 255, 128)}
	w := decode(t, m.Write(ibsp.Raven))
	l := w.Baked.Charts[0].Layers
	if len(w.Baked.Charts) != 1 || len(l) != 4 || l[1].Basis != world.Direction || l[1].Style != 0 || l[3].Basis != world.Direction ||
		l[3].Style != 3 || l[3].Luxels[0][1].Float32() < 0.99 {
		t.Errorf("%d charts, %q", len(w.Baked.Charts), bases(w))
	}
}

func TestVertexColoursAreOverbright(t *testing.T) {
	s := triangle()
	s.Vertices[0].Color[0] = [4]uint8{128, 64, 0, 128} // << 1: 256 128 0, over 256: 255 127 0
	w, err := decodeWith(mapOf(s).Write(ibsp.Quake3), limit.NewBudget(limit.Limits{}), quake3.Options{Overbright: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := triangles(t, w, 0).Vertices[0].Color
	if at(world.NewRGB(c[0], c[1], c[2])) != [3]int{255, 127, 0} || c[3] != float32(128)/255 {
		t.Error(c)
	}
}
