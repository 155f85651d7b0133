package skeleton

import "github.com/bsp2gltf/bsp2gltf/world"

// Appearance is the part of a prop's appearance that its model file determines. Appearances can be compared. The
// sequence is the one with the name Animation; without that, the most likely one for the first of Activities that the
// model has; without those, number Sequence. A sequence, skin or body that the model does not have becomes 0; a Frame
// out of range is clamped.
type Appearance struct {
	Animation       string
	Activities      string // separated by spaces: "ACT_IDLE ACT_WALK"
	Sequence, Frame int
	Frames          int // of a model without bones: how many frames play, from Frame on
	Body, Skin      int
	BodyParts       world.BodyPartFilter
	Moves           bool    // it has a skeleton as the Options want it, or frames that play
	FPS             float64 // of a sprite whose pictures alternate
}
