package drawkey

import "github.com/bsp2gltf/bsp2gltf/materials/pbr"

// Key is a draw key: a material in one light. Surfaces with the same key can be one primitive.
type Key struct {
	Material  int  // index into World.Materials
	Layer     int  // 0 is the material itself, then its Layers from 1; FogLayer is fog
	Band      int  // of the opacity of a layer or fog, from 1 to Bands; 0 for the material itself and layers without bands
	Painted   int  // index into Set.Baked plus one if the material was painted for this surface alone, or 0
	Page      int  // of the atlas, or scene.None
	VertexLit bool // the vertices carry the light
	Overlay   bool // it lies on another surface
}

// FogLayer is the Layer of fog that is drawn over a surface.
const FogLayer = 1 << 16

// Bands is the number of steps of the opacity of a layer or fog.
const Bands = pbr.Bands

// Surface says how a surface is drawn.
type Surface struct {
	Drop   string // why it is not in the scene, or ""; then only Chart is set, too
	Hidden bool   // the game never draws it, but the options keep it: it belongs to its model's hidden mesh
	Chart  int    // whose light it shows, or world.NoChart; an overlay shows the light of its host
	Key    Key    // of its material
	Over   []Key  // of the layers and the fog that are drawn over it, without their bands
}

// Texture identifies a texture that draw keys show: a key without page and band.
type Texture struct{ material, layer, painted int }

// Texture returns the texture that a draw key shows.
func (k Key) Texture() Texture { return Texture{k.Material, k.Layer, k.Painted} }
