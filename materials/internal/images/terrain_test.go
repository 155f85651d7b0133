package images

import (
	"context"
	"errors"
	"image/color"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// flat returns a material of red below blue with normal maps, a mask that shows the blue from the start, and a detail that changes
// nothing, on a displacement of one alpha.
func flat(alpha float32) (*Terrain, fstest.MapFS) {
	d := &world.Displacement{Power: 2, Offsets: make([][3]float32, 25), Alpha: make([]float32, 25)}
	for i, c := range [4][2]float32{{0, 1}, {0, 0}, {1, 0}, {1, 1}} {
		d.Corners[i] = world.Vertex{Position: [3]float32{64 * c[0], 64 * (1 - c[1]), 0}, UV: c}
	}
	for i := range d.Alpha {
		d.Alpha[i] = alpha
	}
	f := &Terrain{
		Name: "x", Detail: paint.Mix{Mode: paint.Doubled, Stored: true, Factor: 0, Tint: paint.White},
		Textures: []Wanted{
			{Part: AsLayer, File: "r.vtf", UV: pbr.Identity}, {Part: AsTilt, File: "n.vtf", UV: pbr.Identity},
			{Part: AsLayer, Layer: 1, File: "b.png", UV: pbr.Identity}, {Part: AsTilt, Layer: 1, File: "n.vtf", UV: pbr.Identity},
			{Part: AsMask, File: "m.vtf", UV: pbr.Identity}, {Part: AsDetail, File: "m.vtf", UV: pbr.Identity},
		},
		Places: []Place{{Record: 7, Picture: paint.DisplacementPicture{Displacement: d, Width: 16, Height: 8}}},
	}
	return f, fstest.MapFS{
		"r.vtf": imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{255, 0, 0, 9})),
		"b.png": imagetest.PNG(imagetest.Filled(8, 8, color.NRGBA{0, 0, 255, 255})),
		"n.vtf": imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{128, 128, 255, 255})),
		"m.vtf": imagetest.VTF(0, imagetest.Filled(8, 8, color.NRGBA{0, 3, 0, 255})),
	}
}

func TestTerrain(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Terrain, fstest.MapFS)
		images int
		want   color.NRGBA // of the colour's image
		issues int
	}{
		{"whole", func(*Terrain, fstest.MapFS) {}, 2, color.NRGBA{0, 0, 255, 255}, 0},
		{"without normals", func(f *Terrain, _ fstest.MapFS) { f.Textures[1].File = "" }, 1, color.NRGBA{0, 0, 255, 255}, 0},
		{"without a second normal map", func(f *Terrain, _ fstest.MapFS) { f.Textures[3].File = "" }, 2, color.NRGBA{0, 0, 255, 255}, 0},
		{"a broken first", func(_ *Terrain, files fstest.MapFS) { files["r.vtf"].Data = files["r.vtf"].Data[:40] }, 0, color.NRGBA{}, 1},
		{"a broken second", func(_ *Terrain, files fstest.MapFS) { files["b.png"].Data = files["b.png"].Data[:40] },
			2, color.NRGBA{255, 0, 0, 255}, 1},
		{"a missing mask", func(_ *Terrain, files fstest.MapFS) { delete(files, "m.vtf") }, 2, color.NRGBA{0, 0, 255, 255}, 2},
	} {
		f, files := flat(1)
		c.change(f, files)
		b := limit.NewBudget(limit.Limits{})
		list, m, err := New(files, plain, b).Displacements(t.Context(), f)
		if err != nil || len(list) != 1 || len(list[0].Images) != c.images || len(m.Issues) != c.issues {
			t.Errorf("%s: %v, %d images, %v", c.name, err, len(list[0].Images), m.Issues)
			continue
		}
		held := int64(0)
		for i := range list[0].Images {
			held += int64(len(list[0].Images[i].Data))
		}
		if b.Reserved() != held {
			t.Errorf("%s: %d bytes are reserved for %d", c.name, b.Reserved(), held)
		}
		if c.images == 0 {
			continue
		}
		im := &list[0].Images[0]
		if got := decoded(t, im); got.NRGBAAt(3, 3) != c.want || im.Name != "x_face7" || im.Width != 16 || im.Height != 8 {
			t.Errorf("%s: %v, %s of %d x %d", c.name, got.NRGBAAt(3, 3), im.Name, im.Width, im.Height)
		}
	}
	if got, want := UVOf(&paint.DisplacementPicture{Width: 16, Height: 8}), [6]float64{0.9375, 0, 0.03125, 0, -0.875, 0.9375}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestTerrainObeysLimits(t *testing.T) {
	for _, l := range []limit.Limits{{MaxTextureTotal: 100}, {MaxMemory: 700}, {MaxTextureTotal: 5 * 64}} {
		f, files := flat(1)
		if _, _, err := New(files, plain, limit.NewBudget(l)).Displacements(t.Context(), f); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("%+v: %v", l, err)
		}
	}
	f, files := flat(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := New(files, plain, limit.NewBudget(limit.Limits{})).Displacements(ctx, f); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	f.Places = nil
	if list, _, err := New(nil, plain, limit.NewBudget(limit.Limits{})).Displacements(t.Context(), f); list != nil || err != nil {
		t.Error(list, err)
	}
}
