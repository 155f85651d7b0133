package models

// Options are the "models" section of pipeline.yaml.
type Options struct {
	LOD   int    `yaml:"lod"`   // level of detail, 0 (the finest) to 7; a model that has fewer shows its last
	Lods  string `yaml:"lods"`  // one, chain (the coarser ones too, to choose from by distance)
	Skins string `yaml:"skins"` // used (those that props wear), variants (all of a file's, to choose from)
	Light string `yaml:"light"` // baked (what the map has stored for each prop, else the light around it), none
}
