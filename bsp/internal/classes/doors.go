package classes

import (
	"math"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Maps are built with closed doors. The game moves doors that start open before they are seen.

// door is a class of doors.
type door struct {
	families Family
	class    string
	turns    bool    // rotates about its origin; otherwise slides
	lip      float32 // default of the map units of an open sliding door that stay visible
	distance float32 // default of the degrees that a rotating door opens
	spread   float32 // map units by which the engine enlarges the door: 1 on each side
}

// doors lists the classes of doors. All start open if spawnflag 1 is set. Quake, doors.qc; Quake II, g_func.c;
// Half-Life SDK and Source SDK 2013, doors.cpp; Quake III, g_mover.c.
var doors = []door{
	{families: Quake | Quake2 | q3, class: "func_door", lip: 8, spread: 2},
	{families: Quake2, class: "func_water", lip: 8, spread: 2},
	{families: GoldSrc | Source, class: "func_door"},
	{families: GoldSrc | Source, class: "func_water"},
	{families: Quake2, class: "func_door_rotating", turns: true, distance: 90},
	{families: GoldSrc | Source, class: "func_door_rotating", turns: true},
}

// The spawnflags of doors.
const (
	doorStartsOpen = 1
	doorReversed   = 2   // it turns the other way
	doorRolls      = 64  // about X
	doorPitches    = 128 // about Y
)

// Start returns the position and angles of an entity with a brush model of a size when the map starts; nil if they are
// those of its keys. turned is true if the family rotates brush models by their entities' angles.
func Start(f Family, e *world.Entity, size [3]float32, turned bool) *world.Place {
	class := strings.ToLower(e.Class())
	for i := range doors {
		if d := &doors[i]; d.families&f != 0 && d.class == class && startsOpen(f, e) {
			return d.open(e, size, turned)
		}
	}
	return nil
}

// startsOpen reports whether a door starts open: by its flag, or in Source by its key.
func startsOpen(f Family, e *world.Entity) bool {
	at, _ := e.Float("spawnpos")
	return spawnflags(e)&doorStartsOpen != 0 || f == Source && at == 1
}

func (d *door) open(e *world.Entity, size [3]float32, turned bool) *world.Place {
	var at world.Place
	at.Origin, _ = e.Vector("origin")
	if turned {
		at.Angles = e.Angles()
	}
	if d.turns {
		axis := 1
		switch flags := spawnflags(e); {
		case flags&doorRolls != 0:
			axis = 2
		case flags&doorPitches != 0:
			axis = 0
		}
		by := number(e, "distance", d.distance)
		if spawnflags(e)&doorReversed != 0 {
			by = -by
		}
		at.Angles[axis] += by
		return &at
	}
	way := moveDirection(e)
	far := -number(e, "lip", d.lip)
	for k := range way {
		far += float32(math.Abs(float64(way[k] * (size[k] + d.spread))))
	}
	for k := range way {
		at.Origin[k] += way[k] * far
	}
	return &at
}

// number returns the value of a key, or a default.
func number(e *world.Entity, key string, without float32) float32 {
	x, ok := e.Float(key)
	if !ok || !(math.Abs(x) < 1<<20) {
		return without
	}
	return float32(x)
}

// moveDirection returns the unit direction of a mover: from Source's key movedir, else from its angles, where a lone yaw of
// -1 is up and of -2 down.
func moveDirection(e *world.Entity) [3]float32 {
	angles, ok := e.Vector("movedir")
	if !ok {
		angles = e.Angles()
		if yaw, _ := e.Float("angle"); yaw == -1 || yaw == -2 {
			angles = [3]float32{0, float32(yaw), 0}
		}
	}
	switch angles {
	case [3]float32{0, -1, 0}:
		return [3]float32{0, 0, 1}
	case [3]float32{0, -2, 0}:
		return [3]float32{0, 0, -1}
	}
	ps, pc := math.Sincos(float64(angles[0]) * math.Pi / 180)
	ys, yc := math.Sincos(float64(angles[1]) * math.Pi / 180)
	return [3]float32{float32(pc * yc), float32(pc * ys), float32(0 - ps)}
}

// HingedDoor returns the angles of Source's prop_door_rotating when the map starts. It rotates about the vertical; a key
// gives the angle of a door that is ajar. Source SDK 2013, props.cpp, CPropDoorRotating.
func HingedDoor(e *world.Entity) (angles [3]float32, moved bool) {
	angles = e.Angles()
	by := float32(math.Abs(float64(number(e, "distance", 90))))
	if by == 0 {
		by = 90
	}
	switch at, _ := e.Float("spawnpos"); at {
	case 1: // forwards
		angles[1] -= by
	case 2: // backwards
		angles[1] += by
	case 3:
		ajar, ok := e.Vector("ajarangles")
		return ajar, ok
	default:
		return angles, false
	}
	return angles, true
}
