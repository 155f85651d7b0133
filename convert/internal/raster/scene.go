package raster

import (
	"image"

	"github.com/bsp2gltf/bsp2gltf/internal/space"
)

// Scene is a scene to draw, in metres or any other unit, Y up, right-handed.
type Scene struct {
	Meshes    []Mesh
	Instances []Instance
	Materials []Material
	// Images are read when a triangle that may be visible needs them. Each is read once; several goroutines read
	// different ones.
	Images     []func() (*image.NRGBA, error)
	Background [3]uint8 // sRGB
	Stored     bool     // textures are filtered in display space, as in games that multiply there; else in linear light
	Exposure   float32  // multiplies light that is linear in the game, before fog; 0 means 1
	Samples    int      // per pixel in each direction; 0 is 2
	Gamma      float64  // display gamma: the picture is brightened by a power of 1 / Gamma; 0 means 1
}

// Instance is a mesh with its placement.
type Instance struct {
	Mesh   int
	Matrix space.Matrix
	Fog    *Fog    // or nil; an orthographic camera sees none
	Around bool    // a sky: centred on the eye and behind everything else, whatever its position
	Sprite *Sprite // or nil; it turns to the eye
}

// Mesh is a list of triangles of one material. UV2, Colors and Mirrors may be nil, and Normals if the material has no Mirror and is not
// Directed; all other vertex lists are as long as Positions.
type Mesh struct {
	Material  int
	Positions [][3]float32
	Normals   [][3]float32
	UV, UV2   [][2]float32
	Colors    [][4]uint16  // linear, 65535 is 1
	Mirrors   [][4]uint16  // multiplies the image of the material's Mirror, in display space, 65535 is 1
	Bright    bool         // the light in Colors is their colour divided by their alpha
	Pivots    [][3]float32 // if not nil, UV follow the eye (world.Texture's Chrome), and there are Normals
	Chrome    [2]float32   // with Pivots
	Moves     [][3]float32 // offsets of vertices, applied after squares were turned to the eye; may be nil
	Indices   []uint32     // three per triangle; the front is counter-clockwise
}

// None stands for a missing image or material in an index.
const None = -1

// Texture is an image and how it is sampled.
type Texture struct {
	Image   int // index into Scene.Images, or None
	Clamp   bool
	Numbers bool // its values are numbers, not colours
	// UV transforms texture coordinates: u' = UV[0]·u + UV[1]·v + UV[2], v' = UV[3]·u + UV[4]·v + UV[5]. If all are zero, the
	// coordinates stay unchanged.
	UV [6]float64
	// Warp then moves each coordinate by Warp[0] · sin(Warp[1] · the other one + Warp[2]).
	Warp [3]float64
}

// Alpha states how a material's alpha is used.
type Alpha uint8

// The alpha modes of glTF.
const (
	Opaque Alpha = iota
	Mask
	Blend
)

// Material describes the look of a surface: base · factor · vertex colour · light + emission, in linear light unless Display
// says otherwise.
type Material struct {
	Base      Texture
	Factor    [4]float32 // of the base, linear
	Light     Texture    // on UV2; None means light of 1
	Intensity float32    // linear light of a white pixel of Light
	Display   *Display   // nil if the game's light is linear
	Emissive  Texture
	Emission  [3]float32 // of the emissive texture, linear
	Alpha     Alpha
	Cutoff    float32 // alpha threshold of Mask
	TwoSided  bool
	Behind    Behind  // of Blend: what happens to the background
	Sort      float64 // of Blend: lower values are drawn first; of equal ones the farther surface is
	Facing    Facing
	Directed  *Directed // of Light, if there is a Display; or nil
	Details   []Texture // on UV; their displayed values, doubled, multiply the colour, if there is a Display
	Mirror    *Mirror   // an environment image, or nil
	// Through is the factor on the background, besides light, if Multiplies alone can't express it: on UV, in display space.
	Through       *Texture
	ThroughFactor [3]float32
}

// Behind states how a blended surface changes the background.
type Behind uint8

// The ways of blending: with a the alpha, c the colour and d the displayed background.
const (
	Mixes      Behind = iota // d·(1 - a) + c·a
	Adds                     // d + c·a
	Multiplies               // d·(1 + a·(2c - 1))
)

// Mirror is an environment image that is seen as a reflection (docs/internals/readers.md):
// Factor · Share · (Picture · Color - Mean) is added to the base, or to the emission, in display values.
type Mirror struct {
	Picture             Texture
	Share               Texture // on UV; None means white
	Mean, Color, Factor [3]float32
	Glow                bool // it belongs to the emission
}

// Facing states how the squares of a material turn to the eye: each four vertices are one (docs/internals/readers.md).
type Facing uint8

// The ways in which squares turn.
const (
	Fixed    Facing = iota
	ToEye           // each faces the eye
	AboutOwn        // each turns about its longer axis
)

// Sprite is an instance that turns to the eye: it is seen from its own -X, with Z to the right (docs/internals/readers.md).
type Sprite struct {
	// Unit is set for a glow of Half-Life, in metres per map unit: its size on screen is always that at 200 units, and its mesh has the
	// brightness that it has at 400 units.
	Unit float64
	// Upright means that it turns about the vertical only.
	Upright bool
	// TowardEye means that an upright sprite turns to the eye's position, not parallel to the screen.
	TowardEye bool
}

// Directed states the directions of a Material's Light, which shades a normal map and makes highlights (docs/internals/light.md).
type Directed struct {
	Toward  Texture // the directions, on UV2
	Slopes  Texture // a normal map, on UV; or None
	Gloss   Texture // the colours of highlights, on UV, alpha is their sharpness; or None
	Ambient float32 // light without a direction, in display space
}

// Display marks materials of games that multiply texture and light as displayed values. It says how the light was
// changed for viewers that multiply in linear light (docs/internals/light.md).
type Display struct {
	Albedo, Exponent float64
	Gain             float64    // of the light as displayed; the intensity includes Gain^2.2
	Emission         [3]float32 // factor of the emission as displayed
	Vertices         bool       // the light is the vertex colour, which then does not multiply the base
	Texture          float64    // of light in vertices: how much brighter the base is than the game's, and the light darker; 0 is 1
}

// Camera is a viewpoint. Forward and Up need not be unit vectors or perpendicular.
type Camera struct {
	Eye, Forward, Up [3]float64
	FovY             float64 // radians; 0 means orthographic
	Height           float64 // height that an orthographic camera shows, in the scene's units
	Near             float64 // shortest distance that is drawn, above 0
}

// Fog thickens with the distance d from the eye. A share of what is seen is Color. Without a Thickness it is f², in linear light, where f
// is (d - Start) / (End - Start), from 0 to Most. With one it is Most · (1 - e^-(Thickness·(d - Start))^Power), as displayed, for a d from
// Start to End.
type Fog struct {
	Start, End, Most float64
	Color            [3]float32 // linear
	Radial           bool       // d is the distance from the eye; else it is that from the eye's plane
	Thickness, Power float64
	// SecondColor is linear, for who looks against Direction; between, as displayed, by (1 + cosine) / 2. A nil one is Color.
	SecondColor *[3]float32
	Direction   [3]float64
}
