package sourcemdl

// Offsets of the header's fields of a face.
const (
	FlexNames    = 260
	FlexControls = 268
	FlexRules    = 276
	FlexScale    = 392
)

// Flags of a model with a face.
const (
	FixedFlexes  = 0x4000   // in steps of 1/4096
	ScaledFlexes = 0x200000 // in steps of Face.Scale
)

// Face is what sets the flexes of a model.
type Face struct {
	Names       []string
	Controllers []Controller
	Rules       []Rule
	Scale       float32
}

// Controller is a number that a scene sets.
type Controller struct {
	Kind, Name  string
	Least, Most float32
}

// Rule sets the weight of a name by terms: a kind, and what it is about.
type Rule struct {
	Name  int32
	Terms [][2]uint32
}

// Flex moves vertices of a mesh by the weight of a name. Pair is that of the left half of the face, or 0.
type Flex struct {
	Name     int32
	Ramp     [4]float32
	Pair     int32
	Wrinkles bool // vertices have the depth of a wrinkle
	Vertices []FlexVertex
}

// FlexVertex says how far a vertex of a mesh is in the left half, and by how much its position and its normal change: as half floats, or
// in steps.
type FlexVertex struct {
	Vertex      uint16
	Speed, Side uint8
	By, Normal  [3]uint16
}

// flexes writes the flexes of the mesh at a place.
func (f *file) flexes(mesh int, list []Flex) {
	const size = 60
	if len(list) == 0 {
		return
	}
	f.table(mesh+16, len(list), mesh)
	first := f.Len()
	for _, x := range list {
		wrinkles := byte(0)
		if x.Wrinkles {
			wrinkles = 1
		}
		f.put(x.Name, x.Ramp, int32(len(x.Vertices)), int32(0), x.Pair, wrinkles, make([]byte, 27))
	}
	for i, x := range list {
		at := first + i*size
		f.set(at+24, f.Len()-at)
		for _, v := range x.Vertices {
			if f.put(v); x.Wrinkles {
				f.put(uint16(0))
			}
		}
	}
	f.put(make([]byte, (4-f.Len()%4)%4))
}

// face writes what sets the flexes.
func (f *file) face(face *Face) {
	const controlSize, ruleSize = 20, 12
	f.table(FlexNames, len(face.Names), 0)
	for _, name := range face.Names {
		at := f.Len()
		f.put(int32(0))
		f.say(at, at, name)
	}
	f.table(FlexControls, len(face.Controllers), 0)
	for _, c := range face.Controllers {
		at := f.Len()
		f.put([2]int32{}, int32(-1), c.Least, c.Most)
		f.say(at, at, c.Kind)
		f.say(at+4, at, c.Name)
	}
	f.table(FlexRules, len(face.Rules), 0)
	rules := f.Len()
	f.put(make([]byte, ruleSize*len(face.Rules)))
	for i, r := range face.Rules {
		at := rules + i*ruleSize
		f.set(at, int(r.Name))
		f.table(at+4, len(r.Terms), at)
		f.put(r.Terms)
	}
	f.float(FlexScale, face.Scale)
}
