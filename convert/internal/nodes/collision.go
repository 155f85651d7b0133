package nodes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// addCollision adds a node for each collision solid: those of the world's brushes below one node, those of other brushes below their
// entity's, and those of props below the props'. Godot makes a convex shape of a node with the name's suffix and shows nothing of it;
// elsewhere the nodes are to be hidden. As bodies of OMI_physics_body nothing shows them. Named for Unreal, they become the solids of the
// mesh in their name.
func addCollision(ctx context.Context, in *Input, t *tree, s *shapes, out *Placed) error {
	kind := in.Options.Geometry.Collision
	if kind == geometry.CollisionNone {
		return nil
	}
	pieces := 0
	for i := range in.World.Props {
		pieces += len(in.World.Props[i].ConvexParts)
	}
	if len(in.World.Volumes.Brushes)+len(in.World.Volumes.CollisionSurfaces)+pieces == 0 {
		out.Issues = append(out.Issues, world.Issue{Code: "collision-missing", Where: "map",
			Detail: "geometry.collision: no solids are read of this map, so there are no shapes for physics"})
		return nil
	}
	m := pbr.New("collision")
	m.BaseColor, m.Alpha, m.Draw.Unlit, m.Draw.DoubleSided = [4]float32{1, 0.4, 0.1, 0.3}, pbr.Blend, true, true
	m.Extras = map[string]any{scene.CollisionKey: true}
	c := &colliders{
		kind: kind, material: s.addMaterial(m), world: t.add(scene.NewNode("collision", 0)), tree: t, shapes: s, budget: limit.From(ctx),
		axes: in.Axes, unreal: unrealNames{map[int]string{}, map[int]int{}},
	}
	owners := ownersOf(in.World, out.Entities)
	owners[0] = c.world
	if err := c.brushes(ctx, in, owners, out); err != nil {
		return err
	}
	if err := c.curved(ctx, in, owners, out); err != nil {
		return err
	}
	err := c.props(ctx, in, out)
	out.MeshNames = c.unreal.meshes
	return err
}

// colliders adds the nodes of solids.
type colliders struct {
	kind     geometry.Collision
	material int
	world    int // the node of solids that have no other
	tree     *tree
	shapes   *shapes
	budget   *limit.Budget
	axes     axes.Axes
	unreal   unrealNames
}

// brushes adds the solids of brushes. owners is the nodes for those of each model.
func (c *colliders) brushes(ctx context.Context, in *Input, owners []int, out *Placed) error {
	brushes := in.World.Volumes.Brushes
	hulls, err := geometry.Hulls(ctx, brushes)
	if err != nil {
		return err
	}
	for i := range hulls {
		b := &brushes[i]
		out.Issues = append(out.Issues, hulls[i].Issues...)
		if len(hulls[i].Indices) == 0 || owners[b.Model] == scene.None {
			continue
		}
		name, ok := brushName(b, c.tree.stable), true
		if c.kind == geometry.CollisionUnreal {
			name, ok = c.unreal.name(drawn(in.Meshes.Models[b.Model]), b.Names, modelNode(c.tree, b.Model, owners))
		}
		if !ok {
			continue
		}
		p, err := hull(c.budget, &hulls[i], c.axes)
		if err != nil {
			return err
		}
		p.Material = c.material
		mesh := c.shapes.addMesh(scene.Mesh{Name: name, Primitives: []scene.Primitive{p}})
		c.add(solid{name: name, contents: b.Contents, names: b.Names}, owners[b.Model], mesh)
	}
	return nil
}

// curved adds the curved surfaces that stop a player: a mesh of triangles for each. They are thin and not convex, so
// there are none for Unreal, whose named solids are convex. owners are the nodes for the surfaces of each model.
func (c *colliders) curved(ctx context.Context, in *Input, owners []int, out *Placed) error {
	if c.kind == geometry.CollisionUnreal {
		return nil
	}
	meshes, err := geometry.CollisionSurfaces(ctx, in.World)
	if err != nil {
		return err
	}
	for i := range meshes {
		s := &in.World.Volumes.CollisionSurfaces[i]
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
		c.add(solid{name: name, contents: s.Contents, names: s.Names, curved: true}, owners[s.Model], mesh)
	}
	return nil
}

// solid describes the node of a solid.
type solid struct {
	name     string
	contents uint32
	names    string // of the contents
	curved   bool   // a curved surface, which is not convex
}

// add adds the node of a solid.
func (c *colliders) add(s solid, parent, mesh int) {
	body, suffix := scene.ConvexBody, "-convcolonly"
	if s.curved {
		body, suffix = scene.SheetBody, "-colonly"
	}
	n := scene.NewNode(s.name, parent)
	n.Extras = map[string]any{"contents": float64(s.contents), "contents_names": s.names}
	n.Mesh, n.Unseen = mesh, true
	switch c.kind {
	case geometry.CollisionOMI:
		n.Body = body
	case geometry.CollisionBrushes:
		n.Name += suffix
	}
	c.tree.add(n)
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

// blocking names the contents that stop a player.
var blocking = []string{"solid", "window", "grate", "playerclip", "terrain", "moveable"}

// stops reports whether contents, by their names, stop a player.
func stops(contents string) bool {
	return slices.ContainsFunc(strings.Fields(contents), func(word string) bool { return slices.Contains(blocking, word) })
}
