package materials

// indexedPlanner plans the materials of pictures of palette indices.
type indexedPlanner struct {
	files    *finder
	plan     *book
	facts    *facts
	o        choices
	asked    [2]bool       // whether palettes has been looked for
	palettes [2][][3]uint8 // the game's: of miptex, of .wal
}
