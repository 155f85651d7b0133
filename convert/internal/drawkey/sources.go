package drawkey

import (
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// Sources holds what the scene's materials are made of.
type Sources struct {
	World *world.World
	Set   *materials.Set
	Atlas *lightmap.Atlas
	Light VertexLight // of draw keys with VertexLit
}

// VertexLightScale states how the vertices of a texture's surfaces carry light: COLOR_0 ends at white, and light is exact at one brightness
// of the texture (package gamma).
type VertexLightScale struct {
	Albedo float64 // mean brightness of the texture, as displayed; 0 if light is linear in the game, too
	Boost  float32 // the linear factor by which the texture was brightened and the vertices' light is divided; 1 if it was not
}

// VertexLight states how vertices carry light.
type VertexLight struct {
	Of       map[Texture]VertexLightScale
	Brighter map[int][]byte // textures that were brightened, by index into Set.Images, in the format that they had
}

// layout returns the number of a draw key's page, which all styles of light share, or 0.
func (from *Sources) layout(key Key) int {
	if key.Page == scene.None {
		return 0
	}
	return from.Atlas.Pages[key.Page].Layout
}

// whiteImage returns the index of the white pixel, which comes after all other images.
func whiteImage(set *materials.Set, atlas *lightmap.Atlas) int {
	return len(set.Images) + len(atlas.Pages)
}
