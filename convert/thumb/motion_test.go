package thumb

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/raster"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

func near4(got, want float64) bool { return math.Abs(got-want) < 1e-4 }

// Coordinates have been through rest, twice as many; they scroll by a quarter a second, and light waves between 0 and 1 as displayed.
func TestMaterialsMove(t *testing.T) {
	m := &scene.Material{Material: pbr.Material{Beyond: pbr.Beyond{Motion: &pbr.Motion{
		Rest:  &[6]float64{2, 0, 0, 0, 2, 0},
		Base:  []pbr.Change{{Kind: "scroll", Numbers: []float64{0.25, 0}}, {Kind: "warp", Numbers: []float64{0.1, 3, 2}}},
		Color: &pbr.Wave{Func: "sawtooth", Amp: 1, Freq: 0.25}, ColorRest: 1,
		Frames: []pbr.Slot{{Image: 4}, {Image: 5}, {Image: 6}}, FPS: 1,
		Mirror: []pbr.Change{{Kind: "scroll", Numbers: []float64{0, 0.25}}},
	}}}}
	out := raster.Material{Base: raster.Texture{Image: 4}, Factor: [4]float32{1, 0.5, 0, 0.5},
		Mirror: &raster.Mirror{}}
	moveMaterial(&out, m, make([]scene.Image, 7), 2)
	if want := [6]float64{0.5, 0, 0.5, 0, 0.5, 0}; out.Base.UV != want { // halved, then by 2 · 0.25
		t.Error(out.Base.UV, want)
	}
	if want := [3]float64{0.1, 3, 4}; out.Base.Warp != want {
		t.Error(out.Base.Warp, want)
	}
	if want := [6]float64{1, 0, 0, 0, 1, 0.5}; out.Mirror.Picture.UV != want { // rest is not undone
		t.Error(out.Mirror.Picture.UV, want)
	}
	if out.Base.Image != 6 {
		t.Errorf("frame %d, want 6", out.Base.Image)
	}
	if got := out.Factor; !near4(float64(got[0]), 0.21404) || got[3] != 0.5 { // a displayed half of white
		t.Error(got)
	}
}

// A map unit is half a metre. The wave lifts vertices along their normals by 2 units at its highest, a second after its start; the others
// move by 3 units along the map's Z, which is up.
func TestVerticesMove(t *testing.T) {
	mesh := &raster.Mesh{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}}, Normals: [][3]float32{{1, 0, 0}, {1, 0, 0}}}
	motion := &pbr.Motion{Deforms: []pbr.Deform{
		{Kind: pbr.DeformWave, Wave: pbr.Wave{Func: "sin", Amp: 2, Freq: 0.25}, Spread: 0.25},
		{Kind: pbr.DeformMove, Wave: pbr.Wave{Func: "sawtooth", Base: 1}, Vector: [3]float64{0, 0, 3}},
	}}
	moveMesh(mesh, motion, &space.Matrix{}, 0.5, 1)
	for i, want := range [][3]float64{{1, 1.5, 0}, {-1, 1.5, 0}} { // the second is 2 units on, half a period
		for k := range 3 {
			if !near4(float64(mesh.Moves[i][k]), want[k]) {
				t.Errorf("vertex %d: %v, want %v", i, mesh.Moves[i], want)
				break
			}
		}
	}
}

// Turbulence adds 0.1 · sin(2π(freq · time + (x + y) / 1024)) to s and the same of -z to t, of places in map units; here coordinates are
// doubled after it.
func TestCoordinatesAreShaken(t *testing.T) {
	mesh := &raster.Mesh{Positions: [][3]float32{{128, 0, 0}}, UV: [][2]float32{{0, 0}}}
	motion := &pbr.Motion{Base: []pbr.Change{{Kind: "scale", Numbers: []float64{2, 2}}, {Kind: "turb", Numbers: []float64{0.1, 0, 0.125}}}}
	moveMesh(mesh, motion, &space.Matrix{{1, 0, 0, 128}, {0, 1, 0, 0}, {0, 0, 1, 0}}, 1, 0)
	if got := mesh.UV[0]; !near4(float64(got[0]), 0.05) || !near4(float64(got[1]), 0) { // 256 of 1024 is a quarter
		t.Error(got)
	}
}

// Ripples move a vertex's coordinates by each other's sine at the clock's time, here 0: s by 0.5 · sin(pi · 0.5), t by nothing. A swell of
// 2 units of 0.5 m lifts it by 1 m · (1 + 0.8): 64 units along X are a quarter of the first wave, and 5/4 of the second.
func TestLiquidsRippleAndSwell(t *testing.T) {
	mesh := &raster.Mesh{Positions: [][3]float32{{32, 0, 0}}, UV: [][2]float32{{0, 0.5}}}
	motion := &pbr.Motion{Base: []pbr.Change{{Kind: "ripple", Numbers: []float64{0.5, math.Pi, math.Pi}}}, Clock: 0.5,
		Deforms: []pbr.Deform{{Kind: pbr.DeformSwell, Vector: [3]float64{0, 0, 2}}}}
	moveMesh(mesh, motion, &space.Identity, 0.5, -0.5)
	if got := mesh.UV[0]; !near4(float64(got[0]), 0.5) || !near4(float64(got[1]), 0.5) {
		t.Error(got)
	}
	if got := mesh.Moves[0]; !near4(float64(got[0]), 0) || !near4(float64(got[1]), 1.8) || !near4(float64(got[2]), 0) {
		t.Error(got)
	}
}

// An item is a metre above its mean at first and below it after half a beat; of its turn of 4 seconds a quarter is over after one, which
// takes +X to -Z. Its node is turned, +X to +Y, so that its up is -X.
func TestItemsFloat(t *testing.T) {
	n := scene.NewNode("n", scene.None)
	n.Rotation = [4]float64{0, 0, math.Sqrt2 / 2, math.Sqrt2 / 2}
	n.Hover = &scene.Hover{Turn: 4, Bob: 1, Beat: 2, Ahead: 2}
	time := 1.0
	m := matrices([]scene.Node{n}, &time)[0]
	for col, want := range map[int][3]float64{3: {2, 0, 0}, 0: {0, 0, -1}} {
		for row, got := range m.Column(col) {
			if !near4(got, want[row]) {
				t.Errorf("%d, %d: %g, want %g", row, col, got, want[row])
			}
		}
	}
	if m := matrices([]scene.Node{n}, nil)[0]; m[0][3] != 0 || !near4(m[1][0], 1) {
		t.Errorf("at rest: %v", m)
	}
}
