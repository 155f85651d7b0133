package animation

const (
	// longestRound is the seconds that the animation of the start may take so that all of its loops end together.
	longestRound = 60

	// longestSearch is the seconds up to which the end of the animation of the start is searched if its loops never end together, and
	// frame is the tolerance of that end.
	longestSearch = 20
	frame         = 1.0 / 30

	// maxKeys bounds the keys of a loop that is repeated.
	maxKeys = 1 << 14
)
