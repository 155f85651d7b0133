package drawkey

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A band of a layer with a threshold shows the texels that appear up to the band's opacity: the alpha cutoff is one minus the
// opacity.
func TestBandsOfAThresholdAreMasked(t *testing.T) {
	for band := 1; band <= Bands; band++ {
		m := pbr.Material{BaseColor: [4]float32{1, 1, 1, 1}, Alpha: pbr.Blend, Vertex: pbr.VertexUse{Alpha: true},
			Layer: pbr.LayerUse{Threshold: true}}
		fade(&m, &pbr.Material{}, band, []materials.Image{{Alpha: true}})
		want, cutoff := pbr.Mask, 1-float32(band)/8
		if band == Bands {
			want, cutoff = pbr.Opaque, 0
		}
		if m.Alpha != want || m.Cutoff != cutoff || m.BaseColor[3] != 1 || m.Vertex.Alpha {
			t.Errorf("band %d: %+v", band, m)
		}
	}
}

func TestBandsOfALayerAreTransparent(t *testing.T) {
	for band, want := range map[int]pbr.Material{
		2: {Name: "grass 25%", Alpha: pbr.Blend, BaseColor: [4]float32{3: 0.25}},
		8: {Name: "grass", Alpha: pbr.Opaque, BaseColor: [4]float32{3: 1}},
	} {
		m := pbr.Material{Name: "grass", Alpha: pbr.Blend, BaseColor: [4]float32{3: 1}}
		if fade(&m, &pbr.Material{}, band, []materials.Image{{}}); m.Name != want.Name || m.Alpha != want.Alpha ||
			m.BaseColor != want.BaseColor {
			t.Errorf("band %d: %+v", band, m)
		}
	}
}

// A band with a picture of its own is opaque; its cutoff states its opacity. Below a half it has the normals of what is below.
func TestBandsWithPicturesAreOpaque(t *testing.T) {
	m := pbr.Material{Alpha: pbr.Blend, BaseColor: [4]float32{3: 1}, Normal: pbr.Slot{Image: 7},
		Emission: pbr.Emission{Color: [3]float32{1, 1, 1}}}
	m.Layer.Bands = make([]pbr.Band, Bands)
	for k := range m.Layer.Bands {
		m.Layer.Bands[k] = pbr.Band{Base: 10 + k, Glow: 20 + k}
	}
	m.Layer.Bands[7].Span = 2
	m.Layer.Bands[4].Glow, m.Layer.Bands[5].Base = pbr.NoImage, pbr.NoImage
	for band, want := range map[int]pbr.Material{
		2: {Alpha: pbr.Mask, Cutoff: 0.75, Base: pbr.Slot{Image: 11}, Normal: pbr.Slot{Image: 5},
			Emission: pbr.Emission{Color: [3]float32{1, 1, 1}, Slot: pbr.Slot{Image: 21, UV: pbr.Identity}}},
		5: {Alpha: pbr.Mask, Cutoff: 0.375, Base: pbr.Slot{Image: 14}, Normal: pbr.Slot{Image: 7},
			Emission: pbr.Emission{Slot: pbr.Slot{Image: pbr.NoImage, UV: pbr.Identity}}},
		6: {Alpha: pbr.Blend, Normal: pbr.Slot{Image: 7}, Emission: pbr.Emission{Color: [3]float32{1, 1, 1}}},
		8: {Alpha: pbr.Opaque, Base: pbr.Slot{Image: 17, Span: 2}, Normal: pbr.Slot{Image: 7},
			Emission: pbr.Emission{Color: [3]float32{1, 1, 1}, Slot: pbr.Slot{Image: 27, UV: pbr.Spanned(2)}}},
	} {
		got := m
		fade(&got, &pbr.Material{Normal: pbr.Slot{Image: 5}}, band, []materials.Image{{}})
		if got.Alpha != want.Alpha || got.Cutoff != want.Cutoff || got.Base != want.Base || got.Normal != want.Normal ||
			got.Emission.Slot != want.Emission.Slot || got.Emission.Color != want.Emission.Color {
			t.Errorf("band %d: %+v", band, got)
		}
	}
}

// A material with one layer in bands states from what readers can mix it; a band states its opacity.
func TestBandsStateTheirMixture(t *testing.T) {
	layer := pbr.New("wall")
	layer.Base.Image = 4
	layer.Layer = pbr.LayerUse{Bands: make([]pbr.Band, Bands), Mask: &pbr.Slot{Image: 5, UV: pbr.Identity}}
	wall := pbr.New("wall")
	if mixOf(&wall) != nil {
		t.Error("a material without layers is mixed")
	}
	wall.Layers = []pbr.Material{layer}
	if x := mixOf(&wall); x == nil || x.Second != 4 || x.Mask.Image != 5 {
		t.Errorf("%+v", x)
	}
	fade(&layer, &wall, 2, []materials.Image{{}, {}, {}, {}, {}})
	if layer.Extras["band"] != 0.25 || wall.Layers[0].Extras["band"] != nil {
		t.Error(layer.Extras)
	}
	wall.Layers[0].Layer.Mask = nil
	if mixOf(&wall) != nil {
		t.Error("it is mixed although the options leave that out")
	}
}

func TestMaterialsOfTheCarriers(t *testing.T) {
	from := Sources{
		World: &world.World{Materials: make([]world.Material, 1)},
		Atlas: &lightmap.Atlas{Scale: 2, Pages: []lightmap.Page{{}, {Layout: 1}}},
		Set:   &materials.Set{Materials: []pbr.Material{pbr.New("wall")}, Images: make([]materials.Image, 3)},
	}
	for _, c := range []struct {
		key      Key
		name     string
		lightmap int
		unlit    bool
	}{
		{Key{Page: scene.None}, "wall", scene.None, false},
		{Key{Page: 0}, "wall", 3, false}, // after three textures
		{Key{Page: 1}, "wall page 1", 4, false},
		{Key{Page: scene.None, VertexLit: true}, "wall", scene.None, true},
	} {
		m := Materials([]Key{c.key}, from, optionsOf(scenetest.Set(t, "output.names=stable")))[0]
		if m.Name != c.name || m.Lightmap != c.lightmap || m.Material.Draw.Unlit != c.unlit || m.Vertex.Color != c.unlit ||
			(m.Lightmap != scene.None) != (m.Intensity == 2) {
			t.Errorf("%+v: %+v", c.key, m)
		}
	}
}

// A viewer shows either KHR_materials_unlit or a lightmap, and an unlit material can't emit.
func TestWhatGlowsAndIsLitByVertexHasAWhiteLightmap(t *testing.T) {
	m := pbr.New("lamp")
	m.Draw.Unlit, m.Vertex.Color, m.Emission.Color = true, true, [3]float32{1, 0, 0}
	from := Sources{World: &world.World{Materials: []world.Material{{Lighting: world.PerVertex}}},
		Set: &materials.Set{Materials: []pbr.Material{m}}, Atlas: &lightmap.Atlas{}}
	made := Materials([]Key{{Page: scene.None}}, from, optionsOf(pipeline.Default()))
	if images := Images(from, made); made[0].Lightmap != 0 || made[0].Material.Draw.Unlit || made[0].Emission.Color != m.Emission.Color ||
		len(images) != 1 || images[0].Name != "white" {
		t.Errorf("%+v, %d images", made[0], len(images))
	}
	made = Materials([]Key{{Page: scene.None}}, from, optionsOf(scenetest.Set(t, "lightmap.carrier=none")))
	if images := Images(from, made); made[0].Lightmap != scene.None || !made[0].Material.Draw.Unlit ||
		made[0].Emission.Color != [3]float32{} || len(images) != 0 {
		t.Errorf("without a carrier: %+v, %d images", made[0], len(images))
	}
}

func TestStylesAreNamedByTheirLamps(t *testing.T) {
	w := &world.World{
		Lights: []world.Light{{Entity: world.NoEntity, Style: 32}, {Entity: 0, Style: 32}, {Entity: 1, Style: 32}, {Entity: 1}},
		Entities: []world.Entity{{Pairs: []world.Pair{{Key: "targetname", Value: "lamp"}}},
			{Pairs: []world.Pair{{Key: "targetname", Value: "other"}}}},
	}
	if got := StyleNames(w); len(got) != 1 || got[32] != "lamp" {
		t.Errorf("%v", got)
	}
}

func TestPagesAreNamedByStyleAndBasis(t *testing.T) {
	for _, c := range []struct {
		page          lightmap.Page
		name, element string
	}{
		{lightmap.Page{Layout: 1}, "lightmap_1", "lightmap"},
		{lightmap.Page{Style: 32}, "lightmap_0_style_32", "lightmap style 32 (lamp)"},
		{lightmap.Page{Style: 3, Basis: world.Bump1}, "lightmap_0_style_3_bump1", "light bump1 style 3"},
		{lightmap.Page{Basis: world.Direction}, "lightmap_0_direction", "light direction (map axes)"},
		{lightmap.Page{Style: world.NightStyle}, "lightmap_0_night", "lightmap night"},
	} {
		if im := pageImage(&c.page, map[uint8]string{32: "lamp"}); im.Name != c.name || im.Element != c.element || !im.Clamp {
			t.Errorf("%+v", im)
		}
	}
}
