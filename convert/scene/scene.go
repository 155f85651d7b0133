package scene

import (
	"bufio"
	"io"

	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/materials/pbr"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// None is the index of what a node or texture slot does not have.
const None = -1

// Scene is what a writer sees: everything in metres, Y up, right-handed, as glTF has it.
type Scene struct {
	Name      string
	Generator string
	Unit      float64 // metres per map unit
	Packing   Packing
	Nodes     []Node // Nodes[0] is the root; parents come before their children
	Meshes    []Mesh
	Materials []Material
	Images    []Image
	Lights    []Light
	Cameras   []Camera
	Extras    map[string]any // of the scene
	Plain     bool           // no extras are written at all
	Grid      *Grid
	Probes    []Probe             // written beside the output
	Sidecars  []materials.Sidecar // the same
}

// Node is a place in the scene, with what stands there.
type Node struct {
	Name                string // unique, at most 63 bytes of what every importer keeps
	Parent              int    // index into Scene.Nodes, or None of the root and of Levels of others
	Translation         [3]float64
	Rotation            [4]float64 // unit quaternion x, y, z, w
	Scale               [3]float64
	Mesh, Light, Camera int            // or None
	Body                bool           // the mesh is what physics knows of a solid that does not move; it is convex and never drawn
	Extras              map[string]any // flat: string, float64, bool, Beside
	// Levels are the nodes, coarser one by one, that may be shown in place of this one from afar: below its parent.
	Levels []int
	// Instances is how many nodes from this one on show one mesh below one parent and may be written as one; the others of
	// them have Another. It is 0 where a node is to be written by itself.
	Instances int
}

// Another is the Instances of a node that belongs to one before it.
const Another = -1

// Mesh is a list of primitives, one per material and lightmap page.
type Mesh struct {
	Name       string
	Primitives []Primitive
}

// Primitive is triangles of one material. What follows the normals is nil where there is none.
type Primitive struct {
	Material  int
	Positions [][3]float32
	Normals   [][3]float32
	Tangents  [][4]float32 // where the material has a normal map
	UV, UV2   [][2]float32
	Colors    [][4]uint16  // linear, 65535 is 1; light beyond that is cut off
	Blend     []float32    // how much of the material's next layer is seen, 0 to 1
	Blends    [][4]float32 // weights of four layers
	Indices   []uint32     // three per triangle, counter-clockwise
	Variants  []int        // the materials of the skins to choose from, of which Material is one
}

// Material is a material with the page of its light.
type Material struct {
	pbr.Material
	Lightmap  int     // index into Scene.Images, or None
	Intensity float64 // of the lightmap: linear light of a white pixel
	Unlit     bool    // KHR_materials_unlit
	Display   *Display
}

// Display is how light is multiplied as the engine does it (docs/light.md), where it is not in linear light.
type Display struct {
	Albedo   float64     `json:"albedo"`
	Exponent float64     `json:"exponent"`
	Gain     float64     `json:"gain,omitempty"`     // of the light as displayed; the Intensity has Gain^2.2 in it
	Texture  float64     `json:"texture,omitempty"`  // the texture was brightened by this, linear, and the vertices' light divided by it
	Emission *[3]float64 `json:"emission,omitempty"` // multiplies the emission as displayed; nil is 1
}

// Image is an encoded image. Textures are the lightmaps' or have a sampler of their own in the material's slots.
type Image struct {
	Name    string // path without extension
	MIME    string
	Data    []byte
	Alpha   bool   // it has one that is not 1 everywhere
	Clamp   bool   // lightmaps and skies: linear, without mipmaps, clamped
	Element string // what it is for: "texture", "lightmap", "lightmap style 3 (lamp)", "light direction (map axes)"
	EXR     []byte // of a lightmap: the same page with all of its light, as OpenEXR; or nil
}

// Light is a punctual light; a spot and a sun shine along their node's -Z.
type Light struct {
	Name         string
	Kind         world.LightKind // PointLight, SpotLight or SunLight
	Color        [3]float64      // linear
	Intensity    float64         // candela; of a sun lux
	Range        float64         // metres; 0 is unknown
	Inner, Outer float64         // radians, of a spot
}

// Camera is a perspective camera that looks along its node's -Z.
type Camera struct {
	Name        string
	YFov        float64 // radians
	Aspect      float64
	ZNear, ZFar float64 // metres
}

// Grid is the light grid. Its samples stand as the map has them, but their places and directions are in the scene's axes.
type Grid struct {
	Origin   [3]float64    // metres, of the first sample
	Steps    [3][3]float64 // metres from a sample to the next along each of the grid's axes
	Size     [3]int        // samples along each of the grid's axes, of which the first is the fastest
	Ambient  [][3]uint8    // light from everywhere, as 8-bit sRGB
	Directed [][3]uint8    // light from Toward, as 8-bit sRGB
	Toward   [][3]int8     // unit vector to the light, of which 127 is 1, or zero
}

// Probe is the light of what moves at a place.
type Probe struct {
	Position [3]float64    `json:"position"` // metres
	Light    [6][3]float32 `json:"light"`    // linear, from +X, -X, +Y, -Y, +Z and -Z
}

// OutFile is a file of an output.
type OutFile struct {
	Name  string                // relative to the main file's folder, with forward slashes
	Write func(io.Writer) error // writes its content, the same each time
}

// WriteTo writes the file's content.
func (f OutFile) WriteTo(w io.Writer) (int64, error) {
	count := &tally{w: w}
	b := bufio.NewWriterSize(count, 1<<16)
	err := f.Write(b)
	if err == nil {
		err = b.Flush()
	}
	return count.n, err
}

// tally is a writer that counts.
type tally struct {
	w io.Writer
	n int64
}

func (c *tally) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Beside is an extra that names one of a scene's Sidecars. A writer replaces it by the name of the file, or leaves it out
// where it writes none.
type Beside string
