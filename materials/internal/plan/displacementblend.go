package plan

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/vmt"
)

// DisplacementBlend is a material that blends textures, with the displacements that get an image each.
type DisplacementBlend struct {
	Material int
	VMT      *vmt.Material
	Gloss    bool // it reflects the same everywhere
	Terrain  images.Terrain
}

// SkyLight is the map's sky with its full range of light.
type SkyLight struct {
	Sides     images.Sky
	Materials []int // the materials of the set that show this sky
}

// Sides are the suffixes of the names of a sky's images, in the order of Sky.Box.
var Sides = [6]string{"_rt", "_bk", "_lf", "_ft", "_up", "_dn"}
