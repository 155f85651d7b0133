package assemble

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"
	"github.com/bsp2gltf/bsp2gltf/lightmap"

	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
)

// meshRange is the range of groups of a model's visible or hidden mesh.
type meshRange struct {
	model       int
	hidden      bool
	room        room
	first, last int // of the groups
}

// collector groups the surfaces of one model, or of one room of the world.
type collector struct {
	groups []group
	index  map[groupKey]int
}

// collect groups the surfaces of all models.
func (a *mesher) collect(ctx context.Context) (groups []group, places []meshRange, err error) {
	split := a.splitter()
	for i := range a.w.Models {
		if i > 0 {
			split = splitter{}
		}
		seen, hidden := newCollectors(), &collector{index: map[groupKey]int{}}
		for k := range a.w.Models[i].Surfaces {
			s, drawn := &a.w.Models[i].Surfaces[k], &a.surfaces[i][k]
			a.count(i, s, drawn.Drop)
			if drawn.Drop != "" {
				continue
			}
			if drawn.Hidden {
				if err := a.surface(ctx, hidden, i, k, &a.meshes[i][k]); err != nil {
					return nil, nil, err
				}
				continue
			}
			for _, part := range split.split(&a.meshes[i][k], drawn.Key.Painted > 0) {
				if err := a.keepPart(ctx, part.mesh, &a.meshes[i][k]); err != nil {
					return nil, nil, err
				}
				if err := a.surface(ctx, seen.of(part.room), i, k, part.mesh); err != nil {
					return nil, nil, err
				}
			}
		}
		if err := limit.From(ctx).Reserve(int64(len(seen)-1) * nodeSize); err != nil {
			return nil, nil, err
		}
		for _, r := range seen.rooms() {
			c := seen[r]
			places = append(places, meshRange{i, false, r, len(groups), len(groups) + len(c.groups)})
			groups = append(groups, c.groups...)
		}
		places = append(places, meshRange{i, true, room{}, len(groups), len(groups) + len(hidden.groups)})
		groups = append(groups, hidden.groups...)
	}
	return groups, places, nil
}

// collectors holds the collectors of a model's rooms.
type collectors map[room]*collector

// newCollectors returns the collector of surfaces outside of rooms.
func newCollectors() collectors { return collectors{room{}: {index: map[groupKey]int{}}} }

// of returns the collector of a room.
func (c collectors) of(r room) *collector {
	if c[r] == nil {
		c[r] = &collector{index: map[groupKey]int{}}
	}
	return c[r]
}

// rooms returns the existing rooms in order.
func (c collectors) rooms() []room { return slices.SortedFunc(maps.Keys(c), room.compare) }

// keepPart reserves the memory of a part that was cut from a mesh.
func (a *mesher) keepPart(ctx context.Context, m, whole *geometry.Mesh) error {
	if m == whole {
		return nil
	}
	b := limit.From(ctx)
	if err := b.Vertices(int64(len(m.Vertices))); err != nil {
		return err
	}
	return b.Reserve(meshBytes(m))
}

// surface adds surface k of model i, or a part of it, whose mesh is m: the surface, and the layers of its material and the fog on it,
// cut into bands of opacity.
func (a *mesher) surface(ctx context.Context, c *collector, i, k int, m *geometry.Mesh) error {
	s, drawn := &a.w.Models[i].Surfaces[k], &a.surfaces[i][k]
	b := limit.From(ctx)
	cut := func(key pick.Key, m geometry.Mesh) error {
		if len(m.Indices) == 0 {
			return nil
		}
		a.add(c, k, part{s, drawn.Chart, &m}, key)
		return b.Reserve(meshBytes(&m)) // one surface's: the next is refused
	}
	if drawn.Key.Painted > 0 {
		if err := cut(drawn.Key, onGrid(m, s)); err != nil {
			return err
		}
	} else {
		a.add(c, k, part{s, drawn.Chart, m}, drawn.Key)
	}
	for _, key := range drawn.Over {
		bandOf := func(band int) geometry.Mesh {
			return layerBand(m, band, &a.set.Materials[key.Material].Layers[key.Layer-1])
		}
		if key.Layer == pick.FogLayer {
			f := &a.w.Volumes.Fogs[s.Fog]
			fog := fogged(f, a.set.Materials[f.Material].Fog.Opaque, m)
			bandOf = func(band int) geometry.Mesh { return fogBand(&fog, band) }
		}
		for key.Band = 1; key.Band <= pick.Bands; key.Band++ {
			if err := cut(key, bandOf(key.Band)); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a part, of surface k, to the group of its draw key and skins.
func (a *mesher) add(c *collector, k int, p part, key pick.Key) {
	g := groupKey{key: key}
	if p.surface.Skins != nil {
		g.skins = fmt.Sprint(p.surface.Skins)
	}
	n, ok := c.index[g]
	if !ok {
		n = len(c.groups)
		c.index[g] = n
		c.groups = append(c.groups, group{groupKey: g, skins: pick.Skins(p.surface, key)})
	}
	of := &c.groups[n]
	of.parts = append(of.parts, p)
	if key.Layer == 0 && !key.Carried {
		of.spans = appendSpan(of.spans, k, p.mesh)
	}
}

// build makes the primitives of the groups, over all cores. The scene's materials are in the order of the groups.
func (a *mesher) build(ctx context.Context, groups []group) ([]scene.Primitive, error) {
	if a.p.Lightmap.Carrier == lightmap.CarrierVertex {
		var uses []pick.Use
		for _, g := range groups {
			u := pick.Use{Keys: append([]pick.Key{g.key}, g.skins...)}
			for _, p := range g.parts {
				u.Charts = append(u.Charts, p.chart)
			}
			uses = append(uses, u)
		}
		var err error
		if a.from.Light, err = pick.Carry(ctx, uses, a.w, a.set, a.p.Materials); err != nil {
			return nil, err
		}
	}
	variants := make([][]int, len(groups))
	for i, g := range groups {
		a.material(g.key)
		for _, l := range g.skins {
			variants[i] = append(variants[i], a.material(l))
		}
	}
	return par.Map(ctx, len(groups), func(i int) (scene.Primitive, error) {
		p, err := a.primitive(ctx, groups[i].key, groups[i].parts)
		p.Variants = variants[i]
		for _, m := range append([]int{p.Material}, p.Variants...) {
			if p.UV2 == nil && a.scene.Materials[m].Lightmap != scene.None {
				p.UV2 = p.UV // any coordinates will do for the white image
			}
		}
		return p, err
	})
}

// placeMeshes makes meshes from the primitives and returns each model's.
func (a *mesher) placeMeshes(groups []group, places []meshRange, primitives []scene.Primitive) []built {
	out := make([]built, len(a.w.Models))
	for _, p := range places {
		to, name := &out[p.model].mesh, a.w.Models[p.model].Name
		if p.hidden {
			to, name = &out[p.model].hidden, name+" hidden"
		}
		if p.room != (room{}) {
			name += " " + p.room.name()
			out[p.model].rooms = append(out[p.model].rooms, builtRoom{p.room, len(a.scene.Meshes)})
			a.scene.Meshes = append(a.scene.Meshes, scene.Mesh{Name: name, Primitives: primitives[p.first:p.last]})
			continue
		}
		*to = scene.None
		if p.first == p.last {
			continue
		}
		*to = len(a.scene.Meshes)
		a.scene.Meshes = append(a.scene.Meshes, scene.Mesh{Name: name, Primitives: primitives[p.first:p.last]})
		if !p.hidden {
			for _, g := range groups[p.first:p.last] {
				out[p.model].spans = append(out[p.model].spans, g.spans)
			}
		}
	}
	return out
}

// models builds a mesh per model, with its primitives in the order of their materials' first use.
func (a *mesher) models(ctx context.Context) ([]built, error) {
	groups, places, err := a.collect(ctx)
	if err != nil {
		return nil, err
	}
	primitives, err := a.build(ctx, groups)
	if err != nil {
		return nil, err
	}
	return a.placeMeshes(groups, places, primitives), nil
}
