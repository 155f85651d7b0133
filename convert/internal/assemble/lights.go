package assemble

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// punctual converts a lamp to glTF. In a viewer that uses the intensity unchanged and reflects 1/π of it from white, a
// white surface that faces the lamp is as bright as in the map: candela are π times the map's light at one metre, and a
// sun's lux π times its light. An area lamp becomes a spot, if the options ask for it. ok is false for lamps that glTF
// can't express: ambient and negative light.
func (a *placer) punctual(l *world.Light) (out scene.Light, ok bool) {
	area := l.Kind == world.AreaLight
	if !a.p.Entities.Lights || area && !a.p.Entities.AreaLights || l.Kind == world.AmbientLight {
		return out, false
	}
	out = scene.Light{
		Kind: l.Kind, Intensity: a.intensity(l), Range: min(l.Range*a.lightUnit(l), 4096), // Godot ends lights there
	}
	if area {
		out.Kind = world.SpotLight
	}
	if out.Kind == world.SpotLight { // glTF wants 0 <= inner < outer
		out.Outer = min(max(l.Outer, 0.001), math.Pi/2)
		out.Inner = min(max(l.Inner, 0), out.Outer*0.999)
	}
	for k, c := range l.Color {
		out.Color[k] = min(max(float64(c), 0), 1)
	}
	return out, out.Intensity > 0 && out.Intensity < 1e12 && out.Range >= 0
}

// intensity returns a lamp's intensity in candela, or in lux for a sun.
func (a *placer) intensity(l *world.Light) float64 {
	i := math.Pi * l.Intensity * a.p.Entities.LightScale
	if l.Kind == world.SunLight || l.Kind == world.AmbientLight {
		return i
	}
	return i * a.lightUnit(l) * a.lightUnit(l)
}

// lightUnit returns the metres per map unit at a lamp: a node's scale does not affect its light.
func (a *placer) lightUnit(l *world.Light) float64 {
	if l.Box && a.box != scene.None {
		return a.axes.Unit * boxScale(a.w.Sky.Box)
	}
	return a.axes.Unit
}

// lamp puts the first light of an entity on its node if the node points along the light. A node is rotated by its
// entity's angles, or, without angles, to the light's direction.
func (a *placer) lamp(entity int, n *scene.Node) {
	e := &a.w.Entities[entity]
	_, angles := e.Lookup("angles")
	_, angle := e.Lookup("angle")
	for _, i := range a.lamps[entity] {
		l := &a.w.Lights[i]
		out, ok := a.punctual(l)
		if directed := l.Direction != [3]float32{}; !ok || directed && (angles || angle) {
			continue
		} else if directed {
			n.Rotation = axes.LookAlong(axes.Turn(space.Vector64(l.Direction)))
		}
		a.shown[i] = true
		n.Light = len(a.scene.Lights)
		a.scene.Lights = append(a.scene.Lights, out)
		return
	}
}

// lights makes nodes for the lights that are not on their entity's node, below it if there is one. Lamps that glTF
// can't express are described in extras.
func (a *placer) lights() {
	styles := pick.StyleNames(a.w)
	for i := range a.w.Lights {
		l := &a.w.Lights[i]
		a.report.Lights.Total++
		if a.shown[i] {
			a.report.Lights.Shown++
			continue
		}
		out, ok := a.punctual(l)
		switch {
		case l.Box && pick.WithoutBox(a.w, a.p.Sky), !a.p.Entities.Lights, !ok && !a.p.Output.Extras,
			l.Entity != world.NoEntity && a.p.Entities.Skips(a.w.Entities[l.Entity].Class()):
			continue
		}
		n := scene.NewNode(a.numbered("light", i), a.frame(l.Box))
		at := pose{a.axes.Point64(space.Vector64(l.Origin)), n.Rotation}
		if l.Direction != [3]float32{} {
			at.turn = axes.LookAlong(axes.Turn(space.Vector64(l.Direction)))
		}
		if e := l.Entity; e != world.NoEntity && a.entity[e] != scene.None {
			n.Name, n.Parent = a.scene.Nodes[a.entity[e]].Name+"_light", a.entity[e]
			at.at = a.poses[e].at
			at = at.within(a.poses[e])
		}
		n.Translation, n.Rotation = at.at, at.turn
		if n.Name == "light" {
			a.mark(&n, l.Kind, l.Color, l.Style)
		}
		n.Extras = map[string]any{"bsp2gltf_light": l.Kind.String()}
		if l.Style > 0 {
			n.Extras["style"] = float64(l.Style)
		}
		if name := styles[l.Style]; name != "" {
			n.Extras["style_name"] = name
		}
		if ok {
			a.report.Lights.Shown++
			n.Light = len(a.scene.Lights)
			a.scene.Lights = append(a.scene.Lights, out)
		} else {
			n.Extras["intensity"] = axes.Bounded(a.intensity(l))
			for k, key := range [3]string{"color_r", "color_g", "color_b"} {
				n.Extras[key] = axes.Bounded(float64(l.Color[k]))
			}
		}
		a.node(n)
	}
}
