package models

import "cmp"

// Options holds the "models" section of pipeline.yaml. The zero value works: what is not set has its default.
type Options struct {
	LOD   int   `yaml:"lod" values:"0 to 7"`           // level of detail, 0 is the finest; a model with fewer levels shows its last
	Lods  Lods  `yaml:"lods" values:"one, chain"`      // which levels of detail
	Skins Skins `yaml:"skins" values:"used, variants"` // which skins
	Light Light `yaml:"light" values:"baked, none"`    // how props are lit
	// models placed by entities: which get bones and sequences
	Animations Animations `yaml:"animations" values:"none, start, all"`
}

// DefaultOptions returns the options of pipeline.yaml.
func DefaultOptions() Options {
	return Options{Lods: LodsOne, Skins: SkinsUsed, Light: LightBaked, Animations: AnimationsStart}
}

// orDefaults returns o with defaults for the options that are not set.
func (o Options) orDefaults() Options {
	d := DefaultOptions()
	o.Lods, o.Skins = cmp.Or(o.Lods, d.Lods), cmp.Or(o.Skins, d.Skins)
	o.Light, o.Animations = cmp.Or(o.Light, d.Light), cmp.Or(o.Animations, d.Animations)
	return o
}

// FileOptions holds the "model" section of pipeline.yaml: what is written of a model that is converted by itself. The
// zero value works: what is not set has its default, and what can be switched, or is counted from 0, is off.
type FileOptions struct {
	Skeleton  bool     `yaml:"skeleton"`                         // bones, and a skin that moves the vertices
	Sequences []string `yaml:"sequences"`                        // patterns for the names of the sequences that become animations
	Keys      Keys     `yaml:"keys" values:"near, all"`          // which keys of animations are kept
	Blends    Blends   `yaml:"blends" values:"rest, all"`        // for sequences that blend several animations: which of them
	Travels   bool     `yaml:"root_motion"`                      // keep root motion in the bones
	Attached  bool     `yaml:"attachments"`                      // the places where the game attaches things, as nodes
	HitBoxes  bool     `yaml:"hitboxes"`                         // the boxes that shots hit, as nodes
	Frames    int      `yaml:"frames" values:"0 to 10000"`       // the most frames of a model whose vertices move without bones
	Flexes    bool     `yaml:"flexes"`                           // the parts of facial expressions, as morph targets
	Body      int      `yaml:"body" values:"0 to 1000000000"`    // the variant of each body part, in the engine's encoding
	Groups    Groups   `yaml:"bodygroups" values:"default, all"` // which variants of body parts
	Skin      int      `yaml:"skin" values:"0 to 1000"`
}

// DefaultFileOptions returns the options of pipeline.yaml.
func DefaultFileOptions() FileOptions {
	return FileOptions{
		Skeleton: true, Sequences: []string{"*"}, Keys: KeysNear, Blends: BlendsRest, Attached: true, Frames: 500, Flexes: true, Groups: GroupsDefault,
	}
}

// Groups is the choice of body part variants.
type Groups string

// The values of FileOptions.Groups.
const (
	GroupsDefault Groups = "default" // those of FileOptions.Body
	GroupsAll     Groups = "all"     // all, each as a prop of its own
)

// Keys is the choice of the keys of animations.
type Keys string

// The values of FileOptions.Keys.
const (
	KeysNear Keys = "near" // no keys that interpolation replaces within 0.05 map units and 0.1 degrees
	KeysAll  Keys = "all"  // one for each frame
)

// Blends is the choice of animations of sequences that blend several by parameters, such as the direction of walking
// or aiming.
type Blends string

// The values of FileOptions.Blends.
const (
	BlendsRest Blends = "rest" // the blend until the game sets the parameters
	BlendsAll  Blends = "all"  // that, and each animation by itself
)

// Animations is the choice of sequences for models that entities place.
type Animations string

// The values of Options.Animations.
const (
	AnimationsNone  Animations = "none"  // none: models get their pose at the map's start
	AnimationsStart Animations = "start" // those that play when the map starts
	AnimationsAll   Animations = "all"   // all sequences of the model
)

// Lods is the choice of levels of detail.
type Lods string

// The values of Options.Lods.
const (
	LodsOne   Lods = "one"   // only Options.LOD
	LodsChain Lods = "chain" // also the coarser ones, for viewers to choose from by distance
)

// Skins is the choice of skins.
type Skins string

// The values of Options.Skins.
const (
	SkinsUsed     Skins = "used"     // those that props use
	SkinsVariants Skins = "variants" // all skins of a file, for viewers to choose from
)

// Light is how props are lit.
type Light string

// The values of Options.Light.
const (
	LightBaked Light = "baked" // the light that the map stores for each prop, else light computed from its surroundings
	LightNone  Light = "none"
)

// Details is how detail sprites (grass) are written.
type Details string

// The values of Details.
const (
	DetailsMesh Details = "mesh" // many in one mesh
	DetailsNode Details = "node" // a node for each
	DetailsNone Details = "none"
)
