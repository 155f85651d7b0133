package classes

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Maps are built with their trains where the mapper found it handy. The game puts each at the first corner of its path.

// trainAt is which point of a train's model the game puts at a corner.
type trainAt uint8

const (
	trainOrigin trainAt = iota // Quake III, g_mover.c
	trainMins                  // Quake, plats.qc; Quake II, g_func.c
	trainMiddle                // Half-Life SDK, plats.cpp; Source SDK 2013, plats.cpp
)

var trains = map[Family]trainAt{Quake: trainMins, Quake2: trainMins, GoldSrc: trainMiddle, Source: trainMiddle}

// Corner returns the name of the place at which an entity is put as the map starts, or "".
func Corner(f Family, e *world.Entity) string {
	if strings.ToLower(e.Class()) != "func_train" || f&all == 0 || e.Value("parentname") != "" {
		return ""
	}
	return e.Value("target")
}

// AtCorner is where a train with a brush model from mins to maxs stands as the map starts, the first corner of its path being at a
// place. turned says that the family turns brush models by the angles of their entities.
func AtCorner(f Family, e *world.Entity, mins, maxs, corner [3]float32, turned bool) *world.Place {
	at := world.Place{Origin: corner}
	if turned {
		at.Angles = e.Angles()
	}
	for k := range corner {
		switch trains[f] {
		case trainMins:
			at.Origin[k] -= mins[k] - 1 // the engines take models to be a unit larger on each side
		case trainMiddle:
			at.Origin[k] -= (mins[k] + maxs[k]) / 2
		}
	}
	return &at
}
