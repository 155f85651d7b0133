package paint

import (
	"image"

	"github.com/bsp2gltf/bsp2gltf/materials/internal/plan"
)

// Blend holds the textures of a material that blends them, for drawing on displacements.
type Blend struct {
	Layers  []BlendLayer // the first is below all others
	Mask    *BlendTexture
	Masked  bool // only the mask says where the second layer is
	Normals [2]*BlendTexture
	Detail  *BlendTexture
	Mixer   Mixer
	FourWay bool

	Reserved int64 // bytes of the textures
}

// BlendLayer is one of up to four textures.
type BlendLayer struct {
	Texture *BlendTexture
	Weight  int // the index of the displacement's weights that are its opacity
	height  plan.Heights
}

// BlendTexture is a texture with its mipmaps, each half the size of the one before.
type BlendTexture struct {
	Sizes []*image.NRGBA
	Clamp bool
	UV    [6]float64 // from the surface's coordinates
}

// Put adds a texture.
func (bl *Blend) Put(want *plan.Wanted, t *BlendTexture) {
	switch want.Part {
	case plan.AsLayer:
		bl.Layers = append(bl.Layers, BlendLayer{Texture: t, Weight: want.Layer, height: want.Height})
	case plan.AsTilt:
		bl.Normals[want.Layer] = t
	case plan.AsMask:
		bl.Mask = t
	case plan.AsDetail:
		bl.Detail = t
	}
}
