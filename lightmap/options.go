// Package lightmap packs the charts of a map into few atlas pages and paints their light.
//
// Charts lie on the pages with a gutter whose luxels repeat the chart's edge, so that a linear sampler never sees a
// neighbour. Light is linear on the way in; pages are 8-bit sRGB on the way out, with one scale for all of them, and
// OpenEXR files of the very same luxels where those are wanted.
package lightmap

import "github.com/bsp2gltf/bsp2gltf/internal/cache"

// Options are the "lightmap" section of pipeline.yaml.
type Options struct {
	Light      string  `yaml:"light"`       // which light of a map that has two: hdr, ldr; for the decoder
	Carrier    string  `yaml:"carrier"`     // how a viewer finds the light: moz, vertex, none
	PageSize   int     `yaml:"page_size"`   // pixels, the most a page has per side; 256 to 8192
	Padding    int     `yaml:"padding"`     // pixels around each chart; 1 to 16
	Styles     string  `yaml:"styles"`      // light styles beyond the first: start, layers, merge, drop
	Bump       string  `yaml:"bump"`        // light of three tilted directions: flat, baked, pages
	Scale      float64 `yaml:"scale"`       // linear light of a white pixel, 0 to 1000; 0 is chosen from the map's light
	HDR        string  `yaml:"hdr"`         // OpenEXR pages: sidecar, where the map has HDR light; always; none
	Images     string  `yaml:"images"`      // how pages are written, both without loss: png, webp
	Deluxe     bool    `yaml:"deluxe"`      // keep pages of light directions, where the map has them
	VertexStep float64 `yaml:"vertex_step"` // luxels between the points at which the vertex carrier samples; 0.5 to 64
	Grid       bool    `yaml:"grid"`        // keep the light grid, for what moves
	Probes     bool    `yaml:"probes"`      // keep light probes

	Cache *cache.Store `yaml:"-"` // of pages encoded before; nil keeps none

	Progress func(done, of int) `yaml:"-"` // hears how many pages are encoded, one at a time; may be nil
}
