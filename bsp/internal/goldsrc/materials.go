package goldsrc

import (
	"github.com/bsp2gltf/bsp2gltf/bsp/internal/decoding"
	"github.com/bsp2gltf/bsp2gltf/internal/limit"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// materialKey identifies a material: a texture that is lit or drawn in two ways is two materials.
type materialKey struct {
	texture  int
	lighting world.Lighting
	flags    world.Flags
	blend    world.Blend
	opacity  float32
	tint     [3]float32
	twoSided bool
	moves    world.MaterialMotion
	filled   bool
}

// materials collects the materials of a map without duplicates.
type materials struct {
	dc       *decoding.Context
	texinfos []texinfo
	textures *textures
	index    map[materialKey]int
	list     []world.Material
}

// newMaterials returns the materials of a map, none so far.
func newMaterials(dc *decoding.Context, texinfos []texinfo, textures *textures) *materials {
	return &materials{dc: dc, texinfos: texinfos, textures: textures, index: map[materialKey]int{}}
}

// add returns the index of the material of a texinfo that is lit and drawn in a way.
func (d *materials) add(info int, lighting world.Lighting, k kind) (int, error) {
	key := materialKey{d.textures.of[info], lighting, k.flags, k.blend, k.opacity, k.tint, k.twoSided, k.moves, k.filled}
	if i, ok := d.index[key]; ok {
		return i, nil
	}
	if err := d.dc.Reserve(limit.Bytes[world.Material](2)); err != nil {
		return 0, err
	}
	m := world.Material{
		Lighting: lighting, Flags: k.flags, Surface: d.texinfos[info].flags, Blend: k.blend, Opacity: k.opacity, Tint: k.tint,
		TwoSided: k.twoSided, Motion: k.moves, Filled: k.filled,
	}
	if key.texture >= 0 {
		t := &d.textures.list[key.texture]
		m.Name, m.Width, m.Height, m.Texture, m.Clear = t.name, t.width, t.height, t.picture, t.clear
	}
	if m.Name == "" {
		m.Name = "notexture" // the engines' name of the default texture
	}
	d.index[key] = len(d.list)
	d.list = append(d.list, m)
	return len(d.list) - 1, nil
}
