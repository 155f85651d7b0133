package sourcemdl

// Layer is a sequence that another one shows over itself, from Start to End.
type Layer struct {
	Sequence, Parameter    int16
	Flags                  int32
	Start, Peak, Tail, End float32
}

// Hierarchy hangs a bone on another one, or on none (-1), for a part of an animation. Its tracks have a step for each frame from First
// on: of X, Y, Z and of the angles about them.
type Hierarchy struct {
	Bone, Parent           int32
	Start, Peak, Tail, End float32
	First                  int32
	Steps                  [6]float32 // what 1 is in a track
	Tracks                 [6][]int16
}

// Movement moves the whole model in a part of an animation, up to frame End: by First to Last units along Vector, at the speeds at its
// begin and its end, to Position, turned by Angle degrees about Z.
type Movement struct {
	End, Flags       int32
	First, Last      float32
	Angle            float32
	Vector, Position [3]float32
}

// ByTurn packs the rule of a bone that follows the rotation of another one.
func ByTurn(control int32, triggers ...Trigger) []byte {
	f := &file{}
	f.put(control, int32(len(triggers)), int32(12), triggers)
	return f.Bytes()
}

// Trigger is a place of a bone for a rotation of another one. Nearness is 1 / the angle at which it ceases to count.
type Trigger struct {
	Nearness float32
	When     [4]float32
	Position [3]float32
	Turn     [4]float32
}

// ByAxis packs the rule of a bone that follows an axis of another one: its places for the axis along X, -X, Y, -Y, Z, -Z.
func ByAxis(control, axis int32, positions [6][3]float32, turns [6][4]float32) []byte {
	f := &file{}
	f.put(control, axis, positions, turns)
	return f.Bytes()
}

// Aims packs the rule of a bone of which an axis points at a bone or an attachment.
func Aims(parent, at int32, axis, up, position [3]float32) []byte {
	f := &file{}
	f.put(parent, at, axis, up, position)
	return f.Bytes()
}

// layers writes the layers of the sequence at an offset.
func (f *file) layers(at int, list []Layer) {
	if len(list) > 0 {
		f.table(at+148, len(list), at)
		f.put(list)
	}
}

// hierarchies writes those of the animation at an offset.
func (f *file) hierarchies(at int, list []Hierarchy) {
	if len(list) == 0 {
		return
	}
	const size = 48
	f.table(at+72, len(list), at)
	first := f.Len()
	f.put(make([]byte, size*len(list)))
	for i, h := range list {
		record := first + i*size
		w := &file{}
		w.put(h.Bone, h.Parent, h.Start, h.Peak, h.Tail, h.End, h.First, int32(f.Len()-record))
		copy(f.Bytes()[record:], w.Bytes())
		heads := f.Len() + 24
		start := f.Len()
		f.put(h.Steps, [6]int16{})
		for k, steps := range h.Tracks {
			if steps != nil {
				f.set16(heads+2*k, f.Len()-start)
				f.put(uint8(len(steps)), uint8(len(steps)), steps)
			}
		}
		f.put(make([]byte, 4+f.Len()%4))
	}
}
