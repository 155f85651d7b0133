package goldsrcmdl

import (
	"strconv"

	"github.com/bsp2gltf/bsp2gltf/internal/le"
)

// axes are the names of the motions of a controller or blend, by the bits of its type: along X, Y, Z, and about them.
var axes = []string{"X", "Y", "Z", "XR", "YR", "ZR"}

// axisOf returns the name of a motion type, or "" if it has none.
func axisOf(kind int32) string {
	for i, name := range axes {
		if kind&(1<<i) != 0 {
			return name
		}
	}
	return ""
}

// blend is an animation of a sequence that the game mixes with others. Its name states where the game shows it alone:
// "XR -45 YR 30".
type blend struct {
	index int
	name  string
}

// restBlend returns the index of the blend that a sequence shows until the game sets its parameters: the middle one
// of three by three directions, as in Counter-Strike, else the first.
func restBlend(sequence []byte) int {
	if le.Int32(sequence[120:]) == 9 {
		return 4
	}
	return 0
}

// blends returns the blends of a sequence, or nil if it has only one. They are two along one axis, two by two, or in
// Counter-Strike three by three; the first axis varies fastest. Half-Life SDK, cl_dll/StudioModelRenderer.cpp,
// StudioSetupBones.
func blends(sequence []byte) (out []blend) {
	size, ok := map[int32][2]int{2: {2, 1}, 4: {2, 2}, 9: {3, 3}}[le.Int32(sequence[120:])]
	if !ok {
		return nil
	}
	stop := func(axis, k int) string {
		if size[axis] < 2 {
			return ""
		}
		name := axisOf(le.Int32(sequence[128+4*axis:]))
		if name == "" {
			return "blend " + strconv.Itoa(k)
		}
		start, end := le.Float32(sequence[136+4*axis:]), le.Float32(sequence[144+4*axis:])
		return name + " " + strconv.FormatFloat(float64(start+float32((end-start)*float32(k)/float32(size[axis]-1))), 'g', 6, 64)
	}
	for y := range size[1] {
		for x := range size[0] {
			b := blend{size[0]*y + x, stop(0, x)}
			if second := stop(1, y); second != "" {
				b.name += " " + second
			}
			out = append(out, b)
		}
	}
	return out
}
