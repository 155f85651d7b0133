// Package meshes joins the surfaces of each model into the primitives of a mesh. It works in two steps, because the scene's materials are
// made in between: Group finds what becomes one primitive, Build makes the primitives.
package meshes

import (
	"context"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/drawkey"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/par"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Build makes the meshes of groups, over all cores. Their materials are those of groups.Keys. It fails if a limit is exceeded or ctx
// ends.
func Build(ctx context.Context, in Input, groups *Groups, light drawkey.VertexLight, mats []scene.Material) (Meshes, error) {
	primitives, err := par.Map(ctx, len(groups.list), func(i int) (scene.Primitive, error) {
		g := &groups.list[i]
		sh := in.shadingOf(g.key.draw, light)
		sh.divided = groups.divided(&in, g)
		p, err := primitive(ctx, sh, g.parts)
		p.Material, p.Variants = g.material, g.variants
		if p.UV2 == nil && hasLightmap(&p, mats) {
			p.UV2 = p.UV // the lightmap is white: any coordinates will do
		}
		if unlit(&p, mats) {
			for k := range p.Targets {
				p.Targets[k].Normals = nil // nobody needs them
			}
		}
		return p, err
	})
	if err != nil {
		return Meshes{}, err
	}
	out := join(in.World.Models, groups.ranges, primitives)
	cut, err := lightProps(ctx, &in, groups, primitives, &out)
	out.Issues = groups.issues
	if cut > 0 {
		out.Issues = append(out.Issues, world.Issue{
			Code: "prop-light-cut", Where: "map", Detail: "the light on props is beyond white: it is shown as white of its hue", Count: cut,
		})
	}
	return out, err
}

// hasLightmap reports whether a material of a primitive, in any skin, has a lightmap.
func hasLightmap(p *scene.Primitive, mats []scene.Material) bool {
	if mats[p.Material].Lightmap != scene.None {
		return true
	}
	for _, m := range p.Variants {
		if mats[m].Lightmap != scene.None {
			return true
		}
	}
	return false
}

// unlit reports whether the materials of a primitive have no light, in all skins.
func unlit(p *scene.Primitive, mats []scene.Material) bool {
	lit := func(m int) bool { return !mats[m].Unlit && !mats[m].Draw.Unlit }
	return !lit(p.Material) && !slices.ContainsFunc(p.Variants, lit)
}

// join makes meshes of primitives.
func join(models []world.Model, ranges []meshRange, primitives []scene.Primitive) Meshes {
	out := Meshes{Models: make([]Model, len(models))}
	for i := range out.Models {
		out.Models[i].Mesh, out.Models[i].Hidden = scene.None, scene.None
	}
	for _, r := range ranges {
		m, name := &out.Models[r.model], models[r.model].Name
		at := len(out.Meshes)
		switch {
		case r.partition != (partition{}):
			name += " " + r.partition.name()
			m.Partitions = append(m.Partitions, Partition{r.partition.name(), at})
		case r.first == r.last:
			continue
		case r.hidden:
			m.Hidden = at
			name += " hidden"
		default:
			m.Mesh = at
		}
		made := scene.Mesh{Name: name, Primitives: primitives[r.first:r.last]}
		if s := models[r.model].MorphTargets; s != nil {
			made.Targets = targetNames(s.Names)
		}
		out.Meshes = append(out.Meshes, made)
	}
	return out
}
