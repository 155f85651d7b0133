package convert

import (
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// classes are the entities that are more in the scene than a place with key-values.
var classes = []struct {
	name string
	make func(*assembler, *world.Entity, *Node)
}{
	{"light", (*assembler).light},
	{"info_player_intermission", (*assembler).camera},
}

// addNodes makes the nodes: a root, the world, every entity, brush models under theirs.
func (a *assembler) addNodes(models []built) {
	a.node(newNode(a.w.Name, None))
	a.targets = make(map[string]int, len(a.w.Entities))
	for i := range a.w.Entities {
		name := strings.ToLower(a.w.Entities[i].Value("targetname"))
		if _, taken := a.targets[name]; !taken && name != "" {
			a.targets[name] = i
		}
	}
	placed := make([]bool, len(models))
	a.entity = make([]int, len(a.w.Entities))
	for i := range a.w.Props { // a prop has its own node
		if p := &a.w.Props[i]; p.Index != world.NoModel {
			placed[p.Index] = true
		}
	}
	for i := range a.w.Entities {
		e := &a.w.Entities[i]
		a.report.Entities.Total++
		a.entity[i] = None
		if e.Model != 0 && a.skipped(e.Class()) {
			a.report.Entities.Skipped++
			continue // a model that nothing else shows is empty
		}
		if e.Model == world.NoModel && !a.p.Entities.Nodes && !a.wanted(e) {
			a.report.Entities.Skipped++
			continue
		}
		n := newNode(entityName(e), 0)
		if a.p.Output.Extras {
			n.Extras = keyValues(e)
		}
		if origin, ok := e.Vector("origin"); ok && e.Model != 0 {
			n.Translation = a.axes.point64(vector64(origin))
		}
		if e.Model == world.NoModel {
			n.Rotation = quaternion(e.Angles())
		} // a brush model's angles are the direction it moves in, and turn nothing
		for _, c := range classes {
			if strings.EqualFold(c.name, e.Class()) {
				c.make(a, e, &n)
			}
		}
		at := a.node(n)
		a.entity[i] = at
		a.report.Entities.Nodes++
		if e.Model != world.NoModel {
			placed[e.Model] = true
			a.place(at, models[e.Model])
		}
	}
	for i, done := range placed {
		if !done && (models[i].mesh != None || models[i].hidden != None) {
			name := "worldspawn"
			if i > 0 {
				name = fmt.Sprintf("model_%d", i)
			}
			a.place(a.node(newNode(name, 0)), models[i])
		}
	}
	a.props(models)
	a.billboards()
	a.fogs()
}

// props hangs the models that entities show on their nodes, or where there is no node on the root.
func (a *assembler) props(models []built) {
	for i := range a.w.Props {
		p := &a.w.Props[i]
		if p.Index == world.NoModel || models[p.Index].mesh == None {
			continue
		}
		n := newNode(path.Base(p.Model), 0)
		n.Mesh = models[p.Index].mesh
		for k, s := range turnScale(p.Scale) {
			n.Scale[k] = float64(s)
		}
		if parent := a.entity[p.Entity]; parent != None && a.w.Entities[p.Entity].Model == world.NoModel {
			n.Parent = parent // which has its place and turn
		} else {
			if parent != None {
				n.Parent = parent
			} else {
				n.Translation = a.axes.point64(vector64(p.Origin))
			}
			n.Rotation = quaternion(p.Angles)
		}
		a.node(n)
	}
}

// turnScale takes a scale to Y up.
func turnScale(s [3]float32) [3]float32 { return [3]float32{s[0], s[2], s[1]} }

// place hangs a model's meshes on a node.
func (a *assembler) place(node int, b built) {
	a.scene.Nodes[node].Mesh = b.mesh
	if b.hidden != None {
		n := newNode(a.scene.Nodes[node].Name+"_hidden", node)
		n.Mesh, n.Extras = b.hidden, map[string]any{"bsp2gltf_hidden": true}
		a.node(n)
	}
}

// node adds a node and returns its index.
func (a *assembler) node(n Node) int {
	n.Name = a.nodes.node(n.Name)
	if n.Light != None {
		a.scene.Lights[n.Light].Name = n.Name
	}
	if n.Camera != None {
		a.scene.Cameras[n.Camera].Name = n.Name
	}
	a.scene.Nodes = append(a.scene.Nodes, n)
	return len(a.scene.Nodes) - 1
}

// newNode is a node at its parent's place, with nothing on it.
func newNode(name string, parent int) Node {
	return Node{
		Name: name, Parent: parent, Rotation: [4]float64{0, 0, 0, 1}, Scale: [3]float64{1, 1, 1},
		Mesh: None, Light: None, Camera: None,
	}
}

// skipped tells whether a pattern of entities.skip matches a class.
func (a *assembler) skipped(class string) bool {
	for _, pattern := range a.p.Entities.Skip {
		if ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(class)); ok {
			return true
		}
	}
	return false
}

// wanted tells whether an entity has a node even without entity nodes: it is a light or a camera.
func (a *assembler) wanted(e *world.Entity) bool {
	return a.p.Entities.Lights && strings.EqualFold(e.Class(), "light") ||
		a.p.Entities.Cameras && strings.EqualFold(e.Class(), "info_player_intermission")
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

// keyValues are an entity's pairs as flat extras; of a key that occurs more than once the later have a number.
func keyValues(e *world.Entity) map[string]any {
	out := make(map[string]any, len(e.Pairs))
	next := map[string]int{}
	for _, p := range e.Pairs {
		key := p.Key
		for {
			if _, taken := out[key]; !taken {
				break
			}
			next[p.Key] = max(next[p.Key], 1) + 1
			key = fmt.Sprintf("%s_%d", p.Key, next[p.Key])
		}
		out[key] = p.Value
	}
	return out
}

// photons is the compiler's light per unit of a light entity, pointScale in q3map's light.c: a surface at distance d
// gets light*7500/d², of which 255 is white.
const photons = 7500

// light makes a punctual light. A point light of value 300 lights a white wall to white at 94 units, 2.9 metres.
func (a *assembler) light(e *world.Entity, n *Node) {
	if !a.p.Entities.Lights {
		return
	}
	value := 300.0
	for _, key := range []string{"light", "_light"} {
		if f, ok := e.Float(key); ok && f != 0 {
			value = f
		}
	}
	if scale, ok := e.Float("scale"); ok && scale > 0 {
		value *= scale
	}
	if value < 0 {
		return // takes light away: no glTF light can
	}
	unit := a.axes.unit
	l := Light{
		Color:     [3]float64{1, 1, 1},
		Intensity: math.Pi * value * photons / 255 * unit * unit * a.p.Entities.LightScale,
		Range:     min(math.Sqrt(value*photons)*unit, 4096),
	}
	if c, ok := e.Vector("_color"); ok {
		if most := max(c[0], c[1], c[2]); most > 0 {
			for k := range c {
				l.Color[k] = float64(max(c[k], 0) / most)
			}
		}
	}
	if dir, ok := a.toTarget(e); ok {
		radius := 64.0
		if r, ok := e.Float("radius"); ok && r > 0 {
			radius = r
		}
		// The compiler's cone fades out over the last 16 units of the radius at the target's distance.
		d := math.Sqrt(dir[0]*dir[0] + dir[1]*dir[1] + dir[2]*dir[2])
		l.Spot = true
		l.Outer = min(math.Atan2(radius+16, d), math.Pi/2)
		l.Inner = min(math.Atan2(radius, d), l.Outer*0.999)
		n.Rotation = lookAlong(turn(dir))
	}
	if !(l.Intensity > 0 && l.Intensity < 1e12 && l.Range > 0) {
		return
	}
	n.Light = len(a.scene.Lights)
	a.scene.Lights = append(a.scene.Lights, l)
}

// camera makes a camera of an intermission point: 90 degrees wide at 4:3, as the game shows it.
func (a *assembler) camera(e *world.Entity, n *Node) {
	if !a.p.Entities.Cameras {
		return
	}
	n.Rotation = multiply(n.Rotation, forward)
	if dir, ok := a.toTarget(e); ok {
		n.Rotation = lookAlong(turn(dir))
	}
	n.Camera = len(a.scene.Cameras)
	a.scene.Cameras = append(a.scene.Cameras, Camera{
		YFov: 2 * math.Atan(0.75), Aspect: 4.0 / 3, ZNear: 4 * a.axes.unit, ZFar: math.Ceil(4 * a.diagonal()),
	})
}

// toTarget is the way from an entity to the one that its target names, in map units; ok is false where there is none
// or it is no way at all.
func (a *assembler) toTarget(e *world.Entity) (dir [3]float64, ok bool) {
	i, named := a.targets[strings.ToLower(e.Value("target"))]
	from, placed := e.Vector("origin")
	if !named || !placed {
		return dir, false
	}
	to, ok := a.w.Entities[i].Vector("origin")
	for k := range dir {
		dir[k] = float64(to[k]) - float64(from[k])
	}
	return dir, ok && dir != [3]float64{}
}

// billboards makes a node of each flare: glTF has no sprites that face the viewer.
func (a *assembler) billboards() {
	for i, b := range a.w.Billboards {
		a.report.Surfaces.Kept++ // as a node
		n := newNode(fmt.Sprintf("flare_%d", i), 0)
		n.Translation = a.axes.point64(vector64(b.Position))
		if b.Normal != [3]float32{} {
			n.Rotation = lookAlong(turn(vector64(b.Normal)))
		}
		if a.p.Output.Extras {
			n.Extras = map[string]any{
				"bsp2gltf_flare": true, "material": a.w.Materials[b.Material].Name,
				"color_r": float64(b.Color[0]), "color_g": float64(b.Color[1]), "color_b": float64(b.Color[2]),
			}
		}
		a.node(n)
	}
}

// fogs makes a node of each fog volume: its box is the node's place and scale.
func (a *assembler) fogs() {
	for i, f := range a.w.Fogs {
		lo, hi := f.Mins, f.Maxs
		if f.Global && len(a.w.Models) > 0 {
			lo, hi = a.w.Models[0].Mins, a.w.Models[0].Maxs
		}
		n := newNode(fmt.Sprintf("fog_%d", i), 0)
		n.Extras = map[string]any{"bsp2gltf_fog": true, "material": a.w.Materials[f.Material].Name, "global": f.Global}
		var size [3]float64
		for k := range 3 {
			size[k] = float64(hi[k]) - float64(lo[k])
		}
		n.Translation = a.axes.point64(middle(lo, hi))
		size = a.axes.point64(size)
		n.Scale = [3]float64{max(size[0], 1e-6), max(size[1], 1e-6), max(-size[2], 1e-6)}
		if fog := a.set.Materials[f.Material].Fog; fog != nil {
			n.Extras["color_r"], n.Extras["color_g"], n.Extras["color_b"] = float64(fog.Color[0]), float64(fog.Color[1]), float64(fog.Color[2])
			n.Extras["opaque_metres"] = float64(fog.Opaque) * a.axes.unit
		}
		if !a.p.Output.Extras {
			n.Extras = nil
		}
		a.node(n)
	}
}
