package mesh

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/pick"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Groups says which surfaces become one primitive, and which primitives become one mesh.
type Groups struct {
	Keys   []pick.Key // of all primitives and their skins, in the order of their first use
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

// groupKey is the key of surfaces that are joined into a primitive: they have the same draw key in all skins.
type groupKey struct {
	draw  pick.Key
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
	room        room
	first, last int // of the groups
}

// Uses returns the draw keys of each group with the charts of its surfaces.
func (g *Groups) Uses() []pick.Use {
	uses := make([]pick.Use, len(g.list))
	for i := range uses {
		of := &g.list[i]
		uses[i].Keys = append(uses[i].Keys, of.key.draw)
		for _, skin := range of.variants {
			uses[i].Keys = append(uses[i].Keys, g.Keys[skin])
		}
		for _, p := range of.parts {
			uses[i].Charts = append(uses[i].Charts, p.chart)
		}
	}
	return uses
}

// keyList lists draw keys in the order of their first use.
type keyList struct {
	list []pick.Key
	at   map[pick.Key]int
}

// index returns the index of a key, which it adds if it is new.
func (l *keyList) index(key pick.Key) int {
	i, ok := l.at[key]
	if !ok {
		i = len(l.list)
		l.at[key] = i
		l.list = append(l.list, key)
	}
	return i
}
