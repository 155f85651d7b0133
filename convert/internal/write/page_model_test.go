package write

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// A page plays the sequences of a model by itself. It plays none in maps, and has no control for flexes.
func TestPageHasSkins(t *testing.T) {
	p := pipeline.Default()
	page, obj := FindFormat("html").Prepare(p), FindFormat("obj").Prepare(p)
	if !page.Model.Skeleton || page.Model.Flexes || page.Models.Animations != models.AnimationsNone {
		t.Errorf("%+v, animations in maps: %s", page.Model, page.Models.Animations)
	}
	if obj.Model.Skeleton || obj.Models.Animations != models.AnimationsNone {
		t.Errorf(".obj has bones: %+v", obj.Model)
	}
}
