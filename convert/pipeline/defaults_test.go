package pipeline

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bsp2gltf/bsp2gltf/bsp"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// Each stage knows its defaults for callers without a pipeline; those of pipeline.yaml count.
func TestStagesHaveTheDefaultsOfThePipeline(t *testing.T) {
	p := Default()
	for name, diff := range map[string]string{
		"geometry":  cmp.Diff(p.Geometry, geometry.DefaultOptions()),
		"lightmap":  cmp.Diff(p.Lightmap, lightmap.DefaultOptions()),
		"materials": cmp.Diff(p.Materials, materials.DefaultOptions()),
		"models":    cmp.Diff(p.Models, models.DefaultOptions()),
	} {
		if diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if p.Game.Albedo != bsp.DefaultAlbedo || p.Game.Overbright >= 0 || p.Game.Patches != "l" {
		t.Errorf("bsp: %+v", p.Game)
	}
}
