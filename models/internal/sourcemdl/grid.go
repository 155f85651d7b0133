package sourcemdl

import (
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/entlump"
	"github.com/bsp2gltf/bsp2gltf/internal/le"
	"github.com/bsp2gltf/bsp2gltf/models/internal/modelfile"
)

// weightedAnimation is an animation that a sequence mixes: its number in the sequence's file, and its weight against
// those before it.
type weightedAnimation struct {
	animation int
	share     float64
}

// minShare is the least weight in a mixture. Below it the engine shows only the other animation.
const minShare = 0.001

// poseValues holds the values of pose parameters by name in lower case. Those not in it are 0, as until the game sets
// them.
type poseValues map[string]float64

// cells returns the animations that sequence i of a file mixes at certain pose parameters. A sequence has a grid of
// animations; up to two parameters are its axes. Source SDK 2013, public/bone_setup.cpp, CalcPoseSingle.
func (f *file) cells(t modelfile.Table, i int, with poseValues) ([]weightedAnimation, error) {
	width, height := gridSize(t, i)
	b := t.Record(i)
	grid, err := f.Bytes("blends", t.Offset(i)+int64(le.Int32(b[60:])), 2*int64(width)*int64(height))
	if err != nil {
		return nil, err
	}
	at := func(x, y int) int { return index16(grid[2*(min(y, height-1)*width+min(x, width-1)):]) }
	x, s, err := f.axis(t, i, 0, width, with)
	if err != nil {
		return nil, err
	}
	y, r, err := f.axis(t, i, 1, height, with)
	if err != nil {
		return nil, err
	}
	switch {
	case s == 0 && r == 0:
		return []weightedAnimation{{at(x, y), 1}}, nil
	case r == 0:
		return []weightedAnimation{{at(x, y), 1}, {at(x+1, y), s}}, nil
	case s == 0:
		return []weightedAnimation{{at(x, y), 1}, {at(x, y+1), r}}, nil
	}
	// Each square of the grid is two triangles: the three corners of the one that contains the point are mixed.
	// Diagonals alternate between neighbouring squares.
	var a, c, d [2]int
	var first, second float64
	switch {
	case (x+y)%2 == 0 && s > r:
		a, c, d, first, second = [2]int{0, 0}, [2]int{1, 0}, [2]int{1, 1}, 1-s, s-r
	case (x+y)%2 == 0:
		a, c, d, first, second = [2]int{1, 1}, [2]int{0, 1}, [2]int{0, 0}, s, r-s
	case s+r > 1:
		a, c, d, first, second = [2]int{1, 0}, [2]int{1, 1}, [2]int{0, 1}, 1-r, s-1+r
	default:
		a, c, d, first, second = [2]int{0, 1}, [2]int{0, 0}, [2]int{1, 0}, r, 1-s-r
	}
	third := 1 - first - second
	out := []weightedAnimation{{at(x+a[0], y+a[1]), 1}}
	if second >= minShare {
		out = append(out, weightedAnimation{at(x+c[0], y+c[1]), second / (first + second)})
	} else {
		third /= first + third
	}
	return append(out, weightedAnimation{at(x+d[0], y+d[1]), third}), nil
}

// gridSize returns the columns and rows of the grid of animations of sequence i.
func gridSize(t modelfile.Table, i int) (width, height int) {
	b := t.Record(i)
	return max(int(le.Int32(b[68:])), 1), max(int(le.Int32(b[72:])), 1)
}

// axis returns the column (axis 0) or row (axis 1) of the grid of sequence i where the axis's parameter is, and the
// fraction toward the next one.
func (f *file) axis(t modelfile.Table, i, axis, size int, with poseValues) (index int, share float64, err error) {
	b := t.Record(i)
	name, low, high, err := f.parameterOf(int(le.Int32(b[76+4*axis:])))
	if err != nil || name == "" || size < 2 {
		return 0, 0, err
	}
	value := min(max(with[name], low), high)
	if at := le.Int32(b[160:]); at != 0 {
		keys, err := f.Bytes("keys of a pose", t.Offset(i)+int64(at)+4*int64(axis)*int64(le.Int32(b[68:])), 4*int64(size))
		if err != nil {
			return 0, 0, err
		}
		key := func(k int) float64 { return float64(le.Float32(keys[4*k:])) }
		for index < size-2 && value > key(index+1) {
			index++
		}
		share = (value - key(index)) / (key(index+1) - key(index))
	} else {
		start, end := float64(le.Float32(b[84+4*axis:])), float64(le.Float32(b[92+4*axis:]))
		share = min(max((value-start)/(end-start), 0), 1) * float64(size-1)
		if share >= 0 { // not NaN
			index = min(int(share), size-2)
		}
		share -= float64(index)
	}
	switch {
	case !(share >= minShare):
		return index, 0, nil
	case share > 1-minShare:
		return index + 1, 0, nil
	}
	return index, share, nil
}

// parameterOf returns the name in lower case and the range of pose parameter i; the name is "" if there is none.
func (f *file) parameterOf(i int) (name string, low, high float64, err error) {
	list, err := f.header("parameters", poseParameters, parameterSize)
	if err != nil || i < 0 || i >= list.Len() {
		return "", 0, 0, err
	}
	p := list.Record(i)
	low, high = float64(le.Float32(p[8:])), float64(le.Float32(p[12:]))
	name = entlump.Lower(f.text(list.Offset(i) + int64(le.Int32(p))))
	if name == "" {
		name = "parameter " + strconv.Itoa(i)
	}
	return name, min(low, high), max(low, high), nil
}

// parameter returns the value of pose parameter i, clamped to its range.
func (f *file) parameter(i int, with poseValues) (float64, error) {
	name, low, high, err := f.parameterOf(i)
	return min(max(with[name], low), high), err
}

// gridPoint is an animation of a sequence's grid: the parameters at which it is shown alone, and these as text,
// "move_yaw -90".
type gridPoint struct {
	name string
	at   poseValues
}

// maxBlends is the most animations along an axis of a sequence, as in the engine.
const maxBlends = 32

// blends returns the animations of the grid of sequence i, row by row, or none if no parameter controls it; ok is
// false if there are too many.
func (f *file) blends(t modelfile.Table, i int) (out []gridPoint, ok bool, err error) {
	var axes [2][]gridPoint
	width, height := gridSize(t, i)
	for k, size := range [2]int{width, height} {
		if size > maxBlends {
			return nil, false, nil
		}
		if axes[k], err = f.stops(t, i, k, size); err != nil {
			return nil, true, err
		}
	}
	if len(axes[0])+len(axes[1]) == 2 {
		return nil, true, nil
	}
	if err := f.pay(int64(2 * len(axes[0]) * len(axes[1]))); err != nil {
		return nil, true, err
	}
	for _, y := range axes[1] {
		for _, x := range axes[0] {
			at := maps.Clone(x.at)
			maps.Copy(at, y.at)
			out = append(out, gridPoint{strings.TrimSpace(x.name + " " + y.name), at})
		}
	}
	return out, true, nil
}

// stops returns the parameters of the columns (axis 0) or rows (axis 1) of a sequence's grid, or a single empty one
// if no parameter is its axis.
func (f *file) stops(t modelfile.Table, i, axis, size int) (out []gridPoint, err error) {
	b := t.Record(i)
	name, _, _, err := f.parameterOf(int(le.Int32(b[76+4*axis:])))
	if err != nil || name == "" || size < 2 {
		return []gridPoint{{at: poseValues{}}}, err
	}
	var keys []byte
	if at := le.Int32(b[160:]); at != 0 {
		if keys, err = f.Bytes("keys of a pose", t.Offset(i)+int64(at)+4*int64(axis)*int64(le.Int32(b[68:])), 4*int64(size)); err != nil {
			return nil, err
		}
	}
	start, end := float64(le.Float32(b[84+4*axis:])), float64(le.Float32(b[92+4*axis:]))
	for k := range size {
		value := start + float64((end-start)*float64(k)/float64(size-1))
		if keys != nil {
			value = float64(le.Float32(keys[4*k:]))
		}
		out = append(out, gridPoint{name + " " + strconv.FormatFloat(math.Round(1000*value)/1000, 'g', -1, 64), poseValues{name: value}})
	}
	return out, nil
}
