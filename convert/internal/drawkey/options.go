package drawkey

import (
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/lightmap"
)

// Options decide what is drawn, and where its light is.
type Options struct {
	Carrier  lightmap.Carrier
	Entities pipeline.EntityOptions // which entities and props are left out
	Sky      pipeline.SkyOptions    // whether there is fog, and a 3D skybox
	Output   pipeline.OutputOptions // whether what the game never draws is kept, and how materials are named
}
