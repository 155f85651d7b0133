package write

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/page"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
	"github.com/bsp2gltf/bsp2gltf/materials"
	"github.com/bsp2gltf/bsp2gltf/models"
	"github.com/bsp2gltf/bsp2gltf/world"
)

// pageFiles returns the page of a scene: a single file without sidecars.
func pageFiles(s *scene.Scene, c *companions) ([]scene.OutFile, error) {
	s = withoutIdleDirections(s)
	return []scene.OutFile{{Name: c.name + ".html", Write: func(w io.Writer) error {
		return page.Write(w, s.Name, func(w io.Writer) error { return WriteGLB(w, s) })
	}}}, nil
}

// withoutIdleDirections returns a scene without atlas pages of light directions if no material uses them. Such pages
// come after all images of materials and other light; only a white page may follow.
func withoutIdleDirections(s *scene.Scene) *scene.Scene {
	idle := func(im scene.Image) bool { return strings.HasPrefix(im.Element, "light "+world.Direction.String()) }
	first := slices.IndexFunc(s.Images, idle)
	if first < 0 || slices.ContainsFunc(s.Materials, func(m scene.Material) bool { return m.Directed != nil }) {
		return s
	}
	out := *s
	out.Images = slices.DeleteFunc(slices.Clone(s.Images), idle)
	out.Materials = slices.Clone(s.Materials)
	for i := range out.Materials {
		if m := &out.Materials[i]; m.Lightmap > first {
			m.Lightmap -= len(s.Images) - len(out.Images)
		}
	}
	return &out
}

func previousPage(main, _ string) ([][]byte, bool) {
	return nil, bytes.Contains(readStart(main, 1<<12), []byte(page.Generator))
}

// forPage adapts a pipeline to a page. A page shows the sky, shows on request what the game never draws, and has no
// sidecars.
func forPage(p pipeline.Pipeline) pipeline.Pipeline {
	if p.Sky.Mode == pipeline.SkyNode {
		p.Sky.Mode = pipeline.SkyMesh
	}
	p.Output.Hidden, p.Output.Extras, p.Geometry.Collision = true, true, "brushes"
	p.Materials.Frames, p.Materials.Details, p.Materials.Environment, p.Materials.Motion = true, true, true, true
	p.Output.Compress = pipeline.CompressNone
	p.Lightmap.HDR = "none"
	p.Models.Animations, p.Model.Flexes = models.AnimationsNone, false // the viewer plays a model's sequences, but none in maps
	p.Lightmap.Styles = "layers"                                       // the page combines and switches light styles itself
	p.Sky.HDR, p.Materials.Cubemaps = pipeline.SkyHDRNone, materials.CubemapsNone
	return p
}
