package world

// Skeleton is the bones of a model, and what they can do.
type Skeleton struct {
	Bones       []Bone // parents come before their children
	Sequences   []Sequence
	Shown       int // index into Sequences of the one in which the bones stand, or -1 if that is not among them
	Attachments []Attachment
	HitBoxes    []HitBox
	Eyeballs    []Eyeball
}

// Eyeball is an eye of Source's people, whose iris the game draws over the white where the eye looks. Its X axis is where it looks if the
// target is straight ahead, Z is up.
type Eyeball struct {
	Bone int
	Joint
	Radius, Iris float64 // map units: of the ball; the side of the square that the picture of the iris fills
}

// Attachment is a place on a bone where the game puts other things: a weapon, a flash, eyes.
type Attachment struct {
	Name string // or ""
	Bone int
	Joint
}

// HitBox is a box on a bone: shots that meet it hit the model. It is in the bone's axes and not empty.
type HitBox struct {
	Name       string // or ""
	Set        string // of Source's sets of boxes, of which the game uses one; or ""
	Bone       int
	Group      int // the part of the body: 1 head, 2 chest, ...
	Mins, Maxs [3]float64
}

// ModelInfo holds what a model's file tells the game. Fields that the format lacks are zero.
type ModelInfo struct {
	Flags           uint32
	Surface         string // the material for sounds and marks of shots
	Mass            float64
	KeyValues       string // as compiled: "prop_data { ... }"
	Parts           []BodyPart
	Face            *Face // or nil
	BoneControllers []BoneController
}

// BoneController is a number that a game sets, which turns or moves a bone in all sequences: a head that looks at the player.
type BoneController struct {
	Number     int    // by which the game names it
	Bone, Axis string // "Bip01 Head", and "X", "Y", "Z" to move along or "XR", "YR", "ZR" to turn about
	Start, End float32
	Rest       float32 // where the game puts it until then; bones stand and move as if it were 0
	Wraps      bool    // its end is its start
}

// Face says how the game mixes the MorphTargets of a model.
type Face struct {
	Controllers []FlexController
	Rules       []FlexRule
	Ramps       []FlexRamp // of MorphTargets whose share is not their weight, from 0 to 1
}

// FlexController is a number that a scene sets: how far a lid is open.
type FlexController struct {
	Name, Kind  string // "right_lid_raiser", "eyelid"
	Least, Most float32
}

// FlexRule gives the weight that MorphTargets have by a name. Terms are numbers, names and operators, each after what it works on:
// "smile", "0.5", "*".
type FlexRule struct {
	Name  string
	Terms []string
}

// FlexRamp says that the share of a shape is 0 for weights up to At[0], 1 from At[1] to At[2], and 0 from At[3].
type FlexRamp struct {
	Shape, Name string // of the shape; and that by which it has its weight
	At          [4]float32
}

// BodyPart is a part of a model of which one of several variants is shown.
type BodyPart struct {
	Name     string
	Variants []string
	Base     int // variant (body / Base) modulo their number is shown
}

// Bone is what vertices are attached to. Its place is relative to its parent's.
type Bone struct {
	Name   string
	Parent int // index into Skeleton.Bones, or -1
	Joint
	// Inverse takes the model's vertices to the bone's axes: three rows, each with the translation as its last number.
	Inverse [3][4]float64
}

// Joint is the place of a bone: where it stands when no sequence moves it.
type Joint struct {
	Position [3]float64 // map units
	Rotation [4]float64 // unit quaternion X, Y, Z, W
}

// Sequence is an animation of a model's bones.
type Sequence struct {
	Name     string
	Activity string  // what the game uses it for: "ACT_WALK"; or ""
	Frames   int     // at least 1
	FPS      float64 // frames per second, above 0
	Loops    bool    // the last frame is the first one again
	Additive bool    // the game adds it to others; it has no tracks
	Blend    string  // the parameters by which the game mixes it, with their values: "move_yaw -90"; "" if all are at rest
	Events   []Event
	Tracks   []Track // by bone; nil if only the description was asked for
}

// Event is what the game does at a frame of a sequence: a sound, a shot, a step.
type Event struct {
	Frame   float64
	Number  int
	Name    string // or ""
	Options string
}

// Track is the movement of a bone: at its key frames, between which the position changes evenly and the rotation on the shortest way.
// A bone that stays has one key of each.
type Track struct {
	PositionFrames []int // ascending, the first is 0
	Positions      [][3]float32
	RotationFrames []int // likewise
	Rotations      [][4]float32
}

// Binding says which bones move a vertex: the weights are descending, and their sum is 1. Where a weight is 0, so is its bone.
type Binding struct {
	Bones   [4]uint8
	Weights [4]float32
}

// MorphTargets are the frames of a model whose vertices move without bones, each with positions of its own. Frame 0 is where the
// vertices are.
// If they have Names, they are the parts of expressions that the game mixes by weights, instead.
type MorphTargets struct {
	Frames    int // at least 1; each of the model's Triangles has one MorphTarget less
	Sequences []MorphSequence
	Names     []string // of the MorphTargets, each once; or nil
}

// MorphSequence is an animation of frames; between two, positions change evenly.
type MorphSequence struct {
	Name   string
	Frames []int
	FPS    float64 // above 0
}

// MorphTarget holds the differences of the positions and normals of Triangles in a frame from those in frame 0: by vertex, or of some
// Vertices.
type MorphTarget struct {
	Vertices           []uint32 // ascending; nil if all differ
	Positions, Normals [][3]float32
}
