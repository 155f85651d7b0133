package models

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// frameRate is the frames per second of models whose vertices move without bones. Quake's and Quake II's game code
// shows a new frame each tenth of a second. Quake III's files don't state a rate.
const frameRate = 10

// maxFrameBytes returns how many bytes the frames of a file of this size may take. A vertex of a frame takes 4 bytes
// in a file and 24 here, and a real model splits a vertex into up to three where texture coordinates differ. A broken
// model could split one into very many.
func maxFrameBytes(file int) int64 { return 4<<20 + 64*int64(file) }

// addFrames adds frames to the first model of a source, of which frame 0 is decoded, and sequences of them; without sequences, those that
// their names tell. names are the names of all frames, file the size of the file; decode returns the model in one frame. more states that
// the file has more frames.
func (l *library) addFrames(s *source, names []string, sequences []world.MorphSequence, more bool, file int,
	decode func(frame int) (*world.Model, error),
) error {
	if more {
		s.issues = append(s.issues, world.Issue{Code: "model-sequence",
			Detail: s.name + ": it has more frames than model.frames, " + strconv.Itoa(l.frames) + ": the others are left out"})
	}
	if len(names) < 2 {
		return nil
	}
	base, shapes := s.models[0].model, &world.MorphTargets{Frames: 1}
	at := make([]int, len(names)) // by frame of the file: the frame in the result
	size := int64(0)
	for i := range names {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		before := l.budget.Reserved()
		m, err := decode(i)
		if limit.Fatal(err) {
			return err
		}
		if err == nil && size > maxFrameBytes(file) {
			err = fmt.Errorf("the frames before it take %d bytes, which is more than a file of %d bytes accounts for", size, file)
		}
		if err != nil {
			s.issues = append(s.issues, world.Issue{Code: "model-sequence",
				Detail: fmt.Sprintf("%s: frame %d: %v: it and the later ones are left out", s.name, i, err)})
			names = names[:i]
			break
		}
		var added int64
		if at[i], added, err = l.addFrame(shapes, base, m, before); err != nil {
			return err
		}
		size += added
	}
	base.MorphTargets = shapes
	if sequences == nil {
		sequences = sequencesOf(names)
	}
	for _, q := range sequences {
		if !l.rig.Wants(q.Name) {
			continue
		}
		there := make([]int, 0, len(q.Frames))
		for _, frame := range q.Frames {
			if frame >= 0 && frame < len(names) {
				there = append(there, at[frame])
			}
		}
		if lost := len(q.Frames) - len(there); lost > 0 && !more {
			s.issues = append(s.issues, world.Issue{Code: "model-sequence",
				Detail: fmt.Sprintf("%s: %s: %d of its %d frames are not in the file", s.name, q.Name, lost, len(q.Frames))})
		}
		if q.Frames = there; len(there) > 0 {
			shapes.Sequences = append(shapes.Sequences, q)
		}
	}
	return nil
}

// maxPosed is how many frames of a file are searched for those that play.
const maxPosed = 1024

// playing returns a model in the first of n poses, with the others as frames of a looping sequence that has the name
// and rate of q. Frames that take more memory than the file's size accounts for are left out.
func (l *library) playing(q world.MorphSequence, n, file int, decode func(i int) (decoded, error)) (decoded, error) {
	d, err := decode(0)
	if err != nil {
		return d, err
	}
	shapes := &world.MorphTargets{Frames: 1}
	q.Frames = []int{0}
	size := int64(0)
	for i := 1; i < n && size <= maxFrameBytes(file); i++ {
		if err := l.ctx.Err(); err != nil {
			return d, err
		}
		before := l.budget.Reserved()
		next, err := decode(i)
		if err != nil {
			return d, err
		}
		at, added, err := l.addFrame(shapes, d.model, next.model, before)
		if err != nil {
			return d, err
		}
		size += added
		q.Frames = append(q.Frames, at)
	}
	if shapes.Frames > 1 {
		q.Frames = append(q.Frames, 0) // back to the first frame
		shapes.Sequences = []world.MorphSequence{q}
		d.model.MorphTargets = shapes
	}
	return d, nil
}

// addFrame adds a frame to a model as differences from frame 0, and returns its number, 0 if there are none, and the
// bytes that they take. What was reserved for the frame itself, beyond reserved, is released.
func (l *library) addFrame(targets *world.MorphTargets, to, frame *world.Model, reserved int64) (at int, size int64, err error) {
	differs := false
	for i := range to.Surfaces {
		a, b := to.Surfaces[i].Shape.(*world.Triangles), frame.Surfaces[i].Shape.(*world.Triangles)
		for k := range a.Vertices {
			differs = differs || a.Vertices[k].Position != b.Vertices[k].Position
		}
	}
	if !differs {
		l.budget.Release(l.budget.Reserved() - reserved)
		return 0, 0, nil
	}
	for i := range to.Surfaces {
		a, b := to.Surfaces[i].Shape.(*world.Triangles), frame.Surfaces[i].Shape.(*world.Triangles)
		n := len(a.Vertices)
		if err := l.budget.Reserve(limit.Bytes[[3]float32](2 * n)); err != nil {
			return 0, 0, err
		}
		size += limit.Bytes[[3]float32](2 * n)
		shift := world.MorphTarget{Positions: make([][3]float32, n), Normals: make([][3]float32, n)}
		for k := range a.Vertices {
			for x := range 3 {
				shift.Positions[k][x] = b.Vertices[k].Position[x] - a.Vertices[k].Position[x]
				shift.Normals[k][x] = b.Vertices[k].Normal[x] - a.Vertices[k].Normal[x]
			}
		}
		a.MorphTargets = append(a.MorphTargets, shift)
	}
	l.budget.Release(l.budget.Reserved() - reserved - size)
	targets.Frames++
	return targets.Frames - 1, size, nil
}

// sequencesOf groups frames into sequences: consecutive frames whose names are the same except for a number at the
// end, or that have no names.
func sequencesOf(names []string) (list []world.MorphSequence) {
	stem, number := "", 0
	for i, name := range names {
		whole := strings.TrimRight(name, "0123456789")
		n, _ := strconv.Atoi(name[len(whole):])
		cut := whole
		// pain101 is the first frame of the first pain: one more digit belongs to the stem.
		if digits := len(name) - len(whole); digits > 2 && strings.TrimRight(whole, " _-") == whole {
			cut = name[:len(name)-2]
		}
		last := len(list) - 1
		switch {
		case last >= 0 && (name == "" || cut == stem || whole == stem && n == number+1):
			list[last].Frames = append(list[last].Frames, i)
		default:
			stem = cut
			list = append(list, world.MorphSequence{Name: cut, Frames: []int{i}, FPS: frameRate})
		}
		number = n
	}
	for i := range list {
		if list[i].Name = strings.TrimRight(strings.TrimSpace(list[i].Name), "_-"); list[i].Name == "" {
			list[i].Name = "frames"
		}
	}
	return slices.Clip(list)
}
