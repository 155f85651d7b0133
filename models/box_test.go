package models_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/bsp2gltf/bsp2gltf/internal/testkit"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// mdl returns the start of a Source model with a hull and a box for drawing.
func mdl(numbers ...float32) []byte {
	b := make([]byte, 200)
	copy(b, "IDST")
	b[4] = 48
	for i, f := range numbers {
		binary.LittleEndian.PutUint32(b[104+4*i:], math.Float32bits(f))
	}
	return b
}

func TestBoxesOfSourceModels(t *testing.T) {
	nan := float32(math.NaN())
	hull := []float32{-1, -2, 0, 1, 2, 3}
	other := mdl(hull...)
	other[4] = 53
	for _, test := range []struct {
		name string
		data []byte
		want *models.Box
	}{
		{"the hull", mdl(hull...), &models.Box{Mins: [3]float32{-1, -2, 0}, Maxs: [3]float32{1, 2, 3}}},
		{"the box for drawing where there is no hull", mdl(append(make([]float32, 6), hull...)...),
			&models.Box{Mins: [3]float32{-1, -2, 0}, Maxs: [3]float32{1, 2, 3}}},
		{"flat", mdl(0, 0, 0, 1, 2, 0), &models.Box{Maxs: [3]float32{1, 2, 0}}},
		{"none", mdl(), nil},
		{"inside out", mdl(1, 1, 1, -1, -1, -1), nil},
		{"not a number", mdl(nan, 0, 0, 1, 1, 1), nil},
		{"endless", mdl(0, 0, 0, 1, float32(math.Inf(1)), 1), nil},
		{"larger than a map", mdl(0, 0, 0, 1<<18, 1, 1), nil},
		{"short", mdl(hull...)[:151], nil},
		{"of another version, whose header has it elsewhere", other, nil},
		{"another format", append([]byte("IDPO"), mdl(hull...)[4:]...), nil},
	} {
		w := &world.World{Props: []world.Prop{{Model: "Models/A.mdl", Index: world.NoModel}, {Model: "Models/A.mdl", Index: world.NoModel}}}
		boxes, err := models.Boxes(t.Context(), fstest.MapFS{"models/a.mdl": {Data: test.data}}, w)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := boxes["Models/A.mdl"]
		if ok != (test.want != nil) || ok && got != *test.want {
			t.Errorf("%s: %v, %v", test.name, got, ok)
		}
	}
}

func TestBoxesAreOfModelsThatWereNotRead(t *testing.T) {
	w := &world.World{Props: []world.Prop{
		{Model: "missing.mdl", Index: world.NoModel}, {Model: "read.mdl", Index: 1}, {Index: world.NoModel},
		{Model: "a.md3", Index: world.NoModel},
	}}
	files := fstest.MapFS{"read.mdl": {Data: mdl(0, 0, 0, 1, 1, 1)}, "a.md3": {Data: mdl(0, 0, 0, 1, 1, 1)}}
	boxes, err := models.Boxes(t.Context(), files, w)
	if err != nil || len(boxes) != 0 {
		t.Errorf("%v, %v", boxes, err)
	}
}

// Props of the compiler have no entity; a model that is not there is told of once.
func TestModelsThatAreNotThere(t *testing.T) {
	w := &world.World{Entities: []world.Entity{{Pairs: []world.Pair{{Key: "classname", Value: "prop_physics"}}}}}
	for i, name := range []string{"models/a.mdl", "models/a.mdl", "models/b.mdl", "", "models/gone.md3"} {
		w.Props = append(w.Props, world.Prop{Kind: world.StaticProp, Model: name, Entity: world.NoEntity, Record: i})
	}
	w.Props = append(w.Props, world.Prop{Model: "models/b.mdl"}, world.Prop{Model: "models/c.mdl"})
	files := fstest.MapFS{"models/b.mdl": {Data: mdl()}, "models/c.mdl": {Data: mdl()[:6]}}
	if err := models.Gather(t.Context(), files, w, models.Options{}); err != nil {
		t.Fatal(err)
	}
	want := []world.Issue{
		{Code: "model-missing", Where: "static prop 0", Detail: "models/a.mdl"},
		{Code: "model-broken", Where: "static prop 2", Detail: "models/b.mdl: mdl: the model: 200 bytes are no header: " +
			"the file is incomplete or damaged, download it again"},
		{Code: "model-missing", Where: "static prop 4", Detail: "models/gone.md3"},
		{Code: "model-broken", Where: "entity 0 (prop_physics)", Detail: "models/c.mdl: mdl: the model: 6 bytes are no header: " +
			"the file is incomplete or damaged, download it again"},
	}
	if !reflect.DeepEqual(w.Issues, want) || len(w.Models) != 0 {
		t.Errorf("%+v", w.Issues)
	}
	for i := range w.Props {
		if w.Props[i].Index != world.NoModel {
			t.Errorf("prop %d has model %d", i, w.Props[i].Index)
		}
	}
}

// A box has the light of its surroundings, as its model would have.
func TestBoxesAreLitByTheirSurroundings(t *testing.T) {
	probe := func(x, light float32) world.Probe {
		p := world.Probe{Position: [3]float32{x, 0, 0}}
		for side := range p.Cube {
			p.Cube[side] = world.NewRGB(light, light, light)
		}
		p.Cube[4] = world.NewRGB(2*light, 2*light, 2*light) // from above
		return p
	}
	even := world.NewRGB(0.75, 0, 0)
	lit := func(o models.Options, probes ...world.Probe) []world.Prop {
		one := [3]float32{1, 1, 1}
		w := &world.World{Ambient: world.Ambient{Probes: probes}, Props: []world.Prop{
			{Kind: world.StaticProp, Model: "a.mdl", Index: world.NoModel, Scale: one, Entity: world.NoEntity},
			{Kind: world.StaticProp, Model: "a.mdl", Index: world.NoModel, Scale: one, Entity: world.NoEntity,
				Origin: [3]float32{1000, 0, 0}},
			{Kind: world.StaticProp, Model: "b.mdl", Index: world.NoModel, Scale: one, Entity: world.NoEntity,
				Light: world.PropLight{Even: &even}},
			{Kind: world.EntityProp, Model: "b.mdl", Index: world.NoModel, Scale: one, Entity: world.NoEntity},
			{Kind: world.StaticProp, Model: "read.mdl", Index: 1, Scale: one, Entity: world.NoEntity},
		}}
		boxes := map[string]models.Box{"a.mdl": {Maxs: [3]float32{1, 2, 3}}}
		if err := models.LightBoxes(t.Context(), w, boxes, o); err != nil {
			t.Fatal(err)
		}
		if len(w.Issues) > 0 {
			t.Errorf("%+v", w.Issues)
		}
		return w.Props
	}
	props := lit(models.Options{Light: models.LightBaked}, probe(0, 0.125), probe(1000, 0.5))
	for i, want := range []float32{0.125, 0.5} {
		colors := props[i].Light.Colors
		if len(colors) != 1 || len(colors[0]) != 24 {
			t.Fatalf("prop %d has the light %v", i, colors)
		}
		for k, v := range (models.Box{Maxs: [3]float32{1, 2, 3}}).Triangles().Vertices {
			expect := want
			if v.Normal[2] > 0 {
				expect *= 2
			}
			if got := colors[0][k].Float32()[0]; math.Abs(float64(got-expect)) > 0.001 {
				t.Errorf("prop %d, a side toward %v has the light %g, want %g", i, v.Normal, got, expect)
			}
		}
	}
	if got := props[2].Light.Colors; len(got) != 1 || len(got[0]) != 24 || got[0][7] != even { // of unknown size
		t.Errorf("the prop with even light has %v", got)
	}
	if props[3].Light.Colors != nil || props[4].Light.Colors != nil {
		t.Error("a prop that is no box has the light of one")
	}
	for i, p := range append(lit(models.Options{Light: models.LightNone}, probe(0, 0.125)),
		lit(models.Options{Light: models.LightBaked})[:2]...) {
		if p.Light.Colors != nil {
			t.Errorf("prop %d is lit where there is no light or none is wanted", i)
		}
	}
}

// Real models have a hull where we read one.
func TestBoxesOfRealModels(t *testing.T) {
	names := testkit.Files(t, "assets/mdl/*/*/*.mdl")
	w := &world.World{}
	files := fstest.MapFS{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		key := filepath.Base(filepath.Dir(filepath.Dir(name))) + "/" + filepath.Base(name)
		files[key] = &fstest.MapFile{Data: data}
		w.Props = append(w.Props, world.Prop{Model: key, Index: world.NoModel})
	}
	boxes, err := models.Boxes(t.Context(), files, w)
	if err != nil || len(boxes) != len(names) {
		t.Fatalf("%d boxes of %d models, %v", len(boxes), len(names), err)
	}
	if got := boxes["v46/barrel01.mdl"]; got.Maxs[2] < 80 || got.Maxs[2] > 81 {
		t.Errorf("a barrel is %v", got)
	}
}

func FuzzBoxes(f *testing.F) {
	f.Add(mdl(-1, -2, 0, 1, 2, 3))
	f.Add(mdl())
	f.Fuzz(func(t *testing.T, data []byte) {
		w := &world.World{Props: []world.Prop{{Model: "a.mdl", Index: world.NoModel}}}
		boxes, err := models.Boxes(t.Context(), fstest.MapFS{"a.mdl": {Data: data}}, w)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range boxes {
			for k := range 3 {
				if !(b.Maxs[k]-b.Mins[k] >= 0 && b.Maxs[k]-b.Mins[k] <= 1<<18) {
					t.Errorf("%v", b)
				}
			}
		}
	})
}
