package paint

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var (
	red   = color.NRGBA{255, 0, 0, 255}
	green = color.NRGBA{0, 255, 0, 255}
	blue  = color.NRGBA{0, 0, 255, 255}
	white = color.NRGBA{255, 255, 255, 255}
)

// texture returns a texture of a picture without smaller sizes.
func texture(im *image.NRGBA) *BlendTexture {
	return &BlendTexture{Sizes: []*image.NRGBA{im}, UV: pbr.Identity}
}

// flat returns a texture of one colour.
func flat(c color.NRGBA) *BlendTexture { return texture(imagetest.Filled(8, 8, c)) }

// layersOf returns a blend of textures, the lowest first.
func layersOf(list ...*BlendTexture) *Blend {
	bl := &Blend{}
	for i, t := range list {
		bl.Layers = append(bl.Layers, BlendLayer{Texture: t, Weight: i})
	}
	return bl
}

// terrain returns a flat displacement of power 2 from u0 to u1 of a texture, from x = 64·u0 on, and from v = 1 at its foot to 0.
// alpha returns the alpha of a point.
func terrain(u0, u1 float32, alpha func(u, v float32) float32) *world.Displacement {
	d := &world.Displacement{Power: 2, Offsets: make([][3]float32, 25), Alpha: make([]float32, 25)}
	for i, c := range [4][2]float32{{u0, 1}, {u0, 0}, {u1, 0}, {u1, 1}} {
		d.Corners[i] = world.Vertex{Position: [3]float32{64 * c[0], 64 * (1 - c[1]), 0}, UV: c}
	}
	for i := range d.Alpha {
		d.Alpha[i] = alpha(u0+(u1-u0)*float32(i%5)/4, 1-float32(i/5)/4)
	}
	return d
}

func alongU(u, _ float32) float32 { return u }

// drawBlend draws a blend on a displacement, as a square of pixels.
func drawBlend(t *testing.T, bl *Blend, d *world.Displacement, side int) (base, normals *image.NRGBA) {
	t.Helper()
	base, normals, err := bl.Draw(t.Context(), &DisplacementPicture{Displacement: d, Width: side, Height: side})
	if err != nil {
		t.Fatal(err)
	}
	return base, normals
}

// Red becomes blue along 16 pixels, in steps of a fifteenth of linear light: 1/15 is 73 in sRGB, 2/15 102, and so on.
func TestBlendsInLinearLight(t *testing.T) {
	im, normals := drawBlend(t, layersOf(flat(red), flat(blue)), terrain(0, 1, alongU), 16)
	want := []uint8{0, 73, 102, 124, 141, 156, 170, 182, 193, 203, 213, 222, 231, 239, 247, 255}
	for y := range 16 {
		for x := range 16 {
			if got, want := im.NRGBAAt(x, y), (color.NRGBA{want[15-x], 0, want[x], 255}); got != want {
				t.Errorf("at %d %d: %v, want %v", x, y, got, want)
			}
		}
	}
	if normals != nil {
		t.Error("there are normals without normal maps")
	}
}

// The first row of pixels is where V is 0: the last row of the grid.
func TestBlendsUpright(t *testing.T) {
	im, _ := drawBlend(t, layersOf(flat(red), flat(blue)), terrain(0, 1, func(_, v float32) float32 { return v }), 16)
	if top, foot := im.NRGBAAt(3, 0), im.NRGBAAt(3, 15); top != red || foot != blue {
		t.Errorf("%v at the top, %v at the foot", top, foot)
	}
}

func TestBlendsByAMask(t *testing.T) {
	half := func(float32, float32) float32 { return 0.5 }
	for _, c := range []struct {
		name   string
		masked bool
		mask   color.NRGBA
		want   color.NRGBA
	}{
		{"not yet", false, color.NRGBA{0, 204, 0, 255}, red},
		{"already", false, color.NRGBA{0, 51, 0, 255}, blue},
		{"half way", false, color.NRGBA{64, 127, 0, 255}, color.NRGBA{187, 0, 188, 255}},
		{"the mask alone", true, color.NRGBA{0, 51, 0, 255}, color.NRGBA{231, 0, 124, 255}}, // a fifth
	} {
		bl := layersOf(flat(red), flat(blue))
		bl.Mask, bl.Masked = flat(c.mask), c.masked
		if im, _ := drawBlend(t, bl, terrain(0, 1, half), 16); im.NRGBAAt(4, 4) != c.want {
			t.Errorf("%s: %v, want %v", c.name, im.NRGBAAt(4, 4), c.want)
		}
	}
}

// The corners have the weights of green, blue and alpha for the second, third and fourth texture.
func TestBlendsFourTextures(t *testing.T) {
	d := terrain(0, 1, func(float32, float32) float32 { return 0 })
	d.Blends = make([][4]float32, 25)
	for corner, weights := range map[int][4]float32{0: {1, 0, 0, 0}, 4: {0, 1, 0, 0}, 20: {0, 0, 1, 0}, 24: {0, 1, 1, 1}} {
		d.Blends[corner] = weights
	}
	bl := layersOf(flat(red), flat(green), flat(blue), flat(white))
	bl.FourWay = true
	im, _ := drawBlend(t, bl, d, 16)
	for _, c := range []struct {
		x, y int
		want color.NRGBA
	}{{0, 15, red}, {15, 15, green}, {0, 0, blue}, {15, 0, white}} {
		if got := im.NRGBAAt(c.x, c.y); got != c.want {
			t.Errorf("at %d %d: %v, want %v", c.x, c.y, got, c.want)
		}
	}
	d.Blends = nil // then the alpha is the weight of the second
	d.Alpha[4] = 1
	if im, _ := drawBlend(t, bl, d, 16); im.NRGBAAt(15, 15) != green {
		t.Error(im.NRGBAAt(15, 15))
	}
}

// With all parameters at their defaults a layer of half the brightness, at half the weight over black, is opaque by
// smoothstep(0.5·(0.5 + 0.5·0.5)) = smoothstep(0.375) = 0.316: 0.316 of white, which is 152 in sRGB.
func TestBlendsByBrightness(t *testing.T) {
	bl := layersOf(flat(color.NRGBA{0, 0, 0, 255}), flat(color.NRGBA{188, 188, 188, 255})) // 0.503 in linear light
	bl.Layers[1].Height = Heights{Set: true, High: 1, End: 1, Balance: 1}
	im, _ := drawBlend(t, bl, terrain(0, 1, func(float32, float32) float32 { return 0.5 }), 16)
	opacity := OpacityBy(&bl.Layers[1].Height, 0.5, BrightnessBy(&bl.Layers[1].Height, &[4]float32{0.503, 0.503, 0.503}), 0)
	want := EncodeSRGB(opacity * 0.503)
	if got := im.NRGBAAt(8, 8).R; got+1 < want || got > want+1 || opacity < 0.31 || opacity > 0.33 {
		t.Errorf("%d at an opacity of %g, want %d", got, opacity, want)
	}
}

// A detail of 64 makes all half as bright: 0.502 is 188 in sRGB.
func TestBlendsADetailOverAll(t *testing.T) {
	bl := layersOf(flat(red), flat(blue))
	bl.Detail, bl.Mixer = flat(imagetest.Grey(64)), NewMixer(&Mix{Mode: Doubled, Stored: true, Factor: 1, Tint: White})
	if im, _ := drawBlend(t, bl, terrain(0, 1, alongU), 16); im.NRGBAAt(0, 0) != (color.NRGBA{188, 0, 0, 255}) {
		t.Error(im.NRGBAAt(0, 0))
	}
}

// Two neighbours, the second turned by 90 degrees and twice as fine in its grid, have the same pixels on the border.
func TestBlendsOfNeighboursAgree(t *testing.T) {
	alpha := func(u, v float32) float32 { return (u + v) / 4 }
	left, turned := terrain(0, 1, alpha), terrain(1, 2, alpha)
	right := &world.Displacement{Power: 3, Offsets: make([][3]float32, 81), Alpha: make([]float32, 81)}
	for i := range right.Corners {
		right.Corners[i] = turned.Corners[(i+1)%4]
	}
	for i := range right.Alpha { // its columns go down, its rows to the right
		right.Alpha[i] = alpha(1+float32(i/9)/8, float32(i%9)/8)
	}
	noise := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := range noise.Pix {
		noise.Pix[i] = byte(i * 37)
	}
	bl := layersOf(texture(Opaque(noise)), flat(blue))
	a, _ := drawBlend(t, bl, left, 32)
	b, _ := drawBlend(t, bl, right, 32)
	for i := range 32 {
		p, q := a.NRGBAAt(31, i), b.NRGBAAt(i, 31) // down the right side of the first; along the foot of the second, its first row
		for k, d := range [3]int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B)} {
			if d < -1 || d > 1 {
				t.Errorf("pixel %d, channel %d: %v and %v", i, k, p, q)
			}
		}
	}
}

// A normal map leans to the texture's right. On a grid that is turned so that its columns go down the texture, that is up.
func TestBlendsNormals(t *testing.T) {
	bl := layersOf(flat(red), flat(blue))
	bl.Normals[0] = flat(color.NRGBA{230, 128, 204, 255}) // 0.8 0 0.6
	bl.Normals[1] = flat(color.NRGBA{128, 128, 255, 255})
	near := func(name string, got color.NRGBA, want [3]int) {
		t.Helper()
		for k, d := range [3]int{int(got.R) - want[0], int(got.G) - want[1], int(got.B) - want[2]} {
			if d < -1 || d > 1 {
				t.Errorf("%s: channel %d of %v, want %v", name, k, got, want)
			}
		}
	}
	d := terrain(0, 1, alongU)
	_, im := drawBlend(t, bl, d, 16)
	near("straight", im.NRGBAAt(0, 3), [3]int{230, 127, 204})
	near("the second", im.NRGBAAt(15, 3), [3]int{128, 127, 255})
	d.Corners = [4]world.Vertex{d.Corners[1], d.Corners[2], d.Corners[3], d.Corners[0]}
	_, im = drawBlend(t, bl, d, 16)
	near("turned", im.NRGBAAt(0, 3), [3]int{128, 230, 204})
	for i := range d.Corners { // without a direction of the texture the normals keep theirs
		d.Corners[i].UV = [2]float32{}
	}
	_, im = drawBlend(t, bl, d, 16)
	near("without coordinates", im.NRGBAAt(0, 3), [3]int{230, 128, 204})
}

// A texture that is far finer than the picture is read at a smaller size: here one of another colour.
func TestBlendsReadTheSizeThatFits(t *testing.T) {
	fine := &BlendTexture{Sizes: []*image.NRGBA{imagetest.Filled(64, 64, red), imagetest.Filled(32, 32, green),
		imagetest.Filled(16, 16, blue)}, UV: pbr.Identity}
	for side, want := range map[int]color.NRGBA{64: red, 48: red, 32: green, 16: blue, 2: blue} {
		if im, _ := drawBlend(t, layersOf(fine), terrain(0, 1, alongU), side); im.NRGBAAt(0, 0) != want {
			t.Errorf("%d pixels: %v, want %v", side, im.NRGBAAt(0, 0), want)
		}
	}
}

func TestBlendStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := &DisplacementPicture{Displacement: terrain(0, 1, alongU), Width: 8, Height: 8}
	if _, _, err := layersOf(flat(red)).Draw(ctx, p); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// In a square with an even number the diagonal goes from the lower left to the upper right, else the other way.
func TestGridValuesAreThoseOfTriangles(t *testing.T) {
	values := make([]float32, 25)
	values[6], values[7], values[12] = 1, 0, 0 // the lower left, lower right and upper right of square 6
	for _, c := range []struct{ s, t, want float64 }{
		{0.25, 0.25, 1}, {0.5, 0.5, 0}, {0.375, 0.375, 0.5}, // along its diagonal
		{0.4375, 0.3125, 0.25}, {0.3125, 0.4375, 0.25},
		{0.125, 0.25, 0.5},     // square 5 has its other diagonal
		{0.1875, 0.3125, 0.75}, // along it
		{0.1875, 0.4375, 0.25}, // above it
	} {
		if got := gridValue(values, 2, c.s, c.t); math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("at %g %g: %g, want %g", c.s, c.t, got, c.want)
		}
	}
}

func BenchmarkBake(b *testing.B) {
	t := texture(imagetest.Filled(512, 512, imagetest.Grey(99)))
	masked := layersOf(t, t)
	masked.Mask, masked.Normals = t, [2]*BlendTexture{t, t}
	for _, c := range []struct {
		name string
		bl   *Blend
	}{{"two", layersOf(t, t)}, {"mask and normals", masked}} {
		b.Run(c.name, func(b *testing.B) {
			p := DisplacementPicture{Displacement: terrain(0, 2, func(u, _ float32) float32 { return u / 2 }), Width: 1024, Height: 512}
			b.SetBytes(4 * 1024 * 512)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := c.bl.Draw(b.Context(), &p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
