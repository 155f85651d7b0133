package source

import "io/fs"

// Options are what the decoder must be told, because the file does not say it.
type Options struct {
	Name     string // of the map, without folder and extension
	Game     string // whose map it is, where the bytes do not tell, or ""
	Files    fs.FS  // where lump patches (NAME_l_0.lmp) are, or nil
	Patches  string // the letter of the lump patches: "h" or "s" for those of Left 4 Dead 2's modes, or "l", the default
	LDR      bool   // take the light without high range of a map that has both
	Bump     bool   // keep the light of the three tilted directions
	Original bool   // faces as they were before the compiler split them, without light
	Areas    bool   // lift the map's areas
}
