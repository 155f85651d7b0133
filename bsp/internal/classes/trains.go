package classes

import (
	"strings"

	"github.com/bsp2gltf/bsp2gltf/world"
)

// Mappers build trains anywhere in the map. The game moves each to the first corner of its path.

// trainAt is the point of a train's model that the game puts at a corner.
type trainAt uint8

const (
	trainOrigin trainAt = iota // Quake III, g_mover.c
	trainMins                  // Quake, plats.qc; Quake II, g_func.c
	trainMiddle                // Half-Life SDK, plats.cpp; Source SDK 2013, plats.cpp
)

var trains = map[Family]trainAt{Quake: trainMins, Quake2: trainMins, GoldSrc: trainMiddle, Source: trainMiddle}

// Corner returns the name of the path corner at which an entity starts, or "".
func Corner(f Family, e *world.Entity) string {
	if strings.ToLower(e.Class()) != "func_train" || f&all == 0 || e.Value("parentname") != "" {
		return ""
	}
	return e.Value("target")
}

// AtCorner returns where a train with a brush model from mins to maxs starts, given the position of the first corner of its path.
// turned is true if the family rotates brush models by their entities' angles.
func AtCorner(f Family, e *world.Entity, mins, maxs, corner [3]float32, turned bool) *world.Place {
	at := world.Place{Origin: corner}
	if turned {
		at.Angles = e.Angles()
	}
	for k := range corner {
		switch trains[f] {
		case trainMins:
			at.Origin[k] -= mins[k] - 1 // the engines enlarge models by a unit on each side
		case trainMiddle:
			at.Origin[k] -= (mins[k] + maxs[k]) / 2
		}
	}
	return &at
}
