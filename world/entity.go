package world

import (
	"strconv"
	"strings"
)

// Pair is a key and a value as stored in the map.
type Pair struct{ Key, Value string }

// NoModel is the Model of an entity without a brush model.
const NoModel = -1

// Entity is a list of key-values, in file order; a key may occur more than once.
type Entity struct {
	Pairs     []Pair
	Model     int  // index into World.Models, or NoModel
	InSkybox  bool // it is in the 3D skybox
	AngleRule AngleRule
	// ModelAngles are the angles by which its keys rotate its brush model, in degrees: pitch, yaw, roll. They are zero for the many
	// classes whose keys are a direction of movement.
	ModelAngles [3]float32
	// Start is the entity's place when the map starts, if it differs from its keys: a door that starts open. It may be nil.
	Start  *Place
	Motion *Motion // how the game moves it later, or nil
	Drop   *Drop   // how the game drops it to the floor when the map starts, or nil; props have their own in Prop.Drop
}

// Motion holds the movements of an entity.
type Motion struct {
	Movements []Movement
	Team      []int   // indices of the entities that the game moves together, including this one; or nil
	Trigger   string  // what makes it move, unless it starts by itself: "name" of another entity's target, "touch", "use", "damage"
	Hinge     *Hinge  // or nil
	Begins    []Begin // what other entities trigger when the map starts, by time; nil if nothing
	Period    float64 // seconds after which the Begins begin again; 0 if they don't
}

// Begin says that a movement begins some seconds after the map's start.
type Begin struct {
	Movement int // index of the Motion's
	After    float64
}

// Hinge belongs to a door that is a model. The door's Movements are for a hinge on its right, seen along its forward axis; a door with the
// hinge on its left opens to the other side. Only the model's file states the side.
type Hinge struct {
	Closed float32 // the yaw at which the door is shut, in degrees
}

// Movement is one of an entity's movements. The entity's keys name what triggers it.
type Movement struct {
	Name    string  // "open", "close", "cycle" for there and back, "path", "start" of a fan; several movements may have the same name
	Starts  bool    // it begins when the map starts, by itself or as the Motion's Begins say
	Loops   bool    // it is repeated from its beginning
	Wait    float64 // seconds for which a "cycle" stays at its far end
	Keys    []Key   // by time, from 0; at least two
	Trigger string  // what triggers it, if that differs from the Motion's
}

// Key is the place of an entity at a time of a movement. In between, its position and each of its angles change evenly.
type Key struct {
	Time  float64 // seconds
	Place Place   // angles may exceed 360, to turn more than once
	Jump  bool    // the entity stays at the previous key's place until this time
}

// Drop is a fall to the floor, in map units.
type Drop struct {
	Rise float32 // height of the origin above the floor after the fall: the depth of the box that the game drops
	Most float32 // largest height above the floor from which it falls; 0 if it never does
	// Sides are the bounds in X and Y, relative to the origin, of the box that the game drops. It rests on the highest floor below it.
	Sides [2]float32
}

// Place is a position and a rotation.
type Place struct {
	Origin [3]float32 // map units
	Angles [3]float32 // degrees: pitch, yaw, roll
}

// Finite reports whether all numbers are finite and the position is inside the greatest map.
func (p Place) Finite() bool {
	for k := range p.Origin {
		if o, a := p.Origin[k], p.Angles[k]; !(o > -1<<24 && o < 1<<24) || a-a != 0 {
			return false
		}
	}
	return true
}

// Value returns the value of the first pair with the key, which is compared without case, or "".
func (e *Entity) Value(key string) string {
	v, _ := e.Lookup(key)
	return v
}

// Lookup is like Value, and also reports whether the key exists.
func (e *Entity) Lookup(key string) (string, bool) {
	for _, p := range e.Pairs {
		if strings.EqualFold(p.Key, key) {
			return p.Value, true
		}
	}
	return "", false
}

// Class returns the entity's classname.
func (e *Entity) Class() string { return e.Value("classname") }

// Float parses the number at the start of the key's value, as C's atof does; ok is false if there is none or it
// exceeds a float32.
func (e *Entity) Float(key string) (f float64, ok bool) {
	fields := strings.Fields(e.Value(key))
	if len(fields) == 0 {
		return 0, false
	}
	return number(fields[0], 32)
}

// Bits returns the key's value as flags: a whole number from 0 to 1<<31, which Float, with its 24 bits, could not hold. It returns 0 if
// there is no such number.
func (e *Entity) Bits(key string) int {
	fields := strings.Fields(e.Value(key))
	if len(fields) == 0 {
		return 0
	}
	if f, ok := number(fields[0], 64); ok && f >= 0 && f < 1<<31 {
		return int(f)
	}
	return 0
}

// Vector returns the first three numbers of the key's value; ok is false if there are fewer or one exceeds a float32.
func (e *Entity) Vector(key string) (v [3]float32, ok bool) {
	fields := strings.Fields(e.Value(key))
	if len(fields) < 3 {
		return v, false
	}
	for i := range v {
		f, ok := number(fields[i], 32)
		if !ok {
			return [3]float32{}, false
		}
		v[i] = float32(f)
	}
	return v, true
}

// number parses the longest number at the start of s, rounded to a number of bits.
func number(s string, bits int) (float64, bool) {
	for n := min(len(s), 64); n > 0; n-- {
		if f, err := strconv.ParseFloat(s[:n], bits); err == nil {
			return f, f-f == 0 // reject "inf" and "nan"
		}
	}
	return 0, false
}

// AngleRule states how a game combines the keys angles and angle of an entity.
type AngleRule uint8

// The rules of angles.
const (
	// AnglesFirst uses the key angles if it is there, else the yaw of angle.
	AnglesFirst AngleRule = iota
	// AngleReplaces uses the key that comes last: angles, or angle as a yaw without pitch and roll. Quake, pr_edict.c (anglehack);
	// Quake
	// II, g_spawn.c; Quake III Arena, g_spawn.c (F_ANGLEHACK).
	AngleReplaces
	// AngleIsYaw reads the keys in their order: angle sets the yaw alone, or the pitch if it is negative: -1 is up, others are down.
	// Half-Life, as in ReHLDS, pr_edict.cpp, ED_ParseEdict.
	AngleIsYaw
)

// AngleKeys returns the pitch, yaw and roll in degrees that the game reads from the entity's keys. By the first two rules a yaw of -1 or
// -2 may stand for up or down.
func (e *Entity) AngleKeys() [3]float32 {
	angles, _ := e.angleKeys()
	return angles
}

// Angles returns the entity's pitch, yaw and roll in degrees. A yaw of -1 (up) or -2 (down) from the key angle gives no rotation.
func (e *Entity) Angles() [3]float32 {
	angles, direction := e.angleKeys()
	if direction {
		return [3]float32{}
	}
	return angles
}

// angleKeys returns the angles of the entity's keys; direction is true if they are a yaw that stands for up or down.
func (e *Entity) angleKeys() (angles [3]float32, direction bool) {
	whole := false // the key angles was there
	for i := range e.Pairs {
		one := Entity{Pairs: e.Pairs[i : i+1]}
		switch key := e.Pairs[i].Key; {
		case whole && e.AngleRule == AnglesFirst:
		case strings.EqualFold(key, "angles"):
			if v, ok := one.Vector(key); ok {
				angles, direction, whole = v, false, true
			}
		case strings.EqualFold(key, "angle"):
			f, ok := one.Float(key)
			yaw := float32(f)
			switch {
			case !ok && e.AngleRule == AnglesFirst:
			case e.AngleRule != AngleIsYaw:
				angles, direction = [3]float32{0, yaw, 0}, yaw == -1 || yaw == -2
			case yaw >= 0:
				angles[1] = yaw
			case int(yaw) == -1:
				angles = [3]float32{-90, 0, 0}
			default:
				angles = [3]float32{90, 0, 0}
			}
		}
	}
	return angles, direction
}
