package materials

import (
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Set is the materials of a map with the images they share.
type Set struct {
	Materials []pbr.Material // by World.Materials
	Images    []Image
	Baked     []Baked     // by model, then surface
	Missing   []Missing   // in the order of World.Materials
	Sidecars  []Sidecar   // files beside the output
	Cubemaps  [][6]string // by World.Cubemaps, if wanted: the names of the faces' Sidecars, in the order of Sky.Box, or ""
	Files     []string    // images that were read, by their full names, sorted
	Issues    []world.Issue
}

// Baked is the material of one displacement with blended textures, drawn into one image.
type Baked struct {
	Model, Surface int // indices into World.Models and its Surfaces
	// Material's texture coordinates are positions on the displacement's grid, column and row from 0 to 1, instead
	// of its UVs.
	Material pbr.Material
}

// Sidecar is a file beside the output, whose name starts with the output's name and "_".
type Sidecar struct {
	Name string // "sky_rt.exr", "cubemaps/c0_0_64_up.png"
	Data []byte
}

// Image is an encoded image.
type Image struct {
	Name          string // path without extension: "textures/base_wall/metal1"
	MIME          string // image/png, image/jpeg, image/webp
	Data          []byte
	Width, Height int
	Alpha         bool
}

// Missing is a material whose image was not found.
type Missing struct {
	Material string   `json:"material"`
	Tried    []string `json:"tried"`
	Hint     string   `json:"hint"`
}
