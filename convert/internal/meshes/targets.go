package meshes

import (
	"github.com/bsp2gltf/bsp2gltf/convert/internal/axes"
	"github.com/bsp2gltf/bsp2gltf/convert/internal/names"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// shifts returns the frames of a part, or nil.
func shifts(p *part) []world.MorphTarget {
	t, ok := p.surface.Shape.(*world.Triangles)
	if !ok || p.mesh == nil || len(t.Vertices) != len(p.mesh.Vertices) {
		return nil
	}
	return t.MorphTargets
}

// countTargets returns the number of targets of parts, and how many vertices they move, together; dense is true if they move all.
func countTargets(parts []part) (targets, moved int, dense bool) {
	for i := range parts {
		list := shifts(&parts[i])
		targets = max(targets, len(list))
		for k := range list {
			moved += len(list[k].Vertices)
			dense = dense || list[k].Vertices == nil && len(list[k].Positions) > 0
		}
	}
	return targets, moved, dense
}

// fillTarget writes a frame of a part, whose first vertex is at at, into a target.
func fillTarget(to *scene.Target, at int, shift *world.MorphTarget, in axes.Axes) {
	for i := range shift.Positions {
		position, normal := in.Point(shift.Positions[i]), axes.Turn(shift.Normals[i])
		if shift.Vertices == nil {
			to.Positions[at+i], to.Normals[at+i] = position, normal
			continue
		}
		to.Vertices = append(to.Vertices, uint32(at)+shift.Vertices[i])
		to.Positions, to.Normals = append(to.Positions, position), append(to.Normals, normal)
	}
}

// targetNames returns names of targets that every importer keeps.
func targetNames(list []string) (out []string) {
	unique := names.NewNamer()
	for _, name := range list {
		out = append(out, unique.Material(name))
	}
	return out
}
