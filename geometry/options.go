// Package geometry turns the shapes of a map into meshes of triangles.
//
// Polygons become fans, triangles pass through, and Bezier patches are tessellated as the Quake III engine does it:
// adaptively, to an error in map units, with the borders of neighbouring patches brought to the same points. Displacements
// become grids that are sewn to their neighbours as in the Source engine; overlays are cut out of the meshes that they
// lie on, and decals are overlays once Decals has found what they are thrown on. Hulls makes solids of brushes.
// Positions, texture coordinates and luxels stay in the units of package world.
package geometry

import "github.com/bsp2gltf/bsp2gltf/world"

// Options are the "geometry" section of pipeline.yaml.
type Options struct {
	PatchError    float64   `yaml:"patch_error"`    // map units that a patch may leave its curve, as r_subdivisions; 0.1 to 1000
	PatchLevel    int       `yaml:"patch_level"`    // steps per 3x3 block, 1 to 32, in place of the error; 0 follows the error
	Displacements bool      `yaml:"displacements"`  // bend displacements; else they are flat
	Overlays      bool      `yaml:"overlays"`       // cut overlays and decals out of what they lie on; else they are left out
	OriginalFaces bool      `yaml:"original_faces"` // faces before the compiler split them; for the decoder
	Collision     Collision `yaml:"collision"`      // what physics knows
}

// Collision says which solids are written for physics.
type Collision string

// The values of Options.Collision.
const (
	CollisionNone    Collision = "none"
	CollisionBrushes Collision = "brushes" // convex solids on nodes of their own
	CollisionOMI     Collision = "omi"     // the same as OMI_physics_body
)

// Mesh is the triangles of one surface.
type Mesh struct {
	Vertices []world.Vertex // normals are unit
	Blends   [][4]float32   // of a displacement, weights of four layers by vertex; nil where it has none
	Points   []uint32       // of a displacement, the points of its grid that the vertices are; nil where they are all, in order
	Indices  []uint32       // three per triangle, counter-clockwise seen from the front
	Issues   []world.Issue
}
