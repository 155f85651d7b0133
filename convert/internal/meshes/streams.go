package meshes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// stream is the light of one or more props on their model.
type stream struct {
	model int
	light *world.PropLight
	props []int
}

// colored reports whether a stream holds colours, not charts.
func (s *stream) colored() bool { return s.light.Charts == nil }

// chart returns the chart of a surface, or NoChart.
func (s *stream) chart(surface int) int {
	if surface >= len(s.light.Charts) {
		return world.NoChart
	}
	return s.light.Charts[surface]
}

// page returns the page of a surface's chart, or None.
func (s *stream) page(surface int, atlas *lightmap.Atlas) int {
	if chart := s.chart(surface); atlas.Has(chart) {
		return atlas.Places[chart].Page
	}
	return scene.None
}

// relitMesh is the mesh of a model in the light of a stream.
type relitMesh struct {
	stream     stream
	primitives []relitPrimitive
}

// relitPrimitive is a primitive of a relitMesh. It shares with its group's primitive everything but the colours, or the material and
// the lightmap coordinates.
type relitPrimitive struct {
	group    int
	lit      bool   // it receives light
	paged    bool   // from a page; otherwise its colours are the light
	material int    // of the page
	spans    []span // whose triangles it has; nil for all of the group's
}

// span is the range of a primitive's vertices that belongs to a surface.
type span struct {
	surface         int
	first, vertices int
	index, indices  int
}

// appendSpan appends the span of a mesh that is the next of its primitive.
func appendSpan(spans []span, surface int, m *geometry.Mesh) []span {
	s := span{surface: surface, vertices: len(m.Vertices), indices: len(m.Indices)}
	if n := len(spans); n > 0 {
		last := &spans[n-1]
		s.first, s.index = last.first+last.vertices, last.index+last.indices
	}
	return append(spans, s)
}
