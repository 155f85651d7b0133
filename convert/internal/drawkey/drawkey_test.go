package drawkey

import (
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// optionsOf returns the options of a pipeline.
func optionsOf(p pipeline.Pipeline) Options {
	return Options{Carrier: p.Lightmap.Carrier, Entities: p.Entities, Sky: p.Sky, Output: p.Output}
}

// meshesOf returns a mesh of one triangle for each surface.
func meshesOf(w *world.World) [][]geometry.Mesh {
	all := make([][]geometry.Mesh, len(w.Models))
	for i := range all {
		for range w.Models[i].Surfaces {
			all[i] = append(all[i], geometry.Mesh{Indices: []uint32{0, 0, 0}})
		}
	}
	return all
}

// plain returns a surface without light.
func plain(material int) world.Surface {
	return world.Surface{Material: material, Chart: world.NoChart, Fog: -1}
}

func TestWhySurfacesAreLeftOut(t *testing.T) {
	hidden := pbr.Material{Draw: pbr.Draw{Hidden: true}}
	fog := hidden
	fog.Fog = &pbr.Fog{}
	mats := []pbr.Material{{}, hidden, fog, {Beyond: pbr.Beyond{Sky: &pbr.Sky{}}}, {Draw: pbr.Draw{Walled: true}}}
	list := []world.Surface{plain(0), {Flags: world.NoDraw}}
	for why, s := range map[string]world.Surface{
		"": plain(0), "nodraw": plain(1), "fog": plain(2), "sky": plain(3), "clip": {Material: 1, Flags: world.Clip},
		"hint":    {Flags: world.Hint},
		"trigger": {Flags: world.Trigger | world.NoDraw}, "water-underside": {Flags: world.Liquid | world.Underside},
	} {
		if got := undrawn(list, &s, mats); got != why {
			t.Errorf("%q, want %q", got, why)
		}
	}
	if got := undrawn(list, &world.Surface{Material: 4, Flags: world.Sky}, mats); got != "" {
		t.Errorf("a wall of stars: %q", got)
	}
	if got := undrawn(list, &world.Surface{Material: 2, Flags: world.Liquid}, mats); got != "nodraw" {
		t.Errorf("hidden water with a fog in it: %q", got)
	}
	for host, why := range []string{"", "nodraw"} {
		if got := undrawn(list, &world.Surface{Shape: &world.Overlay{Host: host}}, mats); got != why {
			t.Errorf("on host %d: %q, want %q", host, got, why)
		}
	}
}

// Sky is never kept.
func TestHiddenSurfacesAreKeptOnRequest(t *testing.T) {
	w := &world.World{Materials: make([]world.Material, 1),
		Models: []world.Model{{Surfaces: []world.Surface{{Flags: world.NoDraw}, {Flags: world.Sky}, {}}}}}
	set, meshes := &materials.Set{Materials: make([]pbr.Material, 1)}, meshesOf(w)
	meshes[0][2].Indices = nil
	for option, want := range map[string][3]Surface{
		"output.hidden=false": {{Drop: "nodraw"}, {Drop: "sky"}, {Drop: "invalid"}},
		"output.hidden=true":  {{Hidden: true, Key: Key{Page: scene.None}}, {Drop: "sky"}, {Drop: "invalid"}},
	} {
		got := Surfaces(w, meshes, set, &lightmap.Atlas{}, optionsOf(scenetest.Set(t, option)))
		if !reflect.DeepEqual(got[0], want[:]) {
			t.Errorf("%s: %+v", option, got[0])
		}
	}
}

// A model is left out if all entities that show it are.
func TestModelsAreLeftOutWithTheirEntities(t *testing.T) {
	class := func(name string, model int, box bool) world.Entity {
		return world.Entity{Model: model, InSkybox: box, Pairs: []world.Pair{{Key: "classname", Value: name}}}
	}
	w := &world.World{Models: make([]world.Model, 5), Sky: world.SkyBox{Skybox3D: &world.Skybox3D{Model: 4}}, Entities: []world.Entity{
		class("worldspawn", 0, false), class("Trigger_x", 1, false), class("trigger_x", 2, false), class("door", 2, false),
		class("door", 3, true),
	}}
	o := optionsOf(scenetest.Set(t, "entities.skip=[trigger_*]", "sky.box=false"))
	if got, want := modelsLeftOut(w, &o), []string{"", "skipped", "", "skybox-3d", "skybox-3d"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestDrawKeysOfTheCarriers(t *testing.T) {
	atlas := &lightmap.Atlas{Places: []lightmap.Place{{Page: 7}, {Page: lightmap.NoPage}}}
	unlit := pbr.Material{Draw: pbr.Draw{Unlit: true}}
	for _, c := range []struct {
		carrier lightmap.Carrier
		chart   int
		m       pbr.Material
		want    Key
	}{
		{lightmap.CarrierMOZ, 0, pbr.Material{}, Key{Page: 7}},
		{lightmap.CarrierMOZ, 1, pbr.Material{}, Key{Page: scene.None}},
		{lightmap.CarrierMOZ, 0, unlit, Key{Page: scene.None}},
		{lightmap.CarrierVertex, 0, pbr.Material{}, Key{Page: scene.None, VertexLit: true}},
		{lightmap.CarrierVertex, world.NoChart, pbr.Material{}, Key{Page: scene.None}},
		{lightmap.CarrierVertex, 0, unlit, Key{Page: scene.None}},
	} {
		if got := (light{atlas, c.carrier}).key(&world.Surface{}, c.chart, &c.m); got != c.want {
			t.Errorf("%s, chart %d: %+v, want %+v", c.carrier, c.chart, got, c.want)
		}
	}
}

// An overlay lies on a surface of chart 0 and has its light. The second displacement has a painted image instead of its layer.
func TestDrawKeysOfOverlaysAndLayers(t *testing.T) {
	ground := pbr.Material{Layers: make([]pbr.Material, 1)}
	list := []world.Surface{{Fog: -1}, plain(0), {Shape: &world.Overlay{Host: 0}, Material: 1, Chart: world.NoChart, Fog: -1}}
	w := &world.World{Models: []world.Model{{Surfaces: list}}}
	set := &materials.Set{Materials: []pbr.Material{ground, {}}, Baked: []materials.Baked{{Model: 0, Surface: 1}}}
	got := Surfaces(w, meshesOf(w), set, &lightmap.Atlas{Places: []lightmap.Place{{Page: 2}}}, optionsOf(pipeline.Default()))[0]
	want := []Surface{
		{Key: Key{Page: 2}, Over: []Key{{Layer: 1, Page: 2}}},
		{Chart: world.NoChart, Key: Key{Page: scene.None, Painted: 1}},
		{Key: Key{Material: 1, Page: 2, Overlay: true}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

func TestFogLiesOnOpaqueSurfaces(t *testing.T) {
	mats := []pbr.Material{{Beyond: pbr.Beyond{Fog: &pbr.Fog{Opaque: 512}}}, {Alpha: pbr.Blend}, {}}
	up := []world.Fog{{Normal: [3]float32{0, 0, 1}}}
	for _, c := range []struct {
		name          string
		material, fog int
		fogs          []world.Fog
		want          bool
	}{
		{"a floor in fog", 2, 0, up, true},
		{"a floor in no fog", 2, -1, up, false},
		{"glass", 1, 0, up, false},
		{"fog without a side", 2, 0, make([]world.Fog, 1), false},
		{"switched off", 2, 0, nil, false},
	} {
		if got := inFog(&world.Surface{Fog: c.fog}, &mats[c.material], mats, c.fogs); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// Only what shows no light of the map has skins.
func TestSkins(t *testing.T) {
	s := &world.Surface{Skins: []int{3, 5}}
	if got := Skins(s, Key{Material: 3, Page: scene.None}); !reflect.DeepEqual(got,
		[]Key{{Material: 3, Page: scene.None}, {Material: 5, Page: scene.None}}) {
		t.Errorf("%+v", got)
	}
	for _, key := range []Key{{Page: 0}, {Page: scene.None, VertexLit: true}, {Page: scene.None, Layer: 1}} {
		if got := Skins(s, key); got != nil {
			t.Errorf("%+v: %+v", key, got)
		}
	}
}

func TestPropsThatOptionsLeaveOut(t *testing.T) {
	list := []world.Prop{{}, {Kind: world.StaticProp}, {Kind: world.DetailProp},
		{Kind: world.DetailProp, Sprite: &world.Sprite{}, Index: world.NoModel}, {InSkybox: true}}
	for option, want := range map[string][]bool{
		"entities.props=node":   {true, true, true, false, true}, // grass without a picture
		"entities.props=none":   {true, false, true, false, true},
		"entities.details=node": {true, true, true, true, true},
		"entities.details=none": {true, true, false, false, true},
		"sky.box=false":         {true, true, true, false, false},
	} {
		if got := Props(&world.World{Props: list, Sky: world.SkyBox{Skybox3D: &world.Skybox3D{}}},
			optionsOf(scenetest.Set(t, option))); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", option, got, want)
		}
	}
}
