package models

import "github.com/bsp2gltf/bsp2gltf/world"

// noShader is the material of a surface without one; the engine draws its default image.
const noShader = "noshader"

// registry finds and adds the materials of props in the world.
type registry struct {
	w         *world.World
	unlit     bool                   // props don't get the map's light
	byName    map[string]int         // materials of props, by name
	contained map[world.Material]int // materials from inside model files
	all       map[string][]int       // all materials of the world, by name
}

func newRegistry(w *world.World, o Options) *registry {
	r := &registry{w: w, unlit: o.Light == LightNone, byName: map[string]int{}, contained: map[world.Material]int{},
		all: map[string][]int{}}
	for i := range w.Materials {
		r.all[w.Materials[i].Name] = append(r.all[w.Materials[i].Name], i)
	}
	return r
}

// lighting returns how the props' materials are lit.
func (r *registry) lighting() world.Lighting {
	if r.unlit {
		return world.Lightmap // without a chart, so that a viewer's lamps light them
	}
	return world.PerVertex
}

// named returns the index of a shader's material for props. It has the properties that the map gives the shader
// elsewhere.
func (r *registry) named(name string) int {
	if name == "" {
		name = noShader
	}
	i, ok := r.byName[name]
	if ok {
		return i
	}
	m := world.Material{Name: name, Lighting: r.lighting()}
	for _, i := range r.all[name] {
		same := &r.w.Materials[i]
		if same.Lighting == m.Lighting {
			r.byName[name] = i
			return i
		}
		m.Flags, m.Contents, m.Surface = same.Flags, same.Contents, same.Surface
	}
	i = r.append(m)
	r.byName[name] = i
	return i
}

// append adds a material to the world's.
func (r *registry) append(m world.Material) int {
	i := len(r.w.Materials)
	r.w.Materials = append(r.w.Materials, m)
	r.all[m.Name] = append(r.all[m.Name], i)
	return i
}

// add returns the index of a material that a model file contains.
func (r *registry) add(m world.Material) int {
	if m.Lighting == world.PerVertex {
		m.Lighting = r.lighting()
	}
	i, ok := r.contained[m]
	if !ok {
		i = r.append(m)
		r.contained[m] = i
	}
	return i
}
