package write

import (
	"bytes"
	"io"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/internal/page"
	"github.com/bsp2gltf/bsp2gltf/materials"
)

// pageFiles makes the page of a scene. All is in the one file; there are no sidecars.
func pageFiles(s *scene.Scene, c *companions) ([]scene.OutFile, error) {
	return []scene.OutFile{{Name: c.name + ".html", Write: func(w io.Writer) error {
		return page.Write(w, s.Name, func(w io.Writer) error { return WriteGLB(w, s) })
	}}}, nil
}

func previousPage(main, _ string) ([][]byte, bool) {
	return nil, bytes.Contains(readStart(main, 1<<12), []byte(page.Generator))
}

// forPage is a pipeline for what the page shows: it has a sky, and on request what the game never draws. There is
// nothing beside it.
func forPage(p pipeline.Pipeline) pipeline.Pipeline {
	if p.Sky.Mode == pipeline.SkyNode {
		p.Sky.Mode = pipeline.SkyMesh
	}
	p.Output.Hidden, p.Output.Extras, p.Geometry.Collision = true, true, "brushes"
	p.Materials.Frames, p.Materials.Details, p.Output.Compress = true, true, pipeline.CompressNone
	p.Lightmap.Deluxe, p.Lightmap.HDR = false, "none"
	p.Lightmap.Styles = "layers" // it adds them up itself, and switches them
	p.Sky.HDR, p.Materials.Cubemaps = pipeline.SkyHDRNone, materials.CubemapsNone
	return p
}
