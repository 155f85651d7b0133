package record

import (
	"encoding/binary"
	"math"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// U16 reads an unsigned 16-bit number.
func U16(b []byte) int { return int(binary.LittleEndian.Uint16(b)) }

// I16 reads a signed 16-bit number.
func I16(b []byte) int { return int(int16(binary.LittleEndian.Uint16(b))) }

// I32 reads a signed 32-bit number.
func I32(b []byte) int { return int(le.Int32(b)) }

// U32 reads an unsigned 32-bit number, clamped to math.MaxInt32.
func U32(b []byte) int { return int(min(binary.LittleEndian.Uint32(b), math.MaxInt32)) }

// V3 reads a vector.
func V3(b []byte) [3]float32 { return le.Vector(b) }

// Farthest bounds coordinates. The engines' worlds end at 1<<15; up to this bound a float32 resolves whole units, and squares
// and sums don't overflow.
const Farthest = 1 << 24

// Sane reports whether all numbers are finite and within Farthest.
func Sane(v ...float32) bool {
	for _, x := range v {
		if !(x > -Farthest && x < Farthest) {
			return false
		}
	}
	return true
}

// UnitOrZero scales a normal to length 1, or returns zero if it has no direction. A length near 1 is left unchanged.
func UnitOrZero(n [3]float32) [3]float32 {
	if !Sane(n[:]...) {
		return [3]float32{}
	}
	l := float32(space.Norm(n))
	switch {
	case l > 0.9995 && l < 1.0005:
		return n
	case l < 1e-6:
		return [3]float32{}
	}
	return [3]float32{n[0] / l, n[1] / l, n[2] / l}
}
