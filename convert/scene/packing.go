package scene

// Packing controls how a writer may store vertices.
type Packing struct {
	// Quantize stores normals, tangents and weights as bytes and lightmap coordinates as 16 bits, by KHR_mesh_quantization.
	// With Meshopt positions and texture coordinates are rounded too: positions to a 64th of a map unit or less,
	// coordinates to an 8192th.
	Quantize bool
	Meshopt  bool // EXT_meshopt_compression, triangles and vertices in an order that suits it and a GPU's cache
	// Step is the binary logarithm of the step, in metres, to which positions are rounded.
	Step int
	// Finer is the Step of primitives that nodes magnify, by the address of their first position.
	Finer map[*[3]float32]int
}

// StepOf returns the Step of a primitive's positions.
func (p *Packing) StepOf(positions [][3]float32) int {
	if len(positions) > 0 {
		if step, ok := p.Finer[&positions[0]]; ok {
			return step
		}
	}
	return p.Step
}
