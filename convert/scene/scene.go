package scene

import (
	"context"
	"io"
	"math"
	"slices"

	"github.com/bsp2gltf/bsp2gltf/internal/outfile"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// None is the index for a missing item.
const None = -1

// Scene is the input of a writer: everything in metres, Y up, right-handed, as in glTF.
type Scene struct {
	Name      string
	Generator string
	Unit      float64 // metres per map unit
	Packing   Packing
	Nodes     []Node // Nodes[0] is the root; parents come before their children
	Meshes    []Mesh
	Materials []Material
	Images    []Image // all are written, also those that no material uses, such as a sky's
	Lights    []Light
	Cameras   []Camera
	Skins     []Skin
	// Animations move nodes. Without an animation the nodes are where they are when the map starts.
	Animations []Animation
	Extras     map[string]any // extras of the scene
	Plain      bool           // write no extras
	Grid       *Grid
	Shown      Shown
	Probes     []Probe             // files beside the output
	Properties []Properties        // key-values for a file beside the output, which the nodes' extras lack
	Sidecars   []materials.Sidecar // files beside the output
	// MapSHA256 is the hash of the map, in hex, if HasSidecars. The output and the files beside it state it, so that readers can
	// recognise files of another map. It may be "".
	MapSHA256 string
}

// Shown states how the game shows its picture: fog, exposure, gamma.
type Shown struct {
	Fog      *RangeFog       // distance fog of everything but the 3D skybox, or nil
	Exposure *world.Exposure // when the map starts, or nil
	Gamma    float64         // the game's default display gamma; 0 means 1
}

// HasSidecars reports whether the scene has data for files beside the output.
func (s *Scene) HasSidecars() bool {
	return len(s.Probes) > 0 || len(s.Properties) > 0 || len(s.Sidecars) > 0 ||
		slices.ContainsFunc(s.Images, func(im Image) bool { return im.EXR != nil })
}

// Hover is how an item turns and floats, which the animations approximate: seconds per turn to the left, or 0; amplitude of its floating in
// metres; its period in seconds; and, when the map starts, seconds since the last highest point.
type Hover struct{ Turn, Bob, Beat, Ahead float64 }

// Node is a transform in the scene with an optional mesh, light or camera.
type Node struct {
	Name                string // unique, at most 63 bytes, of characters that every importer keeps
	Parent              int    // index into Scene.Nodes; None for the root and for Levels
	Translation         [3]float64
	Rotation            [4]float64 // unit quaternion x, y, z, w
	Scale               [3]float64
	Mesh, Light, Camera int            // or None
	Skin                int            // or None; a mesh with a skin is placed by the joints, not by this node
	Body                Body           // set if the mesh is a static collision solid, which is not drawn
	Unseen              bool           // the game never draws the mesh: hidden brushes, collision solids
	Off                 bool           // the mesh is hidden at first, because another variant of the body part is shown
	Scenery             bool           // the 3D skybox, with the nodes below it
	Fog                 *RangeFog      // of the 3D skybox, or nil
	Hover               *Hover         // of an item, or nil
	Extras              map[string]any // flat: string, float64, bool, SidecarName
	// Levels lists nodes, each coarser than the one before, that may replace this one at a distance. Their parent
	// is this node's.
	Levels []int
	// Instances is the number of consecutive nodes, starting with this one, that share a mesh and a parent and may be
	// written as one; the others have InstanceOfPrevious. It is 0 for a node that is written separately.
	Instances int
}

// Properties is the key-values of an entity.
type Properties struct {
	Node int
	Keys map[string]any // texts
}

// Body is the kind of a node's collision solid.
type Body uint8

// The kinds of collision solids.
const (
	NoBody     Body = iota
	ConvexBody      // the hull of the mesh
	SheetBody       // the triangles of the mesh
)

// InstanceOfPrevious is the Instances of a node that belongs to an earlier one.
const InstanceOfPrevious = -1

// Skin is the joints that move the vertices of a mesh.
type Skin struct {
	Name   string
	Joints []int // nodes, to which Primitive.Joints refers
	// Inverse transforms the mesh's vertices into each joint's axes: by row.
	Inverse [][4][4]float32
}

// Animation is a movement of nodes.
type Animation struct {
	Name     string
	Channels []Channel
	Extras   map[string]any // flat
}

// Channel is the movement of one node, or of a property of a material or a lamp. Positions are interpolated linearly, and rotations along
// the shortest arc.
type Channel struct {
	Node         int
	Times        []float32    // seconds, each greater than the one before
	Translations [][3]float32 // metres relative to the parent, by key; nil for a rotation
	Rotations    [][4]float32 // quaternions, by key; nil for a translation
	Targets      []int        // by key: the morph target with weight 1, or None; nil for a translation or rotation
	// Pointer is the JSON pointer of a property, "" for a node. Values has Size numbers for each key. With Step a value is held until the
	// next key.
	Pointer string
	Values  []float32
	Size    int
	Step    bool
}

// Mesh is a list of primitives, one per material and lightmap page.
type Mesh struct {
	Name       string
	Primitives []Primitive
	Targets    []string // names of the primitives' Targets; or nil
}

// Primitive is a list of triangles of one material. Fields after Normals may be nil.
type Primitive struct {
	Material  int
	Positions [][3]float32
	Normals   [][3]float32
	Tangents  [][4]float32 // if the material has a normal map
	UV, UV2   [][2]float32
	Colors    [][4]uint16  // linear, 65535 is 1; brighter light is clipped unless the material is Bright
	Mirrors   [][4]uint16  // multiplies the image of Material.Environment, in display space, 65535 is 1; or nil
	Pivots    [][3]float32 // world.Triangles' Pivots in metres, if the material has Chrome; or nil
	Joints    [][4]uint8   // of the node's skin, by vertex; those of weight 0 are 0
	Weights   [][4]float32 // of Joints: their sum is 1
	Blend     []float32    // opacity of the material's next layer, 0 to 1
	Blends    [][4]float32 // weights of four layers
	Indices   []uint32     // three per triangle, counter-clockwise
	Targets   []Target     // as many in all primitives of a mesh
	Variants  []int        // materials of the selectable skins, including Material
}

// Target holds the differences of positions and normals in a frame, for all vertices or for some Vertices. A target that moves no vertex is
// empty.
type Target struct {
	Vertices  []uint32 // ascending; nil if Positions and Normals are those of all vertices
	Positions [][3]float32
	Normals   [][3]float32 // nil if the material has no light
}

// Material is a material with its lightmap page.
type Material struct {
	pbr.Material
	Bright    bool    // opaque, and the light in the vertices may exceed white: it is their colour divided by their alpha
	Lightmap  int     // index into Scene.Images, or None
	Intensity float64 // of the lightmap: linear light of a white pixel
	Unlit     bool    // KHR_materials_unlit
	Display   *Display
	Directed  *Directed // or nil
}

// Directed states the directions of a lightmap's light. The part Ambient has no direction (docs/internals/light.md).
type Directed struct {
	Image   int     // index into Scene.Images: the directions, with the coordinates of the lightmap
	Ambient float64 // in display space
}

// Display describes how the engine multiplies light, if not in linear space (docs/internals/light.md).
type Display struct {
	Albedo   float64     `json:"albedo"`
	Exponent float64     `json:"exponent"`
	Gain     float64     `json:"gain,omitempty"`     // factor on the light in display space; Intensity includes Gain^2.2
	Texture  float64     `json:"texture,omitempty"`  // the texture was brightened by this linear factor, and the vertices' light divided by it
	Emission *[3]float64 `json:"emission,omitempty"` // multiplies the emission in display space; nil is 1
}

// ElementTexture is the Element of the images of materials.
const ElementTexture = "texture"

// Image is an encoded image. The material's slots hold the samplers of textures.
type Image struct {
	Name    string // path without extension
	MIME    string
	Data    []byte
	Alpha   bool   // has alpha below 1 somewhere
	Clamp   bool   // lightmaps and skies: linear, without mipmaps, clamped
	Element string // its purpose: ElementTexture, "lightmap", "lightmap style 3 (lamp)", "light direction (map axes)"
	EXR     []byte // for a lightmap: the same page in HDR as OpenEXR, or nil
}

// Light is a punctual light; a spot and a sun shine along their node's -Z.
type Light struct {
	Name         string
	Kind         world.LightKind // PointLight, SpotLight or SunLight
	Color        [3]float64      // linear
	Intensity    float64         // candela; lux for a sun
	Range        float64         // metres; 0 is unknown
	Inner, Outer float64         // radians, for a spot
}

// Camera is a perspective camera that looks along its node's -Z.
type Camera struct {
	Name        string
	YFov        float64 // radians
	Aspect      float64
	ZNear, ZFar float64 // metres
}

// Grid is the light grid. Its samples keep the map's order, but positions and directions are in the scene's axes.
type Grid struct {
	Origin   [3]float64    // metres, position of the first sample
	Steps    [3][3]float64 // metres from a sample to the next along each of the grid's axes
	Size     [3]int        // samples along each of the grid's axes; the first axis varies fastest
	Ambient  [][3]uint8    // ambient light divided by Scale, as 8-bit sRGB
	Directed [][3]uint8    // light from Toward, likewise
	Toward   [][3]int8     // unit vector to the light, 127 is 1; or zero
	Scale    float32       // linear light of 255; above 1 where light exceeds white
	Shown    *GridShown    // what the game shows of it on models, or nil
}

// GridShown states how a game shows the light of a grid on models. In display space, by the curve of Albedo and Exponent, it is ambient
// light times Share plus Least, at most 1, plus the directed light.
type GridShown struct{ Albedo, Exponent, Share, Least float64 }

// Probe is the light for moving objects at a position.
type Probe struct {
	Position [3]float64    `json:"position"` // metres
	Light    [6][3]float32 `json:"light"`    // linear, from +X, -X, +Y, -Y, +Z and -Z
}

// OutFile is a file of an output.
type OutFile struct {
	Name  string                // relative to the main file's folder, with forward slashes
	Write func(io.Writer) error // writes the content, the same on each call
}

// WriteTo writes the file's content.
func (f OutFile) WriteTo(w io.Writer) (int64, error) {
	return outfile.Stream(context.Background(), w, f.Write)
}

// SidecarName is an extra that names one of a scene's Sidecars. A writer replaces it by the name of the file, or leaves
// it out if it writes no sidecars.
type SidecarName string

// ExposureKey is the key of the initial exposure multiplier in the scene's extras.
const ExposureKey = "bsp2gltf_exposure"

// CollisionKey is the key in the extras of the material of collision solids, which are never drawn.
const CollisionKey = "bsp2gltf_collision"

// SetExposure states an exposure in the scene's extras, if it has any.
func (s *Scene) SetExposure(factor float64) {
	if s.Extras != nil {
		s.Extras[ExposureKey] = factor
	}
}

// Eye is a viewpoint and direction.
type Eye struct {
	Position [3]float64 `json:"at"`    // metres
	Pitch    float64    `json:"pitch"` // radians upwards
	Yaw      float64    `json:"yaw"`   // radians to the left from -Z
}

// startViewKey is the key of the first view in the scene's extras.
const startViewKey = "bsp2gltf_view"

// SetStartView states the first view in the scene's extras, if it has any: rounded to millimetres and thousandths of a radian.
func (s *Scene) SetStartView(e Eye) {
	round := func(v float64) float64 { return math.Round(1000*v) / 1000 }
	for k, v := range e.Position {
		e.Position[k] = round(v)
	}
	e.Pitch, e.Yaw = round(e.Pitch), round(e.Yaw)
	if s.Extras != nil {
		s.Extras[startViewKey] = e
	}
}

// StartView returns the eye that SetStartView stated, and whether it did.
func (s *Scene) StartView() (Eye, bool) {
	e, ok := s.Extras[startViewKey].(Eye)
	return e, ok
}

// Missing counts the files of the game that were not found, and names some of them.
type Missing struct {
	Textures int      `json:"textures"`
	Models   int      `json:"models"`
	Names    []string `json:"names"` // of textures, then of models; of at most 200 runes each
}

// missingKey is the key in the scene's extras of what is missing.
const missingKey = "bsp2gltf_missing"

// SetMissing states in the scene's extras, if it has any, what is missing. It states nothing if nothing is.
func (s *Scene) SetMissing(m Missing) {
	if s.Extras != nil && m.Textures+m.Models > 0 {
		s.Extras[missingKey] = m
	}
}

// Missing returns what SetMissing stated.
func (s *Scene) Missing() Missing {
	m, _ := s.Extras[missingKey].(Missing)
	return m
}

// RangeFog is world.RangeFog in metres.
type RangeFog struct {
	Color   [3]float64 `json:"color"` // linear
	Start   float64    `json:"start"`
	End     float64    `json:"end"`
	Density float64    `json:"density"` // maximum, 0 to 1
	Radial  bool       `json:"radial,omitempty"`

	Thickness float64 `json:"thickness,omitempty"` // per metre
	Power     float64 `json:"power,omitempty"`
	Sky       float64 `json:"sky,omitempty"`

	Second *SecondFog `json:"second,omitempty"`
}

// SecondFog is world.SecondFog in the scene's axes.
type SecondFog struct {
	Color     [3]float64 `json:"color"` // linear
	Direction [3]float64 `json:"direction"`
}

// PlaceholderProp is the name of the material and the meshes of boxes in place of models that are missing.
const PlaceholderProp = "placeholder_prop"
