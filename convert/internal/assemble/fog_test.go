package assemble

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The floor slopes from the top of a fog, at z 0, to 64 units below it. Fog that is opaque after 512 units, seen at a
// slant (twice the depth), has the opacity √(2d/512) at depth d: a half at 64, so the deepest band is the fourth.
func TestFogThickensWithDepth(t *testing.T) {
	floor, fog := plainMaterial("floor"), plainMaterial("fog")
	fog.Fog = &pbr.Fog{Color: [3]float32{1, 0, 0}, Opaque: 512}
	s := square(0, world.NoChart, 1)
	s.Fog = 0
	mesh := squareMesh(&s)
	for i := range mesh.Vertices {
		mesh.Vertices[i].Position[2] = -mesh.Vertices[i].Position[0]
	}
	a := looksOf(assembly{
		p: defaults(), set: &materials.Set{Materials: []pbr.Material{floor, fog}},
		w: &world.World{Volumes: world.Volumes{Fogs: []world.Fog{{Material: 1, Normal: [3]float32{0, 0, 1}}}}},
	})
	l, m, ok := a.fog(&s, mesh)
	if !ok || l.material != 1 || a.layer(l).BaseColor != [4]float32{1, 0, 0, 1} || !a.layer(l).Draw.Unlit {
		t.Fatalf("%v %+v", ok, l)
	}
	if mesh.Vertices[1].Color[3] != 1 {
		t.Error("the surface's own mesh has changed")
	}
	area := 0.0
	for band := 1; band <= bands; band++ {
		cut := fogBand(&m, band)
		for i := range cut.Vertices {
			depth := -float64(cut.Vertices[i].Position[2])
			if got := math.Sqrt(2*depth/512) * bands; math.Abs(got-float64(band)) > 0.5001 {
				t.Errorf("band %d: depth %g has opacity %g/%d", band, depth, got, bands)
			}
		}
		for i := 0; i < len(cut.Indices); i += 3 {
			p, q, r := cut.Vertices[cut.Indices[i]].Position, cut.Vertices[cut.Indices[i+1]].Position, cut.Vertices[cut.Indices[i+2]].Position
			area += math.Abs(float64((q[0]-p[0])*(r[1]-p[1])-(q[1]-p[1])*(r[0]-p[0]))) / 2
		}
		if (len(cut.Indices) > 0) != (band <= 4) {
			t.Errorf("band %d has %d indices", band, len(cut.Indices))
		}
	}
	// The thinnest fog, below half a band, is left out. That is 1 of the 64 units of depth: 512/2/16² = 1.
	if want := 64.0 * 63; math.Abs(area-want) > 0.5 {
		t.Errorf("the bands cover %g of %g square units", area, want)
	}
}

// The fog is opaque at once, and the floor crosses its top: all numbers stay finite.
func TestThickestFogIsFinite(t *testing.T) {
	floor, fog := plainMaterial("floor"), plainMaterial("fog")
	fog.Fog = &pbr.Fog{Opaque: 1e-40}
	s := square(0, world.NoChart, 1)
	s.Fog = 0
	mesh := squareMesh(&s)
	for i := range mesh.Vertices {
		mesh.Vertices[i].Position[2] = 32 - mesh.Vertices[i].Position[0]
	}
	a := looksOf(assembly{
		p: defaults(), set: &materials.Set{Materials: []pbr.Material{floor, fog}},
		w: &world.World{Volumes: world.Volumes{Fogs: []world.Fog{{Material: 1, Normal: [3]float32{0, 0, 1}}}}},
	})
	_, m, _ := a.fog(&s, mesh)
	vertices := 0
	for band := 1; band <= bands; band++ {
		for _, v := range fogBand(&m, band).Vertices {
			vertices++
			for _, x := range append(v.Position[:], v.Color[3]) {
				if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
					t.Fatalf("band %d: %+v", band, v)
				}
			}
		}
	}
	if vertices == 0 {
		t.Error("there is no fog")
	}
}

func TestWhatHasNoFog(t *testing.T) {
	fog, glass, floor := plainMaterial("fog"), plainMaterial("glass"), plainMaterial("floor")
	fog.Fog = &pbr.Fog{Opaque: 512}
	glass.Alpha = pbr.Blend
	up := [3]float32{0, 0, 1}
	off := defaults()
	off.Sky.Fog = false
	for _, test := range []struct {
		name     string
		p        pipeline.Pipeline
		material int
		fog      int
		normal   [3]float32
		want     bool
	}{
		{"a floor in fog", defaults(), 2, 0, up, true},
		{"a floor in no fog", defaults(), 2, -1, up, false},
		{"glass", defaults(), 1, 0, up, false},
		{"fog without a side", defaults(), 2, 0, [3]float32{}, false},
		{"switched off", off, 2, 0, up, false},
	} {
		s := square(test.material, world.NoChart, 1)
		s.Fog = test.fog
		a := looksOf(assembly{
			p: test.p, set: &materials.Set{Materials: []pbr.Material{fog, glass, floor}},
			w: &world.World{Volumes: world.Volumes{Fogs: []world.Fog{{Normal: test.normal}}}},
		})
		if _, _, ok := a.fog(&s, squareMesh(&s)); ok != test.want {
			t.Errorf("%s: %v", test.name, ok)
		}
	}
}
