package materials

import (
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Set is the materials of a map with the images they share.
type Set struct {
	Materials []plan.Material // by World.Materials
	Images    []Image
	Baked     []Baked     // by model, then surface
	Missing   []Missing   // in the order of World.Materials
	Sidecars  []Sidecar   // files beside the output
	Cubemaps  [][6]string // by World.Cubemaps where the options want them: the names of the faces' Sidecars, as Sky.Box, or ""
	Files     []string    // images that were read, by their full names, sorted
	Issues    []world.Issue
}

// Baked is the material of one displacement whose textures fade into each other: they are drawn into one image.
type Baked struct {
	Model, Surface int // indices into World.Models and its Surfaces
	// Material's coordinates are places on the displacement's grid, column and row from 0 to 1, in place of its UVs.
	Material plan.Material
}

// Sidecar is a file beside the output, whose name begins with the output's and "_".
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

// The parts of a Material, which are planned before there are images.
type (
	Material     = plan.Material
	Slot         = plan.Slot
	Reflection   = plan.Reflection
	Transmission = plan.Transmission
	Sky          = plan.Sky
	Fog          = plan.Fog
	Alpha        = plan.Alpha
	Autosprite   = plan.Autosprite
	Motion       = plan.Motion
	Change       = plan.Change
	Wave         = plan.Wave
	Deform       = plan.Deform
)

// The alpha modes of glTF.
const (
	Opaque = plan.Opaque
	Mask   = plan.Mask
	Blend  = plan.Blend
)

// The ways in which quads turn.
const (
	NoAutosprite  = plan.NoAutosprite
	FacesViewer   = plan.FacesViewer
	TurnsToViewer = plan.TurnsToViewer
)

// NoImage is the Image of a texture slot that is empty.
const NoImage = plan.NoImage
