package assemble

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/mesh"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// props makes the nodes of props.
type props struct {
	*placer
	models []mesh.Model
	groups map[kind]int       // nodes
	boxed  map[models.Box]int // meshes of boxes, shared by models of the same size
	grey   int                // their material, or None

	eyes [][3]float32 // player starts; nil until first used

	main    int // node of the current prop, whose coarser levels refer to it, or None
	waiting map[shared][]scene.Node
	order   []shared
}

// kind identifies a parent node of static or detail props.
type kind struct {
	kind world.PropKind
	box  bool
}

// shared is the key of nodes that can be instances.
type shared struct{ parent, mesh int }

// addProps adds the models of entities to their nodes, or to the root if there is no node. Static and detail props have
// separate nodes below one for each kind.
func (a *placer) addProps(built []mesh.Model) {
	ps := &props{placer: a, models: built, groups: map[kind]int{}, boxed: map[models.Box]int{}, grey: scene.None, waiting: map[shared][]scene.Node{}}
	for i := range a.w.Props {
		p := &a.w.Props[i]
		if p.Level > 0 {
			ps.addLevel(i)
			continue
		}
		ps.main = scene.None
		ps.report.Props.Total += standsFor(p)
		switch {
		case !a.keptProps[i]:
			ps.report.Props.Dropped += standsFor(p)
		case p.Kind == world.EntityProp && p.Entity != world.NoEntity:
			ps.ofEntity(p, ps.mesh(i))
		default:
			ps.ofMap(p, ps.mesh(i))
		}
	}
	ps.addShared()
}

// mesh returns the mesh of a prop's model, with the prop's light if it has one, or None.
func (ps *props) mesh(i int) int {
	p := &ps.w.Props[i]
	switch {
	case p.Index == world.NoModel:
		return scene.None
	case ps.ownMesh[i] != scene.None:
		return ps.ownMesh[i]
	}
	return ps.models[p.Index].Mesh
}

// add adds the node of a prop. With output.instancing it is held back until all nodes with its mesh are known, unless
// its parent is an entity.
func (ps *props) add(n scene.Node) {
	if ps.p.Output.Instancing != pipeline.InstancingGPU || n.Mesh == scene.None {
		ps.main = ps.node(n)
		return
	}
	s := shared{n.Parent, n.Mesh}
	if ps.waiting[s] == nil {
		ps.order = append(ps.order, s)
	}
	ps.waiting[s] = append(ps.waiting[s], n)
}

// addShared adds the nodes that were held back: single ones, and, after all other nodes, those that can be written as
// instances.
func (ps *props) addShared() {
	for _, s := range ps.order {
		nodes := ps.waiting[s]
		if len(nodes) == 1 {
			ps.node(nodes[0])
			continue
		}
		for i, n := range nodes {
			n.Instances = scene.InstanceOfPrevious
			if i == 0 {
				n.Instances = len(nodes)
			}
			n.Name = ps.nodes.Node(n.Name)
			if !ps.p.Output.Extras {
				n.Extras = nil
			}
			ps.last = append(ps.last, n)
		}
	}
}

// ofEntity makes the node of an entity's prop. Without a model nothing is added, unless the model's file gives its
// size.
func (ps *props) ofEntity(p *world.Prop, mesh int) {
	n := scene.NewNode(ps.propName(p), ps.frame(p.Box))
	n.Extras = ps.spriteExtras(p)
	_, sized := ps.boxes[p.Model]
	switch {
	case mesh != scene.None:
		n.Mesh = mesh
		ps.report.Props.Meshes++
	case p.Index == world.NoModel && sized && ps.p.Entities.Props == pipeline.PropsBox:
		n.Mesh = ps.boxMesh(p.Model)
		ps.report.Props.Boxes++
	case ps.entity[p.Entity] != scene.None:
		ps.report.Props.Nodes++ // its entity's
		return
	default:
		ps.report.Props.Dropped++
		return
	}
	for k, s := range turnScale(p.Scale) {
		n.Scale[k] = float64(s)
	}
	if parent := ps.entity[p.Entity]; parent != scene.None && (ps.w.Entities[p.Entity].Model == world.NoModel || ps.w.Turns) {
		n.Parent, n.Rotation = parent, ps.upright(p) // the parent has its position and rotation
		ps.mark(&n)
	} else {
		if parent != scene.None {
			n.Parent = parent
		} else {
			n.Translation = ps.axes.Point64(space.Vector64(p.Origin))
		}
		n.Rotation = axes.Quaternion(p.Angles)
		if p.Facing != world.Fixed {
			n.Rotation = axes.Quaternion([3]float32{0, ps.toPlayers(p.Origin), 0})
		}
		ps.mark(&n)
		if parent == scene.None && ps.w.Entities[p.Entity].Value("targetname") == "" {
			ps.add(n)
			return
		}
	}
	ps.main = ps.node(n)
}

// addLevel adds the node of a coarser level of detail. It has no parent; the node that it may replace refers to it.
func (ps *props) addLevel(i int) {
	mesh := ps.mesh(i)
	if ps.main == scene.None || mesh == scene.None || ps.scene.Nodes[ps.main].Mesh == scene.None {
		return
	}
	n := ps.scene.Nodes[ps.main]
	n.Name, n.Parent, n.Mesh, n.Extras, n.Levels = fmt.Sprintf("%s_lod%d", n.Name, ps.w.Props[i].Level), scene.None, mesh, nil, nil
	at := ps.node(n)
	main := &ps.scene.Nodes[ps.main]
	main.Levels = append(main.Levels, at)
}

// turnScale converts a scale to Y up.
func turnScale(s [3]float32) [3]float32 { return [3]float32{s[0], s[2], s[1]} }

// ofMap makes the node of a static or detail prop.
func (ps *props) ofMap(p *world.Prop, mesh int) {
	n := scene.NewNode(strings.TrimSuffix(ps.propName(p), ".mdl"), ps.group(kind{p.Kind, p.Box}))
	n.Translation, n.Rotation = ps.axes.Point64(space.Vector64(p.Origin)), axes.Quaternion(p.Angles)
	for k, s := range turnScale(p.Scale) {
		n.Scale[k] = axes.Bounded(float64(s))
	}
	switch {
	case ps.p.Entities.Props == pipeline.PropsNode && p.Kind == world.StaticProp:
	case p.Index != world.NoModel:
		n.Mesh = mesh
	case ps.p.Entities.Props == pipeline.PropsBox && p.Kind == world.StaticProp:
		n.Mesh = ps.boxMesh(p.Model)
	}
	ps.mark(&n, p.Model, p.Look.Skin)
	switch {
	case n.Mesh == scene.None:
		ps.report.Props.Nodes++
	case p.Index == world.NoModel:
		ps.report.Props.Boxes++
	default:
		ps.report.Props.Meshes += standsFor(p)
	}
	if ps.p.Output.Extras {
		n.Extras = ps.extras(p)
	}
	ps.add(n)
}

// group returns the parent node of props of a kind.
func (ps *props) group(g kind) int {
	at, ok := ps.groups[g]
	if !ok {
		at = ps.node(scene.NewNode(g.kind.String()+"_props", ps.frame(g.box)))
		ps.groups[g] = at
	}
	return at
}

// extras returns the extras of a static or detail prop.
func (ps *props) extras(p *world.Prop) map[string]any {
	out := map[string]any{"kind": p.Kind.String(), "index": float64(p.Record), "flags": float64(p.Stored.Flags)}
	if p.Count > 0 {
		out["count"] = float64(p.Count)
	}
	if p.Model != "" {
		out["model"], out["skin"], out["solid"] = p.Model, float64(p.Look.Skin), float64(p.Stored.Solid)
	}
	if p.Draw.Fade != [2]float32{} {
		out["fade_min"], out["fade_max"] = axes.Bounded(float64(p.Draw.Fade[0])*ps.axes.Unit), axes.Bounded(float64(p.Draw.Fade[1])*ps.axes.Unit)
	}
	if p.Draw.Tint != [4]uint8{255, 255, 255, 255} {
		out["tint"] = fmt.Sprintf("%d %d %d %d", p.Draw.Tint[0], p.Draw.Tint[1], p.Draw.Tint[2], p.Draw.Tint[3])
	}
	if p.Light.Even != nil {
		for k, key := range [3]string{"light_r", "light_g", "light_b"} {
			out[key] = float64(p.Light.Even.Float32()[k])
		}
	}
	if s := p.Sprite; s != nil {
		out["sprite_kind"], out["sprite_facing"] = float64(s.Kind), float64(s.Facing)
		for _, x := range []struct {
			key   string
			value float32
		}{{"sprite_left", s.Mins[0]}, {"sprite_bottom", s.Mins[1]}, {"sprite_right", s.Maxs[0]}, {"sprite_top", s.Maxs[1]}} {
			out[x.key] = axes.Bounded(float64(x.value) * ps.axes.Unit)
		}
		out["sprite_u0"], out["sprite_v0"] = axes.Bounded(float64(s.UVMins[0])), axes.Bounded(float64(s.UVMins[1]))
		out["sprite_u1"], out["sprite_v1"] = axes.Bounded(float64(s.UVMaxs[0])), axes.Bounded(float64(s.UVMaxs[1]))
	}
	return out
}

// unknownBox is used for models of unknown size.
var unknownBox = models.Box{Mins: [3]float32{-8, -8, -8}, Maxs: [3]float32{8, 8, 8}}

// boxMesh returns the mesh of a box in place of a model.
func (ps *props) boxMesh(name string) int {
	box, ok := ps.boxes[name]
	if !ok {
		box = unknownBox
	}
	if mesh, ok := ps.boxed[box]; ok {
		return mesh
	}
	if ps.grey == scene.None {
		m := pbr.New("placeholder_prop")
		m.BaseColor, m.Alpha, m.Draw.Unlit, m.Draw.DoubleSided = [4]float32{0.1, 0.1, 0.1, 0.5}, pbr.Blend, true, true
		m.Extras = nil
		ps.grey = ps.addMaterial(m)
	}
	ps.boxed[box] = len(ps.scene.Meshes)
	ps.scene.Meshes = append(ps.scene.Meshes, scene.Mesh{Name: "placeholder_prop", Primitives: []scene.Primitive{ps.boxPrimitive(box)}})
	return ps.boxed[box]
}

// boxPrimitive returns the six sides of a box, each with separate vertices.
func (ps *props) boxPrimitive(b models.Box) scene.Primitive {
	p := scene.Primitive{Material: ps.grey}
	for axis := range 3 {
		for side, at := range [2]float32{b.Mins[axis], b.Maxs[axis]} {
			u, v := (axis+1)%3, (axis+2)%3 // right-handed: seen from the greater side, V is left of U
			if side == 0 {
				u, v = v, u
			}
			first := uint32(len(p.Positions))
			var normal [3]float32
			normal[axis] = float32(2*side - 1)
			for _, corner := range [4][2]bool{{false, false}, {true, false}, {true, true}, {false, true}} {
				pos := b.Mins
				pos[axis] = at
				if corner[0] {
					pos[u] = b.Maxs[u]
				}
				if corner[1] {
					pos[v] = b.Maxs[v]
				}
				p.Positions = append(p.Positions, ps.axes.Point(pos))
				p.Normals = append(p.Normals, axes.Turn(normal))
			}
			p.Indices = append(p.Indices, first, first+1, first+2, first, first+2, first+3)
		}
	}
	return p
}
