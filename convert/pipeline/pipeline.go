package pipeline

import (
	"path"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/geometry"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// Pipeline is pipeline.yaml as a struct, with a section per stage.
type Pipeline struct {
	Version   int               `yaml:"version"`
	Game      GameOptions       `yaml:"game"`
	Geometry  geometry.Options  `yaml:"geometry"`
	Lightmap  lightmap.Options  `yaml:"lightmap"`
	Materials materials.Options `yaml:"materials"`
	Models    models.Options    `yaml:"models"`
	Sky       SkyOptions        `yaml:"sky"`
	Entities  EntityOptions     `yaml:"entities"`
	Output    OutputOptions     `yaml:"output"`
	Run       RunOptions        `yaml:"run"`
}

// RunOptions holds options of the command, for a file that describes a whole conversion. They correspond to the flags of the
// same names, which override them. The library itself ignores them.
type RunOptions struct {
	Preset  string   `yaml:"preset"`  // the file overrides it; "" for none
	Jobs    int      `yaml:"jobs"`    // cores, 0 to 1024; 0 is all
	Timeout string   `yaml:"timeout"` // a duration like 90s or 5m; "" for none
	Strict  bool     `yaml:"strict"`  // fail where something had to be left out or replaced
	Limits  []string `yaml:"limits"`  // as MaxFile=4G
}

// GameOptions holds what the map file does not state.
type GameOptions struct {
	Name       string   `yaml:"name"`       // the game, if the file does not identify it
	Paths      []string `yaml:"paths"`      // game folders and archives; the first that has a file wins
	Steam      bool     `yaml:"steam"`      // the game's folders are looked for where Steam has installed them
	Patches    string   `yaml:"patches"`    // which lump patches beside a map are taken: l, h, s (NAME_l_0.lmp and so on)
	Palette    string   `yaml:"palette"`    // a file with the colours of Quake's pictures; "" looks for it in the game
	Overbright int      `yaml:"overbright"` // bits by which stored light is shifted up, 0 to 4
	Albedo     float64  `yaml:"albedo"`     // texture brightness at which gamma-space light is exact, 0.05 to 1
}

// SkyOptions controls how the sky is written.
type SkyOptions struct {
	Mode SkyMode `yaml:"mode"` // how the sky appears in the scene
	Size float64 `yaml:"size"` // map units from the centre to a side, 0 to 1000000; 0 is just beyond the map
	Box  bool    `yaml:"box"`  // the 3D skybox
	HDR  SkyHDR  `yaml:"hdr"`  // the sky's images with all of their light
	Fog  bool    `yaml:"fog"`  // fog volumes as layers on the surfaces in them
}

// EntityOptions controls which entities become nodes, lights and cameras.
type EntityOptions struct {
	Nodes      bool           `yaml:"nodes"`       // a node for every entity
	Lights     bool           `yaml:"lights"`      // KHR_lights_punctual
	AreaLights bool           `yaml:"area_lights"` // surfaces that shine as spots of 180 degrees
	LightScale float64        `yaml:"light_scale"` // multiplies the intensity, 0 to 1000000
	Cameras    bool           `yaml:"cameras"`     // cameras and intermission points
	Props      Props          `yaml:"props"`       // static props
	Details    models.Details `yaml:"details"`     // detail props (grass)
	Ropes      bool           `yaml:"ropes"`       // ropes and cables
	Sprites    bool           `yaml:"sprites"`     // glows and other pictures that face the viewer
	Characters bool           `yaml:"characters"`  // people, monsters, items: models that the game and not the map names
	Skip       []string       `yaml:"skip"`        // patterns of classnames
}

// OutputOptions controls how files are written.
type OutputOptions struct {
	Format     string     `yaml:"format"`     // one of convert.FormatNames, where neither a flag nor the output's name tells; "" is the first
	Unit       float64    `yaml:"unit"`       // metres per map unit, 0 to 1000; 0 takes the game's own
	Split      Split      `yaml:"split"`      // the world's mesh, for culling
	Instancing Instancing `yaml:"instancing"` // of a model at several places
	Quantize   bool       `yaml:"quantize"`   // vertices in fewer bits: KHR_mesh_quantization
	Compress   Compress   `yaml:"compress"`   // of vertices and triangles
	Names      Names      `yaml:"names"`      // of what has none in the map
	Extras     bool       `yaml:"extras"`     // what glTF has no place for
	Hidden     bool       `yaml:"hidden"`     // surfaces that the game never draws
	ImageDir   string     `yaml:"image_dir"`  // beside a .gltf or .obj; {name} is the output's name
}

// Skips reports whether a pattern of Skip matches a class. Case does not matter.
func (o *EntityOptions) Skips(class string) bool {
	for _, pattern := range o.Skip {
		if ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(class)); ok {
			return true
		}
	}
	return false
}
