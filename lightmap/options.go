// Package lightmap packs the charts of a map into few atlas pages and paints their light.
//
// Charts lie on the pages with a gutter whose luxels repeat the chart's edge, so that a linear sampler never sees a
// neighbour. Light is linear on the way in; pages are 8-bit sRGB on the way out, with one scale for all of them, and
// OpenEXR files of the very same luxels where those are wanted.
package lightmap

// Options are the "lightmap" section of pipeline.yaml.
type Options struct {
	Light      Light   `yaml:"light"`       // which light of a map that has two; for the decoder
	Carrier    Carrier `yaml:"carrier"`     // how a viewer finds the light
	PageSize   int     `yaml:"page_size"`   // pixels, the most a page has per side; 256 to 8192
	Padding    int     `yaml:"padding"`     // pixels around each chart; 1 to 16
	Styles     Styles  `yaml:"styles"`      // light styles beyond the first
	Bump       Bump    `yaml:"bump"`        // light of three tilted directions
	Scale      float64 `yaml:"scale"`       // linear light of a white pixel, 0 to 1000; 0 is chosen from the map's light
	HDR        HDR     `yaml:"hdr"`         // OpenEXR pages
	Images     Images  `yaml:"images"`      // how pages are written
	Deluxe     bool    `yaml:"deluxe"`      // keep pages of light directions, where the map has them
	VertexStep float64 `yaml:"vertex_step"` // luxels between the points at which the vertex carrier samples; 0.5 to 64
	Grid       bool    `yaml:"grid"`        // keep the light grid, for what moves
	Probes     bool    `yaml:"probes"`      // keep light probes
}

// Light is one of the two lights that maps of Source may have.
type Light string

// The values of Options.Light.
const (
	LightHDR Light = "hdr"
	LightLDR Light = "ldr"
)

// Carrier is how the light gets to a viewer.
type Carrier string

// The values of Options.Carrier.
const (
	CarrierMOZ    Carrier = "moz"    // pages, by MOZ_lightmap
	CarrierVertex Carrier = "vertex" // the vertices' colours
	CarrierNone   Carrier = "none"
)

// Styles is what becomes of lamps that flicker or are switched.
type Styles string

// The values of Options.Styles.
const (
	StylesStart  Styles = "start"  // as the map starts, flickering ones at their mean
	StylesLayers Styles = "layers" // pages for each style
	StylesMerge  Styles = "merge"  // all of them at full strength
	StylesDrop   Styles = "drop"
)

// Bump is what becomes of the light of three tilted directions.
type Bump string

// The values of Options.Bump.
const (
	BumpFlat  Bump = "flat"  // left out
	BumpBaked Bump = "baked" // into the light, with the material's normal map
	BumpPages Bump = "pages" // pages for each direction
)

// HDR is when OpenEXR pages are written.
type HDR string

// The values of Options.HDR.
const (
	HDRSidecar HDR = "sidecar" // where the map has HDR light
	HDRAlways  HDR = "always"
	HDRNone    HDR = "none"
)

// Images is the format of the pages, without loss.
type Images string

// The values of Options.Images.
const (
	ImagesPNG  Images = "png"
	ImagesWebP Images = "webp"
)
