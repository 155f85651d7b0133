package assemble

import (
	"math"
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// A reader that follows docs/light.md shows what the engine shows: t^exponent * l plus the added light.
func TestDisplayUndoesTheCurve(t *testing.T) {
	for _, exponent := range []float64{1, 0.8} {
		curve := gamma.New(0.35, exponent)
		m := pbr.Material{Draw: pbr.Draw{LightGain: 2}, Emission: pbr.Emission{Color: [3]float32{1, 0.5, 0}, Strength: 1.3, Glow: [3]float32{1, 0.7, 0}}}
		d := display(&world.DisplayLight{Albedo: 0.35, Exponent: exponent}, &m)
		intensity := gain(&m)
		for _, l := range []float64{0.02, 0.3, 1, 1.7} {
			x := float64(curve.Linear(float32(l))) * intensity / math.Pow(d.Gain, 2.2)
			got := d.Gain * gamma.Encode(x*gamma.Decode(d.Albedo)) / math.Pow(d.Albedo, d.Exponent)
			if math.Abs(got-2*l) > 1e-4 {
				t.Errorf("exponent %g, light %g: %g, want %g", exponent, l, got, 2*l)
			}
		}
		for k, want := range m.Emission.Glow { // at a white texel
			got := gamma.Encode(float64(m.Emission.Color[k])*float64(m.Emission.Strength)) * d.Emission[k]
			if math.Abs(got-float64(want)) > 1e-4 {
				t.Errorf("channel %d: %g is added, want %g", k, got, want)
			}
		}
	}
}

// The picture of the surroundings is multiplied by what the engine shows of a vertex' colour, or by the rest.
func TestReflectionsFollowTheVertices(t *testing.T) {
	curve := gamma.New(0.35, 1)
	w := lit()
	w.Baked.Display = &world.DisplayLight{Albedo: 0.35, Exponent: 1}
	vertices := w.Models[0].Surfaces[0].Shape.(*world.Polygon).Corners
	for i := range vertices {
		vertices[i].Color = [4]float32{curve.Linear(0.25), curve.Linear(1), curve.Linear(0), 1}
	}
	for tint, want := range map[pbr.VertexTint][4]uint16{pbr.ByColor: {16384, 65535, 0, 65535}, pbr.ByRestColor: {49151, 0, 65535, 65535}} {
		m := plainMaterial("tin")
		m.Environment = &pbr.Environment{Vertex: tint}
		s, _ := literal(t, defaults(), w, m)
		p := s.Meshes[0].Primitives[0]
		if len(p.Mirrors) != len(p.Positions) {
			t.Fatalf("%d of %d", len(p.Mirrors), len(p.Positions))
		}
		for k, x := range p.Mirrors[0] {
			if d := int(x) - int(want[k]); d < -8 || d > 8 {
				t.Errorf("%d: %v, want %v", tint, p.Mirrors[0], want)
			}
		}
	}
	m := plainMaterial("tin")
	m.Environment = &pbr.Environment{}
	if s, _ := literal(t, defaults(), w, m); s.Meshes[0].Primitives[0].Mirrors != nil || s.Materials[0].Environment == nil {
		t.Error("a picture that the vertices do not change needs no attribute")
	}
	if s, _ := literal(t, set(t, "lightmap.carrier=vertex"), w, m); s.Materials[0].Environment != nil {
		t.Error("with light in the vertices there is no picture of the surroundings")
	}
}

func TestDisplayIsWrittenOnlyWhereLightIsBent(t *testing.T) {
	m := plainMaterial("wall")
	if d := display(nil, &m); d != nil {
		t.Errorf("light that is linear in the game: %v", d)
	}
	if d := display(&world.DisplayLight{Albedo: 0.35, Exponent: 1}, &m); *d != (scene.Display{Albedo: 0.35, Exponent: 1}) {
		t.Errorf("%+v", *d)
	}
}
