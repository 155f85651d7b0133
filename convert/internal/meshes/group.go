package meshes

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Group groups the surfaces of all models by draw key, and plans the meshes of props with their own light. It fails if a limit is
// exceeded or ctx ends.
func Group(ctx context.Context, in Input) (*Groups, error) {
	split, issues := newSplitter(in.Split, in.World.Volumes.Areas, in.Axes.Unit)
	out := &Groups{issues: issues}
	for i := range in.World.Models {
		if i > 0 {
			split = splitter{}
		}
		seen, hidden, err := groupModel(ctx, &in, i, split)
		if err != nil {
			return nil, err
		}
		for _, r := range slices.SortedFunc(maps.Keys(seen), partition.compare) {
			out.add(meshRange{model: i, partition: r}, seen[r])
		}
		out.add(meshRange{model: i, hidden: true}, hidden)
	}
	keys := keyList{at: map[drawkey.Key]int{}}
	for i := range out.list {
		g := &out.list[i]
		g.material = keys.index(g.key.draw)
		for _, skin := range drawkey.Skins(g.parts[0].surface, g.key.draw) {
			g.variants = append(g.variants, keys.index(skin))
		}
	}
	out.relit = planProps(&in, out, &keys)
	out.Keys = keys.list
	return out, nil
}

// add adds the groups of a mesh.
func (g *Groups) add(r meshRange, c *collector) {
	r.first, r.last = len(g.list), len(g.list)+len(c.groups)
	g.ranges = append(g.ranges, r)
	g.list = append(g.list, c.groups...)
}

// partitionSize is the approximate memory of a partition's node with a few extras, including its JSON.
const partitionSize = 2048

// groupModel groups the surfaces of a model: the visible ones by partition, and the hidden ones.
func groupModel(ctx context.Context, in *Input, model int, split splitter) (seen map[partition]*collector, hidden *collector, err error) {
	seen, hidden = map[partition]*collector{{}: newCollector()}, newCollector()
	b, fogs, surfaces := limit.From(ctx), in.World.Volumes.Fogs, in.World.Models[model].Surfaces
	for k := range surfaces {
		drawn, whole := &in.Surfaces[model][k], &in.Geometry[model][k]
		if drawn.Drop != "" {
			continue
		}
		of := drawnSurface{k, &surfaces[k], drawn}
		if drawn.Hidden {
			if err := addSurface(b, hidden, of, whole, in.Set.Materials, fogs); err != nil {
				return nil, nil, err
			}
			continue
		}
		for _, part := range split.split(whole, drawn.Key.Painted > 0) {
			if err := reservePart(b, part.mesh, whole); err != nil {
				return nil, nil, err
			}
			if seen[part.partition] == nil {
				seen[part.partition] = newCollector()
			}
			if err := addSurface(b, seen[part.partition], of, part.mesh, in.Set.Materials, fogs); err != nil {
				return nil, nil, err
			}
		}
	}
	return seen, hidden, b.Reserve(int64(len(seen)-1) * partitionSize)
}

// reservePart reserves the memory of a piece that was cut from a mesh.
func reservePart(b *limit.Budget, m, whole *geometry.Mesh) error {
	if m == whole {
		return nil
	}
	if err := b.Vertices(int64(len(m.Vertices))); err != nil {
		return err
	}
	return b.Reserve(meshBytes(m))
}

// drawnSurface is a surface and how it is drawn.
type drawnSurface struct {
	index   int // in its model
	surface *world.Surface
	drawn   *drawkey.Surface
}

// addSurface adds a surface, or a piece of it, whose mesh is m, to the groups of a mesh: itself, and the layers and the fog on it, which
// are cut into bands of opacity.
func addSurface(b *limit.Budget, c *collector, s drawnSurface, m *geometry.Mesh, mats []pbr.Material, fogs []world.Fog) error {
	cut := func(key drawkey.Key, m geometry.Mesh) error {
		if len(m.Indices) == 0 {
			return nil
		}
		c.add(s, key, &m)
		return b.Reserve(meshBytes(&m)) // one surface's: the next is refused
	}
	if s.drawn.Key.Painted > 0 {
		if err := cut(s.drawn.Key, onGrid(m, s.surface)); err != nil {
			return err
		}
	} else {
		c.add(s, s.drawn.Key, m)
	}
	for _, key := range s.drawn.Over {
		var bandOf func(band int) geometry.Mesh
		if key.Layer == drawkey.FogLayer {
			fog := fogged(&fogs[s.surface.Fog], mats[key.Material].Fog.Opaque, m)
			bandOf = func(band int) geometry.Mesh { return fogBand(&fog, band) }
		} else {
			layer := &mats[key.Material].Layers[key.Layer-1]
			if layer.Layer.Whole {
				c.add(s, key, m)
				continue
			}
			bandOf = func(band int) geometry.Mesh { return layerBand(m, band, layer) }
			if t, ok := s.surface.Shape.(*world.Triangles); ok && (t.Bindings != nil || t.MorphTargets != nil) {
				bandOf = func(band int) geometry.Mesh { return wholeBand(m, band, layer) }
			}
		}
		for key.Band = 1; key.Band <= drawkey.Bands; key.Band++ {
			if err := cut(key, bandOf(key.Band)); err != nil {
				return err
			}
		}
	}
	return nil
}

// collector groups the surfaces of one model, or of one partition of the world.
type collector struct {
	groups []group
	index  map[groupKey]int
}

func newCollector() *collector { return &collector{index: map[groupKey]int{}} }

// add adds a mesh of a surface to the group of its draw key and skins.
func (c *collector) add(s drawnSurface, key drawkey.Key, m *geometry.Mesh) {
	k := groupKey{draw: key}
	if s.surface.Skins != nil {
		k.skins = fmt.Sprint(s.surface.Skins)
	}
	n, ok := c.index[k]
	if !ok {
		n = len(c.groups)
		c.index[k] = n
		c.groups = append(c.groups, group{key: k})
	}
	g := &c.groups[n]
	g.parts = append(g.parts, part{s.surface, s.drawn.Chart, m})
	if key.Band == 0 && !key.VertexLit {
		g.spans = appendSpan(g.spans, s.index, m)
	}
}
