package meshes

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/scenetest"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

var (
	square        = scenetest.Square
	moved         = scenetest.Moved
	triangle      = scenetest.Triangle
	set           = scenetest.Set
	plainMaterial = scenetest.PlainMaterial
)

// build makes the meshes of a world, with plain materials unless the test gives others, and their materials. A map unit is a metre.
func build(t testing.TB, p pipeline.Pipeline, w *world.World, mats ...pbr.Material) (Meshes, []scene.Material) {
	t.Helper()
	for i := len(mats); i < len(w.Materials); i++ {
		mats = append(mats, plainMaterial(w.Materials[i].Name))
	}
	ctx := t.Context()
	shapes, err := geometry.Build(ctx, w, p.Geometry)
	if err != nil {
		t.Fatal(err)
	}
	atlas, err := lightmap.Bake(ctx, lightmap.Input{World: w, Effort: lightmap.EffortFast}, p.Lightmap)
	if err != nil {
		t.Fatal(err)
	}
	in := Input{World: w, Geometry: shapes, Set: &materials.Set{Materials: mats}, Atlas: atlas, Light: p.Lightmap, Split: p.Output.Split,
		Axes: axes.Axes{Unit: 1}}
	options := drawkey.Options{Carrier: p.Lightmap.Carrier, Entities: p.Entities, Sky: p.Sky, Output: p.Output}
	in.Surfaces, in.Props = drawkey.Surfaces(w, shapes, in.Set, atlas, options), drawkey.Props(w, options)
	groups, err := Group(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	made := drawkey.Materials(groups.Keys, drawkey.Sources{World: w, Set: in.Set, Atlas: atlas}, options)
	meshes, err := Build(ctx, in, groups, drawkey.VertexLight{}, made)
	if err != nil {
		t.Fatal(err)
	}
	return meshes, made
}

// bent returns a displacement of 64 units with an alpha that grows from row to row.
func bent(material int) world.Surface {
	s := square(material, world.NoChart, 1)
	d := &world.Displacement{Power: 2, Offsets: make([][3]float32, 25), Alpha: make([]float32, 25)}
	copy(d.Corners[:], s.Shape.(*world.Polygon).Corners)
	for i := range d.Alpha {
		d.Alpha[i] = float32(i/5) / 4
	}
	s.Shape = d
	return s
}

// unblended returns a square as in Source: its alpha does not blend in a second layer.
func unblended(material int) world.Surface {
	s := square(material, world.NoChart, 1)
	for i := range s.Shape.(*world.Polygon).Corners {
		s.Shape.(*world.Polygon).Corners[i].Color[3] = 0
	}
	return s
}
