package nodes

import (
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
)

// tree is the scene's nodes, whose names are unique.
type tree struct {
	nodes  []scene.Node
	last   []heldNode // come after all others
	names  *names.Namer
	extras bool // keep the nodes' extras
	// stable names nodes by their content and position, not by number: after changes elsewhere in the map they keep their names,
	// and a program that imports the map again keeps what refers to them.
	stable bool
}

// heldNode is a node that was held back.
type heldNode struct {
	node scene.Node
	prop int // index into World.Props
}

func newTree(o pipeline.OutputOptions) *tree {
	return &tree{names: names.NewNamer(), extras: o.Extras, stable: o.Names == pipeline.NamesStable}
}

// add adds a node and returns its index.
func (t *tree) add(n scene.Node) int {
	t.nodes = append(t.nodes, t.finished(n))
	return len(t.nodes) - 1
}

// addLast adds nodes after all others. finish says where.
func (t *tree) addLast(list []heldNode) {
	for _, n := range list {
		t.last = append(t.last, heldNode{t.finished(n.node), n.prop})
	}
}

// finish returns all nodes, and sets in props those that were added last.
func (t *tree) finish(props []Prop) []scene.Node {
	for _, n := range t.last {
		props[n.prop].Node = len(t.nodes)
		t.nodes = append(t.nodes, n.node)
	}
	t.last = nil
	return t.nodes
}

// finished gives a node its name, and removes its extras if they are not wanted.
func (t *tree) finished(n scene.Node) scene.Node {
	n.Name = t.names.Node(n.Name)
	if !t.extras {
		n.Extras = nil
	}
	return n
}

// numbered returns a name with a number; if names are stable, it is the part that mark completes.
func (t *tree) numbered(kind string, i int) string {
	if t.stable {
		return kind
	}
	return fmt.Sprintf("%s_%d", kind, i)
}

// mark completes a stable name by a hash of the node's position and of values that distinguish it.
func (t *tree) mark(n *scene.Node, values ...any) {
	if !t.stable {
		return
	}
	parent := ""
	if n.Parent != scene.None {
		parent = t.nodes[n.Parent].Name
	}
	n.Name += "_" + names.Hash8(fmt.Sprint(parent, n.Translation, n.Rotation, n.Scale, values))
}

// shapes is the meshes that only placing needs, with their materials: boxes of missing models, collision solids, the sky.
type shapes struct {
	meshes                   []scene.Mesh
	materials                []scene.Material
	firstMesh, firstMaterial int // their first indices in the scene
}

// addMesh adds a mesh and returns its index in the scene.
func (s *shapes) addMesh(m scene.Mesh) int {
	s.meshes = append(s.meshes, m)
	return s.firstMesh + len(s.meshes) - 1
}

// addMaterial adds a material without a lightmap and returns its index in the scene.
func (s *shapes) addMaterial(m pbr.Material) int {
	s.materials = append(s.materials, scene.Material{Material: m, Lightmap: scene.None})
	return s.firstMaterial + len(s.materials) - 1
}
