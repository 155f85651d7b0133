package pbr

// Environment is an image of the surroundings that a stage of a shader shows as a reflection (tcGen environment). The
// material's images include its mean colour. A reader that knows the camera adds Factor · (Color · texel - Mean), all in
// display values: docs/internals/readers.md.
type Environment struct {
	Slot         // the image; UV maps the reflection's coordinates
	Color        [3]float64
	Vertex       VertexTint // multiplies Color
	Mean         [3]float64 // the value of Color · texel that the material's images include
	Factor       [3]float64
	FactorImage  int  // multiplies Factor, in the coordinates of the base texture; or NoImage
	FactorClamp  bool // the factor's image is clamped at its edges and does not repeat
	AddsEmission bool // it belongs to the emission, not to the base colour
}

// Behind is the factor by which the game multiplies the displayed background, if blending can't express it: Factor times the image times
// the displayed light.
type Behind struct {
	Slot   // in the coordinates of the base texture
	Factor [3]float64
}

// VertexTint is how a stage uses the display values of the vertices' colours.
type VertexTint uint8

// The ways in which a stage uses the vertices' colours.
const (
	NoTint      VertexTint = iota
	ByColor                // rgbGen vertex
	ByRestColor            // rgbGen oneMinusVertex
)
