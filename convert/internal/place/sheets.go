package place

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
)

// sheets adds the curved surfaces that stop a player: a mesh of triangles for each. They are thin and not convex, so Unreal, whose named
// solids are convex, gets none. owners is the nodes for those of each model.
func (c *colliders) sheets(ctx context.Context, in *Input, owners []int, out *Placed) error {
	if c.kind == geometry.CollisionUnreal {
		return nil
	}
	meshes, err := geometry.Sheets(ctx, in.World, in.Options.Geometry)
	if err != nil {
		return err
	}
	for i := range meshes {
		s := &in.World.Volumes.Sheets[i]
		if owners[s.Model] == scene.None || !stops(s.Names) {
			continue
		}
		out.Issues = append(out.Issues, meshes[i].Issues...)
		if len(meshes[i].Indices) == 0 {
			continue
		}
		p, err := hull(c.budget, &meshes[i], c.axes)
		if err != nil {
			return err
		}
		p.Material = c.material
		name := fmt.Sprintf("face_%d", in.World.Models[s.Model].Surfaces[s.Surface].Record)
		if c.tree.stable {
			name = "face_" + names.Hash8(fmt.Sprint(s.Contents, p.Positions, p.Indices))
		}
		mesh := c.shapes.addMesh(scene.Mesh{Name: name, Primitives: []scene.Primitive{p}})
		c.add(solid{name: name, contents: s.Contents, names: s.Names, sheet: true}, owners[s.Model], mesh)
	}
	return nil
}
