package assemble

import (
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/mesh"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// pose is a node's position and rotation: in metres relative to the root or to the 3D skybox.
type pose struct {
	at   [3]float64
	turn [4]float64
}

// within returns a pose relative to a parent's.
func (p pose) within(parent pose) pose {
	back := [4]float64{-parent.turn[0], -parent.turn[1], -parent.turn[2], parent.turn[3]}
	var way [3]float64
	for k := range way {
		way[k] = p.at[k] - parent.at[k]
	}
	return pose{scene.NewTransform([3]float64{}, back, [3]float64{1, 1, 1}).Direction(way), space.Multiply(back, p.turn)}
}

// place puts a model's meshes on a node.
func (a *placer) place(node int, b mesh.Model) {
	a.scene.Nodes[node].Mesh = b.Mesh
	a.placeRooms(node, b.Rooms)
	if b.Hidden != scene.None {
		n := scene.NewNode(a.scene.Nodes[node].Name+"_hidden", node)
		n.Mesh, n.Extras = b.Hidden, map[string]any{"bsp2gltf_hidden": true}
		a.node(n)
	}
}

// outline records the size of an entity that shows nothing, such as a trigger: the least and greatest corner of its brush
// model, in metres and in the node's axes.
func (a *placer) outline(node, model int) {
	n, m := &a.scene.Nodes[node], &a.w.Models[model]
	if n.Mesh != scene.None || n.Extras == nil || model == 0 || m.Mins == m.Maxs {
		return
	}
	p, q := a.axes.Point(m.Mins), a.axes.Point(m.Maxs)
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
	n.Extras["bsp2gltf_box"] = strings.Join(text, " ")
}

// node adds a node and returns its index.
func (a *placer) node(n scene.Node) int {
	n.Name = a.nodes.Node(n.Name)
	if n.Light != scene.None {
		a.scene.Lights[n.Light].Name = n.Name
	}
	if n.Camera != scene.None {
		a.scene.Cameras[n.Camera].Name = n.Name
	}
	if !a.p.Output.Extras {
		n.Extras = nil
	}
	a.scene.Nodes = append(a.scene.Nodes, n)
	return len(a.scene.Nodes) - 1
}

// placer makes the scene's nodes.
type placer struct {
	*looks
	nodes   *names.Namer
	box     int            // node of the 3D skybox, or None
	entity  []int          // node of an entity, or None
	poses   []pose         // of the nodes of entities
	targets map[string]int // first entity of each lower-case targetname
	lamps   map[int][]int  // lights by entity
	shown   []bool         // by light: whether it is on its entity's node
	ownMesh []int          // see mesh.Meshes.Props
	last    []scene.Node   // nodes to add after all others
}

// frame returns the default parent node: the 3D skybox or the root.
func (a *placer) frame(box bool) int {
	if box && a.box != scene.None {
		return a.box
	}
	return 0
}

// addBox makes the node of the 3D skybox. Its children keep their positions in the map; the node scales and moves
// them to surround the map.
func (a *placer) addBox(b mesh.Model) {
	n := scene.NewNode("skybox_3d", 0)
	scale := boxScale(a.w.Sky.Box)
	var at [3]float64
	for k, x := range a.w.Sky.Box.Origin {
		at[k] = -float64(x) * scale
	}
	n.Translation, n.Scale = a.axes.Point64(at), [3]float64{scale, scale, scale}
	n.Extras = map[string]any{"bsp2gltf_skybox_3d": true, "scale": scale}
	a.box = a.node(n)
	a.place(a.box, b)
}

// placeRooms adds the meshes of rooms below the node of the world.
func (a *placer) placeRooms(node int, rooms []mesh.Room) {
	for _, r := range rooms {
		n := scene.NewNode(a.scene.Nodes[node].Name+"_"+r.Name, node)
		n.Mesh = r.Mesh
		a.node(n)
	}
}
