package classes

import "github.com/bsp2gltf/bsp2gltf/internal/wildcard"

// Lamp is the kind of lamp that a class is.
type Lamp uint8

// The kinds of lamps.
const (
	NoLamp    Lamp = iota
	PointLamp      // shines in all directions; a spot if it has a target
	SpotLamp       // shines along its angles, or at its target
	SunLamp        // shines from far away, along its angles; in Source also the sky's light
	OtherLamp      // has a style, but no light stored by the compiler
)

// lamps lists the classes of lamps by kind; the first matching row counts. This is the only list of them.
var lamps = []struct {
	families Family
	class    string // in lower case; one that ends in * matches a prefix
	lamp     Lamp
}{
	{q3 | Source, "light", PointLamp},
	{Source, "light_spot", SpotLamp},
	{GoldSrc | Source, "light_environment", SunLamp},
	{Quake | Hexen2 | Quake2 | GoldSrc, "light_spot", SpotLamp},
	{Quake | Hexen2 | Quake2, "light_environment", SpotLamp},
	{Quake | Hexen2 | Quake2 | GoldSrc, "light*", PointLamp}, // torches and flames
	{all, "light*", OtherLamp},
}

// LampOf returns the kind of lamp of a class in a family.
func LampOf(f Family, class string) Lamp {
	for _, row := range lamps {
		if row.families&f != 0 && wildcard.Match(row.class, class) {
			return row.lamp
		}
	}
	return NoLamp
}

// HasStyle reports whether entities of a class may switch a light style, in any family.
func HasStyle(class string) bool { return LampOf(all, class) != NoLamp }
