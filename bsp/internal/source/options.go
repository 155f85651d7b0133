package source

import "io/fs"

// Options holds what the decoder needs to know and the file does not state.
type Options struct {
	Name    string // the map's name, without folder and extension
	Game    string // the game, if the bytes do not identify it, or ""
	Files   fs.FS  // has the lump patches (NAME_l_0.lmp), or nil
	Patches string // the letter of the lump patches: "h" or "s" for those of Left 4 Dead 2's modes, or "l", the default
	LDR     bool   // choose the LDR light of a map that has both
	Bump    bool   // keep the light of the three directions
	Areas   bool   // decode the map's areas
}
