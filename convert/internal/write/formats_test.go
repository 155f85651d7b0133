package write

import (
	"testing"

	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
)

// The materials of an .obj are visible from behind: unless the user asks for it, no box hides the map. A page always has the sky.
func TestFormatsDecideAboutTheSky(t *testing.T) {
	for _, c := range []struct {
		format     string
		mode, want pipeline.SkyMode
	}{
		{"obj", pipeline.SkyAuto, pipeline.SkyNode}, {"obj", pipeline.SkyMesh, pipeline.SkyMesh},
		{"obj", pipeline.SkyNone, pipeline.SkyNone},
		{"html", pipeline.SkyNode, pipeline.SkyMesh}, {"html", pipeline.SkyNone, pipeline.SkyNone},
	} {
		p := pipeline.Pipeline{Sky: pipeline.SkyOptions{Mode: c.mode}}
		if got := FindFormat(c.format).Prepare(p).Sky.Mode; got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.format, c.mode, got, c.want)
		}
	}
}
