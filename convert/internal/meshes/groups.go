package meshes

import (
	"image"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Groups says which surfaces become one primitive, and which primitives become one mesh.
type Groups struct {
	Keys   []drawkey.Key // of all primitives and their skins, in the order of their first use
	issues []world.Issue
	list   []group
	ranges []meshRange
	relit  []relitMesh
}

// group holds the surfaces of a model that become one primitive.
type group struct {
	key      groupKey
	material int   // index into Groups.Keys
	variants []int // the materials in the model's skins
	parts    []part
	spans    []span // of the parts, for groups of props' models
}

// divided reports whether the alpha of a group's vertices means nothing to a plain viewer, in any skin. Then their light, if it exceeds
// white, is divided by its greatest channel, and alpha is what a reader divides it by again.
func (g *Groups) divided(in *Input, of *group) bool {
	divides := func(key drawkey.Key) bool {
		m := drawkey.Base(in.Set, key)
		return key.Layer == 0 && !key.VertexLit && m.Alpha == pbr.Opaque && !m.Vertex.Alpha
	}
	return !in.Light.Carrier.InVertices() && divides(of.key.draw) &&
		!slices.ContainsFunc(of.variants, func(k int) bool { return !divides(g.Keys[k]) })
}

// groupKey is the key of surfaces that are joined into a primitive: they have the same draw key in all skins.
type groupKey struct {
	draw  drawkey.Key
	skins string
}

// part is a surface's mesh, or a piece of it, that becomes part of a primitive.
type part struct {
	surface *world.Surface
	chart   int
	mesh    *geometry.Mesh
}

// meshRange is the range of groups of a model's visible or hidden mesh.
type meshRange struct {
	model       int
	hidden      bool
	partition   partition
	first, last int // of the groups
}

// DrawGroups returns the draw keys of each group with the light of its surfaces.
func (g *Groups) DrawGroups(charts []world.Chart) []drawkey.DrawGroup {
	uses := make([]drawkey.DrawGroup, len(g.list))
	for i := range uses {
		of := &g.list[i]
		uses[i].Keys = append(uses[i].Keys, of.key.draw)
		for _, skin := range of.variants {
			uses[i].Keys = append(uses[i].Keys, g.Keys[skin])
		}
		for _, p := range of.parts {
			if p.chart != world.NoChart && charts[p.chart].Width > 0 && charts[p.chart].Height > 0 && len(p.mesh.Vertices) > 0 {
				uses[i].Light = append(uses[i].Light, drawkey.LuxelRect{Chart: p.chart, Luxels: lit(&charts[p.chart], p.mesh.Vertices)})
			}
		}
	}
	return uses
}

// lit returns the luxels of a chart from which the vertices of a surface, and those that cutting adds, take their light.
func lit(c *world.Chart, vertices []world.Vertex) image.Rectangle {
	lo, hi := vertices[0].Luxel, vertices[0].Luxel
	for i := range vertices {
		for k, x := range vertices[i].Luxel {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
	}
	return lightmap.Sampled(c, lo, hi)
}

// keyList lists draw keys in the order of their first use.
type keyList struct {
	list []drawkey.Key
	at   map[drawkey.Key]int
}

// index returns the index of a key, which it adds if it is new.
func (l *keyList) index(key drawkey.Key) int {
	i, ok := l.at[key]
	if !ok {
		i = len(l.list)
		l.at[key] = i
		l.list = append(l.list, key)
	}
	return i
}
