package pipeline

import (
	"strconv"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/internal/wildcard"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// GameOptions holds what the map file does not state.
type GameOptions struct {
	Name            string   `yaml:"name"`                        // the game, if the file does not identify it
	Paths           []string `yaml:"paths"`                       // game folders and archives; the first that has a file wins
	Steam           bool     `yaml:"steam"`                       // the game's folders are looked for where Steam has installed them
	Patches         string   `yaml:"patches" values:"l, h, s"`    // which lump patches beside a map are taken: NAME_l_0.lmp and so on
	AllowIncomplete bool     `yaml:"allow_incomplete"`            // convert what is there of a map whose file ends too early
	Palette         string   `yaml:"palette"`                     // a file with the colours of Quake's pictures; "" looks for it in the game
	Overbright      int      `yaml:"overbright" values:"-1 to 4"` // bits by which stored light is shifted up
}

// SkyOptions controls how the sky is written.
type SkyOptions struct {
	Mode  SkyMode `yaml:"mode" values:"auto, mesh, node, none"` // how the sky appears in the scene
	Size  float64 `yaml:"size" values:"0 to 1000000"`           // map units from the centre to a side; 0 is just beyond the map
	Box   bool    `yaml:"box"`                                  // the 3D skybox
	HDR   SkyHDR  `yaml:"hdr" values:"none, sidecar"`           // the sky's images with all of their light
	Guess bool    `yaml:"guess"`                                // a sky whose images are missing is drawn in the colours of the map's light
	Fog   bool    `yaml:"fog"`                                  // fog volumes as layers on the surfaces in them
}

// EntityOptions controls which entities become nodes, lights and cameras.
type EntityOptions struct {
	Nodes       bool           `yaml:"nodes"`                             // a node for every entity
	Lights      bool           `yaml:"lights"`                            // KHR_lights_punctual
	AreaLights  bool           `yaml:"area_lights"`                       // surfaces that shine as spots of 180 degrees
	LightScale  float64        `yaml:"light_scale" values:"0 to 1000000"` // multiplies the intensity
	Cameras     bool           `yaml:"cameras"`                           // cameras and intermission points
	StartCamera bool           `yaml:"start_camera"`                      // a camera with the first view of the map
	Props       Props          `yaml:"props" values:"box, node, none"`    // static props
	Details     models.Details `yaml:"details" values:"mesh, node, none"` // detail props (grass)
	Ropes       bool           `yaml:"ropes"`                             // ropes and cables
	Sprites     bool           `yaml:"sprites"`                           // glows and other pictures that face the viewer
	Characters  bool           `yaml:"characters"`                        // people, monsters, items: models that the game and not the map names
	Motion      Motion         `yaml:"motion" values:"none, start, all"`  // movements as animations
	Properties  Properties     `yaml:"properties" values:"extras, file"`  // where entities' key-values are
	Skip        []string       `yaml:"skip"`                              // patterns of classnames
}

// OutputOptions controls how files are written.
type OutputOptions struct {
	Format     string     `yaml:"format"`                          // one of convert.FormatNames, where neither a flag nor the output's name tells; "" is the first
	Unit       float64    `yaml:"unit" values:"0 to 1000"`         // metres per map unit; 0 takes the game's own
	Split      Split      `yaml:"split"`                           // the world's mesh, for culling
	Instancing Instancing `yaml:"instancing" values:"nodes, gpu"`  // of a model at several places
	Quantize   bool       `yaml:"quantize"`                        // vertices in fewer bits: KHR_mesh_quantization
	Compress   Compress   `yaml:"compress" values:"none, meshopt"` // of vertices and triangles
	Names      Names      `yaml:"names" values:"numbered, stable"` // for nodes and meshes without a name in the map
	Extras     bool       `yaml:"extras"`                          // what glTF has no place for
	Pointers   bool       `yaml:"pointers"`                        // KHR_animation_pointer
	Hidden     bool       `yaml:"hidden"`                          // surfaces that the game never draws
	ImageDir   string     `yaml:"image_dir"`                       // beside a .gltf or .obj; {name} is the output's name
}

// Skips reports whether a pattern of Skip matches a class. Case does not matter.
func (o *EntityOptions) Skips(class string) bool {
	return wildcard.Any(o.Skip, class)
}

// SkyMode is how the sky appears in the scene.
type SkyMode string

// The values of SkyOptions.Mode.
const (
	SkyAuto SkyMode = "auto" // SkyMesh, or SkyNode in formats without one-sided materials, whose readers show the box from outside, too
	SkyMesh SkyMode = "mesh" // a box with the six images, or a dome of clouds
	SkyNode SkyMode = "node" // a node with the names of the images
	SkyNone SkyMode = "none"
)

// SkyHDR says whether the sky's images are also written in HDR.
type SkyHDR string

// The values of SkyOptions.HDR.
const (
	SkyHDRNone    SkyHDR = "none"
	SkyHDRSidecar SkyHDR = "sidecar" // OpenEXR files beside the output
)

// Props is how static props are written.
type Props string

// The values of EntityOptions.Props.
const (
	PropsBox  Props = "box" // if the model is missing, a box of its size
	PropsNode Props = "node"
	PropsNone Props = "none"
)

// Motion is which movements of entities are written.
type Motion string

// The values of EntityOptions.Motion.
const (
	MotionNone  Motion = "none"
	MotionStart Motion = "start" // what moves by itself when the map starts
	MotionAll   Motion = "all"   // also what the game triggers
)

// Properties is where the key-values of entities are written.
type Properties string

// The values of EntityOptions.Properties.
const (
	PropertiesExtras Properties = "extras" // of the entities' nodes
	PropertiesFile   Properties = "file"   // compressed, beside the output; nodes have their classname
)

// Instancing is how a model that is placed several times is written.
type Instancing string

// The values of OutputOptions.Instancing.
const (
	InstancingNodes Instancing = "nodes" // nodes that share its mesh
	InstancingGPU   Instancing = "gpu"   // EXT_mesh_gpu_instancing
)

// Compress is how vertices and triangles are packed.
type Compress string

// The values of OutputOptions.Compress.
const (
	CompressNone    Compress = "none"
	CompressMeshopt Compress = "meshopt" // EXT_meshopt_compression
)

// Names is how nodes and meshes without a name in the map are named.
type Names string

// The values of OutputOptions.Names.
const (
	NamesNumbered Names = "numbered"
	NamesStable   Names = "stable" // by kind and position
)

// Split is how the world's mesh is split: one of the constants, or SplitGrid followed by whole metres, as in
// "grid:32".
type Split string

// The values of OutputOptions.Split. SplitGrid is only a prefix.
const (
	SplitNone  Split = "none"
	SplitAreas Split = "areas" // by the map's area portals
	SplitGrid  Split = "grid:"
)

// Cell returns the side of the cells in metres that a valid Split asks for, or 0.
func (s Split) Cell() int {
	size, grid := strings.CutPrefix(string(s), string(SplitGrid))
	metres, err := strconv.Atoi(size)
	if !grid || err != nil {
		return 0
	}
	return metres
}

// RunOptions holds options of the command, for a file that describes a whole conversion. They correspond to the flags of the
// same names, which override them. The library itself ignores them.
type RunOptions struct {
	Preset  string   `yaml:"preset"`                  // the file overrides it; "" for none
	Jobs    int      `yaml:"jobs" values:"0 to 1024"` // cores; 0 is all
	Timeout string   `yaml:"timeout"`                 // a duration like 90s or 5m; "" for none
	Strict  bool     `yaml:"strict"`                  // fail where something had to be left out or replaced
	Limits  []string `yaml:"limits"`                  // as MaxFile=4G
}

// patterns holds the form of texts that are neither free nor one of a few words.
var patterns = map[string]pattern{
	"output.split":  {`^(none|areas|grid:[1-9][0-9]{0,3})$`, `none, areas or cells of 1 to 9999 metres, like grid:32`},
	"output.format": {`^[a-z0-9]*$`, `the name of a format, like glb`},
	"run.preset":    {`^[a-z]*$`, `the name of a preset, like blender`},
	"run.timeout":   {`^([0-9.]+(ms|s|m|h))*$`, `a duration like 90s or 5m`},

	// The folder must be below the output's: no "..", no root, no drive, nothing hidden.
	"output.image_dir": {
		`^([^./\\:\x00-\x1f][^/\\:\x00-\x1f]*(/[^./\\:\x00-\x1f][^/\\:\x00-\x1f]*)*)?$`,
		`a folder below the output's, like "{name}_textures", or "" for the same`,
	},
}

// pattern restricts a text.
type pattern struct {
	expression string // a regular expression
	want       string // the same in words
}
