package world

import (
	"strconv"
	"strings"
)

// Pair is a key with its value as the map has them.
type Pair struct{ Key, Value string }

// NoModel is the Model of an entity without a brush model.
const NoModel = -1

// Entity is a list of key-values, in file order; a key may occur more than once.
type Entity struct {
	Pairs []Pair
	Model int  // index into World.Models, or NoModel
	Box   bool // it stands in the 3D skybox
	// Start is where it stands as the map starts, where the game moves it from where its keys say: a door that starts open.
	Start *Place
}

// Place is where something stands and how it is turned.
type Place struct {
	Origin [3]float32 // map units
	Angles [3]float32 // degrees: pitch, yaw, roll
}

// Value returns the value of the first pair with the key, which is compared without case, or "".
func (e *Entity) Value(key string) string {
	v, _ := e.Lookup(key)
	return v
}

// Lookup is Value that tells an empty value from none.
func (e *Entity) Lookup(key string) (string, bool) {
	for _, p := range e.Pairs {
		if strings.EqualFold(p.Key, key) {
			return p.Value, true
		}
	}
	return "", false
}

// Class is the entity's classname.
func (e *Entity) Class() string { return e.Value("classname") }

// Float returns the number that starts the key's value, as C's atof does; ok is false where there is none or a float32
// can't hold it.
func (e *Entity) Float(key string) (f float64, ok bool) {
	fields := strings.Fields(e.Value(key))
	if len(fields) == 0 {
		return 0, false
	}
	return number(fields[0])
}

// Vector returns the first three numbers of the key's value; ok is false where there are fewer or a float32 can't hold
// one.
func (e *Entity) Vector(key string) (v [3]float32, ok bool) {
	fields := strings.Fields(e.Value(key))
	if len(fields) < 3 {
		return v, false
	}
	for i := range v {
		f, ok := number(fields[i])
		if !ok {
			return [3]float32{}, false
		}
		v[i] = float32(f)
	}
	return v, true
}

// number parses the longest number that starts s.
func number(s string) (float64, bool) {
	for n := min(len(s), 64); n > 0; n-- {
		if f, err := strconv.ParseFloat(s[:n], 32); err == nil {
			return f, f-f == 0 // not "inf" or "nan"
		}
	}
	return 0, false
}

// Angles are the entity's pitch, yaw and roll in degrees: "angles", else the yaw alone from "angle".
// The angle values -1 (up) and -2 (down) of movers give no rotation.
func (e *Entity) Angles() [3]float32 {
	if v, ok := e.Vector("angles"); ok {
		return v
	}
	if f, ok := e.Float("angle"); ok && f != -1 && f != -2 {
		return [3]float32{0, float32(f), 0}
	}
	return [3]float32{}
}
