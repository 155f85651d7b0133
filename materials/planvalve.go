package materials

// valvePlanner plans the materials of Valve's material files.
type valvePlanner struct {
	files *finder
	plan  *book
	facts *facts
	o     choices
}
