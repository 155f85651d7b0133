package quake3

import (
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func newContext() *decoding.Context { return decoding.NewContext(limit.NewBudget(limit.Limits{})) }

func TestGridFillsTheWorldsBox(t *testing.T) {
	// Samples are at multiples of the cell: 0 and 64; 64, 128 and 192; -128 and 0.
	g, n, ok := gridOf(&modelRecord{Mins: [3]float32{-63, 1, -128}, Maxs: [3]float32{127, 192, 127}}, [3]float32{64, 64, 128})
	if !ok || n != 12 || g.Size != [3]int{2, 3, 2} || g.Origin != [3]float32{0, 64, -128} {
		t.Errorf("%v %d %+v", ok, n, g)
	}
	if _, _, ok := gridOf(&modelRecord{Mins: [3]float32{1, 1, 1}, Maxs: [3]float32{63, 63, 63}}, [3]float32{64, 64, 64}); ok {
		t.Error("a box without a sample has a grid")
	}
}

func TestCellIsOfWorldspawn(t *testing.T) {
	for key, want := range map[string][3]float32{"32 16 8": {32, 16, 8}, "0 64 64": {64, 64, 128}, "": {64, 64, 128}} {
		if got := cellOf(variant{}, []world.Entity{{Pairs: []world.Pair{{Key: "gridsize", Value: key}}}}); got != want {
			t.Errorf("%q: %g, want %g", key, got, want)
		}
	}
}

func TestEachSurfaceIsClaimedOnce(t *testing.T) {
	c := newClaims(4)
	c.take(1)
	c.take(2)
	for from, want := range map[int64]int64{0: 0, 1: 3, 2: 3, 3: 3, 4: 4, 99: 4} {
		if got := c.free(from); got != want {
			t.Errorf("from %d the first free one is %d, want %d", from, got, want)
		}
	}
}

func TestMaterialLitInTwoWaysIsTwo(t *testing.T) {
	m := &materials{dc: newContext(), shaders: []shaderRecord{{Name: [64]byte{'A', '.', 't', 'g', 'a'}, Surface: 0x4}}, flags: quake,
		index: map[materialKey]int{}}
	for i, kind := range []world.Lighting{world.Lightmap, world.PerVertex, world.Lightmap} {
		if got, err := m.add(0, kind); got != i%2 || err != nil {
			t.Errorf("lighting %v is material %d, %v", kind, got, err)
		}
	}
	if w := m.list[1]; len(m.list) != 2 || w.Name != "a" || w.Flags != world.Sky || w.Lighting != world.PerVertex {
		t.Errorf("%+v", m.list)
	}
}

func TestFogOfTheWholeMap(t *testing.T) {
	record := append(make([]byte, 64), 255, 255, 255, 255, 0, 0, 0, 0)
	copy(record, "Textures/Fog.tga")
	whole := &modelRecord{Mins: [3]float32{-1, -2, -3}, Maxs: [3]float32{1, 2, 3}}
	fogs, materials, err := decodeFogs(newContext(), le.Lump{Data: record}, &solids{}, whole)
	if err != nil || len(fogs) != 1 || !fogs[0].Global || fogs[0].Mins != whole.Mins || fogs[0].Maxs != whole.Maxs ||
		materials[0].Name != "textures/fog" {
		t.Errorf("%+v %+v %v", fogs, materials, err)
	}
}

func TestFirstMarkNamesTheEngine(t *testing.T) {
	entities := []world.Entity{{Pairs: []world.Pair{{Key: "classname", Value: "Weapon_Nex"}}}}
	m, why := findMark(variant{ident: "IBSP", version: 46}, Options{Name: "x", Files: fstest.MapFS{"maps/x.mapinfo": {}}}, entities)
	if m == nil || m.class != "weapon_nex" || why != ", and has entities of the class weapon_nex" {
		t.Errorf("%+v %q", m, why)
	}
	if m, why = findMark(variant{ident: "IBSP", version: 46}, Options{Name: "x", Files: fstest.MapFS{"maps/x.mapinfo": {}}}, nil); m == nil ||
		why != ", and maps/x.mapinfo is beside it" {
		t.Errorf("%+v %q", m, why)
	}
	if m, _ = findMark(variant{ident: "IBSP", version: 46}, Options{Name: "y"}, nil); m != nil {
		t.Errorf("%+v", m)
	}
}

func TestImageOfAShaderIsAskedForOnce(t *testing.T) {
	asked := 0
	image := imageNames(func(material string) string { asked++; return "maps/" + material }, []shaderRecord{{Name: [64]byte{'A'}}})
	first, second := image(0), image(0)
	if first != "maps/a" || second != "maps/a" || asked != 1 || imageNames(nil, nil)(7) != "" {
		t.Errorf("asked %d times", asked)
	}
}
