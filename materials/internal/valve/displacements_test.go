package valve

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/imagetest"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan/plantest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// baked are options under which each displacement gets an image.
var baked = plan.Options{Combine: true, Normals: true, BakeBlends: true}

// terrain returns a flat displacement of power 2 whose texture repeats u times, of 64 units a side. All of its points have the alpha.
func terrain(u, alpha float32) *world.Displacement {
	d := &world.Displacement{Power: 2, Offsets: make([][3]float32, 25), Alpha: slices.Repeat([]float32{alpha}, 25)}
	for i, c := range [4][2]float32{{0, 1}, {0, 0}, {u, 0}, {u, 1}} {
		d.Corners[i] = world.Vertex{Position: [3]float32{64 * c[0], 64 * (1 - c[1]), 0}, UV: c}
	}
	return d
}

// terrainWorld returns a world of displacements of one material, x.
func terrainWorld(list ...*world.Displacement) *world.World {
	w := &world.World{Materials: []world.Material{{Name: "x", Width: 8, Height: 8}}, Models: []world.Model{{}}}
	for i, d := range list {
		w.Models[0].Surfaces = append(w.Models[0].Surfaces, world.Surface{Shape: d, Record: 10 + i})
	}
	return w
}

// terrainFiles returns a material file with textures r, g, b and w of 8 x 8 texels.
func terrainFiles(vmt string) fstest.MapFS {
	out := files(map[string]string{"x": vmt})
	for _, name := range []string{"r", "g", "b", "w"} {
		out["materials/"+name+".vtf"] = imagetest.VTF(0x2000, imagetest.Filled(8, 8, imagetest.Grey(9)))
	}
	return out
}

func TestBakesOnlyWhatFades(t *testing.T) {
	vmt := "WorldVertexTransition { $basetexture r $basetexture2 b $bumpmap n }"
	broken, far, deep := terrain(1, 1), terrain(1, 1), terrain(1, 1)
	broken.Alpha, far.Corners[2].UV[0], deep.Power = broken.Alpha[1:], float32(math.NaN()), 5
	hidden := terrainWorld(terrain(1, 1))
	hidden.Models[0].Surfaces[0].Flags = world.NoDraw
	flat := terrainWorld(terrain(1, 1))
	flat.Models[0].Surfaces = append(flat.Models[0].Surfaces, world.Surface{Shape: &world.Polygon{}})
	for _, c := range []struct {
		name, vmt    string
		w            *world.World
		baked, whole int // displacements, and images of the material
		want         string
	}{
		{"one", vmt, terrainWorld(terrain(1, 1)), 1, 0, ""},
		{"one that does not fade", vmt, terrainWorld(terrain(1, 0)), 0, 2, "base r normal n_normal"},
		{"one of two", vmt, terrainWorld(terrain(1, 0), terrain(1, 1)), 1, 2, "base r normal n_normal"},
		{"one beside a polygon", vmt, flat, 1, 2, "base r normal n_normal"},
		{"broken ones", vmt, terrainWorld(broken, far, deep), 0, 2, "base r normal n_normal"},
		{"hidden", vmt, hidden, 0, 0, "hidden"},
		{"without its first texture", "WorldVertexTransition { $basetexture nope $basetexture2 b }", terrainWorld(terrain(1, 1)), 0, 1,
			"color [0.5 0.5 0.5 1] placeholder + base b solid blend fades"},
		{"without its second", "WorldVertexTransition { $basetexture r $basetexture2 nope $blendmodulatetexture nope }",
			terrainWorld(terrain(1, 1)), 0, 1,
			"base r ($blendmodulatetexture)"},
		{"without a second", "WorldVertexTransition { $basetexture r }", terrainWorld(terrain(1, 1)), 0, 1, "base r"},
		{"transparent", "WorldVertexTransition { $basetexture r $basetexture2 b $translucent 1 }", terrainWorld(terrain(1, 1)), 0, 2,
			"base r blend + base b solid blend fades"},
	} {
		pl := planned(t, terrainFiles(c.vmt), baked, c.w)
		places := 0
		for i := range pl.DisplacementBlends {
			places += len(pl.DisplacementBlends[i].Terrain.Places)
		}
		if got := plantest.Text(pl, 0); got != c.want || places != c.baked || len(pl.Images) != c.whole {
			t.Errorf("%s: %q with %d baked, %q; want %q with %d, %d", c.name, got, places, plantest.Images(pl), c.want, c.baked, c.whole)
		}
	}
}

func TestTexturesOfDisplacements(t *testing.T) {
	none := baked
	none.Combine = false
	for _, c := range []struct {
		name, vmt string
		o         plan.Options
		want      string // part, layer and file of each texture
		cut       any
	}{
		{"two", "WorldVertexTransition { $basetexture r $basetexture2 b }", baked, "[0 0 r] [0 1 b]", nil},
		{"normals", "WorldVertexTransition { $basetexture r $basetexture2 b $bumpmap n $bumpmap2 n }", baked,
			"[0 0 r] [1 0 n] [0 1 b] [1 1 n]", nil},
		{"a mask", "WorldVertexTransition { $basetexture r $basetexture2 b $blendmodulatetexture m }", baked,
			"[0 0 r] [0 1 b] [2 0 m]", nil},
		{"a detail that is left out", "WorldVertexTransition { $basetexture r $basetexture2 b $detail a }", none, "[0 0 r] [0 1 b]",
			"$detail"},
		{"a detail", "WorldVertexTransition { $basetexture r $basetexture2 b $detail a }", baked, "[0 0 r] [0 1 b] [3 0 a]", nil},
		{"a detail that needs alpha", "WorldVertexTransition { $basetexture r $basetexture2 b $detail a $detailblendmode 4 }", baked,
			"[0 0 r] [0 1 b]", "$detail"},
		{"four", "Lightmapped_4WayBlend { $basetexture r $basetexture2 g $basetexture3 b $basetexture4 w $blendmodulatetexture m }", baked,
			"[0 0 r] [0 1 g] [0 2 b] [0 3 w]", nil},
		{"three of two", "WorldVertexTransition { $basetexture r $basetexture2 b $basetexture3 g }", baked, "[0 0 r] [0 1 b]",
			"$basetexture3"},
	} {
		pl := planned(t, terrainFiles(c.vmt), c.o, terrainWorld(terrain(1, 1)))
		var got []string
		for _, x := range pl.DisplacementBlends[0].Terrain.Textures {
			got = append(got, fmt.Sprint([]any{x.Part, x.Layer, images.Name(x.File)}))
		}
		if text := fmt.Sprint(got); text != "["+c.want+"]" || pl.Materials[0].Extras["not_shown"] != c.cut {
			t.Errorf("%s: %s, want [%s]; not shown %v", c.name, text, c.want, pl.Materials[0].Extras["not_shown"])
		}
	}
}

// The last three of four layers have weights of their own; without weights the alpha is the second's.
func TestFadingOfFourLayers(t *testing.T) {
	none, second, third := terrain(1, 0), terrain(1, 1), terrain(1, 0)
	none.Blends, third.Blends = make([][4]float32, 25), make([][4]float32, 25)
	third.Blends[7] = [4]float32{0, 0, 1, 0}
	w := terrainWorld(none, second, third)
	w.Materials[0].Width, w.Materials[0].Height = 0, 0
	// The texture a.vtf has no size.
	places := planned(t, terrainFiles("Multiblend { $basetexture a $basetexture2 a }"), baked, w).DisplacementBlends[0].Terrain.Places
	if len(places) != 2 || places[0].Surface != 1 || places[1].Surface != 2 || places[0].Picture.Width != 512 {
		t.Errorf("%+v", places)
	}
}

// A displacement reflects as its material does if that is the same everywhere.
func TestDisplacementsReflect(t *testing.T) {
	o := baked
	o.Reflections = true
	for vmt, want := range map[string]bool{
		"WorldVertexTransition { $basetexture r $basetexture2 b }":                                            false,
		"WorldVertexTransition { $basetexture r $basetexture2 b $envmap env_cubemap }":                        true,
		"WorldVertexTransition { $basetexture r $basetexture2 b $envmap env_cubemap $envmapmask half }":       false,
		"WorldVertexTransition { $basetexture r $basetexture2 b $envmap env_cubemap $basealphaenvmapmask 1 }": false,
	} {
		if got := planned(t, terrainFiles(vmt), o, terrainWorld(terrain(1, 1))).DisplacementBlends[0].Gloss; got != want {
			t.Errorf("%s: %t", vmt, got)
		}
	}
}

// A displacement twice as wide as its texture of 512 x 512 texels and as high has an image of 1024 x 512. One that is a hundredth
// too long is as large, one of 15 % is twice as large. More than 64 Mi pixels together are halved.
func TestSizesOfDisplacements(t *testing.T) {
	texture := []textureSize{{uv: [6]float64{1, 0, 0, 0, 1, 0}, texels: [2]float64{512, 512}}}
	for _, c := range []struct {
		u           float32
		most, width int
	}{{2, 0, 1024}, {1.01, 0, 512}, {1.15, 0, 1024}, {64, 0, 1024}, {2, 300, 256}, {2, 3, 2}, {2, 1, 2}, {0, 0, 16}} {
		places := []images.Place{{Picture: paint.DisplacementPicture{Displacement: terrain(c.u, 1)}}}
		if setSizes(places, texture, c.most); places[0].Picture.Width != c.width {
			t.Errorf("%+v: %d", c, places[0].Picture.Width)
		}
	}
	list := make([]plan.DisplacementBlend, 2)
	list[0].Terrain.Places = make([]images.Place, 100)
	list[1].Terrain.Places = []images.Place{{Picture: paint.DisplacementPicture{Width: 4, Height: 4}}}
	for i := range list[0].Terrain.Places {
		list[0].Terrain.Places[i].Picture = paint.DisplacementPicture{Width: 1024, Height: 1024}
	}
	shrink(list)
	if p, q := list[0].Terrain.Places[99].Picture, list[1].Terrain.Places[0].Picture; p.Width != 512 || p.Height != 512 || q.Width != 2 {
		t.Errorf("%d x %d, %d", p.Width, p.Height, q.Width)
	}
}
