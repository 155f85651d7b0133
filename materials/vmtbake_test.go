package materials

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/valve"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var bakedOptions = func() Options {
	o := plainOptions
	o.Blends = "baked"
	return o
}()

// sheet is a flat displacement of power 2 from u0 to u1 of a texture, from x = 64·u0 on, and from v = 1 at its foot to 0. Its
// alpha at a point's place is alpha's.
func sheet(u0, u1 float32, alpha func(u, v float32) float32) *world.Displacement {
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

// bentWorld is a world of displacements with a material each, by index, of the same name.
func bentWorld(list ...*world.Displacement) *world.World {
	w := &world.World{Materials: []world.Material{{Name: "x", Width: 8, Height: 8}}, Models: []world.Model{{}}}
	for i, d := range list {
		w.Models[0].Surfaces = append(w.Models[0].Surfaces, world.Surface{Shape: d, Record: 10 + i})
	}
	return w
}

// colours are files of red and blue textures of 8 x 8 texels, r and b, and what else.
func colours(vmt string) fstest.MapFS {
	files := vmtFiles(map[string]string{"x": vmt})
	files["materials/r.vtf"] = vtfFile(0, filled(8, 8, color.NRGBA{255, 0, 0, 255}))
	files["materials/b.vtf"] = vtfFile(0, filled(8, 8, color.NRGBA{0, 0, 255, 255}))
	files["materials/g.vtf"] = vtfFile(0, filled(8, 8, color.NRGBA{0, 255, 0, 255}))
	files["materials/w.vtf"] = vtfFile(0, filled(8, 8, color.NRGBA{255, 255, 255, 255}))
	return files
}

func rowOf(im *image.NRGBA, y int) (out [][4]uint8) {
	for x := range im.Rect.Dx() {
		out = append(out, [4]uint8(im.Pix[y*im.Stride+4*x:]))
	}
	return out
}

// Red goes over to blue along 16 pixels, in steps of a fifteenth of linear light: 1/15 is 73 in sRGB, 2/15 102, and so on.
func TestBakesTwoTextures(t *testing.T) {
	set := load(t, colours("WorldVertexTransition { $basetexture r $basetexture2 b $color \"[.5 1 1]\" $nocull 1 }"), "", bakedOptions, bentWorld(sheet(0, 1, alongU)))
	if len(set.Baked) != 1 || len(set.Images) != 1 {
		t.Fatalf("%d baked, %d images", len(set.Baked), len(set.Images))
	}
	b := &set.Baked[0]
	if got, want := text(set, &b.Material), "base x_face10 uv [0.938 0 0.0312 0 -0.938 0.969] clamp color [0.214 1 1 1] double"; got != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
	if b.Model != 0 || b.Surface != 0 || b.Material.Name != "x face 10" || b.Material.Extras["vmt_shader"] != "worldvertextransition" {
		t.Errorf("%+v", b)
	}
	want := "[[255 0 0 255] [247 0 73 255] [239 0 102 255] [231 0 124 255] [222 0 141 255] [213 0 156 255] [203 0 170 255] [193 0 182 255] [182 0 193 255] [170 0 203 255] [156 0 213 255] [141 0 222 255] [124 0 231 255] [102 0 239 255] [73 0 247 255] [0 0 255 255]]"
	im := decoded(t, set, b.Material.Base.Image)
	for y := range 16 {
		if got := fmt.Sprint(rowOf(im, y)); got != want {
			t.Errorf("row %d: %s", y, got)
		}
	}
	if m := &set.Materials[0]; m.Base.Image != pbr.NoImage || m.Layers != nil || m.Extras["not_shown"] != nil {
		t.Errorf("what all displacements go without: %s", text(set, m))
	}
}

// The first row of pixels is where V is 0: the last row of the grid.
func TestBakesUpright(t *testing.T) {
	set := load(t, colours("WorldVertexTransition { $basetexture r $basetexture2 b }"), "", bakedOptions,
		bentWorld(sheet(0, 1, func(_, v float32) float32 { return v })))
	im := decoded(t, set, set.Baked[0].Material.Base.Image)
	if top, foot := im.NRGBAAt(3, 0), im.NRGBAAt(3, 15); top != (color.NRGBA{255, 0, 0, 255}) || foot != (color.NRGBA{0, 0, 255, 255}) {
		t.Errorf("%v at the top, %v at the foot", top, foot)
	}
}

func TestBakesByAMask(t *testing.T) {
	half := func(float32, float32) float32 { return 0.5 }
	for _, c := range []struct {
		name, parameters string
		GlossMask        color.NRGBA
		want             color.NRGBA
	}{
		{"not yet", "", color.NRGBA{0, 204, 0, 255}, color.NRGBA{255, 0, 0, 255}},
		{"already", "", color.NRGBA{0, 51, 0, 255}, color.NRGBA{0, 0, 255, 255}},
		{"half way", "", color.NRGBA{64, 127, 0, 255}, color.NRGBA{187, 0, 188, 255}},
		{"the mask alone", "$maskedblending 1", color.NRGBA{0, 51, 0, 255}, color.NRGBA{231, 0, 124, 255}}, // a fifth
	} {
		files := colours("WorldVertexTransition { $basetexture r $basetexture2 b $blendmodulatetexture m " + c.parameters + " }")
		files["materials/m.vtf"] = vtfFile(0, filled(8, 8, c.GlossMask))
		set := load(t, files, "", bakedOptions, bentWorld(sheet(0, 1, half)))
		if got := decoded(t, set, set.Baked[0].Material.Base.Image).NRGBAAt(4, 4); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The corners have the weights of green, blue and alpha for the second, third and fourth texture.
func TestBakesFourTextures(t *testing.T) {
	d := sheet(0, 1, func(float32, float32) float32 { return 0 })
	d.Blends = make([][4]float32, 25)
	for corner, weights := range map[int][4]float32{0: {1, 0, 0, 0}, 4: {0, 1, 0, 0}, 20: {0, 0, 1, 0}, 24: {0, 1, 1, 1}} {
		d.Blends[corner] = weights
	}
	set := load(t, colours("Lightmapped_4WayBlend { $basetexture r $basetexture2 g $basetexture3 b $basetexture4 w }"), "", bakedOptions, bentWorld(d))
	im := decoded(t, set, set.Baked[0].Material.Base.Image)
	for _, c := range []struct {
		x, y int
		want color.NRGBA
	}{{0, 15, color.NRGBA{255, 0, 0, 255}}, {15, 15, color.NRGBA{0, 255, 0, 255}}, {0, 0, color.NRGBA{0, 0, 255, 255}}, {15, 0, color.NRGBA{255, 255, 255, 255}}} {
		if got := im.NRGBAAt(c.x, c.y); got != c.want {
			t.Errorf("at %d %d: %v, want %v", c.x, c.y, got, c.want)
		}
	}
	d.Blends = nil // then there is the alpha, of the second
	d.Alpha[4] = 1
	set = load(t, colours("Lightmapped_4WayBlend { $basetexture r $basetexture2 g $basetexture3 b }"), "", bakedOptions, bentWorld(d))
	if got := decoded(t, set, set.Baked[0].Material.Base.Image).NRGBAAt(15, 15); got != (color.NRGBA{0, 255, 0, 255}) {
		t.Error(got)
	}
}

// Two neighbours, the second turned by 90 degrees and twice as fine in its grid, have the same pixels on the border.
func TestBakedNeighboursAgree(t *testing.T) {
	alpha := func(u, v float32) float32 { return (u + v) / 4 }
	left, other := sheet(0, 1, alpha), sheet(1, 2, alpha) // of 32 pixels a side, as the texture
	right := &world.Displacement{Power: 3, Offsets: make([][3]float32, 81), Alpha: make([]float32, 81)}
	for i := range right.Corners {
		right.Corners[i] = other.Corners[(i+1)%4]
	}
	for i := range right.Alpha { // its columns go down, its rows to the right
		right.Alpha[i] = alpha(1+float32(i/9)/8, float32(i%9)/8)
	}
	files := colours("WorldVertexTransition { $basetexture c $basetexture2 b }")
	checks := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := range checks.Pix {
		checks.Pix[i] = byte(i * 37)
	}
	files["materials/c.vtf"] = vtfFile(0, checks)
	set := load(t, files, "", bakedOptions, bentWorld(left, right))
	a, b := decoded(t, set, set.Baked[0].Material.Base.Image), decoded(t, set, set.Baked[1].Material.Base.Image)
	for i := range 32 {
		// Down the right side of the first; along the foot of the second, its first row.
		p, q := a.NRGBAAt(a.Rect.Dx()-1, i), b.NRGBAAt(i, b.Rect.Dy()-1)
		for k, d := range [3]int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B)} {
			if d < -1 || d > 1 {
				t.Errorf("pixel %d, channel %d: %v and %v", i, k, p, q)
			}
		}
	}
}

func TestBakesDetailWithAll(t *testing.T) {
	files := colours("WorldVertexTransition { $basetexture r $basetexture2 b $detail d $detailscale 1 }")
	files["materials/d.vtf"] = vtfFile(0, filled(8, 8, grey(64)))
	o := bakedOptions
	set := load(t, files, "", o, bentWorld(sheet(0, 1, alongU)))
	if got := set.Baked[0].Material.Extras["not_shown"]; got != "$detail" {
		t.Error(got)
	}
	o.Combine = "all"
	set = load(t, files, "", o, bentWorld(sheet(0, 1, alongU)))
	// Half as bright: 0.502 is 188 in sRGB.
	if got := decoded(t, set, set.Baked[0].Material.Base.Image).NRGBAAt(0, 0); got != (color.NRGBA{188, 0, 0, 255}) || set.Baked[0].Material.Extras["not_shown"] != nil {
		t.Error(got, set.Baked[0].Material.Extras)
	}
}

// A normal map that leans to the texture's right: on a grid that is turned so that its columns go down the texture, that is up.
func TestBakesNormals(t *testing.T) {
	files := colours("WorldVertexTransition { $basetexture r $basetexture2 b $bumpmap n1 $bumpmap2 n2 }")
	files["materials/n1.vtf"] = vtfFile(0, filled(8, 8, color.NRGBA{230, 128, 204, 255})) // 0.8 0 0.6
	files["materials/n2.vtf"] = vtfFile(0, filled(8, 8, color.NRGBA{128, 128, 255, 255}))
	d := sheet(0, 1, alongU)
	set := load(t, files, "", bakedOptions, bentWorld(d))
	im := decoded(t, set, set.Baked[0].Material.Normal.Image)
	near := func(name string, got color.NRGBA, want [3]int) {
		t.Helper()
		for k, d := range [3]int{int(got.R) - want[0], int(got.G) - want[1], int(got.B) - want[2]} {
			if d < -1 || d > 1 {
				t.Errorf("%s: channel %d of %v, want %v", name, k, got, want)
			}
		}
	}
	near("straight", im.NRGBAAt(0, 3), [3]int{230, 127, 204})
	near("the second", im.NRGBAAt(15, 3), [3]int{128, 127, 255})
	d.Corners = [4]world.Vertex{d.Corners[1], d.Corners[2], d.Corners[3], d.Corners[0]}
	set = load(t, files, "", bakedOptions, bentWorld(d))
	near("turned", decoded(t, set, set.Baked[0].Material.Normal.Image).NRGBAAt(0, 3), [3]int{128, 230, 204})
	o := bakedOptions
	o.Normals = false
	if set := load(t, files, "", o, bentWorld(d)); set.Baked[0].Material.Normal.Image != pbr.NoImage || len(set.Images) != 1 {
		t.Error("normals that are not wanted")
	}
}

func TestBakesOnlyWhatFades(t *testing.T) {
	none := func(float32, float32) float32 { return 0 }
	vmt := "WorldVertexTransition { $basetexture r $basetexture2 b $bumpmap n }"
	broken := sheet(0, 1, alongU)
	broken.Alpha = broken.Alpha[1:]
	far := sheet(0, 1, alongU)
	far.Corners[2].UV[0] = float32(math.NaN())
	hidden := bentWorld(sheet(0, 1, alongU))
	hidden.Models[0].Surfaces[0].Flags = world.NoDraw
	flat := bentWorld(sheet(0, 1, alongU))
	flat.Models[0].Surfaces = append(flat.Models[0].Surfaces, world.Surface{Shape: &world.Polygon{}})
	for _, c := range []struct {
		name, vmt     string
		w             *world.World
		baked, images int
		want          string // the material
	}{
		{"one", vmt, bentWorld(sheet(0, 1, alongU)), 1, 2, ""},
		{"one that does not fade", vmt, bentWorld(sheet(0, 1, none)), 0, 2, "base r normal n_normal"},
		{"one of two", vmt, bentWorld(sheet(0, 1, none), sheet(0, 1, alongU)), 1, 4, "base r normal n_normal"},
		{"one beside a polygon", vmt, flat, 1, 4, "base r normal n_normal"},
		{"broken ones", vmt, bentWorld(broken, far), 0, 2, "base r normal n_normal"},
		{"hidden", vmt, hidden, 0, 0, "hidden"},
		{"without its first texture", "WorldVertexTransition { $basetexture nope $basetexture2 b }", bentWorld(sheet(0, 1, alongU)), 0, 1,
			"color [0.5 0.5 0.5 1] placeholder + base b blend fades"},
		{"without its second", "WorldVertexTransition { $basetexture r $basetexture2 nope $blendmodulatetexture nope }", bentWorld(sheet(0, 1, alongU)), 0, 1,
			"base r ($blendmodulatetexture)"},
		{"without a second", "WorldVertexTransition { $basetexture r }", bentWorld(sheet(0, 1, alongU)), 0, 1, "base r"},
		{"transparent", "WorldVertexTransition { $basetexture r $basetexture2 b $translucent 1 }", bentWorld(sheet(0, 1, alongU)), 0, 2,
			"base r + base b blend fades"},
	} {
		set := load(t, colours(c.vmt), "", bakedOptions, c.w)
		if got := text(set, &set.Materials[0]); got != c.want || len(set.Baked) != c.baked || len(set.Images) != c.images {
			t.Errorf("%s: %q with %d baked, %d images; want %q with %d, %d", c.name, got, len(set.Baked), len(set.Images), c.want, c.baked, c.images)
		}
	}
}

// A texture that can't be read leaves a placeholder, where it is the first, or is left out.
func TestBakesWithoutBrokenTextures(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"the first", "materials/r.vtf", "color [0.5 0.5 0.5 1] placeholder"},
		{"the second", "materials/b.vtf", "base x_face10 uv [0.938 0 0.0312 0 -0.938 0.969] clamp"},
	} {
		files := colours("WorldVertexTransition { $basetexture r $basetexture2 b }")
		files[c.file] = &fstest.MapFile{Data: files[c.file].Data[:40]}
		set := load(t, files, "", bakedOptions, bentWorld(sheet(0, 1, alongU)))
		if got := text(set, &set.Baked[0].Material); got != c.want || len(set.Issues) != 1 || set.Issues[0].Code != "image-broken" {
			t.Errorf("%s: %q, want %q, %v", c.name, got, c.want, set.Issues)
		}
	}
}

// Of 512 x 512 texels, a displacement twice as wide as the texture and as high has an image of 1024 x 512. One a hundredth
// too long is as large, one of 15 % is twice as large. More than 64 Mi pixels together are halved.
func TestBakedSizes(t *testing.T) {
	texture := []valve.TextureSize{{UV: pbr.Identity, Texels: [2]float64{512, 512}}}
	for _, c := range []struct {
		u, most, width int
		percent        float32
	}{{2, 0, 1024, 0}, {1, 0, 512, 1}, {1, 0, 1024, 15}, {64, 0, 1024, 0}, {2, 300, 256, 0}, {2, 3, 2, 0}, {2, 1, 2, 0}, {0, 0, 16, 0}} {
		f := []images.Place{{Sheet: paint.Sheet{Displacement: sheet(0, float32(c.u)*(1+c.percent/100), alongU)}}}
		valve.SetSizes(f, texture, c.most)
		if got := f[0].Sheet.Width; got != c.width {
			t.Errorf("%+v: %d", c, got)
		}
	}
	list := make([]plan.Fading, 2)
	list[0].Terrain.Places, list[1].Terrain.Places = make([]images.Place, 100), []images.Place{{Sheet: paint.Sheet{Width: 4, Height: 4}}}
	for i := range list[0].Terrain.Places {
		list[0].Terrain.Places[i].Sheet = paint.Sheet{Width: 1024, Height: 1024}
	}
	valve.Shrink(list)
	if p, q := list[0].Terrain.Places[99].Sheet, list[1].Terrain.Places[0].Sheet; p.Width != 512 || p.Height != 512 || q.Width != 2 {
		t.Errorf("%d x %d, %d", p.Width, p.Height, q.Width)
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
		if got := paint.GridValue(values, 2, c.s, c.t); math.Abs(float64(got)-c.want) > 1e-6 {
			t.Errorf("at %g %g: %g, want %g", c.s, c.t, got, c.want)
		}
	}
}

func TestBakingKeepsLimits(t *testing.T) {
	files := colours("WorldVertexTransition { $basetexture r $basetexture2 b }")
	for _, l := range []limit.Limits{{MaxTextureTotal: 100}, {MaxMemory: 700}} {
		ctx := limit.With(t.Context(), limit.NewBudget(l))
		if _, err := loadError(ctx, files, "", bakedOptions, bentWorld(sheet(0, 1, alongU), sheet(1, 2, alongU))); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("%+v: %v", l, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	bl := &paint.Blend{Layers: []paint.BlendLayer{{Texture: &paint.BlendTexture{Sizes: []*image.NRGBA{filled(1, 1, grey(1))}, UV: pbr.Identity}}}}
	cancel()
	if _, _, err := bl.Draw(ctx, &paint.Sheet{Displacement: sheet(0, 1, alongU), Width: 8, Height: 8}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// Afterwards only the images and the text of the material file are reserved.
	reserved := func(w *world.World) int64 {
		b := limit.NewBudget(limit.Limits{})
		set, err := loadError(limit.With(t.Context(), b), files, "", bakedOptions, w)
		if err != nil {
			t.Fatal(err)
		}
		sum := b.Reserved()
		for i := range set.Images {
			sum -= int64(len(set.Images[i].Data))
		}
		return sum
	}
	if got, want := reserved(bentWorld(sheet(0, 1, alongU))), reserved(bentWorld()); got != want {
		t.Errorf("%d bytes are still reserved, want %d", got, want)
	}
}

func TestBakesAlikeOnAnyNumberOfCores(t *testing.T) {
	files := colours("WorldVertexTransition { $basetexture r $basetexture2 b }")
	var list []*world.Displacement
	for i := range 20 {
		list = append(list, sheet(float32(i)/20, float32(i+1)/20, alongU))
	}
	var first *Set
	for _, n := range []int{1, 8} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
		set := load(t, files, "", bakedOptions, bentWorld(list...))
		if first == nil {
			first = set
			continue
		}
		for i := range set.Baked {
			if set.Baked[i].Surface != i || !bytes.Equal(set.Images[i].Data, first.Images[i].Data) {
				t.Fatalf("baked %d differs", i)
			}
		}
	}
}

func BenchmarkBake(b *testing.B) {
	texture := &paint.BlendTexture{Sizes: []*image.NRGBA{filled(512, 512, grey(99))}, UV: pbr.Identity}
	for _, c := range []struct {
		name string
		bl   paint.Blend
	}{
		{"two", paint.Blend{Layers: []paint.BlendLayer{{Texture: texture}, {Texture: texture, Weight: 1}}}},
		{"mask and normals", paint.Blend{Layers: []paint.BlendLayer{{Texture: texture}, {Texture: texture, Weight: 1}}, Mask: texture, Normals: [2]*paint.BlendTexture{texture, texture}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := paint.Sheet{Displacement: sheet(0, 2, func(u, _ float32) float32 { return u / 2 }), Width: 1024, Height: 512}
			b.SetBytes(4 * 1024 * 512)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := c.bl.Draw(limit.WithDefaults(context.Background()), &p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzBakesMaterialFiles(f *testing.F) {
	f.Add("WorldVertexTransition { $basetexture r $basetexture2 b $blendmodulatetexture a $bumpmap n $detail t }", float32(1), float32(0.5))
	f.Add("Lightmapped_4WayBlend { $basetexture r $basetexture2 b $basetexture3 a $texture3_uvscale 1e8 $texture3_lumstart .5 }", float32(1e7), float32(1))
	f.Add("WorldVertexTransition { $basetexture r $basetexture2 b $basetexturetransform \"center 1e8 0 scale 1e8 0 rotate 9 translate 1e8 0\" }", float32(-1e30), float32(-9))
	f.Fuzz(func(t *testing.T, vmt string, u, alpha float32) {
		o := bakedOptions
		o.Combine = "all"
		o.MaxSize = 32
		d := sheet(0, u, func(float32, float32) float32 { return alpha })
		set, err := loadError(limit.WithDefaults(t.Context()), colours(vmt), "", o, bentWorld(d))
		if err != nil && !errors.Is(err, limit.ErrLimit) {
			t.Fatal(err)
		}
		if err == nil {
			for i := range set.Materials {
				checkMaterial(t, set, &set.Materials[i])
			}
			for i := range set.Baked {
				checkMaterial(t, set, &set.Baked[i].Material)
			}
		}
	})
}
