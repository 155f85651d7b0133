package goldsrc

import "io/fs"

// Options holds the decoder's inputs that the file does not state.
type Options struct {
	Name  string // of the map, without folder and extension
	Files fs.FS  // where coloured light (maps/NAME.lit or NAME.lit) is, or nil
	// Albedo is the texture brightness, up to 1, at which gamma-space light comes out exactly; 0 is 1.
	Albedo float64
	// Overbright is 0 to clamp GoldSrc's light at white, as without gl_overbright.
	Overbright int
	// ImageSize is the size in pixels of a texture whose size the map does not state, or 0; it may be nil. The name is as in the map,
	// "e1u1/metal1", or one of a picture that replaces the texture, "start/#water".
	ImageSize func(name string) (width, height int)
	Areas     bool // decode the map's areas (Quake II)
	Solids    bool // decode the map's solids
}
