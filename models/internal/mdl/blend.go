package mdl

import "github.com/bsp2gltf/bsp2gltf/internal/le"

// cell is an animation that a sequence shows, by its number in the sequence's file, and its share in the mixture with the cells before
// it.
type cell struct {
	animation int
	share     float64
}

// minShare is the least share of a cell in a mixture; below it the engine takes only the other one.
const minShare = 0.001

// cells returns what sequence i of a file mixes while all parameters of the pose are 0, as they are until the game sets them: a
// sequence has a grid of animations, with up to two parameters as its axes. Source SDK 2013, public/bone_setup.cpp, CalcPoseSingle.
func (f *file) cells(t table, i int) ([]cell, error) {
	b := t.record(i)
	width, height := max(int(le.Int32(b[68:])), 1), max(int(le.Int32(b[72:])), 1)
	grid, err := f.bytes("blends", t.offset(i)+int64(le.Int32(b[60:])), 2*int64(width)*int64(height))
	if err != nil {
		return nil, err
	}
	at := func(x, y int) int { return index16(grid[2*(min(y, height-1)*width+min(x, width-1)):]) }
	x, s, err := f.axis(t, i, 0, width)
	if err != nil {
		return nil, err
	}
	y, r, err := f.axis(t, i, 1, height)
	if err != nil {
		return nil, err
	}
	switch {
	case s == 0 && r == 0:
		return []cell{{at(x, y), 1}}, nil
	case r == 0:
		return []cell{{at(x, y), 1}, {at(x+1, y), s}}, nil
	case s == 0:
		return []cell{{at(x, y), 1}, {at(x, y+1), r}}, nil
	}
	// Inside a square it mixes the three corners of the triangle that has the point; the diagonals of neighbouring squares meet.
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
	out := []cell{{at(x+a[0], y+a[1]), 1}}
	if second >= minShare {
		out = append(out, cell{at(x+c[0], y+c[1]), second / (first + second)})
	} else {
		third /= first + third
	}
	return append(out, cell{at(x+d[0], y+d[1]), third}), nil
}

// axis returns the column (axis 0) or row (axis 1) of a sequence's grid where the parameter of that axis is 0, and the share of the
// next one.
func (f *file) axis(t table, i, axis, size int) (index int, share float64, err error) {
	b := t.record(i)
	number := int(le.Int32(b[76+4*axis:]))
	parameters, err := f.header("parameters", poseParameters, parameterSize)
	if err != nil || number < 0 || number >= parameters.len() || size < 2 {
		return 0, 0, err
	}
	p := parameters.record(number)
	low, high := float64(le.Float32(p[8:])), float64(le.Float32(p[12:]))
	value := min(max(0, min(low, high)), max(low, high))
	if at := le.Int32(b[160:]); at != 0 {
		keys, err := f.bytes("keys of a pose", t.offset(i)+int64(at)+4*int64(axis)*int64(le.Int32(b[68:])), 4*int64(size))
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
