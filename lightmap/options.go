// Package lightmap packs the charts of a map into few atlas pages and paints their light.
//
// Charts lie on the pages with a padding whose luxels repeat the chart's edge, so that a linear sampler never sees a
// neighbour. Light is linear on the way in; pages are 8-bit sRGB on the way out, with one scale for all of them, and
// optionally OpenEXR files of the same luxels.
package lightmap

import (
	"cmp"
)

// Options holds the "lightmap" section of pipeline.yaml. The zero value works: what is not set has its default, and what can be
// switched is off.
type Options struct {
	Light      Light   `yaml:"light" values:"hdr, ldr"`                    // which light of a map that has two; used by the decoder
	Carrier    Carrier `yaml:"carrier" values:"moz, vertex, none"`         // where the light is stored
	PageSize   int     `yaml:"page_size" values:"256 to 8192"`             // largest side of a page in pixels
	Padding    int     `yaml:"padding" values:"1 to 16"`                   // pixels around each chart
	Styles     Styles  `yaml:"styles" values:"start, layers, merge, drop"` // light styles beyond the first
	Bump       Bump    `yaml:"bump" values:"flat, baked, pages"`           // light of three directions
	Scale      float64 `yaml:"scale" values:"0 to 1000"`                   // linear light of a white pixel; 0 chooses it from the map's light
	HDR        HDR     `yaml:"hdr" values:"sidecar, always, none"`         // OpenEXR pages
	Images     Images  `yaml:"images" values:"png, webp"`                  // format of pages; png by default
	Deluxe     bool    `yaml:"deluxe"`                                     // keep pages of light directions
	Unfold     bool    `yaml:"unfold"`                                     // with the vertex carrier: places of charts on one page
	VertexStep float64 `yaml:"vertex_step" values:"0.5 to 64"`             // luxels between the points at which the vertex carrier samples
	Grid       bool    `yaml:"grid"`                                       // keep the light grid, for moving objects
	Probes     bool    `yaml:"probes"`                                     // keep light probes
}

// DefaultOptions returns the options of pipeline.yaml.
func DefaultOptions() Options {
	return Options{
		Light: LightHDR, Carrier: CarrierMOZ, PageSize: 2048, Padding: 2, Styles: StylesStart, Bump: BumpFlat, HDR: HDRSidecar,
		Images: ImagesPNG,
		Deluxe: true, VertexStep: 2, Grid: true, Probes: true,
	}
}

// orDefaults returns o with defaults for the options that are not set.
func (o Options) orDefaults() Options {
	d := DefaultOptions()
	o.Light, o.Carrier, o.Styles = cmp.Or(o.Light, d.Light), cmp.Or(o.Carrier, d.Carrier), cmp.Or(o.Styles, d.Styles)
	o.Bump, o.HDR, o.Images = cmp.Or(o.Bump, d.Bump), cmp.Or(o.HDR, d.HDR), cmp.Or(o.Images, d.Images)
	o.PageSize, o.Padding, o.VertexStep = cmp.Or(o.PageSize, d.PageSize), cmp.Or(o.Padding, d.Padding), cmp.Or(o.VertexStep, d.VertexStep)
	return o
}

// Effort is the compression effort of PNG files; "" is EffortDefault.
type Effort string

// The values of Effort.
const (
	EffortFast    Effort = "fast"    // one cheap filter, the fastest deflate
	EffortDefault Effort = "default" // a filter for each row, few colours as palette or grey
	EffortSmall   Effort = "small"   // as default, in twice the time
)

// Light chooses between the two kinds of light that Source maps may have.
type Light string

// The values of Options.Light.
const (
	LightHDR Light = "hdr"
	LightLDR Light = "ldr"
)

// Carrier states where the light is stored.
type Carrier string

// The values of Options.Carrier.
const (
	CarrierMOZ    Carrier = "moz"    // in pages, by MOZ_lightmap
	CarrierVertex Carrier = "vertex" // in vertex colours
	CarrierNone   Carrier = "none"
)

// InVertices reports whether vertices carry the light.
func (c Carrier) InVertices() bool { return c == CarrierVertex }

// Styles is the treatment of lamps that flicker or are switched.
type Styles string

// The values of Options.Styles.
const (
	StylesStart  Styles = "start"  // as the map starts, flickering ones at their mean
	StylesLayers Styles = "layers" // pages for each style
	StylesMerge  Styles = "merge"  // all of them at full strength
	StylesDrop   Styles = "drop"
)

// Bump is the treatment of light of three directions.
type Bump string

// The values of Options.Bump.
const (
	BumpFlat  Bump = "flat"  // left out
	BumpBaked Bump = "baked" // baked into the light, with the material's normal map
	BumpPages Bump = "pages" // pages for each direction
)

// HDR controls when OpenEXR pages are written.
type HDR string

// The values of Options.HDR.
const (
	HDRSidecar HDR = "sidecar" // if the map has HDR light
	HDRAlways  HDR = "always"
	HDRNone    HDR = "none"
)

// Images is the lossless format of the pages.
type Images string

// The values of Options.Images.
const (
	ImagesPNG  Images = "png"
	ImagesWebP Images = "webp"
)
