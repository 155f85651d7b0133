package world

// Skeleton is the bones of a model with their sequences.
type Skeleton struct {
	Bones       []Bone // parents come before their children
	Sequences   []Sequence
	Shown       int // index into Sequences of the one whose pose the bones have, or -1 if it is not among them
	Attachments []Attachment
	HitBoxes    []HitBox
	Eyeballs    []Eyeball
}

// Eyeball is an eye of Source's people. The game draws its iris over the white, where the eye looks. It looks along X if its target is
// straight ahead; Z is up.
type Eyeball struct {
	Bone int
	Joint
	Radius, Iris float64 // map units: the ball's radius, and the side of the iris' square image
}

// Attachment is a place on a bone where the game puts other things: a weapon, a flash, eyes.
type Attachment struct {
	Name string // or ""
	Bone int
	Joint
}

// HitBox is a box on a bone: shots that hit it hit the model. It is in the bone's axes and not empty.
type HitBox struct {
	Name       string // or ""
	Set        string // the name of its set in Source, where the game uses one set; or ""
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

// BoneController is a value by which the game turns or moves a bone in all sequences, so that a head looks at the player.
type BoneController struct {
	Number     int    // the controller's number in the game
	Bone, Axis string // "Bip01 Head", and "X", "Y", "Z" to move along or "XR", "YR", "ZR" to turn about
	Start, End float32
	Rest       float32 // its first value in the game; the sequences here are for 0
	Wraps      bool    // its end is its start
}

// Face states how the game mixes the MorphTargets of a model.
type Face struct {
	Controllers []FlexController
	Rules       []FlexRule
	Ramps       []FlexRamp // of MorphTargets that do not follow their weight directly
}

// FlexController is a value that the game sets, for example how far a lid is open.
type FlexController struct {
	Name, Kind  string // "right_lid_raiser", "eyelid"
	Least, Most float32
}

// FlexRule computes the weight of a name, which MorphTargets follow. Terms are numbers, names and operators in postfix notation:
// "smile", "0.5", "*".
type FlexRule struct {
	Name  string
	Terms []string
}

// FlexRamp turns a weight into the share of a morph target: 0 up to At[0], 1 from At[1] to At[2], 0 from At[3] on, and linear in between.
type FlexRamp struct {
	Shape, Name string // the morph target, and the name whose weight it follows
	At          [4]float32
}

// BodyPart is a part of a model. One of its variants is shown.
type BodyPart struct {
	Name     string
	Variants []string
	Base     int // the variant (body / Base) modulo their number is shown
}

// Bone moves the vertices that are bound to it. Its place is relative to its parent's.
type Bone struct {
	Name   string
	Parent int // index into Skeleton.Bones, or -1
	Joint
	// Inverse transforms the model's vertices into the bone's axes: three rows, each with the translation as its last number.
	Inverse [3][4]float64
}

// Joint is the rest place of a bone.
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
	Loops    bool    // the last frame is equal to the first
	Additive bool    // the game adds it to other sequences; it has no tracks
	Blend    string  // the parameters for which the game shows it, with their values: "move_yaw -90"; "" if all are at rest
	Events   []Event
	Tracks   []Track // by bone; nil if only the description was requested
}

// Event is what the game does at a frame of a sequence: a sound, a shot, a step.
type Event struct {
	Frame   float64
	Number  int
	Name    string // or ""
	Options string
}

// Track is the movement of a bone at its key frames. Positions are interpolated linearly, rotations along the shortest arc.
// A bone that does not move has one key of each.
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

// MorphTargets are the frames of a model without bones: each frame has its own positions. Frame 0 is the positions of the vertices.
// If they have Names, they are instead the parts of facial expressions, which the game mixes by weights.
type MorphTargets struct {
	Frames    int // at least 1; each of the model's Triangles has one MorphTarget less
	Sequences []MorphSequence
	Names     []string // unique names of the MorphTargets, or nil
}

// MorphSequence is an animation of frames, with positions interpolated linearly.
type MorphSequence struct {
	Name   string
	Frames []int
	FPS    float64 // above 0
	Loops  bool    // it is repeated, as its file says
}

// MorphTarget holds the differences of the positions and normals of Triangles in a frame from those in frame 0: by vertex, or of some
// Vertices.
type MorphTarget struct {
	Vertices           []uint32 // ascending; nil if all differ
	Positions, Normals [][3]float32
}
