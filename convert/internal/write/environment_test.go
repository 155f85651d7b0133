package write

import (
	"reflect"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

func TestEnvironment(t *testing.T) {
	w := newMaterialWriter(&scene.Scene{Images: make([]scene.Image, 2)}, gltf.NewDocument())
	m, white := &scene.Material{}, [3]float64{1, 1, 1}
	if got := w.environment(m); got != nil {
		t.Error(got)
	}
	m.Environment = &pbr.Environment{Slot: pbr.Slot{Image: 1, UV: noTransform}, Color: white, Factor: white,
		Mean: [3]float64{0.25, 0.5, 1.0 / 3}, FactorImage: pbr.NoImage}
	want := map[string]any{"texture": 0, "mean": []float64{0.25, 0.5, 0.333333}}
	if got := w.environment(m); !reflect.DeepEqual(got, want) {
		t.Error(got)
	}
	m.Environment = &pbr.Environment{
		Slot: pbr.Slot{Image: 1, UV: [6]float64{0.5, 0, 0, 0, 0.5, 0}}, Color: [3]float64{0.5, 0.5, 0.5}, Factor: [3]float64{2, 2, 2},
		FactorImage: 0, Vertex: pbr.ByColor, AddsEmission: true,
	}
	want = map[string]any{
		"texture": 0, "mean": []float64{0, 0, 0}, "transform": []float64{0.5, 0, 0, 0, 0.5, 0}, "color": []float64{0.5, 0.5, 0.5},
		"factor":         []float64{2, 2, 2},
		"factor_texture": 1, "vertex": true, "emission": true,
	}
	if got := w.environment(m); !reflect.DeepEqual(got, want) {
		t.Error(got)
	}
}
