// Package materials turns the material names of a map into materials with their images.
//
// A name is looked up as a material file of Valve's, in the shader scripts of the game, as a picture of palette indices (which
// the map itself may have), then as an image: the first that has it determines the material, whatever the game. The stages of a
// script become the closest glTF material: a base colour, an emission, an alpha mode; anything glTF can't express stays in Extras
// and is counted.
package materials

import (
	"cmp"

	"github.com/bsp2gltf/bsp2gltf/internal/picture"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/images"
	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
)

// Options holds the "materials" section of pipeline.yaml. The zero value works: what is not set has its default, and what can be
// switched is off. DefaultOptions has the switches as in pipeline.yaml.
type Options struct {
	Images      Images  `yaml:"images" values:"keep, png, jpeg, webp, none"` // format of images
	PNG         Effort  `yaml:"png" values:"fast, default, small"`           // effort of PNG files
	Quality     int     `yaml:"quality" values:"1 to 100"`                   // of JPEG and lossy WebP; 100 is lossless WebP
	MaxSize     int     `yaml:"max_size" values:"0 to 16384"`                // pixels per side, larger images are scaled down; 0 keeps the size
	Combine     Combine `yaml:"combine" values:"none, needed, all"`          // draw the stages of a shader into one image
	Normals     bool    `yaml:"normals"`                                     // normal maps
	Details     bool    `yaml:"details"`                                     // detail textures that pictures lack
	Environment bool    `yaml:"environment"`                                 // reflections and factors of the background
	Motion      bool    `yaml:"motion"`                                      // what moves apart stays apart, in layers
	Scripts     bool    `yaml:"scripts"`                                     // the words of shader scripts and material files as extras
	Grid        bool    `yaml:"placeholder_grid"`                            // placeholders show lines in map units, in coordinates of their own
	Frames      bool    `yaml:"frames"`                                      // frames of animated textures

	Reflections  bool     `yaml:"reflections"`                   // reflections and highlights become metalness, roughness and KHR_materials_specular
	Transmission bool     `yaml:"transmission"`                  // glass and water use KHR_materials_transmission
	Blends       Blends   `yaml:"blends" values:"layers, baked"` // blended terrain textures
	Cubemaps     Cubemaps `yaml:"cubemaps" values:"none, faces"` // the map's reflection images
}

// DefaultOptions returns the options of pipeline.yaml.
func DefaultOptions() Options {
	return Options{
		Images: ImagesKeep, PNG: EffortDefault, Quality: 90, Combine: CombineNeeded, Normals: true, Details: true,
		Environment: true, Motion: true, Scripts: true, Grid: true,
		Reflections: true, Blends: BlendsLayers, Cubemaps: CubemapsNone,
	}
}

// orDefaults returns o with defaults for the options that are not set.
func (o Options) orDefaults() Options {
	d := DefaultOptions()
	o.Images, o.PNG, o.Quality = cmp.Or(o.Images, d.Images), cmp.Or(o.PNG, d.PNG), cmp.Or(o.Quality, d.Quality)
	o.Combine, o.Blends, o.Cubemaps = cmp.Or(o.Combine, d.Combine), cmp.Or(o.Blends, d.Blends), cmp.Or(o.Cubemaps, d.Cubemaps)
	return o
}

// Images is the format of images.
type Images string

// The values of Options.Images.
const (
	ImagesKeep Images = "keep" // PNG and JPEG pass through, all else becomes PNG
	ImagesPNG  Images = "png"
	ImagesJPEG Images = "jpeg"
	ImagesWebP Images = "webp"
	ImagesNone Images = "none" // left out: materials keep a colour
)

// Effort is the compression effort of PNG files; "" is EffortDefault.
type Effort string

// The values of Options.PNG.
const (
	EffortFast    Effort = "fast"    // one cheap filter, the fastest deflate
	EffortDefault Effort = "default" // a filter for each row, few colours as palette or grey
	EffortSmall   Effort = "small"   // as default, in twice the time
)

// Combine is the choice of shader stages that are drawn into one image.
type Combine string

// The values of Options.Combine.
const (
	CombineNone   Combine = "none"
	CombineNeeded Combine = "needed" // if glTF has no other way to show them
	CombineAll    Combine = "all"    // also detail textures
)

// Blends is how blended terrain textures are shown.
type Blends string

// The values of Options.Blends.
const (
	BlendsLayers Blends = "layers" // drawn over each other
	BlendsBaked  Blends = "baked"  // an image for each displacement
)

// Cubemaps states whether the map's reflection images are written.
type Cubemaps string

// The values of Options.Cubemaps.
const (
	CubemapsNone  Cubemaps = "none"
	CubemapsFaces Cubemaps = "faces" // images beside the output
)

// format returns the format that images are encoded in.
func (i Images) format() picture.Format {
	switch i {
	case ImagesJPEG:
		return picture.JPEG
	case ImagesWebP:
		return picture.WebP
	}
	return picture.PNG
}

// choices returns the planners' options.
func (o *Options) choices(input *Input) plan.Options {
	return plan.Options{
		Combine: o.Combine != CombineNone, CombineAll: o.Combine == CombineAll, BakeBlends: o.Blends == BlendsBaked, Palette: input.Palette,
		MaxSize: o.MaxSize, Normals: o.Normals, Frames: o.Frames, Details: o.Details,
		Environment: o.Environment, Motion: o.Motion,
		Bare: !o.Scripts, Reflections: o.Reflections, Transmission: o.Transmission, Baked: input.VertexLight,
		Directions: input.Directions, SkyLight: input.SkyLight,
	}
}

// settings returns the options for making images.
func (o *Options) settings(input *Input) images.Options {
	return images.Options{
		Output: images.Output{
			Keep:     o.Images == ImagesKeep,
			Encoding: picture.Encoding{Format: o.Images.format(), Effort: picture.Effort(o.PNG), Quality: o.Quality},
			MaxSize:  o.MaxSize,
		},
		Cubemaps: o.Cubemaps == CubemapsFaces, SkyLight: input.SkyLight, Cache: input.Cache, Progress: input.Progress,
	}
}
