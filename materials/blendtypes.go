package materials

import "image"

// blend is the textures of a material that fade into each other, as they are drawn on displacements.
type blend struct {
	layers  []blendLayer // the first is below all others
	mask    *blendTexture
	masked  bool // the mask alone says where the second layer is
	normals [2]*blendTexture
	detail  *blendTexture
	mixer   mixer
	fourWay bool

	reserved int64 // bytes of the textures
}

// blendLayer is one of up to four textures.
type blendLayer struct {
	texture *blendTexture
	weight  int // which of a displacement's weights is its opacity
	height  heights
}

// blendTexture is a texture with its smaller sizes, each half of the one before.
type blendTexture struct {
	sizes []*image.NRGBA
	clamp bool
	uv    [6]float64 // from the surface's coordinates
}

// put takes in a texture.
func (bl *blend) put(want *wanted, t *blendTexture) {
	switch want.part {
	case asLayer:
		bl.layers = append(bl.layers, blendLayer{texture: t, weight: want.layer, height: want.height})
	case asTilt:
		bl.normals[want.layer] = t
	case asMask:
		bl.mask = t
	case asDetail:
		bl.detail = t
	}
}
