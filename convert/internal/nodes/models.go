package nodes

import (
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/meshes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addModel puts a model's meshes on a node: its partitions and what the game never draws are on nodes below.
func addModel(t *tree, node int, m meshes.Model) {
	t.nodes[node].Mesh = m.Mesh
	name := t.nodes[node].Name
	for _, r := range m.Partitions {
		n := scene.NewNode(name+"_"+r.Name, node)
		n.Mesh = r.Mesh
		t.add(n)
	}
	if m.Hidden != scene.None {
		n := scene.NewNode(name+"_hidden", node)
		n.Mesh, n.Unseen, n.Extras = m.Hidden, true, map[string]any{"bsp2gltf_hidden": true}
		t.add(n)
	}
}

// addModels adds the nodes of models that no entity shows, and that are neither a prop's nor the 3D skybox. entities is the nodes of
// entities.
func addModels(in *Input, t *tree, entities []int) {
	w := in.World
	shown := make([]bool, len(w.Models))
	for i := range w.Props {
		if p := &w.Props[i]; p.Index != world.NoModel {
			shown[p.Index] = true
		}
	}
	for i := range entities {
		if m := w.Entities[i].Model; m != world.NoModel && entities[i] != scene.None {
			shown[m] = true
		}
	}
	if w.Sky.Skybox3D != nil && in.Options.Sky.Box {
		shown[w.Sky.Skybox3D.Model] = true
	}
	for i, m := range in.Meshes.Models {
		if shown[i] || m.Mesh == scene.None && m.Hidden == scene.None && len(m.Partitions) == 0 {
			continue
		}
		n := scene.NewNode("worldspawn", 0)
		if i > 0 {
			n.Name = t.numbered("model", i)
			t.mark(&n, w.Models[i].Mins, w.Models[i].Maxs)
		}
		addModel(t, t.add(n), m)
	}
}

// outline returns the size of a brush model: the least and the greatest corner, in metres and in the node's axes.
func outline(m *world.Model, to axes.Axes) string {
	p, q := to.Point(m.Mins), to.Point(m.Maxs)
	var text []string
	for _, least := range []bool{true, false} {
		for i := range p {
			v := max(p[i], q[i])
			if least {
				v = min(p[i], q[i])
			}
			text = append(text, strconv.FormatFloat(float64(v)+0, 'g', -1, 32)) // + 0 turns -0 into 0
		}
	}
	return strings.Join(text, " ")
}
