package vmt

import (
	"math"
	"strconv"
	"strings"
)

// Float returns a parameter as a number, or otherwise if it is not set or not a number. For a vector it returns the
// first number.
func (m *Material) Float(name string, otherwise float64) float64 {
	if v := m.Vector(name); len(v) > 0 {
		return v[0]
	}
	return otherwise
}

// Int returns a parameter as a whole number, clamped to 0 to 65535.
func (m *Material) Int(name string) int { return int(min(max(m.Float(name, 0), 0), 65535)) }

// Bool reports whether a parameter is set to a number other than 0. A hint for the compiler without a value counts as
// set.
func (m *Material) Bool(name string) bool {
	value, ok := m.Get(name)
	if !ok {
		return false
	}
	if value == "" {
		return strings.HasPrefix(name, "%")
	}
	return m.Float(name, 0) != 0
}

// maxNumbers is the maximum number of numbers in a value: those of a matrix.
const maxNumbers = 16

// Vector returns the numbers of a parameter, finite and at most 16: those in [], those in {} divided by 255, or a
// single one without brackets. It is nil if the parameter is not set or contains something that is not a number.
func (m *Material) Vector(name string) []float64 {
	value, _ := m.Get(name)
	value = strings.TrimSpace(value)
	part := 1.0
	switch {
	case strings.HasPrefix(value, "["):
		value = strings.Trim(value, "[]")
	case strings.HasPrefix(value, "{"):
		value, part = strings.Trim(value, "{}"), 255
	}
	words := strings.Fields(strings.ReplaceAll(value, ",", " "))
	if len(words) == 0 || len(words) > maxNumbers {
		return nil
	}
	v := make([]float64, len(words))
	for i, w := range words {
		n, ok := number(w)
		if !ok {
			return nil
		}
		v[i] = n / part
	}
	return v
}

// Color returns a parameter as three numbers, or otherwise. A number without brackets is used for all three.
func (m *Material) Color(name string, otherwise [3]float64) [3]float64 {
	switch v := m.Vector(name); {
	case len(v) >= 3:
		return [3]float64(v)
	case len(v) == 1:
		return [3]float64{v[0], v[0], v[0]}
	}
	return otherwise
}

// number reads a number as C does, from the start of a word.
func number(word string) (float64, bool) {
	for n := min(len(word), 32); n > 0; n-- {
		if strings.ContainsAny(word[:n], "xXpP_nN") { // forms that only Go accepts: hexadecimals, infinity
			continue
		}
		if v, err := strconv.ParseFloat(word[:n], 64); err == nil {
			return v, math.Abs(v) < 1e9
		}
	}
	return 0, false
}

// Texture returns the texture of a parameter as a file without extension: "materials/brick/brickwall001a". It is "" if
// there is none, and if the engine makes the texture at run time: env_cubemap, _rt_camera.
func (m *Material) Texture(name string) string {
	value, _ := m.Get(name)
	value = File(value)
	value = strings.TrimSuffix(strings.TrimPrefix(value, "materials/"), ".vtf")
	if value == "" || value == "env_cubemap" || strings.HasPrefix(value, "_rt_") {
		return ""
	}
	return "materials/" + value
}

// Matrix returns a parameter as a texture matrix at rest: u' = m[0]·u + m[1]·v + m[2], v' = m[3]·u + m[4]·v + m[5]. The
// value is "center .5 .5 scale 1 1 rotate 0 translate 0 0" in any order, or 16 numbers, row by row.
func (m *Material) Matrix(name string) (matrix [6]float64, ok bool) {
	if v := m.Vector(name); len(v) == 16 {
		return [6]float64{v[0], v[1], v[3], v[4], v[5], v[7]}, true
	}
	value, _ := m.Get(name)
	words := strings.Fields(strings.ToLower(value))
	var center, translate [2]float64
	scale := [2]float64{1, 1}
	turn := 0.0
	for i := 0; i < len(words); {
		word := words[i]
		i++
		var v [2]float64
		n := 0
		for n < 2 && i < len(words) {
			x, isNumber := number(words[i])
			if !isNumber {
				break
			}
			v[n] = x
			n++
			i++
		}
		switch {
		case n == 2 && word == "center":
			center = v
		case n == 2 && word == "translate":
			translate = v
		case n == 2 && word == "scale":
			scale = v
		case n == 1 && word == "scale":
			scale = [2]float64{v[0], v[0]}
		case n == 1 && word == "rotate":
			turn = v[0]
		default:
			return matrix, false
		}
		ok = true
	}
	// Scaled and rotated about the centre, then moved: imaterialvar's SetMatrix.
	sin, cos := math.Sincos(turn * math.Pi / 180)
	sin, cos = math.Round(sin*1e9)/1e9, math.Round(cos*1e9)/1e9 // make right angles exact
	matrix = [6]float64{cos * scale[0], 0 - float64(sin*scale[1]), 0, sin * scale[0], cos * scale[1], 0}
	matrix[2] = center[0] + translate[0] - float64(matrix[0]*center[0]) - float64(matrix[1]*center[1])
	matrix[5] = center[1] + translate[1] - float64(matrix[3]*center[0]) - float64(matrix[4]*center[1])
	return matrix, ok
}
