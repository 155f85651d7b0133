package assemble

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

// With output.names: stable unnamed nodes and meshes are named by their content and position, not by number: after changes
// elsewhere in the map they keep their names, and a program that imports the map again keeps what refers to them.

// stable reports whether names must not depend on order.
func (a *assembly) stable() bool { return a.p.Output.Names == pipeline.NamesStable }

// numbered returns a name with a number; if names are stable, the part that mark completes.
func (a *assembly) numbered(kind string, i int) string {
	if a.stable() {
		return kind
	}
	return fmt.Sprintf("%s_%d", kind, i)
}

// mark completes a node's name by a hash of its position and other distinguishing values.
func (a *placer) mark(n *scene.Node, tells ...any) {
	if !a.stable() {
		return
	}
	parent := ""
	if n.Parent != scene.None {
		parent = a.scene.Nodes[n.Parent].Name
	}
	n.Name += "_" + names.Hash8(fmt.Sprint(parent, n.Translation, n.Rotation, n.Scale, tells))
}

// markEntity completes the name of an entity's node: by the number that Source's editor gave it, or by its key-values. The first
// entity with a targetname needs nothing.
func (a *placer) markEntity(n *scene.Node, entity int) {
	e := &a.w.Entities[entity]
	first, named := a.targets[strings.ToLower(e.Value("targetname"))]
	if !a.stable() || e.Model == 0 || named && first == entity {
		return
	}
	if id := e.Value("hammerid"); id != "" {
		n.Name += "_id" + id
		return
	}
	var tells []any
	for _, p := range e.Pairs {
		if !strings.HasPrefix(p.Value, "*") { // the number of a brush model
			tells = append(tells, p)
		}
	}
	if e.Model > 0 {
		tells = append(tells, a.w.Models[e.Model].Mins, a.w.Models[e.Model].Maxs)
	}
	n.Name += "_" + names.Hash8(fmt.Sprint(tells))
}

// nameMeshes gives meshes with numbered or duplicate names the name of the first node that shows them.
func (a *placer) nameMeshes() {
	if !a.stable() {
		return
	}
	count, named := map[string]int{}, make([]bool, len(a.scene.Meshes))
	for i := range a.scene.Meshes {
		count[a.scene.Meshes[i].Name]++
	}
	for i := range a.scene.Nodes {
		n := &a.scene.Nodes[i]
		if n.Mesh == scene.None || named[n.Mesh] {
			continue
		}
		named[n.Mesh] = true
		if m := &a.scene.Meshes[n.Mesh]; count[m.Name] > 1 || strings.HasPrefix(m.Name, "*") {
			m.Name = n.Name
		}
	}
}
