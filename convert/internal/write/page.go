package write

import (
	"bytes"
	"io"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/page"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
)

// pageFiles returns the page of a scene: a single file without sidecars.
func pageFiles(s *scene.Scene, c *companions) ([]scene.OutFile, error) {
	return []scene.OutFile{{Name: c.name + ".html", Write: func(w io.Writer) error {
		return page.Write(w, s.Name, func(w io.Writer) error { return WriteGLB(w, s) })
	}}}, nil
}

func previousPage(main, _ string) ([][]byte, bool) {
	return nil, bytes.Contains(readStart(main, 1<<12), []byte(page.Generator))
}

// forPage adapts a pipeline to a page, which shows the sky and, on request, what the game never draws, and has no
// sidecars.
func forPage(p pipeline.Pipeline) pipeline.Pipeline {
	if p.Sky.Mode == pipeline.SkyNode {
		p.Sky.Mode = pipeline.SkyMesh
	}
	p.Output.Hidden, p.Output.Extras, p.Geometry.Collision = true, true, "brushes"
	p.Materials.Frames, p.Materials.Details, p.Materials.Environment, p.Output.Compress = true, true, true, pipeline.CompressNone
	p.Lightmap.Deluxe, p.Lightmap.HDR = false, "none"
	p.Models.Animations, p.Model.Flexes = models.AnimationsNone, false // the viewer plays a model's sequences, and none in maps
	p.Lightmap.Styles = "layers"                                       // the page adds and switches them itself
	p.Sky.HDR, p.Materials.Cubemaps = pipeline.SkyHDRNone, materials.CubemapsNone
	return p
}
