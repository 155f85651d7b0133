package models

// Options are the "models" section of pipeline.yaml.
type Options struct {
	LOD   int   `yaml:"lod"`   // level of detail, 0 (the finest) to 7; a model that has fewer shows its last
	Lods  Lods  `yaml:"lods"`  // which levels of detail
	Skins Skins `yaml:"skins"` // which skins
	Light Light `yaml:"light"` // how props are lit
}

// Lods says which levels of detail a model has.
type Lods string

// The values of Options.Lods.
const (
	LodsOne   Lods = "one"   // that of Options.LOD
	LodsChain Lods = "chain" // the coarser ones too, to choose from by distance
)

// Skins says which skins a model has.
type Skins string

// The values of Options.Skins.
const (
	SkinsUsed     Skins = "used"     // those that props wear
	SkinsVariants Skins = "variants" // all of a file's, to choose from
)

// Light is how props are lit.
type Light string

// The values of Options.Light.
const (
	LightBaked Light = "baked" // what the map has stored for each prop, else the light around it
	LightNone  Light = "none"
)

// Details is how the grass that a map strews is written.
type Details string

// The values of Details.
const (
	DetailsMesh Details = "mesh" // many in one mesh
	DetailsNode Details = "node" // a node for each
	DetailsNone Details = "none"
)
