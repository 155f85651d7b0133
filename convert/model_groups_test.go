package convert

import (
	"testing"

	"github.com/qmuntal/gltf"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// Every variant of a body part is a node of its own, of which one of each part is shown. Coarser levels belong to their variant.
func TestModelWithAllBodyGroups(t *testing.T) {
	for body, shown := range []int{0, 1} {
		doc := modelDoc(t, "../testdata/source/models/ours/table.mdl", func(j *Job) {
			j.Pipeline.Model.Groups, j.Pipeline.Model.Body, j.Pipeline.Models.Lods = models.GroupsAll, body, models.LodsChain
		})
		var variants []*gltf.Node
		for _, n := range doc.Nodes {
			if extras, _ := n.Extras.(map[string]any); extras["bodygroup"] == "part" {
				variants = append(variants, n)
			}
		}
		if len(variants) != 2 || variants[0].Mesh != nil || variants[1].Mesh == nil {
			t.Fatalf("%d variants", len(variants))
		}
		for i, n := range variants {
			_, off := n.Extensions["KHR_node_visibility"]
			if hidden := n.Extras.(map[string]any)["bsp2gltf_hidden"] == true; off != hidden || off == (i == shown) {
				t.Errorf("body %d: variant %d is hidden: %v, by its extension: %v", body, i, hidden, off)
			}
		}
		if _, levels := variants[1].Extensions["MSFT_lod"]; !levels || len(doc.Meshes) != 4 {
			t.Errorf("%d meshes; the lamp has levels: %v", len(doc.Meshes), levels)
		}
	}
}

// All variants wear the skin of the model, whose joints are there once; also where the model itself shows nothing.
func TestVariantsShareTheSkin(t *testing.T) {
	doc := modelDoc(t, "../testdata/goldsrc/models/outside.mdl", func(j *Job) { j.Pipeline.Model.Groups = models.GroupsAll })
	whole := modelDoc(t, "../testdata/goldsrc/models/outside.mdl", nil)
	worn := 0
	for _, n := range doc.Nodes {
		if n.Skin != nil {
			worn++
		}
	}
	if len(doc.Skins) != 1 || worn < 1 || len(doc.Animations) != len(whole.Animations) {
		t.Errorf("%d skins on %d nodes, %d animations", len(doc.Skins), worn, len(doc.Animations))
	}
}

// A model by itself has its levels of detail, and its skin if instances are asked for.
func TestModelWithLevelsAndInstances(t *testing.T) {
	doc := modelDoc(t, "../testdata/source/models/ours/table.mdl", func(j *Job) { j.Pipeline.Models.Lods = models.LodsChain })
	if _, levels := doc.Nodes[1].Extensions["MSFT_lod"]; !levels || len(doc.Meshes) != 2 {
		t.Errorf("%d meshes, levels: %v", len(doc.Meshes), levels)
	}
	doc = modelDoc(t, "../testdata/goldsrc/models/signpost.mdl", func(j *Job) { j.Pipeline.Output.Instancing = pipeline.InstancingGPU })
	if len(doc.Skins) != 1 {
		t.Errorf("%d skins", len(doc.Skins))
	}
}
