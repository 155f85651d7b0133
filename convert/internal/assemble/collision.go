package assemble

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

// collision makes a node of each brush, below one node for the world's and below their entity's for others. Godot makes
// a convex shape of what is called so and shows nothing of it; elsewhere the nodes are to be hidden. As bodies of OMI_physics_body
// nothing shows them.
func (a *placer) collision(ctx context.Context) error {
	if a.p.Geometry.Collision == geometry.CollisionNone {
		return nil
	}
	if len(a.w.Volumes.Brushes) == 0 {
		a.report.Add([]world.Issue{{Code: "collision-missing", Where: "map",
			Detail: "geometry.collision: no brushes are read of this map, so there are no shapes for physics"}})
		return nil
	}
	hulls, err := geometry.Hulls(ctx, a.w.Volumes.Brushes)
	if err != nil {
		return err
	}
	owner := make([]int, len(a.w.Models)) // the node of the first entity that shows a model
	for i := range owner {
		owner[i] = scene.None
	}
	for i := range a.w.Entities {
		if m := a.w.Entities[i].Model; m > 0 && owner[m] == scene.None {
			owner[m] = a.entity[i]
		}
	}
	m := pbr.New("collision")
	m.BaseColor, m.Alpha, m.Draw.Unlit, m.Draw.DoubleSided = [4]float32{1, 0.4, 0.1, 0.3}, pbr.Blend, true, true
	m.Extras = map[string]any{"bsp2gltf_collision": true}
	material := a.addMaterial(m)
	owner[0] = a.node(scene.NewNode("collision", 0))
	for i := range hulls {
		b := &a.w.Volumes.Brushes[i]
		a.report.Add(hulls[i].Issues)
		if len(hulls[i].Indices) == 0 || owner[b.Model] == scene.None {
			continue
		}
		p, err := a.hull(ctx, &hulls[i], material)
		if err != nil {
			return err
		}
		n := scene.NewNode(a.brushName(b), owner[b.Model])
		n.Mesh = len(a.scene.Meshes)
		n.Extras = map[string]any{"contents": float64(b.Contents), "contents_names": b.Names}
		a.scene.Meshes = append(a.scene.Meshes, scene.Mesh{Name: n.Name, Primitives: []scene.Primitive{p}})
		if n.Body = a.p.Geometry.Collision == geometry.CollisionOMI; !n.Body {
			n.Name += "-convcolonly"
		}
		a.node(n)
	}
	return nil
}

// brushName is a brush by its number, or where names are stable by its planes, whatever their order.
func (a *placer) brushName(b *world.Brush) string {
	if !a.stable() {
		return fmt.Sprintf("brush_%d", b.Record)
	}
	planes := slices.SortedFunc(slices.Values(b.Planes), func(a, b [4]float32) int { return slices.Compare(a[:], b[:]) })
	return "brush_" + names.Hash8(fmt.Sprint(b.Contents, planes))
}

// hull is the primitive of a brush.
func (a *placer) hull(ctx context.Context, m *geometry.Mesh, material int) (scene.Primitive, error) {
	b := limit.From(ctx)
	n := len(m.Vertices)
	if err := b.Reserve(limit.Bytes[[3]float32](2*n) + 2*nodeSize); err != nil { // a mesh is about as much JSON as a node
		return scene.Primitive{}, err
	}
	p := scene.Primitive{Material: material, Positions: make([][3]float32, n), Normals: make([][3]float32, n), Indices: m.Indices}
	for i := range m.Vertices {
		p.Positions[i], p.Normals[i] = a.axes.Point(m.Vertices[i].Position), axes.Turn(m.Vertices[i].Normal)
	}
	return p, b.Vertices(int64(n))
}
