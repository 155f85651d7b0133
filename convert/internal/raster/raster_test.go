package raster

import (
	"bytes"
	"context"
	"image"
	"math"
	"runtime"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

var still = space.Identity

// eye is at the origin and looks along -Z: at a distance of 1 it sees from -1 to 1.
var eye = Camera{Forward: [3]float64{0, 0, -1}, Up: [3]float64{0, 1, 0}, FovY: math.Pi / 2, Near: 0.01}

// quad returns a square across the view at a distance, from -size to size, whose front faces the eye.
func quad(size, distance float32, material int) Mesh {
	return Mesh{
		Material:  material,
		Positions: [][3]float32{{-size, -size, -distance}, {size, -size, -distance}, {size, size, -distance}, {-size, size, -distance}},
		UV:        [][2]float32{{0, 1}, {1, 1}, {1, 0}, {0, 0}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
	}
}

func plain(r, g, b, a float32) Material {
	none := Texture{Image: None}
	return Material{Base: none, Light: none, Emissive: none, Factor: [4]float32{r, g, b, a}}
}

func pixels(w, h int, rgba ...uint8) func() (*image.NRGBA, error) {
	return func() (*image.NRGBA, error) {
		im := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range im.Pix {
			im.Pix[i] = rgba[i%len(rgba)]
		}
		return im, nil
	}
}

func draw(t *testing.T, s *Scene, size int) *image.NRGBA {
	t.Helper()
	for i := range s.Meshes {
		s.Instances = append(s.Instances, Instance{Mesh: i, Matrix: still})
	}
	im, err := Draw(t.Context(), s, eye, size, size)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

func at(im *image.NRGBA, x, y int) [3]uint8 { return [3]uint8(im.Pix[im.PixOffset(x, y):]) }

func TestNearestHides(t *testing.T) {
	s := &Scene{
		Materials: []Material{plain(1, 0, 0, 1), plain(0, 1, 0, 1)}, Background: [3]uint8{1, 2, 3},
		Meshes: []Mesh{quad(0.5, 1, 0), quad(10, 20, 1)}, // the second is seen from -0.5 to 0.5 too
	}
	s.Meshes[1].Positions[2][0], s.Meshes[1].Positions[1][0] = 15, 15 // and on the right to 0.75
	im := draw(t, s, 8)
	for x, want := range [][3]uint8{{1, 2, 3}, {1, 2, 3}, {255, 0, 0}, {255, 0, 0}, {255, 0, 0}, {255, 0, 0}, {0, 255, 0}, {1, 2, 3}} {
		if got := at(im, x, 4); got != want {
			t.Errorf("pixel %d is %v, want %v", x, got, want)
		}
	}
}

func TestBacksAreNotDrawn(t *testing.T) {
	for _, twoSided := range []bool{false, true} {
		m := plain(1, 1, 1, 1)
		m.TwoSided = twoSided
		s := &Scene{Materials: []Material{m}, Meshes: []Mesh{quad(2, 1, 0)}}
		s.Meshes[0].Indices = []uint32{2, 1, 0, 3, 2, 0}
		if got := at(draw(t, s, 4), 1, 1) == [3]uint8{255, 255, 255}; got != twoSided {
			t.Errorf("two-sided %v: drawn is %v", twoSided, got)
		}
	}
}

// The two triangles of a square share their diagonal: were a sample on it drawn twice, it would be brighter.
func TestTrianglesShareEdgesWithoutOverlap(t *testing.T) {
	m := plain(1, 1, 1, 0.5)
	m.Alpha = Blend
	im := draw(t, &Scene{Materials: []Material{m}, Meshes: []Mesh{quad(1, 1, 0)}}, 16)
	for i := 0; i < len(im.Pix); i += 4 {
		if im.Pix[i] != 128 { // half of white over black, as displayed
			t.Fatalf("pixel %d, %d is %d, want 128", i/4%16, i/4/16, im.Pix[i])
		}
	}
}

func TestBlendsFarToNear(t *testing.T) {
	near, far := plain(1, 0, 0, 0.5), plain(0, 1, 0, 0.5)
	near.Alpha, far.Alpha = Blend, Blend
	s := &Scene{Materials: []Material{near, far}, Meshes: []Mesh{quad(2, 1, 0), quad(9, 2, 1)}}
	if got := at(draw(t, s, 4), 1, 1); got != [3]uint8{128, 64, 0} {
		t.Errorf("got %v, want half of red over half of green", got)
	}
}

func TestMaskHasHoles(t *testing.T) {
	m := plain(1, 1, 1, 1)
	m.Base.Image, m.Alpha, m.Cutoff = 0, Mask, 0.5
	s := &Scene{
		Materials: []Material{m}, Meshes: []Mesh{quad(1, 1, 0)}, Background: [3]uint8{9, 9, 9},
		Images: []func() (*image.NRGBA, error){pixels(2, 1, 255, 255, 255, 0, 255, 255, 255, 255)},
	}
	im := draw(t, s, 16)
	if l, r := at(im, 5, 8), at(im, 11, 8); l != [3]uint8{9, 9, 9} || r != [3]uint8{255, 255, 255} {
		t.Errorf("left is %v and right %v, want the background and white", l, r)
	}
}

// A floor below the eye reaches from behind it to the horizon: clipped at the eye, and seen up to the middle of the picture.
func TestClipsAtTheEye(t *testing.T) {
	floor := Mesh{Positions: [][3]float32{{-9999, -1, 9999}, {9999, -1, 9999}, {9999, -1, -9999}, {-9999, -1, -9999}},
		Indices: []uint32{0, 1, 2, 0, 2, 3}}
	im := draw(t, &Scene{Materials: []Material{plain(1, 1, 1, 1)}, Meshes: []Mesh{floor}}, 8)
	for y := range 8 {
		want := uint8(0)
		if y >= 4 {
			want = 255
		}
		if got := at(im, 3, y)[0]; got != want {
			t.Errorf("row %d is %d, want %d", y, got, want)
		}
	}
}

// On a floor the texture's middle is at half of its far edge's distance, not at half of its height on the screen.
func TestInterpolatesInPerspective(t *testing.T) {
	m := plain(1, 1, 1, 1)
	m.Base.Image, m.Base.Clamp = 0, true
	floor := Mesh{
		Positions: [][3]float32{{-9, -1, -1}, {9, -1, -1}, {9, -1, -3}, {-9, -1, -3}},
		UV:        [][2]float32{{0, 0}, {0, 0}, {1, 0}, {1, 0}}, Indices: []uint32{0, 1, 2, 0, 2, 3},
	}
	s := &Scene{Materials: []Material{m}, Meshes: []Mesh{floor},
		Images: []func() (*image.NRGBA, error){pixels(2, 1, 0, 0, 0, 255, 255, 255, 255, 255)}}
	im := draw(t, s, 64)
	// The middle, at a distance of 2, is at y = -1/2 of the view: between rows 47 and 48. There the two texels are mixed half
	// and half in linear light, which is 188.
	if got := (int(at(im, 32, 47)[0]) + int(at(im, 32, 48)[0])) / 2; got < 186 || got > 190 {
		t.Errorf("the middle is %d, want about 188", got)
	}
}

// Far away a black and white texture is their average in linear light.
func TestFarTexturesAreAveraged(t *testing.T) {
	m := plain(1, 1, 1, 1)
	m.Base.Image, m.Base.UV = 0, [6]float64{64, 0, 0, 0, 64, 0}
	s := &Scene{Materials: []Material{m}, Meshes: []Mesh{quad(1, 1, 0)},
		Images: []func() (*image.NRGBA, error){pixels(2, 2, 0, 0, 0, 255, 255, 255, 255, 255)}}
	if got := at(draw(t, s, 16), 8, 8)[0]; got != 188 {
		t.Errorf("got %d, want 188", got)
	}
}

// The numbers are those of the table in docs/internals/light.md.
func TestLight(t *testing.T) {
	texture := float32(gamma.Decode(0.6))
	for _, test := range []struct {
		intensity float32
		display   *Display
		want      float64
	}{
		{1, &Display{Albedo: 0.35, Exponent: 1}, 0.4271},
		{4, &Display{Albedo: 0.35, Exponent: 1}, 0.8347},
		{1, &Display{Albedo: 0.35, Exponent: 0.8}, 0.3834},
		{1, nil, gamma.Encode(gamma.Decode(0.6) * gamma.Decode(188.0/255))},
	} {
		m := plain(texture, texture, texture, 1)
		m.Light, m.Intensity, m.Display = Texture{Image: 0, Clamp: true}, test.intensity, test.display
		mesh := quad(2, 1, 0)
		mesh.UV2 = mesh.UV
		s := &Scene{Materials: []Material{m}, Meshes: []Mesh{mesh},
			Images: []func() (*image.NRGBA, error){pixels(1, 1, 188, 188, 188, 255)}}
		if got := float64(at(draw(t, s, 4), 1, 1)[0]) / 255; math.Abs(got-test.want) > 0.6/255 {
			t.Errorf("intensity %v, %+v: %.4f, want %.4f", test.intensity, test.display, got, test.want)
		}
	}
}

// The game's texture shows 0.6 and its light is 0.8 · 1: l = encode(decode(0.8) · decode(0.35)) / 0.35 = 0.7806, shown 0.4684. The file's
// texture is brighter by 1.5, linear, and its light darker.
func TestVerticesOfBrighterTextures(t *testing.T) {
	texture, light := float32(1.5*gamma.Decode(0.6)), uint16(math.Round(65535*gamma.Decode(0.8)/1.5))
	m := plain(texture, texture, texture, 1)
	m.Display = &Display{Albedo: 0.35, Exponent: 1, Emission: [3]float32{1, 1, 1}, Vertices: true, Texture: 1.5}
	mesh := quad(2, 1, 0)
	for range mesh.Positions {
		mesh.Colors = append(mesh.Colors, [4]uint16{light, light, light, 65535})
	}
	want := 0.6 * gamma.Encode(gamma.Decode(0.8)*gamma.Decode(0.35)) / 0.35
	if got := float64(at(draw(t, &Scene{Materials: []Material{m}, Meshes: []Mesh{mesh}}, 4), 1, 1)[0]) / 255; math.Abs(got-want) > 0.6/255 {
		t.Errorf("%.4f, want %.4f", got, want)
	}
}

func TestCurvesFollowTheirFunction(t *testing.T) {
	c := shown()
	for v := 1e-6; v < 200; v *= 1.01 {
		if got, want := float64(c.of(float32(v))), gamma.Encode(v); math.Abs(got-want) > 0.001*want+1e-5 {
			t.Fatalf("%g: %g, want %g", v, got, want)
		}
	}
	for _, v := range []float32{0, -1, float32(math.NaN())} {
		if got := c.of(v); got != 0 {
			t.Errorf("%v: %v, want 0", v, got)
		}
	}
}

func TestSamePictureOnAnyNumberOfCores(t *testing.T) {
	s := &Scene{Background: [3]uint8{40, 50, 60}}
	for i := range 200 {
		f := float32(i)
		m := plain(f/200, 1-f/200, 0.5, 0.7)
		m.Alpha = Alpha(i % 2 * 2)
		s.Materials = append(s.Materials, m)
		q := quad(0.3, 1+f/50, i)
		for k := range q.Positions {
			q.Positions[k][0] += float32(math.Sin(float64(i)))
			q.Positions[k][1] += float32(math.Cos(float64(3 * i)))
		}
		s.Meshes = append(s.Meshes, q)
		s.Instances = append(s.Instances, Instance{Mesh: i, Matrix: still})
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, err := Draw(t.Context(), s, eye, 120, 67)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(5)
	five, err := Draw(t.Context(), s, eye, 120, 67)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Pix, five.Pix) {
		t.Error("the pictures differ")
	}
}

func TestNothingFiniteIsDrawnOfNoNumbers(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	s := &Scene{Materials: []Material{plain(1, 1, 1, 1)}, Meshes: []Mesh{
		{Positions: [][3]float32{{nan, 0, -1}, {1, nan, -1}, {0, 1, nan}}, Indices: []uint32{0, 1, 2}},
		{Positions: [][3]float32{{inf, 0, -1}, {1, -inf, -1}, {0, 1, -inf}}, Indices: []uint32{0, 1, 2}},
		{Positions: [][3]float32{{3e38, 0, -1}, {1, 3e38, -1}, {0, 1, -3e38}}, Indices: []uint32{0, 1, 2}},
	}}
	draw(t, s, 16) // it returns
}

// A Looker reads light, but no textures: 0.2 stands for them.
func TestLookReadsOnlyLight(t *testing.T) {
	var read []int
	white := func(i int) func() (*image.NRGBA, error) {
		return func() (*image.NRGBA, error) { read = append(read, i); return pixels(1, 1, 255)() }
	}
	m := plain(1, 1, 1, 1)
	m.Base.Image, m.Light, m.Intensity = 0, Texture{Image: 1, Clamp: true}, 2
	s := &Scene{Images: []func() (*image.NRGBA, error){white(0), white(1)}, Materials: []Material{m, plain(0, 1, 0, 1)}}
	s.Meshes = []Mesh{quad(1, 2, 0)} // half of the view
	s.Meshes[0].UV2 = s.Meshes[0].UV
	s.Instances = []Instance{{Matrix: still}}
	l := NewLooker(s)
	for range 2 {
		hits, err := l.Look(t.Context(), eye, 4, 4)
		if err != nil {
			t.Fatal(err)
		}
		if h := hits[0]; h.Material != None || h.Brightness != 0 {
			t.Errorf("beside it: %+v", h)
		}
		if h := hits[5]; h.Material != 0 || math.Abs(h.Distance-2) > 1e-6 || math.Abs(h.Brightness-gamma.Encode(0.4)) > 0.01 {
			t.Errorf("on it: %+v, want a brightness of %.3f", h, gamma.Encode(0.4))
		}
	}
	if len(read) != 1 || read[0] != 1 {
		t.Errorf("read the images %v, want 1 once", read)
	}
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Draw(ctx, &Scene{}, eye, 8, 8); err == nil {
		t.Error("no error")
	}
}

func BenchmarkDraw(b *testing.B) {
	s := &Scene{Images: []func() (*image.NRGBA, error){pixels(512, 512, 10, 200, 30, 255, 90, 20, 10, 255)}}
	m := plain(1, 1, 1, 1)
	m.Base.Image = 0
	m.Light, m.Intensity, m.Display = Texture{Image: 0, Clamp: true}, 2, &Display{Albedo: 0.35, Exponent: 1}
	s.Materials = []Material{m}
	for i := range 40_000 { // small squares all over the view
		q := quad(0.02, 1+float32(i%7)/10, 0)
		q.UV2 = q.UV
		for k := range q.Positions {
			q.Positions[k][0] += float32(i%200)/100 - 1
			q.Positions[k][1] += float32(i/200)/100 - 1
		}
		s.Meshes = append(s.Meshes, q)
		s.Instances = append(s.Instances, Instance{Mesh: i, Matrix: still})
	}
	b.SetBytes(640 * 360 * 4)
	for b.Loop() {
		if _, err := Draw(b.Context(), s, eye, 640, 360); err != nil {
			b.Fatal(err)
		}
	}
}

// A sky is seen in the same place from everywhere, and behind what is farther than its own size.
func TestSkyIsAroundTheEye(t *testing.T) {
	s := &Scene{
		Materials: []Material{plain(1, 0, 0, 1), plain(0, 1, 0, 1)}, Meshes: []Mesh{quad(0.5, 1, 0), quad(4, 16, 1)},
		Instances: []Instance{{Matrix: still, Around: true}, {Mesh: 1, Matrix: still}},
	}
	for _, c := range []struct {
		eye  [3]float64
		want [3]uint8 // in the middle
	}{{want: [3]uint8{0, 255, 0}}, {eye: [3]float64{0, 6, 0}, want: [3]uint8{255, 0, 0}},
		{eye: [3]float64{-90, 6, 700}, want: [3]uint8{255, 0, 0}}} {
		from := eye
		from.Eye = c.eye
		im, err := Draw(t.Context(), s, from, 32, 32)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(im, 16, 16); got != c.want {
			t.Errorf("from %v: %v, want %v", c.eye, got, c.want)
		}
		if got, want := at(im, 2, 2), [3]uint8{}; got != want {
			t.Errorf("from %v: %v beside the sky, want %v", c.eye, got, want)
		}
	}
}

// Between texels of 30 and 230 a stored texture shows 130 in the middle, and one of linear light 170: encode((0.0130 + 0.7913) / 2).
func TestTexturesAreFilteredAsStoredOrInLinearLight(t *testing.T) {
	im := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	copy(im.Pix, []uint8{30, 30, 30, 255, 230, 230, 230, 255})
	for _, test := range []struct {
		stored bool
		want   float64
	}{{true, 130}, {false, 170}} {
		x := newTexture(im, false, test.stored)
		for name, c := range map[string]color{"between texels": x.sample(0.5, 0.5, 0), "in the mipmap": x.sample(0.2, 0.5, 1)} {
			if got := 255 * gamma.Encode(float64(c[0])); math.Abs(got-test.want) > 1 {
				t.Errorf("stored %v, %s: %.1f, want %v", test.stored, name, got, test.want)
			}
		}
	}
}

// With a sample a pixel there is nothing between the colours on the two sides of an edge.
func TestOneSampleAPixelBlendsNoEdges(t *testing.T) {
	s := &Scene{Materials: []Material{{Base: Texture{Image: None}, Light: Texture{Image: None}, Emissive: Texture{Image: None},
		Factor: [4]float32{1, 1, 1, 1}}}, Meshes: []Mesh{{Positions: [][3]float32{{-1, -1, -2}, {1.1, -0.9, -2}, {0.2, 1.2, -2}},
		Indices: []uint32{0, 1, 2}}}, Instances: []Instance{{Matrix: still}}}
	c := Camera{Forward: [3]float64{0, 0, -1}, Up: [3]float64{0, 1, 0}, FovY: 1.5, Near: 0.1}
	greys := func(samples int) (n int) {
		s.Samples = samples
		im, err := Draw(t.Context(), s, c, 64, 64)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(im.Pix); i += 4 {
			if v := im.Pix[i]; v > 0 && v < 255 {
				n++
			}
		}
		return n
	}
	if one, four := greys(1), greys(0); one != 0 || four == 0 {
		t.Errorf("%d pixels between the colours with one sample, %d with four", one, four)
	}
}

// Colours of a half with an alpha of a half are a light of 1, in which a linear half is seen as it is: 188.
func TestLightBeyondWhite(t *testing.T) {
	q := quad(9, 1, 0)
	half := [4]uint16{32768, 32768, 32768, 32768}
	q.Colors = [][4]uint16{half, half, half, half}
	for bright, want := range map[bool]uint8{true: 188, false: 137} { // a quarter
		q.Bright = bright
		s := &Scene{Materials: []Material{plain(0.5, 0.5, 0.5, 1)}, Meshes: []Mesh{q}}
		if got := at(draw(t, s, 4), 1, 1); got[0] < want-1 || got[0] > want+1 {
			t.Errorf("bright %v: %v, want %d", bright, got, want)
		}
	}
}

// A fine mesh in a small picture takes the memory of the picture: triangles between the centres of samples are not kept.
func TestTrianglesBetweenSamplesAreDropped(t *testing.T) {
	const side = 200
	m := Mesh{}
	for y := range side + 1 {
		for x := range side + 1 {
			m.Positions = append(m.Positions, [3]float32{2*float32(x)/side - 1, 2*float32(y)/side - 1, -1})
		}
	}
	for y := range uint32(side) {
		for x := range uint32(side) {
			i := y*(side+1) + x
			m.Indices = append(m.Indices, i, i+1, i+side+2, i, i+side+2, i+side+1)
		}
	}
	s := &Scene{Materials: []Material{plain(1, 1, 1, 1)}, Meshes: []Mesh{m}, Instances: []Instance{{Matrix: still}}}
	list, err := project(t.Context(), s, newView(eye, 8, 8, 1))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(list.solid); n < 8*8 || n > 8*8*6 {
		t.Errorf("%d of 80,000 triangles were kept for 64 samples", n)
	}
	im, err := Draw(t.Context(), s, eye, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range im.Pix {
		if x != 255 {
			t.Fatalf("byte %d is %d: the mesh has a hole", i, x)
		}
	}
}
