package geometry

import (
	"context"
	"fmt"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// maxCollisionWork limits the comparisons of points and planes for all collision surfaces of a map, to protect against hostile maps.
const maxCollisionWork = 1 << 31

// CollisionSurfaces returns what bodies meet of each collision surface: of a patch the facets of Quake III's engine, of a displacement
// its triangles. One beyond the limits has a mesh without vertices and an issue, a wrong one
// only the former, as Build reports it. It fails if the vertices exceed the context's budget, or if the context is done.
func CollisionSurfaces(ctx context.Context, w *world.World) ([]Mesh, error) {
	budget := limit.From(ctx)
	out, err := limit.Make[Mesh](budget, len(w.Volumes.CollisionSurfaces), "collision surfaces")
	if err != nil {
		return nil, err
	}
	var m collisionMesher
	for i := range out {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		surface := &w.Volumes.CollisionSurfaces[i]
		s := &w.Models[surface.Model].Surfaces[surface.Surface]
		var bad *fault
		if m.work > maxCollisionWork {
			bad = faultf("brush-limit", "the curved surfaces before it took %d comparisons", maxCollisionWork)
		} else {
			out[i], bad = m.mesh(s.Shape)
		}
		if bad != nil {
			out[i] = bad.mesh(s)
		}
		n := len(out[i].Vertices)
		if err := budget.Reserve(limit.Bytes[world.Vertex](n) + limit.Bytes[uint32](len(out[i].Indices))); err != nil {
			return nil, err
		}
		if err := budget.Vertices(int64(n)); err != nil {
			return nil, fmt.Errorf("face %d: %w", s.Record, err)
		}
	}
	return out, nil
}

// collisionMesher makes the meshes of collision surfaces, reusing its memory.
type collisionMesher struct {
	facets  faceter
	squares []vec
	work    int // comparisons so far
}

// mesh returns the mesh of a shape, without vertices if the shape is wrong, which Build reports.
func (m *collisionMesher) mesh(shape world.Shape) (out Mesh, bad *fault) {
	switch shape := shape.(type) {
	case *world.Patch:
		if checkFacets(shape) != nil {
			return out, nil
		}
		l, ok := newLattice(shape)
		if ok {
			cells := len(l.columns) * len(l.columns[0])
			m.work += shape.Width*shape.Height + cells*min(4*cells, maxFacetPlanes)
			ok = m.facets.facets(l, &out)
			m.work += len(out.Vertices) * len(out.Vertices)
		}
		if !ok {
			return out, faultf("brush-limit", "bodies pass: its curve has more facets than the engine allows")
		}
		return out, nil
	case *world.Displacement:
		if checkDisplacement(shape) != nil {
			return out, nil
		}
		n := 1<<shape.Power + 1
		m.work += n * n
		d := displacement{shape: shape, n: n}
		d.grid()
		d.normals(&m.squares)
		out, _ = d.mesh()
	}
	return out, nil
}
