package models

import "github.com/bsp2gltf/bsp2gltf/world"

// turnHinges reverses the movements of doors whose model has its hinge on the left.
func turnHinges(w *world.World) {
	for i := range w.Props {
		p := &w.Props[i]
		if p.Entity == world.NoEntity || p.Index == world.NoModel || p.Kind != world.EntityProp {
			continue
		}
		m := w.Entities[p.Entity].Motion
		if m == nil || m.Hinge == nil || !hingeOnLeft(&w.Models[p.Index], p.Angles) {
			continue
		}
		mirror(m)
		m.Hinge = nil
	}
}

// hingeOnLeft reports whether a model that is hinged at its origin is, at these angles, mostly to the right of it.
// Source SDK 2013, props.cpp, CPropDoorRotating::IsHingeOnLeft.
func hingeOnLeft(m *world.Model, angles [3]float32) bool {
	rows := turned(angles)
	var mins, maxs [3]float32
	for k := range 3 { // the box around the rotated box
		for n := range 3 {
			a, b := rows[k][n]*m.Mins[n], rows[k][n]*m.Maxs[n]
			mins[k] += min(a, b)
			maxs[k] += max(a, b)
		}
	}
	farthest := maxs
	if float32(mins[0]*mins[0])+float32(mins[1]*mins[1]) > float32(maxs[0]*maxs[0])+float32(maxs[1]*maxs[1]) {
		farthest = mins
	}
	return float32(farthest[0]*rows[0][1])+float32(farthest[1]*rows[1][1]) < 0 // the second column points to the left
}

// mirror reverses the movements of a door. The first key of a movement is where the door is when the map starts, and
// stays.
func mirror(m *world.Motion) {
	closed := m.Hinge.Closed
	for i := range m.Movements {
		keys := m.Movements[i].Keys
		for k := range keys {
			if i > 0 || k > 0 {
				keys[k].Place.Angles[1] = 2*closed - keys[k].Place.Angles[1]
			}
		}
	}
	// A door that starts open away from its opener also closes from the other side.
	if len(m.Movements) == 2 && m.Movements[0].Name == "close" && m.Movements[1].Name == "open" {
		open := m.Movements[1].Keys
		back := world.Movement{Name: "close"}
		for k := range open {
			back.Keys = append(back.Keys, world.Key{Time: open[len(open)-1].Time - open[len(open)-1-k].Time,
				Place: open[len(open)-1-k].Place})
		}
		m.Movements = append(m.Movements, back)
	}
}
