package models

import "github.com/bsp2gltf/bsp2gltf/world"

// registry finds and adds materials of the world.
type registry struct {
	w         *world.World
	unlit     bool                   // props have no light of the map
	byName    map[string]int         // as props have them
	contained map[world.Material]int // of files that have their materials in them
	all       map[string][]int       // all of the world's, by name
}

func newRegistry(w *world.World, o Options) *registry {
	r := &registry{w: w, unlit: o.Light == LightNone, byName: map[string]int{}, contained: map[world.Material]int{}, all: map[string][]int{}}
	for i := range w.Materials {
		r.all[w.Materials[i].Name] = append(r.all[w.Materials[i].Name], i)
	}
	return r
}

// lighting is where props have their light from.
func (r *registry) lighting() world.Lighting {
	if r.unlit {
		return world.Lightmap // of which they have none: a viewer's lamps light them
	}
	return world.PerVertex
}

// named returns the index of a shader as props have it. What the map says of the shader elsewhere holds here.
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

// add returns the index of a material that a file has in it.
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
