package place

import (
	"context"
	"fmt"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addCollision adds a node for each collision solid, below one node for the world's and below their entity's for others. Godot makes
// a convex shape of a node with the name's suffix and shows nothing of it; elsewhere the nodes are to be hidden. As bodies of
// OMI_physics_body nothing shows them. Named for Unreal, they become the solids of the mesh in their name.
func addCollision(ctx context.Context, in *Input, t *tree, s *shapes, out *Placed) error {
	kind, brushes := in.Options.Geometry.Collision, in.World.Volumes.Brushes
	if kind == geometry.CollisionNone {
		return nil
	}
	if len(brushes) == 0 {
		out.Issues = append(out.Issues, world.Issue{Code: "collision-missing", Where: "map",
			Detail: "geometry.collision: no brushes are read of this map, so there are no shapes for physics"})
		return nil
	}
	hulls, err := geometry.Hulls(ctx, brushes)
	if err != nil {
		return err
	}
	m := pbr.New("collision")
	m.BaseColor, m.Alpha, m.Draw.Unlit, m.Draw.DoubleSided = [4]float32{1, 0.4, 0.1, 0.3}, pbr.Blend, true, true
	m.Extras = map[string]any{"bsp2gltf_collision": true}
	material := s.addMaterial(m)
	owners := ownersOf(in.World, out.Entities)
	owners[0] = t.add(scene.NewNode("collision", 0))
	unreal := unrealNames{in.Meshes.Models, map[int]string{}, map[int]int{}}
	for i := range hulls {
		b := &brushes[i]
		out.Issues = append(out.Issues, hulls[i].Issues...)
		if len(hulls[i].Indices) == 0 || owners[b.Model] == scene.None {
			continue
		}
		name, ok := brushName(b, t.stable), true
		if kind == geometry.CollisionUnreal {
			name, ok = unreal.name(b, modelNode(t, b.Model, owners))
		}
		if !ok {
			continue
		}
		p, err := hull(limit.From(ctx), &hulls[i], in.Axes)
		if err != nil {
			return err
		}
		p.Material = material
		n := scene.NewNode(name, owners[b.Model])
		n.Extras = map[string]any{"contents": float64(b.Contents), "contents_names": b.Names}
		n.Mesh = s.addMesh(scene.Mesh{Name: n.Name, Primitives: []scene.Primitive{p}})
		n.Body = kind == geometry.CollisionOMI
		if kind == geometry.CollisionBrushes {
			n.Name += "-convcolonly"
		}
		t.add(n)
	}
	out.MeshNames = unreal.meshes
	return nil
}

// modelNode returns the name of the node that shows a model. owners is the nodes of models; that of the world is for its brushes.
func modelNode(t *tree, model int, owners []int) string {
	if model == 0 {
		return "worldspawn"
	}
	return t.nodes[owners[model]].Name
}

// ownersOf returns, by model, the node of the first entity that shows it, or scene.None. entities is the nodes of entities.
func ownersOf(w *world.World, entities []int) []int {
	owners := slices.Repeat([]int{scene.None}, len(w.Models))
	for i := range w.Entities {
		if m := w.Entities[i].Model; m > 0 && owners[m] == scene.None {
			owners[m] = entities[i]
		}
	}
	return owners
}

// brushName returns the name of a brush: by its number, or, if names are stable, by its planes in any order.
func brushName(b *world.Brush, stable bool) string {
	if !stable {
		return fmt.Sprintf("brush_%d", b.Record)
	}
	planes := slices.SortedFunc(slices.Values(b.Planes), func(a, b [4]float32) int { return slices.Compare(a[:], b[:]) })
	return "brush_" + names.Hash8(fmt.Sprint(b.Contents, planes))
}

// hull returns the primitive of a brush, without its material.
func hull(b *limit.Budget, m *geometry.Mesh, to axes.Axes) (scene.Primitive, error) {
	n := len(m.Vertices)
	if err := b.Reserve(limit.Bytes[[3]float32](2*n) + 2*nodeSize); err != nil { // a mesh is about as much JSON as a node
		return scene.Primitive{}, err
	}
	p := scene.Primitive{Positions: make([][3]float32, n), Normals: make([][3]float32, n), Indices: m.Indices}
	for i := range m.Vertices {
		p.Positions[i], p.Normals[i] = to.Point(m.Vertices[i].Position), axes.Turn(m.Vertices[i].Normal)
	}
	return p, b.Vertices(int64(n))
}
