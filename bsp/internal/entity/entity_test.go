package entity_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/classes"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/entity"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/liquid"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/record"
	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

func TestEntities(t *testing.T) {
	is := &world.Issues{Most: 10}
	l := le.Lump{Name: "entities",
		Data: []byte("{ \"classname\" \"worldspawn\" \"model\" \"*9\" }\n{ \"model\" \"*2\" \"message\" \"caf\xe9\" }\n{ \"model\" \"*3\" }")}
	list, err := entity.Read(l, entlump.NoEscapes, limit.NewBudget(limit.Limits{}), is)
	if err != nil || len(list) != 3 || list[1].Value("message") != "café" || list[1].Model != world.NoModel {
		t.Fatalf("%+v, %v", list, err)
	}
	for i := range list {
		entity.SetBrushModel(i, &list[i], 3, is)
	}
	if list[0].Model != 0 || list[1].Model != 2 || list[2].Model != world.NoModel {
		t.Errorf("%d %d %d", list[0].Model, list[1].Model, list[2].Model)
	}
	if !entity.HasWorldspawn(list, is) || entity.HasWorldspawn(list[1:], is) || entity.HasWorldspawn(nil, is) {
		t.Error("worldspawn is the first entity, and no other")
	}
	var codes []string
	for _, i := range is.List() {
		codes = append(codes, i.Code+" of "+i.Where)
	}
	if len(codes) != 3 || codes[0] != "entity-model of entity 2" || codes[1] != "entity-worldspawn of entity 0" {
		t.Errorf("%q", codes)
	}
	if _, err := entity.Read(l, entlump.NoEscapes, limit.NewBudget(limit.Limits{MaxEntities: 2}), is); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
}

func TestRecords(t *testing.T) {
	l := le.Lump{Name: "pairs", Data: []byte{1, 2, 3, 4, 5, 6}}
	first := func(b []byte) int32 { return int32(b[0]) }
	dc := decoding.NewContext(limit.NewBudget(limit.Limits{MaxMemory: 12}))
	row := record.Layout[int32]{Size: 2, Decode: first}
	if got, err := row.Records(dc, l); err != nil || len(got) != 3 || got[0] != 1 || got[2] != 5 || dc.Budget.Reserved() != 12 {
		t.Errorf("%v, %d, %v", got, dc.Budget.Reserved(), err)
	}
	if _, err := row.Records(dc, l); !errors.Is(err, limit.ErrLimit) {
		t.Error(err)
	}
	if dc.Done(); dc.Budget.Reserved() != 0 {
		t.Errorf("%d bytes are reserved when all is done", dc.Budget.Reserved())
	}
	broken := record.List[int32]{Layout: record.Layout[int32]{Size: 4, Decode: first}, Lump: l}
	if _, err := broken.Records(dc); !errors.Is(err, limit.ErrCorrupt) {
		t.Error(err)
	}
	if got, err := broken.Optional(dc); got != nil || err != nil || len(dc.Issues.List()) != 1 {
		t.Errorf("%v, %v, %v", got, err, dc.Issues.List())
	}
}

func TestUndersidesAreAtThePlaceOfWhatIsSeenFromAbove(t *testing.T) {
	square := func(z, side float32, up float32) liquid.Face {
		corners := [4][3]float32{{0, 0, z}, {side, 0, z}, {side, side, z}, {0, side, z}}
		return liquid.Face{Normal: [3]float32{0, 0, up}, Corners: 4, Corner: func(k int) ([3]float32, bool) { return corners[k], z < 100 }}
	}
	faces := []liquid.Face{
		square(8, 64, -1), square(8, 64, 1), // one over the other
		square(8, 32, -1), square(16, 64, -1), // of another size, at another height
		square(100, 64, 1), square(100, 64, -1), // whose corners lead nowhere
	}
	got, err := liquid.Undersides(t.Context(), len(faces)+1, func(i int) (liquid.Face, bool) {
		if i == len(faces) {
			return liquid.Face{}, false
		}
		return faces[i], true
	})
	if want := (liquid.Sides{Below: map[int]bool{0: true}, Above: map[int]bool{1: true}}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// A block of water has a face within for every side, of the material that shows the water from below.
func TestTheSidesOfWaterHaveAnInsideToo(t *testing.T) {
	face := func(material int, normal [3]float32, corners ...[3]float32) liquid.Face {
		return liquid.Face{Normal: normal, Material: material, Corners: 4,
			Corner: func(k int) ([3]float32, bool) { return corners[k], true }}
	}
	top := [][3]float32{{0, 0, 8}, {64, 0, 8}, {64, 64, 8}, {0, 64, 8}}
	front := [][3]float32{{0, 0, 0}, {64, 0, 0}, {64, 0, 8}, {0, 0, 8}}
	back := [][3]float32{{0, 64, 0}, {64, 64, 0}, {64, 64, 8}, {0, 64, 8}}
	bottom := [][3]float32{{0, 0, 0}, {64, 0, 0}, {64, 64, 0}, {0, 64, 0}}
	const water, beneath = 0, 1
	faces := []liquid.Face{
		face(beneath, [3]float32{0, 1, 0}, front...), // within
		face(water, [3]float32{0, -1, 0}, front...),
		face(water, [3]float32{0, 0, 1}, top...),
		face(beneath, [3]float32{0, 0, -1}, top...), // the underside
		face(beneath, [3]float32{0, 0, 1}, bottom...),
		face(water, [3]float32{0, 0, -1}, bottom...), // from without, where the map ends
		face(beneath, [3]float32{0, -1, 0}, back...), // there is no other at its place
	}
	want := liquid.Sides{Below: map[int]bool{0: true, 3: true, 5: true}, Above: map[int]bool{1: true, 2: true, 4: true}}
	if got, err := liquid.Undersides(t.Context(), len(faces), func(i int) (liquid.Face, bool) { return faces[i], true }); err != nil ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for i := range faces { // one material for all: of the two sides the second goes, whichever is the inside
		faces[i].Material = water
	}
	want = liquid.Sides{Below: map[int]bool{1: true, 3: true, 5: true}, Above: map[int]bool{0: true, 2: true, 4: true}}
	if got, err := liquid.Undersides(t.Context(), len(faces), func(i int) (liquid.Face, bool) { return faces[i], true }); err != nil ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("one material: %v, %v", got, err)
	}
}

// What the game draws for a class and we don't is said once for a class, in the game that draws it.
func TestEffectsAreSaid(t *testing.T) {
	list := make([]world.Entity, 4)
	for i, class := range []string{"worldspawn", "env_steam", "light", "ENV_Steam"} {
		list[i] = world.Entity{Pairs: []world.Pair{{Key: "classname", Value: class}}, Model: world.NoModel}
	}
	if got := entity.Number(1); got != "1 entity of this class" {
		t.Errorf("%q", got)
	}
	for family, want := range map[classes.Family]int{classes.Source: 1, classes.Quake3: 0} {
		is := &world.Issues{Most: 10}
		w := &world.World{Entities: list, Models: make([]world.Model, 1)}
		if err := entity.ApplyRules(w, family, limit.NewBudget(limit.Limits{}), is); err != nil {
			t.Fatal(err)
		}
		got := is.List()
		if len(got) != want || want == 1 && (got[0].Code != "entity-effect" || got[0].Where != "env_steam" ||
			got[0].Detail != "particles: not shown for 2 entities of this class") {
			t.Errorf("%+v", got)
		}
	}
}
