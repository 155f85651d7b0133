package q3shader

import (
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// TCGen is the source of a stage's texture coordinates.
type TCGen struct {
	Kind TCGenKind
	S, T [3]float32 // TCVector: s = S · position, t = T · position, in map units
}

// TCGenKind is a source of texture coordinates.
type TCGenKind uint8

const (
	TCBase        TCGenKind = iota // the surface's
	TCLightmap                     // the lightmap's
	TCEnvironment                  // a reflection: they depend on the viewer
	TCVector
)

var tcGens = map[string]TCGenKind{
	"base": TCBase, "texture": TCBase, "lightmap": TCLightmap, "environment": TCEnvironment, "vector": TCVector,
	// The lightmaps of Raven's other light styles.
	"lightmap1": TCLightmap, "lightmap2": TCLightmap, "lightmap3": TCLightmap,
}

// TCMod changes texture coordinates.
type TCMod struct {
	Kind TCModKind
	Args [6]float32 // Scale: s t. Scroll: s t per second. Rotate: degrees per second. Transform: m00 m01 m10 m11 t0 t1
	Wave Wave       // Turb (Func is Sin) and Stretch
}

// TCModKind is a change of texture coordinates.
type TCModKind uint8

const (
	TCTurb      TCModKind = iota // s += Wave((x+z)/1024), t += Wave(y/1024), of the position
	TCScale                      // s and t are scaled
	TCScroll                     // s and t are shifted
	TCStretch                    // divided by the wave, about the image's centre
	TCTransform                  // s' = s·m00 + t·m10 + t0, t' = s·m01 + t·m11 + t1
	TCRotate                     // about the image's centre
	TCEntity                     // shifted by the entity's own value
)

var tcMods = map[string]struct {
	kind TCModKind
	args int
}{
	"turb": {TCTurb, 4}, "scale": {TCScale, 2}, "scroll": {TCScroll, 2}, "stretch": {TCStretch, 5},
	"transform": {TCTransform, 6}, "rotate": {TCRotate, 1}, "entitytranslate": {TCEntity, 0},
}

var identity = space.IdentityTexture

// Matrix returns the combined effect of the tcMods on texture coordinates at a time in seconds: s' = m[0]·s + m[1]·t +
// m[2], t' = m[3]·s + m[4]·t + m[5], with t down as in the map. Turb and entityTranslate contribute nothing: the first
// isn't affine, the second isn't known. The numbers are finite: a matrix with a number beyond ±1e9 is replaced by the
// identity.
func (s *Stage) Matrix(time float64) [6]float64 {
	m := identity
	for _, mod := range s.TCMods {
		m = space.MultiplyTexture(mod.Matrix(time), m)
	}
	return sane(m)
}

// Matrix returns the effect of one tcMod on texture coordinates, as Stage.Matrix does. Scroll is reduced to its
// fraction of an image, 0 to 1. A stretch whose wave is 0 contributes nothing.
func (t TCMod) Matrix(time float64) [6]float64 {
	a := func(i int) float64 { return float64(t.Args[i]) }
	switch t.Kind {
	case TCScale:
		return sane([6]float64{a(0), 0, 0, 0, a(1), 0})
	case TCScroll:
		return sane([6]float64{1, 0, fraction(a(0) * time), 0, 1, fraction(a(1) * time)})
	case TCTransform:
		return sane([6]float64{a(0), a(2), a(4), a(1), a(3), a(5)})
	case TCStretch:
		p := 1 / t.Wave.at(time)
		return sane([6]float64{p, 0, 0.5 - float64(0.5*p), 0, p, 0.5 - float64(0.5*p)})
	case TCRotate:
		sin, cos := math.Sincos(math.Mod(-a(0)*time, 360) * math.Pi / 180)
		return sane([6]float64{
			cos, -sin, 0.5 - float64(0.5*cos) + float64(0.5*sin),
			sin, cos, 0.5 - float64(0.5*sin) - float64(0.5*cos),
		})
	}
	return identity
}

func fraction(x float64) float64 { return x - math.Floor(x) }

// sane returns m, or the identity if a number in it is NaN or beyond ±1e9.
func sane(m [6]float64) [6]float64 {
	for _, x := range m {
		if !(math.Abs(x) <= maxNumber) { // true for NaN
			return identity
		}
	}
	return m
}
