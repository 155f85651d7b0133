package mdl

// Layer is a sequence that another one shows over itself, from Start to End.
type Layer struct {
	Sequence, Parameter    int16
	Flags                  int32
	Start, Peak, Tail, End float32
}

// layers writes the layers of the sequence at an offset.
func (f *file) layers(at int, list []Layer) {
	if len(list) > 0 {
		f.table(at+148, len(list), at)
		f.put(list)
	}
}
