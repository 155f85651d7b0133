package pbr

// Motion is what moves of a material while its game runs, for readers that follow docs/extras.md. Times are in seconds.
type Motion struct {
	// Base and Glow change the coordinates of the base and the emissive texture, in the order in which they are applied. Rest
	// is what the mesh's coordinates have been through already.
	Rest       *[6]float64
	Base, Glow []Change
	// Color and GlowColor multiply what the textures show, 0 to 1 as displayed; the Rest of each is what is in the factors.
	Color, GlowColor         *Wave
	ColorRest, GlowColorRest float64
	Frames                   []Slot // pictures that take turns as the base texture, from the first
	FPS                      float64
	Deforms                  []Deform
}

// Change is a change of coordinates: scale, scroll, rotate, stretch, transform, turb, warp.
type Change struct {
	Kind    string
	Wave    *Wave // of stretch
	Numbers []float64
}

// Wave is Base + Amp · Func(Phase + Freq · seconds).
type Wave struct {
	Func                   string
	Base, Amp, Phase, Freq float64
}

// DeformKind is how vertices move.
type DeformKind string

// The kinds of deformation.
const (
	DeformWave  DeformKind = "wave"  // along the normal
	DeformBulge DeformKind = "bulge" // along the normal
	DeformMove  DeformKind = "move"  // along Vector
)

// Deform moves vertices. Lengths are map units.
type Deform struct {
	Kind   DeformKind
	Wave   Wave
	Spread float64    // wave: periods per map unit of x + y + z
	Vector [3]float64 // move: by the wave; bulge: width, height and speed
}

// Move is a material's motion, made where there was none.
func (m *Material) Move() *Motion {
	if m.Motion == nil {
		m.Motion = &Motion{}
	}
	return m.Motion
}

// Still reports whether nothing moves.
func (m *Motion) Still() bool {
	if m == nil {
		return true
	}
	return m.Base == nil && m.Glow == nil && m.Color == nil && m.GlowColor == nil && m.Frames == nil && m.Deforms == nil
}
