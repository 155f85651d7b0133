package pbr

// Motion is how a material changes while its game runs, for readers that follow docs/internals/readers.md. Times are in seconds.
type Motion struct {
	// Base and Glow change the coordinates of the base and the emissive texture, in the order in which they apply. Rest
	// is the matrix that is already applied to the mesh's coordinates.
	Rest       *[6]float64
	Base, Glow []Change
	Mirror     []Change // the same for the Environment's image; its UV is their value at rest
	// Color and GlowColor multiply the textures, 0 to 1 in display values; the Rest of each is already in the factors.
	Color, GlowColor         *Wave
	ColorRest, GlowColorRest float64
	Frames                   []Slot // images that are the base texture in turn
	FPS                      float64
	Deforms                  []Deform
	// Clock is added to the time since the map started.
	Clock float64
}

// Change is a change of texture coordinates: scale, scroll, rotate, stretch, transform, turb, warp, ripple.
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

// DeformKind is a way in which vertices move.
type DeformKind string

// The kinds of deformation.
const (
	DeformWave  DeformKind = "wave"  // along the normal
	DeformBulge DeformKind = "bulge" // along the normal
	DeformMove  DeformKind = "move"  // along Vector
	DeformSwell DeformKind = "swell" // along Vector, by GoldSrc's waves
)

// Deform moves vertices. Lengths are map units.
type Deform struct {
	Kind   DeformKind
	Wave   Wave
	Spread float64    // wave: periods per map unit of x + y + z
	Vector [3]float64 // move: multiplied by the wave; bulge: width, height and speed; swell: the first wave's height
}

// Move returns a material's motion, and creates it if there is none.
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
	return m.Base == nil && m.Glow == nil && m.Mirror == nil && m.Color == nil && m.GlowColor == nil && m.Frames == nil && m.Deforms == nil
}
