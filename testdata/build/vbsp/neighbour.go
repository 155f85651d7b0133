package vbsp

// Neighbours finds which displacements share edges and corners.
func (m *Map) Neighbours() {}
