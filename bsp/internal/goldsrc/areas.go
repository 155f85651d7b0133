package goldsrc

import (
	"encoding/binary"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/bsp/internal/bsptree"
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/liquid"
	"github.com/bsp2gltf/bsp2gltf/internal/gamma"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// decodeAreas decodes the areas of a map, or, without areas, its parts by visibility. In Quake II area 0 is solid
// (qfiles.h). Quake and GoldSrc have no areas: each leaf except the first, which is solid, is a cluster (bspfile.h).
func decodeAreas(m *file, r *records) (*world.Areas, error) {
	v, t := m.v, treeOf(m, r)
	t.Area = func(b []byte) int {
		if l := v.layout.leaf.Decode(b); l.area > 0 {
			return l.area
		}
		return world.NoArea
	}
	t.PVS = func(leafs, visibility []byte) bsptree.PVS {
		list := make([]leaf, len(leafs)/v.layout.leaf.Size)
		for i := range list {
			list[i] = v.layout.leaf.Decode(leafs[i*v.layout.leaf.Size:])
		}
		if v.family == familyQuake2 {
			return sightOfClusters(list, visibility)
		}
		return sightOfLeafs(list, r.models[0].leafs, visibility)
	}
	return bsptree.ReadAreas(m.dc, m.f, t)
}

// treeOf locates the tree of the map's leafs.
func treeOf(m *file, r *records) bsptree.Tree {
	v := m.v
	sizes := map[string]int{}
	for _, e := range v.layout.lumps {
		sizes[e.name] = e.size
	}
	t := bsptree.Tree{NodeSize: sizes["nodes"], LeafSize: v.layout.leaf.Size, Short: v.family != familyQuake2 && !v.layout.wide}
	for _, l := range m.table {
		switch l.Name {
		case "nodes":
			t.Nodes = l
		case "leafs":
			t.Leafs = l
		case "visibility":
			t.Visibility = l
		}
	}
	t.Plane = func(i int) (normal [3]float32, distance float32, ok bool) {
		if i < 0 || i >= len(r.planes) {
			return normal, 0, false
		}
		return r.planes[i].normal, r.planes[i].distance, true
	}
	return t
}

// sightOfClusters reads the visibility data of Quake II.
func sightOfClusters(leafs []leaf, visibility []byte) bsptree.PVS {
	clusters := make([]int, len(leafs))
	for i := range clusters {
		clusters[i] = leafs[i].cluster
	}
	return bsptree.ReadPVS(clusters, visibility, binary.LittleEndian)
}

// sightOfLeafs reads the visibility data of Quake and GoldSrc. A row covers the leafs of the world, whose number is in its model;
// later leafs belong to brush models. The offset of a row is -1 for a leaf without visibility data.
func sightOfLeafs(leafs []leaf, inWorld int, visibility []byte) bsptree.PVS {
	s := bsptree.PVS{Cluster: make([]int, len(leafs)), Rows: visibility, Packed: true}
	seen := min(inWorld, len(s.Cluster)-1)
	for i := range s.Cluster {
		s.Cluster[i] = i - 1
		if i > 0 && i <= seen {
			s.Starts = append(s.Starts, leafs[i].row)
		}
	}
	return s
}

// liquidTint is the colour that a game draws over the picture if the camera is in a liquid, 0 to 1 in display space, and its opacity.
type liquidTint struct {
	contents int // of the liquid's leafs
	color    [3]float64
	alpha    float64
}

// quakeTints are Quake's and Hexen II's: view.c, cshift_water and so on.
var quakeTints = []liquidTint{
	{-3, [3]float64{130.0 / 255, 80.0 / 255, 50.0 / 255}, 128.0 / 255},
	{-4, [3]float64{0, 25.0 / 255, 5.0 / 255}, 150.0 / 255},
	{-5, [3]float64{1, 80.0 / 255, 0}, 150.0 / 255},
}

// tints lists them by family. Quake II: p_view.c, SV_CalcBlend.
var tints = map[string][]liquidTint{
	familyQuake: quakeTints, familyHexen2: quakeTints,
	familyQuake2: { // bits, of which the first counts
		{8, [3]float64{1, 0.3, 0}, 0.6}, {16, [3]float64{0, 0.1, 0.05}, 0.6}, {32, [3]float64{0.5, 0.3, 0.2}, 0.4},
	},
}

// fog returns a tint as a fog that is there at once and everywhere.
func (t *liquidTint) fog() *world.RangeFog {
	f := &world.RangeFog{End: 1 << 20, Most: float32(t.alpha), Thickness: 1 << 20, Power: 1, Sky: float32(t.alpha)}
	for k, c := range t.color {
		f.Color[k] = float32(gamma.Decode(c))
	}
	return f
}

// decodeWaters returns the world's liquids with their fog for a camera inside, as far as the map has them. The leafs of brush models are
// not among them: those have no cluster, or come after the world's.
func decodeWaters(m *file, r *records) (out []world.Water, err error) {
	list, t := tints[m.v.family], treeOf(m, r)
	if (m.o.Areas || m.o.Solids) && t.Leafs.Size%int64(t.LeafSize) != 0 {
		return nil, nil // already reported
	}
	data, err := m.dc.Optional(m.f, t.Leafs, t.LeafSize)
	if err != nil || len(list) == 0 || len(r.models) == 0 {
		return nil, err
	}
	leafs := len(data) / t.LeafSize
	boxes, err := liquid.Boxes(m.dc, leafs, len(list), func(i int) (body int, lo, hi [3]float32) {
		l := m.v.layout.leaf.Decode(data[i*t.LeafSize:])
		body = slices.IndexFunc(list, func(t liquidTint) bool {
			if m.v.family == familyQuake2 {
				return l.cluster >= 0 && l.contents&t.contents != 0
			}
			return i <= r.models[0].leafs && l.contents == t.contents
		})
		return body, l.mins, l.maxs
	})
	for i := range list {
		if err == nil && len(boxes[i]) > 0 {
			w := world.Water{Surface: boxes[i][0][1][2], Bottom: boxes[i][0][0][2], Material: -1, Boxes: boxes[i], Fog: list[i].fog()}
			for _, b := range boxes[i] {
				w.Surface, w.Bottom = max(w.Surface, b[1][2]), min(w.Bottom, b[0][2])
			}
			out = append(out, w)
		}
	}
	return out, err
}
