package quake3

import "io/fs"

// Options holds what the decoder needs to know and the file does not state.
type Options struct {
	Name       string  // of the map, without folder and extension: its external lightmaps are maps/NAME/lm_0000.tga
	Files      fs.FS   // where external lightmaps are, or nil
	Overbright int     // bits by which stored light is shifted up; below 0 it is shown as by the map's engine
	Albedo     float64 // the texture brightness, up to 1, at which gamma-space light comes out exactly; 0 is 1
	// LightImage names the lightmap image that a material's script has in place of the map's, or "". It may be nil.
	LightImage func(material string) string
	Areas      bool // decode the map's areas
}
