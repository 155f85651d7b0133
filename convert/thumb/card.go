package thumb

import (
	"context"

	"github.com/bsp2gltf/bsp2gltf/cache"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/cached"
	"github.com/bsp2gltf/bsp2gltf/internal/picture"
)

// The size of a picture on a card, and the resolution of its textures and quality of its compression, which suffice
// at that size.
const (
	cardWidth, cardHeight = 320, 180
	cardTexels            = 64
	cardQuality           = 70
)

// Card returns a small WebP picture of a scene; model states that the scene is a model without a map. The cache, which may be nil, keeps
// the picture for scenes that look the same.
func Card(ctx context.Context, s *scene.Scene, model bool, c *cache.Cache) ([]byte, error) {
	return cached.Remember(c, func() ([]byte, error) {
		im, err := Draw(ctx, s, Options{Width: cardWidth, Height: cardHeight, Model: model, Texels: cardTexels, Cache: c})
		if err != nil {
			return nil, err
		}
		return picture.EncodeWebP(im, false, cardQuality)
	}, func(data []byte) bool { return picture.Holds(data, picture.WebP, cardWidth, cardHeight) }, []byte("card"), look(s, model))
}
