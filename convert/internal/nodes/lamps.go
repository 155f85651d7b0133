package nodes

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// punctual converts a lamp to glTF. In a viewer that uses the intensity unchanged and reflects 1/π of it from white, a
// white surface that faces the lamp is as bright as in the map: candela are π times the map's light at one metre, and a
// sun's lux π times its light. An area lamp becomes a spot, if the options ask for it. ok is false for lamps that glTF
// can't express: ambient and negative light. unit is the metres per map unit at the lamp.
func punctual(l *world.Light, o *pipeline.EntityOptions, unit float64) (out scene.Light, ok bool) {
	area := l.Kind == world.AreaLight
	if !o.Lights || area && !o.AreaLights || l.Kind == world.AmbientLight {
		return out, false
	}
	out = scene.Light{
		Kind: l.Kind, Intensity: intensity(l, o.LightScale, unit), Range: min(l.Range*unit, 4096), // Godot ends lights there
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

// canShine reports whether glTF can express a lamp.
func canShine(l *world.Light, o *pipeline.EntityOptions, f rootNodes) bool {
	_, ok := punctual(l, o, f.metres(l.InSkybox))
	return ok
}

// intensity returns a lamp's intensity in candela, or in lux for a sun. unit is the metres per map unit at the lamp.
func intensity(l *world.Light, scale, unit float64) float64 {
	i := math.Pi * l.Intensity * scale
	if l.Kind == world.SunLight || l.Kind == world.AmbientLight {
		return i
	}
	return i * unit * unit
}

// lampsOf returns the lamps of each entity, as indices.
func lampsOf(lights []world.Light) map[int][]int {
	lamps := map[int][]int{}
	for i := range lights {
		if e := lights[i].Entity; e != world.NoEntity {
			lamps[e] = append(lamps[e], i)
		}
	}
	return lamps
}

// noLamp stands for the index of no lamp.
const noLamp = -1

// lampOnNode returns the first of an entity's lamps that can be on the entity's node, or noLamp. A node is rotated by its entity's
// angles; without angles, it is turned to the lamp's direction.
func lampOnNode(e *world.Entity, lamps []int, lights []world.Light, o *pipeline.EntityOptions, f rootNodes) int {
	if len(lamps) == 0 {
		return noLamp
	}
	_, angles := e.Lookup("angles")
	_, angle := e.Lookup("angle")
	for _, i := range lamps {
		if l := &lights[i]; canShine(l, o, f) && (l.Direction == [3]float32{} || !angles && !angle) {
			return i
		}
	}
	return noLamp
}

// addLamps adds nodes for the lamps that are not on their entity's node, below it if there is one. Lamps that glTF can't express are
// described in extras. poses holds those of the entities.
func addLamps(in *Input, t *tree, f rootNodes, poses []placement, out *Placed) {
	w, o := in.World, &in.Options.Entities
	styles := drawkey.StyleNames(w)
	for i := range w.Lights {
		l := &w.Lights[i]
		if out.Lamps[i] != scene.None {
			continue
		}
		light, ok := punctual(l, o, f.metres(l.InSkybox))
		switch {
		case l.InSkybox && drawkey.WithoutBox(w, in.Options.Sky), !o.Lights, !ok && !t.extras,
			l.Entity != world.NoEntity && o.Skips(w.Entities[l.Entity].Class()):
			continue
		}
		n := scene.NewNode(t.numbered("light", i), f.parent(l.InSkybox))
		at := placement{in.Axes.Point64(space.Vector64(l.Origin)), n.Rotation}
		if l.Direction != [3]float32{} {
			at.turn = axes.LookAlong(axes.Turn(space.Vector64(l.Direction)))
		}
		if e := l.Entity; e != world.NoEntity && out.Entities[e] != scene.None {
			n.Name, n.Parent = t.nodes[out.Entities[e]].Name+"_light", out.Entities[e]
			at.at = poses[e].at
			at = at.within(poses[e])
		}
		n.Translation, n.Rotation = at.at, at.turn
		if n.Name == "light" {
			t.mark(&n, l.Kind, l.Color, l.Style)
		}
		n.Extras = lampExtras(l, styles)
		if ok {
			n.Light = len(out.Lights)
			out.Lights = append(out.Lights, light)
			out.Lamps[i] = t.add(n)
			continue
		}
		n.Extras["intensity"] = axes.Bounded(intensity(l, o.LightScale, f.metres(l.InSkybox)))
		for k, key := range [3]string{"color_r", "color_g", "color_b"} {
			n.Extras[key] = axes.Bounded(float64(l.Color[k]))
		}
		t.add(n)
	}
}

// lampExtras returns the extras of a lamp. styles is the names of styles.
func lampExtras(l *world.Light, styles map[uint8]string) map[string]any {
	x := map[string]any{"bsp2gltf_light": l.Kind.String()}
	if l.Style > 0 {
		x["style"] = float64(l.Style)
	}
	if name := styles[l.Style]; name != "" {
		x["style_name"] = name
	}
	return x
}
