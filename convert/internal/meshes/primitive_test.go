package meshes

import (
	"errors"
	"slices"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A layer lies above its surface, a decal above its wall and fog above all.
func TestWhatLiesOffItsSurface(t *testing.T) {
	for _, c := range []struct {
		layer  int
		offset bool
		want   float32
	}{
		{0, false, 0}, {0, true, 0.25}, {1, false, 0.0625}, {2, true, 0.375},
		{drawkey.FogLayer, false, 0.25}, {drawkey.FogLayer, true, 0.5},
	} {
		if got := liftOf(c.layer, c.offset); got != c.want {
			t.Errorf("layer %d: %g, want %g", c.layer, got, c.want)
		}
	}
	s := square(0, world.NoChart, 1)
	m := plainMaterial("m")
	m.Draw.Offset = true
	p, err := primitive(t.Context(), shading{key: drawkey.Key{Page: scene.None}, m: &m, axes: axes.Axes{Unit: 1}},
		[]part{{&s, world.NoChart, scenetest.Mesh(&s)}})
	if err != nil || p.Positions[0] != [3]float32{0, decalOffset, 0} {
		t.Errorf("%v, %v", p.Positions, err)
	}
}

// Two squares, of which the second has blending weights, are one primitive.
func TestPartsFollowEachOther(t *testing.T) {
	a, b := square(0, world.NoChart, 1), moved(square(0, world.NoChart, 1), 64, 0, 0)
	second := scenetest.Mesh(&b)
	second.Blends = [][4]float32{{1}, {1}, {1}, {1}}
	m := plainMaterial("m")
	p, err := primitive(t.Context(), shading{key: drawkey.Key{Page: scene.None}, m: &m, axes: axes.Axes{Unit: 0.5}},
		[]part{{&a, world.NoChart, scenetest.Mesh(&a)}, {&b, world.NoChart, second}})
	if err != nil || len(p.Positions) != 8 || p.Positions[5] != [3]float32{64, 0, 0} ||
		!slices.Equal(p.Indices, []uint32{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}) {
		t.Errorf("%v %v, %v", p.Positions, p.Indices, err)
	}
	if want := [][4]float32{{}, {}, {}, {}, {1}, {1}, {1}, {1}}; !slices.Equal(p.Blends, want) {
		t.Errorf("%v", p.Blends)
	}
}

// The vertices that cutting adds count against the limits, also those of surfaces that are cut before the limit is reached.
func TestCuttingKeepsToTheLimits(t *testing.T) {
	m := plainMaterial("m")
	sh := shading{key: drawkey.Key{VertexLit: true, Page: scene.None}, m: &m, charts: make([]world.Chart, 1), step: 0.5}
	for _, l := range []limit.Limits{{MaxVertices: 1000}, {MaxMemory: 100_000}} {
		var parts []part
		for range 50 {
			s := square(0, 0, 8)
			parts = append(parts, part{&s, 0, scenetest.Mesh(&s)})
		}
		b := limit.NewBudget(l)
		if _, err := primitive(limit.With(t.Context(), b), sh, parts); !errors.Is(err, limit.ErrLimit) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

func TestNormalMapsHaveTangents(t *testing.T) {
	m := plainMaterial("m")
	m.Normal.Image = 0
	s := square(0, world.NoChart, 1)
	p, err := primitive(t.Context(), shading{key: drawkey.Key{Page: scene.None}, m: &m},
		[]part{{&s, world.NoChart, scenetest.Mesh(&s)}})
	if err != nil || len(p.Tangents) != 4 {
		t.Errorf("%d tangents, %v", len(p.Tangents), err)
	}
}

// A placeholder's grid is in map units, whatever the map's own coordinates: a wall takes them from its two longer axes.
func TestPlaceholdersLieOnTheGrid(t *testing.T) {
	s := square(0, world.NoChart, 1)
	m := plainMaterial("m")
	m.Placeholder, m.Base.Image = true, 0
	wall := scenetest.Mesh(&s)
	for i := range wall.Vertices {
		v := &wall.Vertices[i]
		v.Position = [3]float32{10, v.Position[0] + 64, v.Position[1] - 128}
		v.Normal = [3]float32{1, 0, 0}
	}
	p, err := primitive(t.Context(), shading{key: drawkey.Key{Page: scene.None}, m: &m, axes: axes.Axes{Unit: 1}},
		[]part{{&s, world.NoChart, wall}})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range wall.Vertices {
		if want := [2]float32{v.Position[1] / 64, -v.Position[2] / 64}; p.UV[i] != want {
			t.Errorf("%v at %v, want %v", p.UV[i], v.Position, want)
		}
	}
}
