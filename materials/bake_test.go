package materials

import (
	"bytes"
	"errors"
	"image/color"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
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

// bentWorld returns a world of displacements with a material each, by index, of the same name.
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
	files["materials/r.vtf"] = imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{255, 0, 0, 255}))
	files["materials/b.vtf"] = imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{0, 0, 255, 255}))
	files["materials/g.vtf"] = imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{0, 255, 0, 255}))
	files["materials/w.vtf"] = imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{255, 255, 255, 255}))
	return files
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

// Red becomes blue along the texture (see package paint). The material has what all displacements share.
func TestBakesDisplacements(t *testing.T) {
	vmt := "WorldVertexTransition { $basetexture r $basetexture2 b $color \"[.5 1 1]\" $nocull 1 $bumpmap n $envmap env_cubemap }"
	o := bakedOptions
	o.Reflections, o.Scripts = true, true
	set := load(t, colours(vmt), "", o, bentWorld(sheet(0, 1, alongU), sheet(0, 2, alongU)))
	if len(set.Baked) != 2 || len(set.Images) != 4 {
		t.Fatalf("%d baked, %d images", len(set.Baked), len(set.Images))
	}
	b := &set.Baked[0]
	want := "base x_face10 uv [0.938 0 0.0312 0 -0.938 0.969] clamp color [0.5 1 1 1] normal x_face10_normal clamp double"
	if got := text(set, &b.Material); got != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
	if b.Model != 0 || b.Surface != 0 || b.Material.Name != "x face 10" || b.Material.Extras["vmt_shader"] != "worldvertextransition" ||
		b.Material.Reflection == nil {
		t.Errorf("%+v", b)
	}
	im := decoded(t, set, b.Material.Base.Image)
	if first, last := im.NRGBAAt(0, 3), im.NRGBAAt(15, 3); first != (color.NRGBA{255, 0, 0, 255}) || last != (color.NRGBA{0, 0, 255, 255}) {
		t.Error(first, last)
	}
	if m := &set.Materials[0]; m.Base.Image != pbr.NoImage || m.Layers != nil || m.Extras["not_shown"] != nil {
		t.Errorf("the material that no surface has any more: %s", text(set, m))
	}
}

// A texture that can't be read leaves a placeholder if it is the first, else it is left out.
func TestBakesWithoutBrokenTextures(t *testing.T) {
	for file, want := range map[string]string{
		"materials/r.vtf": "color [0.5 0.5 0.5 1] placeholder",
		"materials/b.vtf": "base x_face10 uv [0.938 0 0.0312 0 -0.938 0.969] clamp",
	} {
		files := colours("WorldVertexTransition { $basetexture r $basetexture2 b }")
		files[file].Data = files[file].Data[:40]
		set := load(t, files, "", bakedOptions, bentWorld(sheet(0, 1, alongU)))
		if got := text(set, &set.Baked[0].Material); got != want || len(set.Issues) != 1 || set.Issues[0].Code != "image-broken" {
			t.Errorf("%s: %q, want %q, %v", file, got, want, set.Issues)
		}
	}
}

func TestBakingKeepsLimits(t *testing.T) {
	ctx := limit.With(t.Context(), limit.NewBudget(limit.Limits{MaxTextureTotal: 100}))
	_, err := loadError(ctx, colours("WorldVertexTransition { $basetexture r $basetexture2 b }"), "", bakedOptions,
		bentWorld(sheet(0, 1, alongU)))
	if !errors.Is(err, limit.ErrLimit) || !strings.Contains(err.Error(), `blend of "x"`) {
		t.Error(err)
	}
}
