package nodes

import (
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addEntities adds the node of every entity that the options keep below that of its parent, with its brush model, its camera and its
// lamp. It returns the entities' poses: the places and rotations that their keys state.
func addEntities(in *Input, t *tree, f rootNodes, ends extent, out *Placed) []placement {
	w := in.World
	targets, lamps := targetsOf(w.Entities), lampsOf(w.Lights)
	parents, poses := parentsOf(w.Entities, targets), make([]placement, len(w.Entities))
	for _, i := range parentsFirst(parents) {
		e := &w.Entities[i]
		lamp := lampOnNode(e, lamps[i], w.Lights, &in.Options.Entities, f)
		if leavesOut(in, e, lamps[i], f) {
			continue
		}
		n := scene.NewNode(entityName(e), f.parent(e.InSkybox))
		var beside map[string]any
		if t.extras {
			n.Extras, beside = properties(e, in.Options.Entities.Properties)
		}
		stands := poseOf(e, in.Axes)
		if row := cameraOf(e); row != nil && in.Options.Entities.Cameras {
			stands.turn = cameraTurn(e, w.Entities, targets, stands.turn)
			n.Camera = len(out.Cameras)
			out.Cameras = append(out.Cameras, cameraFor(e, row, in.Axes.Unit, ends))
		}
		if lamp != noLamp {
			l := &w.Lights[lamp]
			if l.Direction != [3]float32{} {
				stands.turn = axes.LookAlong(axes.Turn(space.Vector64(l.Direction)))
			}
			light, _ := punctual(l, &in.Options.Entities, f.metres(l.InSkybox))
			n.Light = len(out.Lights)
			out.Lights = append(out.Lights, light)
		}
		if t.stable {
			n.Name += entityMark(e, i, w.Models, targets)
		}
		poses[i] = stands
		at := stands
		if e.Start != nil { // its children were placed while it was where its keys say, and move with it
			at = startPlacement(*e.Start, in.Axes)
		}
		if p := parents[i]; p != world.NoEntity && out.Entities[p] != scene.None && w.Entities[p].InSkybox == e.InSkybox {
			at = at.within(poses[p])
			n.Parent, out.above[i] = out.Entities[p], poses[p]
		}
		n.Translation, n.Rotation = at.at, at.turn
		node := t.add(n)
		out.Entities[i] = node
		if beside != nil {
			out.Properties = append(out.Properties, scene.Properties{Node: node, Keys: beside})
		}
		if lamp != noLamp {
			out.Lamps[lamp] = node
		}
		if e.Model != world.NoModel {
			addModel(t, node, in.Meshes.Models[e.Model])
			addOutline(&t.nodes[node], e, w.Models, in.Axes)
		}
	}
	return poses
}

// leavesOut reports whether the options leave an entity out. Without nodes for entities, those with a lamp or a camera have one.
func leavesOut(in *Input, e *world.Entity, lamps []int, f rootNodes) bool {
	o := &in.Options.Entities
	switch {
	case e.Model != 0 && o.Skips(e.Class()), // a model that nothing else shows is empty
		e.InSkybox && drawkey.WithoutBox(in.World, in.Options.Sky):
		return true
	case e.Model != world.NoModel, o.Nodes, o.Cameras && cameraOf(e) != nil:
		return false
	}
	for _, k := range lamps {
		if l := &in.World.Lights[k]; canShine(l, o, f) {
			return false
		}
	}
	return true
}

// poseOf returns the place and the rotation of an entity by its keys.
func poseOf(e *world.Entity, to axes.Axes) placement {
	p := placement{turn: [4]float64{0, 0, 0, 1}}
	if origin, ok := e.Vector("origin"); ok && e.Model != 0 {
		p.at = to.Point64(space.Vector64(origin))
	}
	if e.Model == world.NoModel {
		p.turn = axes.Quaternion(e.Angles())
	} else if e.Model > 0 {
		p.turn = axes.Quaternion(e.ModelAngles)
	}
	return p
}

// entityName returns classname or classname_targetname.
func entityName(e *world.Entity) string {
	name := e.Class()
	if name == "" {
		name = "entity"
	}
	if t := e.Value("targetname"); t != "" {
		name += "_" + t
	}
	return name
}

// entityMark returns the end of the stable name of entity i: the number that Source's editor gave it, or a hash of its key-values. The
// world and the first entity with a targetname need none.
func entityMark(e *world.Entity, i int, models []world.Model, targets map[string]int) string {
	if first, named := targets[strings.ToLower(e.Value("targetname"))]; e.Model == 0 || named && first == i {
		return ""
	}
	if id := e.Value("hammerid"); id != "" {
		return "_id" + id
	}
	var values []any
	for _, p := range e.Pairs {
		if !strings.HasPrefix(p.Value, "*") { // the number of a brush model
			values = append(values, p)
		}
	}
	if e.Model > 0 {
		values = append(values, models[e.Model].Mins, models[e.Model].Maxs)
	}
	return "_" + names.Hash8(fmt.Sprint(values))
}

// addOutline adds the size of an entity that shows nothing, such as a trigger, to its node.
func addOutline(n *scene.Node, e *world.Entity, models []world.Model, to axes.Axes) {
	if m := &models[e.Model]; n.Mesh == scene.None && n.Extras != nil && e.Model > 0 && m.Mins != m.Maxs {
		n.Extras["bsp2gltf_box"] = outline(m, to)
	}
}
