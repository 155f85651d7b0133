package meshes

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestTextureCoordinates(t *testing.T) {
	chart, double := &world.Chart{Width: 8, Height: 4}, [6]float64{2, 0, 0, 0, 1, 0.5}
	v := world.Vertex{Position: [3]float32{1, 2, 3}, UV: [2]float32{0.25, 0.5}, Luxel: [2]float32{4, 1}}
	for name, c := range map[string]struct {
		slot  pbr.Slot
		chart *world.Chart
		want  [2]float32
	}{
		"as they are":        {pbr.Slot{}, chart, [2]float32{0.25, 0.5}},
		"identity":           {pbr.Slot{UV: pbr.Identity}, chart, [2]float32{0.25, 0.5}},
		"transformed":        {pbr.Slot{UV: double}, chart, [2]float32{0.5, 1}},
		"of the lightmap":    {pbr.Slot{LightmapUV: true}, chart, [2]float32{0.5, 0.25}},
		"of no lightmap":     {pbr.Slot{LightmapUV: true}, nil, [2]float32{0.25, 0.5}},
		"of an empty chart":  {pbr.Slot{LightmapUV: true}, &world.Chart{}, [2]float32{0.25, 0.5}},
		"both":               {pbr.Slot{UV: double, LightmapUV: true}, chart, [2]float32{1, 0.75}},
		"from the position":  {pbr.Slot{Project: &[2][4]float64{{1, 0, 0, 10}, {0, 1, 1, 0}}}, chart, [2]float32{11, 5}},
		"wild numbers":       {pbr.Slot{UV: [6]float64{1e300, 1e300, 1e300, -1e300, -1e300, 0}}, nil, [2]float32{1e30, -1e30}},
		"wild as projection": {pbr.Slot{Project: &[2][4]float64{{1e300}, {-1e300}}}, nil, [2]float32{1e30, -1e30}},
	} {
		if got := texcoord(&c.slot, &v, c.chart); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The light is (0.5, 1, 2), the vertex (0.5, 1, 1) with an alpha of 0.25.
func TestColorsOfVertices(t *testing.T) {
	v := world.Vertex{Color: [4]float32{0.5, 1, 1, 0.25}}
	chart := &world.Chart{Width: 1, Height: 1, Layers: []world.Layer{{Luxels: []world.RGB{world.NewRGB(0.5, 1, 2)}}}}
	for name, c := range map[string]struct {
		use  pbr.VertexUse
		key  drawkey.Key
		gain float64
		want [4]float64
	}{
		"unused":            {pbr.VertexUse{}, drawkey.Key{}, 1, [4]float64{1, 1, 1, 1}},
		"used":              {pbr.VertexUse{Color: true, Alpha: true}, drawkey.Key{}, 1, [4]float64{0.5, 1, 1, 0.25}},
		"inverse":           {pbr.VertexUse{Alpha: true, Inverse: true}, drawkey.Key{}, 1, [4]float64{1, 1, 1, 0.75}},
		"a layer's opacity": {pbr.VertexUse{Alpha: true}, drawkey.Key{Layer: 1}, 1, [4]float64{1, 1, 1, 1}},
		"with light":        {pbr.VertexUse{}, drawkey.Key{VertexLit: true}, 1, [4]float64{0.5, 1, 1, 1}},
		"with doubled light": {pbr.VertexUse{Color: true}, drawkey.Key{VertexLit: true}, 0.5,
			[4]float64{0.25 * math.Pow(0.5, 2.2), math.Pow(0.5, 2.2), 2 * math.Pow(0.5, 2.2), 1}},
	} {
		m := &pbr.Material{Vertex: c.use, Draw: pbr.Draw{LightGain: c.gain}}
		got := color(&shading{key: c.key, m: m, carried: newCarrier(m, drawkey.VertexLightScale{}, nil)}, &v, chart)
		for k, x := range got {
			if math.Abs(float64(x)/65535-c.want[k]) > 2e-5 {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}

// A material that emits is lit at least by half, where it emits. A texture that is four times as bright needs a quarter of the light.
func TestLightThatVerticesCarry(t *testing.T) {
	m := &pbr.Material{Draw: pbr.Draw{LightGain: 1}, Emission: pbr.Emission{Color: [3]float32{1, 0, 0}}}
	c := newCarrier(m, drawkey.VertexLightScale{Boost: 4}, nil)
	if got := c.light([3]float32{0.25, 0.25, 2}); got != [3]float32{0.125, 0.0625, 0.5} {
		t.Errorf("%v", got)
	}
	// The engine multiplies by the light as displayed. Here it is converted for one brightness of texture, 0.35, to another, 0.5.
	m.Emission.Color = [3]float32{}
	c = newCarrier(m, drawkey.VertexLightScale{Albedo: 0.5}, &world.DisplayLight{Albedo: 0.35, Exponent: 1})
	stored := gamma.New(0.35, 1)
	got := c.light([3]float32{stored.Linear(0.6), stored.Linear(1), 0})
	for k, want := range [3]float64{gamma.Decode(0.3) / gamma.Decode(0.5), 1, 0} {
		if math.Abs(float64(got[k])-want) > 1e-5 {
			t.Errorf("%v, want %g", got, want)
		}
	}
}

// The picture of the surroundings is multiplied by what the engine shows of a vertex' colour, or by the rest.
func TestReflectionsFollowTheVertices(t *testing.T) {
	curve := gamma.New(0.35, 1)
	v := &world.Vertex{Color: [4]float32{curve.Linear(0.25), curve.Linear(1), curve.Linear(0), 1}}
	for tint, want := range map[pbr.VertexTint][4]uint16{pbr.ByColor: {16384, 65535, 0, 65535}, pbr.ByRestColor: {49151, 0, 65535, 65535}} {
		got := mirror(tint, &world.DisplayLight{Albedo: 0.35, Exponent: 1}, v)
		for k, x := range got {
			if d := int(x) - int(want[k]); d < -8 || d > 8 {
				t.Errorf("%d: %v, want %v", tint, got, want)
			}
		}
	}
}

func TestAttributesThatPrimitivesNeed(t *testing.T) {
	plain := square(0, world.NoChart, 1)
	ground := bent(0)
	plainMesh := []part{{&plain, world.NoChart, scenetest.Mesh(&plain)}}
	tinted := &pbr.Material{Normal: pbr.Slot{Image: pbr.NoImage}, Beyond: pbr.Beyond{Environment: &pbr.Environment{Vertex: pbr.ByColor}}}
	layered := &pbr.Material{Normal: pbr.Slot{Image: pbr.NoImage}, Layers: make([]pbr.Material, 1)}
	bare := &pbr.Material{Normal: pbr.Slot{Image: pbr.NoImage}}
	for name, c := range map[string]struct {
		m     *pbr.Material
		key   drawkey.Key
		parts []part
		want  attributes
	}{
		"none":                  {bare, drawkey.Key{Page: scene.None}, plainMesh, attributes{}},
		"a lightmap":            {bare, drawkey.Key{}, plainMesh, attributes{uv2: true}},
		"light in the vertices": {bare, drawkey.Key{Page: scene.None, VertexLit: true}, plainMesh, attributes{colors: true}},
		"a normal map":          {&pbr.Material{}, drawkey.Key{Page: scene.None}, plainMesh, attributes{tangents: true}},
		"a normal map, not lit": {&pbr.Material{Draw: pbr.Draw{Unlit: true}}, drawkey.Key{Page: scene.None}, plainMesh, attributes{}},
		"a normal map, carried": {&pbr.Material{}, drawkey.Key{Page: scene.None, VertexLit: true}, plainMesh, attributes{colors: true}},
		"surroundings":          {tinted, drawkey.Key{Page: scene.None}, plainMesh, attributes{mirrors: true}},
		"surroundings, carried": {tinted, drawkey.Key{Page: scene.None, VertexLit: true}, plainMesh, attributes{colors: true}},
		"a layer above":         {layered, drawkey.Key{Page: scene.None}, plainMesh, attributes{blend: true}},
		"the layer itself":      {bare, drawkey.Key{Page: scene.None, Layer: 1}, plainMesh, attributes{}},
		"a displacement": {bare, drawkey.Key{Page: scene.None}, []part{{&ground, world.NoChart, &geometry.Mesh{}}},
			attributes{blend: true}},
		"weights": {bare, drawkey.Key{Page: scene.None},
			[]part{{&plain, world.NoChart, &geometry.Mesh{Blends: make([][4]float32, 1)}}}, attributes{blends: true}},
		"surroundings, not tinted": {&pbr.Material{Normal: bare.Normal, Beyond: pbr.Beyond{Environment: &pbr.Environment{}}},
			drawkey.Key{Page: scene.None}, plainMesh, attributes{}},
	} {
		if got := attributesOf(&shading{key: c.key, m: c.m, atlas: &lightmap.Atlas{}}, c.parts); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
