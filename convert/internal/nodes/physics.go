package nodes

import (
	"context"
	"fmt"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// The contents of the solids of props, as of brushes that stop everything.
const (
	solidContents = 1
	solidName     = "solid"
)

// props adds the solids of props. Props of the same model share their meshes.
func (c *colliders) props(ctx context.Context, in *Input, out *Placed) error {
	made := map[*world.ConvexPart][]int{} // the meshes of a model's pieces, by the first of them
	for i := range in.World.Props {
		p := &in.World.Props[i]
		if len(p.ConvexParts) == 0 || !in.Props[i] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		meshes, again := made[&p.ConvexParts[0]]
		if !again {
			for k := range p.ConvexParts {
				mesh, err := c.piece(&p.ConvexParts[k], fmt.Sprintf("%s_solid_%d", propName(p, in.World.Models), k))
				if err != nil {
					return err
				}
				meshes = append(meshes, mesh)
			}
			made[&p.ConvexParts[0]] = meshes
		}
		if err := c.budget.Reserve(int64(len(meshes)) * nodeSize); err != nil {
			return err
		}
		parent := c.holder(in, i, out)
		for k, mesh := range meshes {
			name, ok := pieceName(p, i, k, c.tree.stable), true
			if c.kind == geometry.CollisionUnreal { // the solids are those of the mesh, which props share
				name, ok = c.unreal.name(propMesh(in, i), solidName, strings.TrimSuffix(propName(p, in.World.Models), ".mdl"))
				ok = ok && !again
			}
			if ok {
				c.add(solid{name: name, contents: solidContents, names: solidName}, parent, mesh)
			}
		}
	}
	return nil
}

// holder returns the node below which the solids of a prop are: its own; one in its place, if it has none (an instance of another's node).
func (c *colliders) holder(in *Input, i int, out *Placed) int {
	p, made := &in.World.Props[i], &out.Props[i]
	if made.Node != scene.None && made.As != AsNode {
		return made.Node
	}
	n := scene.NewNode(fmt.Sprintf("prop_%d_solids", i), c.world)
	n.Translation, n.Rotation, n.Scale = in.Axes.Point64(space.Vector64(p.Origin)), axes.Quaternion(p.Angles), propScale(p)
	c.tree.mark(&n)
	return c.tree.add(n)
}

// pieceName returns the name of a piece of a prop: by its number, or, if names are stable, by its model and place.
func pieceName(p *world.Prop, prop, piece int, stable bool) string {
	if !stable {
		return fmt.Sprintf("prop_%d_solid_%d", prop, piece)
	}
	return fmt.Sprintf("solid_%s_%d", names.Hash8(fmt.Sprint(p.Model, p.Origin, p.Angles, p.Scale)), piece)
}

// piece adds the mesh of a piece and returns its index. Its triangles share no vertices, as they are flat.
func (c *colliders) piece(p *world.ConvexPart, name string) (int, error) {
	m := geometry.Mesh{Vertices: make([]world.Vertex, len(p.Indices)), Indices: make([]uint32, len(p.Indices))}
	for i := 0; i+2 < len(p.Indices); i += 3 {
		corner := func(k int) [3]float64 { return space.Vector64(p.Positions[p.Indices[i+k]]) }
		normal := flat(corner(0), corner(1), corner(2))
		for k := range 3 {
			m.Indices[i+k], m.Vertices[i+k] = uint32(i+k), world.Vertex{Position: p.Positions[p.Indices[i+k]], Normal: normal}
		}
	}
	primitive, err := hull(c.budget, &m, c.axes)
	if err != nil {
		return 0, err
	}
	primitive.Material = c.material
	return c.shapes.addMesh(scene.Mesh{Name: name, Primitives: []scene.Primitive{primitive}}), nil
}

// flat returns the normal of a triangle, or up if it has no area.
func flat(a, b, c [3]float64) [3]float32 {
	var u, v [3]float64
	for k := range a {
		u[k], v[k] = b[k]-a[k], c[k]-a[k]
	}
	n := space.Cross(u, v)
	if unit := space.Unit(space.Vector32(n)); unit != [3]float32{} {
		return unit
	}
	return [3]float32{0, 0, 1}
}
