package meshes

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The floor slopes from the top of a fog, at z 0, to 64 units below it. Fog that is opaque after 512 units, seen at a
// slant (twice the depth), has the opacity √(2d/512) at depth d: a half at 64, so the deepest band is the fourth.
func TestFogThickensWithDepth(t *testing.T) {
	s := square(0, world.NoChart, 1)
	mesh := scenetest.Mesh(&s)
	for i := range mesh.Vertices {
		mesh.Vertices[i].Position[2] = -mesh.Vertices[i].Position[0]
	}
	m := fogged(&world.Fog{Normal: [3]float32{0, 0, 1}}, 512, mesh)
	if mesh.Vertices[1].Color[3] != 1 {
		t.Error("the surface's own mesh has changed")
	}
	area := 0.0
	for band := 1; band <= drawkey.Bands; band++ {
		cut := fogBand(&m, band)
		for i := range cut.Vertices {
			depth := -float64(cut.Vertices[i].Position[2])
			if got := math.Sqrt(2*depth/512) * drawkey.Bands; math.Abs(got-float64(band)) > 0.5001 {
				t.Errorf("band %d: depth %g has opacity %g/%d", band, depth, got, drawkey.Bands)
			}
		}
		for i := 0; i < len(cut.Indices); i += 3 {
			p, q, r := cut.Vertices[cut.Indices[i]].Position, cut.Vertices[cut.Indices[i+1]].Position,
				cut.Vertices[cut.Indices[i+2]].Position
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
	s := square(0, world.NoChart, 1)
	mesh := scenetest.Mesh(&s)
	for i := range mesh.Vertices {
		mesh.Vertices[i].Position[2] = 32 - mesh.Vertices[i].Position[0]
	}
	m := fogged(&world.Fog{Normal: [3]float32{0, 0, 1}}, 1e-40, mesh)
	vertices := 0
	for band := 1; band <= drawkey.Bands; band++ {
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
