package images

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/paint"
)

// Terrain is a material that blends textures, with the displacements that get an image each.
type Terrain struct {
	Name     string
	FourWay  bool // its layers have their own weights
	Masked   bool // only the mask says where the second layer is
	Textures []Wanted
	Detail   paint.Mix // how the texture of part AsDetail is drawn over all others
	Places   []Place
}

// Wanted is a texture to draw on displacements.
type Wanted struct {
	Part   Part
	Layer  int    // of AsLayer and AsTilt: 0 is the lowest
	File   string // or "" if there is none
	Frame  int
	UV     [6]float64
	Bump   bool // of AsTilt: it holds the light from three directions
	Height paint.Heights
}

// Part is the purpose of a texture on a displacement.
type Part uint8

const (
	AsLayer  Part = iota // a colour
	AsTilt               // normals
	AsMask               // where the second layer is
	AsDetail             // drawn over all layers; its alpha matters
)

// Place is a displacement that gets its own image.
type Place struct {
	Model, Surface int // indices into World.Models and its Surfaces
	Record         int // of the map's file, for the image's name
	Picture        paint.DisplacementPicture
}
