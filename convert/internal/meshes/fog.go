package meshes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// fogPath is the length of a typical path through fog, as a multiple of the depth below the side where it begins.
const fogPath = 2

// fogged returns the mesh of a surface in fog. The vertices' alphas are the share of the fog's way to opacity that lies before them:
// 0 at the side where the fog begins, 1 and more where nothing is visible through it. The engine's share depends on the eye; ours
// assumes an eye outside of the fog that looks down at a slant.
func fogged(f *world.Fog, opaque float32, m *geometry.Mesh) geometry.Mesh {
	out := geometry.Mesh{Vertices: make([]world.Vertex, len(m.Vertices)), Indices: m.Indices}
	copy(out.Vertices, m.Vertices)
	for i := range out.Vertices {
		v := &out.Vertices[i]
		depth := f.Distance - (float32(f.Normal[0]*v.Position[0]) + float32(f.Normal[1]*v.Position[1]) + float32(f.Normal[2]*v.Position[2]))
		v.Color[3] = fogPath * depth / max(opaque, 1) // thicker fog would leave the range of numbers
	}
	return out
}

// fogBand returns the part of a fog's mesh whose opacity rounds to a band. The opacity is the root of the way (Quake III Arena,
// tr_image.c, R_InitFogTable).
func fogBand(m *geometry.Mesh, band int) geometry.Mesh {
	low, high := (float32(band)-0.5)/drawkey.Bands, (float32(band)+0.5)/drawkey.Bands
	return geometry.Band(*m, low*low, high*high)
}
