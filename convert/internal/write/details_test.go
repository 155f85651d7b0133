package write

import (
	"reflect"
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// The mesh has been through the base's transform: twice along U, with an offset of 0.5. The detail's 8 is four times that, less 2.
func TestDetailsFollowTheBase(t *testing.T) {
	w := newMaterialWriter(&scene.Scene{Images: make([]scene.Image, 2)}, gltf.NewDocument())
	m := &scene.Material{}
	m.Base.UV = [6]float64{2, 0, 0.5, 0, 1, 0}
	m.Details = []pbr.Slot{{Image: pbr.NoImage}, {Image: 1, UV: [6]float64{8, 0, 0, 0, 8, 0}}}
	got := w.details(m)
	if len(got) != 1 || !reflect.DeepEqual(got[0]["transform"], []float64{4, 0, -2, 0, 8, 0}) {
		t.Errorf("%v", got)
	}
	m.Base.UV = [6]float64{1, 1, 0, 1, 1, 0}
	if got := w.details(m); got != nil {
		t.Errorf("a transform without an inverse: %v", got)
	}
}

func TestATextureDrawnOverTheBaseIsStated(t *testing.T) {
	w := newMaterialWriter(&scene.Scene{Images: make([]scene.Image, 2)}, gltf.NewDocument())
	m := &scene.Material{}
	m.Fine = &pbr.Fine{
		Base: pbr.Slot{Image: 1}, Over: pbr.Slot{Image: 0, UV: [6]float64{7.65, 0, 0, 0, 7.65, 0}}, Mode: 8, SRGB: true, Factor: 0.5,
		Tint: [3]float64{1, 0.25, 1},
	}
	want := []map[string]any{{"texture": 0, "base": 1, "transform": []float64{7.65, 0, 0, 0, 7.65, 0}, "mode": 8, "srgb": true, "factor": 0.5,
		"tint": []float64{1, 0.25, 1}}}
	if got := w.details(m); !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
	m.Fine.Over.Image = pbr.NoImage
	if got := w.details(m); got != nil {
		t.Errorf("a texture that is missing: %v", got)
	}
}
