package models

import "cmp"

// Options holds the "models" section of pipeline.yaml. The zero value works: what is not set has its default.
type Options struct {
	LOD   int   `yaml:"lod" values:"0 to 7"`           // level of detail, 0 is the finest; a model with fewer levels shows its last
	Lods  Lods  `yaml:"lods" values:"one, chain"`      // which levels of detail
	Skins Skins `yaml:"skins" values:"used, variants"` // which skins
	Light Light `yaml:"light" values:"baked, none"`    // how props are lit
	// which models of entities have bones and sequences
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
	Skeleton  bool     `yaml:"skeleton"`                         // bones, of which vertices are moved by a skin
	Sequences []string `yaml:"sequences"`                        // patterns of the names of sequences that become animations
	Keys      Keys     `yaml:"keys" values:"near, all"`          // the keys of animations
	Blends    Blends   `yaml:"blends" values:"rest, all"`        // which animations of sequences that mix several
	Travels   bool     `yaml:"root_motion"`                      // keep root motion in the bones
	Attached  bool     `yaml:"attachments"`                      // the places where the game attaches things, as nodes
	HitBoxes  bool     `yaml:"hitboxes"`                         // the boxes that shots hit, as nodes
	Frames    int      `yaml:"frames" values:"0 to 10000"`       // the most frames of a model whose vertices move without bones
	Flexes    bool     `yaml:"flexes"`                           // the parts of expressions, as morph targets
	Body      int      `yaml:"body" values:"0 to 1000000000"`    // the choice of each body part, in the engine's encoding
	Groups    Groups   `yaml:"bodygroups" values:"default, all"` // which variants of body parts
	Skin      int      `yaml:"skin" values:"0 to 1000"`
}

// DefaultFileOptions returns the options of pipeline.yaml.
func DefaultFileOptions() FileOptions {
	return FileOptions{
		Skeleton: true, Sequences: []string{"*"}, Keys: KeysNear, Blends: BlendsRest, Attached: true, Frames: 500, Flexes: true, Groups: GroupsDefault,
	}
}

// Groups is the choice of the variants of body parts.
type Groups string

// The values of FileOptions.Groups.
const (
	GroupsDefault Groups = "default" // those of FileOptions.Body
	GroupsAll     Groups = "all"     // all, each as a prop of its own
)

// Keys is the choice of animations' keys.
type Keys string

// The values of FileOptions.Keys.
const (
	KeysNear Keys = "near" // those that others don't make superfluous: within 0.05 map units and 0.1 degrees
	KeysAll  Keys = "all"  // one for each frame
)

// Blends is the choice of animations of sequences that mix several by parameters: directions of walking and of aiming.
type Blends string

// The values of FileOptions.Blends.
const (
	BlendsRest Blends = "rest" // the mixture until the game sets the parameters
	BlendsAll  Blends = "all"  // that, and each animation by itself
)

// Animations is the choice of sequences of the models that entities place.
type Animations string

// The values of Options.Animations.
const (
	AnimationsNone  Animations = "none"  // models stand as when the map starts
	AnimationsStart Animations = "start" // those that play when the map starts
	AnimationsAll   Animations = "all"   // all sequences
)

// Lods is the choice of levels of detail.
type Lods string

// The values of Options.Lods.
const (
	LodsOne   Lods = "one"   // only Options.LOD
	LodsChain Lods = "chain" // also the coarser ones, to choose from by distance
)

// Skins is the choice of skins.
type Skins string

// The values of Options.Skins.
const (
	SkinsUsed     Skins = "used"     // those that props use
	SkinsVariants Skins = "variants" // all skins of a file, to choose from
)

// Light states how props are lit.
type Light string

// The values of Options.Light.
const (
	LightBaked Light = "baked" // the light that the map stores for each prop, else the light around it
	LightNone  Light = "none"
)

// Details states how detail sprites (grass) are written.
type Details string

// The values of Details.
const (
	DetailsMesh Details = "mesh" // many in one mesh
	DetailsNode Details = "node" // a node for each
	DetailsNone Details = "none"
)
