package classes

import "strings"

// Lamp is how entities of a class shine.
type Lamp uint8

// The kinds of lamps.
const (
	NoLamp    Lamp = iota
	PointLamp      // in all directions; with a target, a spot
	SpotLamp       // where its angles point, or at its target
	SunLamp        // from far away, where its angles point; in Source the sky's light too
	OtherLamp      // it has a style, but no light that a compiler stores
)

// lamps has a row for the classes that shine in each way; the first that fits counts. Nothing else lists them.
var lamps = []struct {
	families Family
	class    string // in lower case; one that ends in * is all that start so
	lamp     Lamp
}{
	{q3 | Source, "light", PointLamp},
	{Source, "light_spot", SpotLamp},
	{GoldSrc | Source, "light_environment", SunLamp},
	{Quake | Quake2 | GoldSrc, "light_spot", SpotLamp},
	{Quake | Quake2, "light_environment", SpotLamp},
	{Quake | Quake2 | GoldSrc, "light*", PointLamp}, // torches and flames
	{all, "light*", OtherLamp},
}

// LampOf returns how entities of a class shine in a family.
func LampOf(f Family, class string) Lamp {
	for _, row := range lamps {
		if row.families&f != 0 && fits(row.class, class) {
			return row.lamp
		}
	}
	return NoLamp
}

// fits reports whether a class, whatever its case, is that of a row.
func fits(pattern, class string) bool {
	start, any := strings.CutSuffix(pattern, "*")
	if any && len(class) > len(start) {
		class = class[:len(start)]
	}
	return strings.EqualFold(start, class)
}

// HasStyle reports whether entities of a class may switch the light of a style, in any family.
func HasStyle(class string) bool { return LampOf(all, class) != NoLamp }
