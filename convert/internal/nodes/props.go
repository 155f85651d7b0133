package nodes

import (
	"fmt"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addProps adds the props that the options keep: those of entities to their nodes, or to the root if there is no node, static and
// detail props to one node for each kind.
func addProps(in *Input, t *tree, f rootNodes, s *shapes, out *Placed) {
	b := newBoxes(in.Boxes, s, in.Axes)
	groups, shared := propGroups{}, newInstances(in.Options.Output)
	main := scene.None  // the last ordinary prop's node, to which its coarser levels belong
	whole := scene.None // the node of the last prop that is no variant of a body part
	for i := range in.World.Props {
		p, made := &in.World.Props[i], &out.Props[i]
		switch {
		case p.Level > 0:
			*made = addLevel(in, t, i, main)
			continue
		case p.Appearance.Group != nil:
			*made = addGroup(in, t, i, whole)
			main = made.Node
			continue
		case !in.Props[i]:
		case p.Kind == world.EntityProp && p.Entity != world.NoEntity:
			parent := out.Entities[p.Entity]
			var mesh int
			if made.As, mesh = entityPropForm(p, propMesh(in, i), parent, in.Options.Entities.Props, b); made.As == AsNode {
				made.Node = parent
			} else if made.As != Dropped {
				n := entityPropNode(in, t, p, parent, f)
				n.Mesh = mesh
				if p.Appearance.Hover != nil && made.As == AsMesh {
					made.Node, made.Hovers = addHovering(in, t, p, n)
				} else if named := in.World.Entities[p.Entity].Value("targetname") != ""; rigged(in, p) && made.As == AsMesh {
					made.Node, made.Skin = addRigged(t, n)
				} else if parent != scene.None || named || shaped(in, p) {
					made.Node = t.add(n)
				} else {
					made.Node = shared.add(t, n, i)
				}
			}
		default:
			n := mapPropNode(in, p, groups.node(t, f, p))
			made.As, n.Mesh = mapPropForm(p, propMesh(in, i), in.Options.Entities.Props, b)
			t.mark(&n, p.Model, p.Appearance.Skin)
			if t.extras && p.Kind != world.FileProp {
				n.Extras = propExtras(p, in.Axes.Unit)
			} else if t.extras && p.Index != world.NoModel && in.World.Models[p.Index].Info != nil {
				n.Extras = TraitExtras(in.World.Models[p.Index].Info)
			}
			if p.Kind == world.FileProp {
				made.Node = t.add(n)
			} else {
				made.Node = shared.add(t, n, i)
			}
			if rigged(in, p) {
				made.Skin = made.Node
			}
		}
		whole = made.Node
		if main = made.Node; made.Skin != scene.None {
			main = made.Skin
		}
		if made.As == AsNode && p.Kind == world.EntityProp {
			main = scene.None // it is the entity's
		}
	}
	shared.flush(t, out.Props)
}

// rigged reports whether bones move the vertices of a prop's model.
func rigged(in *Input, p *world.Prop) bool {
	return p.Index != world.NoModel && in.World.Models[p.Index].Skeleton != nil
}

// shaped reports whether the vertices of a prop's model move without bones.
func shaped(in *Input, p *world.Prop) bool {
	return p.Index != world.NoModel && in.World.Models[p.Index].MorphTargets != nil
}

// addRigged adds the node of a prop with bones, which become its children, and the node of its skinned mesh. It
// returns both.
func addRigged(t *tree, n scene.Node) (node, skin int) {
	mesh := scene.NewNode(n.Name+"_skin", 0)
	mesh.Mesh, n.Mesh = n.Mesh, scene.None
	return t.add(n), t.add(mesh)
}

// addHovering adds the node of a prop that hovers, and below it the node of its mesh if that turns about another point than its origin. It
// returns the mesh's and the hovering one.
func addHovering(in *Input, t *tree, p *world.Prop, n scene.Node) (mesh, hovers int) {
	h := p.Appearance.Hover
	up := [3]float64{0, (float64(h.Rise) + h.Height(0)) * in.Axes.Unit, 0} // in the map, not on the entity's node
	for k, x := range scene.NewTransform([3]float64{}, n.Rotation, [3]float64{1, 1, 1}).Direction(up) {
		n.Translation[k] += x
	}
	if h.BobPeriod > 0 && in.Options.Entities.Motion != pipeline.MotionNone {
		n.Hover = &scene.Hover{Turn: float64(h.TurnPeriod), Bob: float64(h.Bob) * in.Axes.Unit, Beat: float64(h.BobPeriod),
			Ahead: float64(h.Ahead)}
		n.Extras = map[string]any{"hover": []float32{h.TurnPeriod, float32(n.Hover.Bob), h.BobPeriod, h.Ahead}}
	}
	if !h.Centered {
		hovers = t.add(n)
		return hovers, hovers
	}
	below := scene.NewNode(n.Name+"_model", scene.None)
	below.Mesh, below.Scale = n.Mesh, n.Scale
	n.Mesh, n.Scale = scene.None, [3]float64{1, 1, 1}
	var back [3]float64
	for k := range back { // the middle as without the scale, as in the game
		back[k] = -(float64(in.World.Models[p.Index].Mins[k]) + float64(in.World.Models[p.Index].Maxs[k])) / 2
	}
	below.Translation = in.Axes.Point64(back)
	hovers = t.add(n)
	below.Parent = hovers
	return t.add(below), hovers
}

// propMesh returns the mesh of a prop's model, in the prop's light if it has one, or scene.None.
func propMesh(in *Input, i int) int {
	switch p := &in.World.Props[i]; {
	case p.Index == world.NoModel:
		return scene.None
	case in.Meshes.Props[i] != scene.None:
		return in.Meshes.Props[i]
	default:
		return in.Meshes.Models[p.Index].Mesh
	}
}

// propName returns the name of a prop's node: of its file, else of its model.
func propName(p *world.Prop, models []world.Model) string {
	switch {
	case p.Model != "":
		return path.Base(p.Model)
	case p.Index != world.NoModel:
		return models[p.Index].Name
	}
	return "sprite"
}

// entityPropForm returns how the prop of an entity is shown, and its mesh. Without a mesh it is its entity's node, unless the model's
// file gives its size. parent is the entity's node.
func entityPropForm(p *world.Prop, mesh, parent int, o pipeline.Props, b *boxes) (Form, int) {
	switch {
	case mesh != scene.None:
		return AsMesh, mesh
	case p.Index == world.NoModel && b.sized(p.Model) && o == pipeline.PropsBox:
		return AsBox, b.mesh(p)
	case parent != scene.None:
		return AsNode, scene.None
	}
	return Dropped, scene.None
}

// entityPropNode returns the node of an entity's prop without its mesh. Its parent, the entity's node, gives it its place and
// rotation.
func entityPropNode(in *Input, t *tree, p *world.Prop, parent int, f rootNodes) scene.Node {
	w := in.World
	n := scene.NewNode(propName(p, w.Models), f.parent(p.InSkybox))
	if t.extras {
		n.Extras = spriteExtras(p, w.Materials)
	}
	n.Scale = propScale(p)
	switch {
	case parent != scene.None:
		n.Parent, n.Rotation = parent, upright(p, &w.Entities[p.Entity], in.Starts)
	case p.Facing != world.Fixed:
		n.Rotation = axes.Quaternion([3]float32{0, toPlayers(p.Origin, in.Starts), 0})
	default:
		n.Rotation = axes.Quaternion(p.Angles)
	}
	if parent == scene.None {
		n.Translation = in.Axes.Point64(space.Vector64(p.Origin))
	}
	t.mark(&n)
	return n
}

// mapPropForm returns how a static or detail prop is shown, and its mesh.
func mapPropForm(p *world.Prop, mesh int, o pipeline.Props, b *boxes) (Form, int) {
	static := p.Kind == world.StaticProp
	switch {
	case static && o == pipeline.PropsNode:
		return AsNode, scene.None
	case p.Index != world.NoModel && mesh != scene.None:
		return AsMesh, mesh
	case p.Index == world.NoModel && static && o == pipeline.PropsBox:
		return AsBox, b.mesh(p)
	}
	return AsNode, scene.None
}

// mapPropNode returns the node of a static or detail prop without its mesh.
func mapPropNode(in *Input, p *world.Prop, parent int) scene.Node {
	n := scene.NewNode(strings.TrimSuffix(propName(p, in.World.Models), ".mdl"), parent)
	n.Translation, n.Rotation = in.Axes.Point64(space.Vector64(p.Origin)), axes.Quaternion(p.Angles)
	n.Scale = propScale(p)
	for k, s := range n.Scale {
		n.Scale[k] = axes.Bounded(s)
	}
	return n
}

// propScale returns the scale of a prop with Y up.
func propScale(p *world.Prop) [3]float64 {
	return [3]float64{float64(p.Scale[0]), float64(p.Scale[2]), float64(p.Scale[1])}
}

// addLevel adds the node of prop i, a coarser level of detail of the node main. It has no parent; the node that it may replace refers to
// it.
func addLevel(in *Input, t *tree, i, main int) Prop {
	mesh := propMesh(in, i)
	if main == scene.None || mesh == scene.None || t.nodes[main].Mesh == scene.None {
		return Prop{Node: scene.None, Skin: scene.None, Hovers: scene.None}
	}
	p, n := &in.World.Props[i], t.nodes[main]
	n.Name, n.Parent, n.Mesh, n.Extras, n.Levels = fmt.Sprintf("%s_lod%d", n.Name, p.Level), scene.None, mesh, nil, nil
	if far := in.World.Models[p.Index].Far; far > 0 && t.extras {
		n.Extras = map[string]any{"lod_distance": axes.Bounded(float64(far) * in.Axes.Unit)}
	}
	at := t.add(n)
	t.nodes[main].Levels = append(t.nodes[main].Levels, at)
	return Prop{AsMesh, at, scene.None, scene.None}
}

// addGroup adds the node of prop i, a variant of a body part of the model whose node is whole. Variants that the game does not show are
// switched off.
func addGroup(in *Input, t *tree, i, whole int) Prop {
	p := &in.World.Props[i]
	n := scene.NewNode(p.Appearance.Group.Part+" "+p.Appearance.Group.Variant, max(whole, 0))
	n.Mesh = propMesh(in, i)
	t.mark(&n, p.Appearance.Group.Part, p.Appearance.Group.Variant)
	n.Off = !p.Appearance.Group.Shown
	n.Unseen = n.Off
	if t.extras {
		n.Extras = map[string]any{"bodygroup": p.Appearance.Group.Part, "variant": p.Appearance.Group.Variant}
		if n.Off {
			n.Extras["bsp2gltf_hidden"] = true
		}
	}
	out := Prop{As: AsNode, Node: t.add(n), Skin: scene.None}
	if n.Mesh != scene.None {
		out.As = AsMesh
	}
	if rigged(in, p) && n.Mesh != scene.None {
		out.Skin = out.Node
	}
	return out
}

// propGroups is the parent nodes of static and detail props.
type propGroups map[propGroup]int

// propGroup identifies a parent node.
type propGroup struct {
	kind world.PropKind
	box  bool
}

// node returns the parent node of a prop.
func (g propGroups) node(t *tree, f rootNodes, p *world.Prop) int {
	if p.Kind == world.FileProp {
		return 0
	}
	key := propGroup{p.Kind, p.InSkybox}
	at, ok := g[key]
	if !ok {
		at = t.add(scene.NewNode(p.Kind.String()+"_props", f.parent(p.InSkybox)))
		g[key] = at
	}
	return at
}

// propExtras returns the extras of a static or detail prop. unit is the metres per map unit.
func propExtras(p *world.Prop, unit float64) map[string]any {
	out := map[string]any{"kind": p.Kind.String(), "index": float64(p.Record), "flags": float64(p.Stored.Flags)}
	if p.Count > 0 {
		out["count"] = float64(p.Count)
	}
	if p.Model != "" {
		out["model"], out["skin"], out["solid"] = p.Model, float64(p.Appearance.Skin), float64(p.Stored.Solid)
	}
	if p.Draw.Fade != [2]float32{} {
		out["fade_min"], out["fade_max"] = axes.Bounded(float64(p.Draw.Fade[0])*unit), axes.Bounded(float64(p.Draw.Fade[1])*unit)
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
			out[x.key] = axes.Bounded(float64(x.value) * unit)
		}
		out["sprite_u0"], out["sprite_v0"] = axes.Bounded(float64(s.UVMins[0])), axes.Bounded(float64(s.UVMins[1]))
		out["sprite_u1"], out["sprite_v1"] = axes.Bounded(float64(s.UVMaxs[0])), axes.Bounded(float64(s.UVMaxs[1]))
	}
	return out
}
