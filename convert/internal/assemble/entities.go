package assemble

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/mesh"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addNodes makes the nodes: a root, the 3D skybox, the world, every entity below its parent, brush models under theirs.
func (a *placer) addNodes(models []mesh.Model) {
	a.node(scene.NewNode(a.w.Name, scene.None))
	placed := make([]bool, len(models))
	for i := range a.w.Props { // a prop has its own node
		if p := &a.w.Props[i]; p.Index != world.NoModel {
			placed[p.Index] = true
		}
	}
	if a.w.Sky.Box != nil && !pick.WithoutBox(a.w, a.p.Sky) {
		a.addBox(models[a.w.Sky.Box.Model])
		placed[a.w.Sky.Box.Model] = true
	}
	a.targets = make(map[string]int, len(a.w.Entities))
	for i := range a.w.Entities {
		name := strings.ToLower(a.w.Entities[i].Value("targetname"))
		if _, taken := a.targets[name]; !taken && name != "" {
			a.targets[name] = i
		}
	}
	a.lamps, a.shown = map[int][]int{}, make([]bool, len(a.w.Lights))
	for i := range a.w.Lights {
		if e := a.w.Lights[i].Entity; e != world.NoEntity {
			a.lamps[e] = append(a.lamps[e], i)
		}
	}
	a.entity, a.poses = make([]int, len(a.w.Entities)), make([]pose, len(a.w.Entities))
	for i := range a.entity {
		a.entity[i] = scene.None
	}
	parents := a.parents()
	for _, i := range parentsFirst(parents) {
		if at := a.addEntity(i, parents[i]); at != scene.None {
			if m := a.w.Entities[i].Model; m != world.NoModel {
				placed[m] = true
				a.place(at, models[m])
				a.outline(at, m)
			}
		}
	}
	for i, done := range placed {
		if !done && (models[i].Mesh != scene.None || models[i].Hidden != scene.None || len(models[i].Rooms) > 0) {
			n := scene.NewNode("worldspawn", 0)
			if i > 0 {
				n.Name = a.numbered("model", i)
				a.mark(&n, a.w.Models[i].Mins, a.w.Models[i].Maxs)
			}
			a.place(a.node(n), models[i])
		}
	}
	a.addProps(models)
	a.lights()
	a.billboards()
	a.fogs()
	if a.p.Entities.Nodes {
		a.cubemaps()
		a.waters()
	}
}

// addEntity makes the node of an entity below that of another, or of NoEntity; it is None where the options leave the
// entity out.
func (a *placer) addEntity(i, parent int) int {
	e := &a.w.Entities[i]
	a.report.Entities.Total++
	switch {
	case e.Model != 0 && a.p.Entities.Skips(e.Class()), // a model that nothing else shows is empty
		e.Box && pick.WithoutBox(a.w, a.p.Sky),
		e.Model == world.NoModel && !a.p.Entities.Nodes && !a.wanted(i):
		a.report.Entities.Skipped++
		return scene.None
	}
	n := scene.NewNode(entityName(e), a.frame(e.Box))
	if a.p.Output.Extras {
		n.Extras = keyValues(e)
	}
	stands := pose{n.Translation, n.Rotation}
	if origin, ok := e.Vector("origin"); ok && e.Model != 0 {
		stands.at = a.axes.Point64(space.Vector64(origin))
	}
	if e.Model == world.NoModel || e.Model > 0 && a.w.Turns {
		stands.turn = axes.Quaternion(e.Angles())
	} // else a brush model's angles are the direction it moves in, and turn nothing
	n.Translation, n.Rotation = stands.at, stands.turn
	a.camera(e, &n)
	a.lamp(i, &n)
	a.markEntity(&n, i)
	a.poses[i] = pose{n.Translation, n.Rotation}
	if e.Start != nil { // what hangs on it was placed while it stood where its keys say, and moves with it
		n.Translation, n.Rotation = a.axes.Point64(space.Vector64(e.Start.Origin)), axes.Quaternion(e.Start.Angles)
	}
	if parent != world.NoEntity && a.entity[parent] != scene.None && a.w.Entities[parent].Box == e.Box {
		local := pose{n.Translation, n.Rotation}.within(a.poses[parent])
		n.Parent, n.Translation, n.Rotation = a.entity[parent], local.at, local.turn
	}
	a.entity[i] = a.node(n)
	a.report.Entities.Nodes++
	return a.entity[i]
}

// deepest is how many entities may hang below one another: programs that read the scene go down by recursion.
const deepest = 64

// parents are the entities that entities hang on, or NoEntity: the first with the name that parentname has, which may
// be followed by a comma and an attachment. An entity that hangs on itself, however far around, hangs on nothing.
func (a *placer) parents() []int {
	parents := make([]int, len(a.w.Entities))
	for i := range parents {
		name, _, _ := strings.Cut(strings.ToLower(a.w.Entities[i].Value("parentname")), ",")
		parent, ok := a.targets[strings.TrimSpace(name)]
		if !ok || i == 0 {
			parent = world.NoEntity
		}
		parents[i] = parent
	}
	const unknown, onPath = 0, -1
	depth := make([]int, len(parents)) // 1 for what hangs on nothing
	for i := range parents {
		var way []int
		at := i
		for at != world.NoEntity && depth[at] == unknown {
			depth[at] = onPath
			way = append(way, at)
			at = parents[at]
		}
		if at != world.NoEntity && depth[at] == onPath { // around
			for k := len(way) - 1; ; k-- {
				parents[way[k]], depth[way[k]] = world.NoEntity, 1
				if way[k] == at {
					break
				}
			}
		}
		for k := len(way) - 1; k >= 0; k-- {
			j := way[k]
			if depth[j] != onPath {
				continue
			}
			depth[j] = 1
			if parents[j] != world.NoEntity {
				depth[j] += depth[parents[j]]
			}
			if depth[j] > deepest {
				parents[j], depth[j] = world.NoEntity, 1
			}
		}
	}
	return parents
}

// parentsFirst is the entities in their order, but for those that come behind their parents.
func parentsFirst(parents []int) []int {
	order, done := make([]int, 0, len(parents)), make([]bool, len(parents))
	for i := range parents {
		var way []int
		for at := i; at != world.NoEntity && !done[at]; at = parents[at] {
			done[at] = true
			way = append(way, at)
		}
		for k := len(way) - 1; k >= 0; k-- {
			order = append(order, way[k])
		}
	}
	return order
}

// wanted reports whether an entity has a node even without entity nodes: it has a light or a camera.
func (a *placer) wanted(i int) bool {
	for _, k := range a.lamps[i] {
		if _, ok := a.punctual(&a.w.Lights[k]); ok {
			return true
		}
	}
	return a.p.Entities.Cameras && cameraOf(&a.w.Entities[i]) != nil
}

// entityName is classname or classname_targetname.
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
