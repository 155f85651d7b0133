// Package materials turns the material names of a map into materials with their images.
//
// A name is looked up as a material file of Valve's, in the shader scripts of the game, as a picture of palette indices
// (which the map itself may have), then as an image: the first that knows it makes the material, whatever the game. What a script describes in several stages becomes the closest glTF
// material: a base colour, an emission, an alpha mode; what can't be expressed stays in Extras and is counted.
package materials

import (
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
)

// Options are the "materials" section of pipeline.yaml.
type Options struct {
	Images   Images  `yaml:"images"`   // how images are written
	PNG      Effort  `yaml:"png"`      // of PNG files
	Quality  int     `yaml:"quality"`  // of JPEG and lossy WebP, 1 to 100; 100 is lossless WebP
	MaxSize  int     `yaml:"max_size"` // pixels per side, larger images are scaled down; 0 keeps the size
	Combine  Combine `yaml:"combine"`  // draw the stages of a shader into one image
	Normals  bool    `yaml:"normals"`  // normal maps
	Emissive bool    `yaml:"emissive"` // additive stages and self-illumination become emission
	Details  bool    `yaml:"details"`  // detail textures of shader scripts, for readers that know docs/extras.md
	Frames   bool    `yaml:"frames"`   // the pictures of animations, for readers that know docs/extras.md

	Reflections  bool     `yaml:"reflections"`  // reflections and highlights become metal, roughness and KHR_materials_specular
	Transmission bool     `yaml:"transmission"` // glass and water let light through: KHR_materials_transmission
	Blends       Blends   `yaml:"blends"`       // textures that fade into each other
	Cubemaps     Cubemaps `yaml:"cubemaps"`     // pictures of the map's surroundings
}

// Images is how images are written.
type Images string

// The values of Options.Images.
const (
	ImagesKeep Images = "keep" // PNG and JPEG pass through, all else becomes PNG
	ImagesPNG  Images = "png"
	ImagesJPEG Images = "jpeg"
	ImagesWebP Images = "webp"
	ImagesNone Images = "none" // left out: materials keep a colour
)

// Effort is how much time a PNG file may take.
type Effort = picture.Effort

// The values of Options.PNG.
const (
	EffortFast    = picture.Fast
	EffortDefault = picture.Default
	EffortSmall   = picture.Small
)

// Combine says which stages of a shader are drawn into one image.
type Combine string

// The values of Options.Combine.
const (
	CombineNone   Combine = "none"
	CombineNeeded Combine = "needed" // where glTF has no other way to show them
	CombineAll    Combine = "all"    // detail textures too
)

// Blends is how textures that fade into each other are shown.
type Blends string

// The values of Options.Blends.
const (
	BlendsLayers Blends = "layers" // drawn over each other
	BlendsBaked  Blends = "baked"  // an image for each displacement
)

// Cubemaps says whether the pictures of the map's surroundings are written.
type Cubemaps string

// The values of Options.Cubemaps.
const (
	CubemapsNone  Cubemaps = "none"
	CubemapsFaces Cubemaps = "faces" // images beside the output
)

// format is what images are encoded as.
func (i Images) format() picture.Format {
	switch i {
	case ImagesJPEG:
		return picture.JPEG
	case ImagesWebP:
		return picture.WebP
	}
	return picture.PNG
}

// choices are what planners go by.
func (o *Options) choices(in *Input) plan.Options {
	return plan.Options{
		Combine: o.Combine != CombineNone, CombineAll: o.Combine == CombineAll, BakeBlends: o.Blends == BlendsBaked, Palette: in.Palette, MaxSize: o.MaxSize, Normals: o.Normals, Emissive: o.Emissive, Frames: o.Frames, Details: o.Details,
		Reflections: o.Reflections, Transmission: o.Transmission, Baked: in.VertexLight, SkyLight: in.SkyLight,
	}
}

// settings are what images are made by.
func (o *Options) settings(in *Input) images.Options {
	return images.Options{
		Keep: o.Images == ImagesKeep, Encoding: picture.Encoding{Format: o.Images.format(), Effort: o.PNG, Quality: o.Quality},
		MaxSize: o.MaxSize, Emissive: o.Emissive, Cubemaps: o.Cubemaps == CubemapsFaces,
		SkyLight: in.SkyLight, Cache: in.Cache, Progress: in.Progress,
	}
}

// Cache keeps made images from one map to the next: give the same one to each Load. Both functions are called by many goroutines at
// once. What is kept is opaque; bytes that are damaged or cut are recognised and made anew. A key says what an image is made of, but
// not by which program: who keeps images longer than a process must keep those of another build apart.
type Cache = images.Cache

// CacheKey names what a Cache holds: the hash of the files' contents, of how they are drawn, and of the options.
type CacheKey = images.Key
