// Package geometry turns the shapes of a map into meshes of triangles.
//
// Polygons become fans, triangles pass through, and Bezier patches are tessellated as the Quake III engine does it:
// adaptively, to an error in map units, with matching points on the borders of neighbouring patches. Displacements become
// grids that are joined to their neighbours as in the Source engine; overlays are cut out of the meshes that they lie on,
// and Decals turns decals into overlays. Hulls turns brushes into solids. Positions, texture coordinates and luxels stay
// in the units of package world.
package geometry

import (
	"cmp"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Options holds the "geometry" section of pipeline.yaml. The zero value works: what is not set has its default, and what can be
// switched is off.
type Options struct {
	PatchError float64   `yaml:"patch_error" values:"0.1 to 1000"`              // map units by which a patch may deviate from its curve, like r_subdivisions
	Overlays   bool      `yaml:"overlays"`                                      // include overlays and decals
	Collision  Collision `yaml:"collision" values:"none, brushes, omi, unreal"` // collision solids
}

// DefaultOptions returns the options of pipeline.yaml.
func DefaultOptions() Options {
	return Options{PatchError: 4, Overlays: true, Collision: CollisionNone}
}

// orDefaults returns o with defaults for the options that are not set.
func (o Options) orDefaults() Options {
	d := DefaultOptions()
	o.PatchError, o.Collision = cmp.Or(o.PatchError, d.PatchError), cmp.Or(o.Collision, d.Collision)
	return o
}

// Collision is the kind of collision solids to write.
type Collision string

// The values of Options.Collision.
const (
	CollisionNone    Collision = "none"
	CollisionBrushes Collision = "brushes" // convex solids on separate nodes
	CollisionOMI     Collision = "omi"     // the same as OMI_physics_body
	CollisionUnreal  Collision = "unreal"  // those that stop a player, as meshes with Unreal's names
)

// Mesh is the triangles of one surface.
type Mesh struct {
	Vertices []world.Vertex // normals are unit
	Blends   [][4]float32   // for a displacement: weights of four layers by vertex, or nil
	Points   []uint32       // for a displacement: the grid point of each vertex; nil if all points are used in order
	Indices  []uint32       // three per triangle, counter-clockwise seen from the front
	Issues   []world.Issue
}
