package paint

import (
	"image"
	"math"

	"github.com/bsp2gltf/bsp2gltf/world"
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
	Height  Heights
}

// BlendTexture is a texture with its mipmaps, each half the size of the one before.
type BlendTexture struct {
	Sizes []*image.NRGBA
	Clamp bool
	UV    [6]float64 // from the surface's coordinates
}

// DisplacementPicture is the picture of a displacement.
type DisplacementPicture struct {
	Displacement  *world.Displacement
	Width, Height int
}

// Extent returns the length of a displacement in texels of a texture, along its columns (x) and its rows (y): the
// longer of two opposite sides.
func Extent(d *world.Displacement, uv [6]float64, texels [2]float64) (x, y float64) {
	length := func(a, b int) float64 {
		u := float64(d.Corners[b].UV[0]) - float64(d.Corners[a].UV[0])
		v := float64(d.Corners[b].UV[1]) - float64(d.Corners[a].UV[1])
		s := (float64(uv[0]*u) + float64(uv[1]*v)) * texels[0]
		t := (float64(uv[3]*u) + float64(uv[4]*v)) * texels[1]
		return math.Sqrt(float64(s*s) + float64(t*t))
	}
	return max(length(0, 3), length(1, 2)), max(length(0, 1), length(3, 2))
}
