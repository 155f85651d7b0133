package convert

import (
	"io"

	"github.com/bsp2gltf/bsp2gltf/convert/internal/write"
	"github.com/bsp2gltf/bsp2gltf/convert/pipeline"
	"github.com/bsp2gltf/bsp2gltf/convert/report"
	"github.com/bsp2gltf/bsp2gltf/convert/scene"
)

type (
	// Pipeline is the settings of all stages.
	Pipeline = pipeline.Pipeline
	// Report says what became of a map.
	Report = report.Report
	// Scene is what a writer sees.
	Scene = scene.Scene
	// OutFile is a file of an output.
	OutFile = scene.OutFile
	// Config is a pipeline and where each of its values came from.
	Config = pipeline.Config
	// Layer is settings that lie over those of the layers before it.
	Layer = pipeline.Layer
)

// DefaultPipeline returns the pipeline of pipeline.yaml.
func DefaultPipeline() Pipeline { return pipeline.Default() }

// Load lays layers over the default pipeline, the last on top.
func Load(layers ...Layer) (*Config, error) { return pipeline.Load(layers...) }

// PresetLayer is the settings of a preset: blender, unity, godot, web or viewer.
func PresetLayer(name string) (Layer, error) { return pipeline.PresetLayer(name) }

// SetLayer is one assignment, like "lightmap.padding=4".
func SetLayer(assignment string) Layer { return pipeline.SetLayer(assignment) }

// FileLayer is a pipeline file. Relative paths in it are relative to its folder, and "~/" is the home folder.
func FileLayer(name string, text []byte) Layer { return pipeline.FileLayer(name, text) }

// GameLayer is game folders and archives, looked in before those of the layers so far.
func GameLayer(paths ...string) Layer { return pipeline.GameLayer(paths...) }

// Format is a kind of output.
type Format struct {
	Name string // and the extension of its main file: "glb"
	Doc  string // what it is, in a few words
	Many bool   // it is several files, which standard output can't take
}

// Formats are the kinds of output, the default first.
func Formats() []Format {
	var all []Format
	for _, f := range write.Formats() {
		all = append(all, Format{f.Name, f.Doc, f.Many})
	}
	return all
}

// FormatNames are the names of the formats, the default first.
func FormatNames() []string { return write.FormatNames() }

// Files makes the files of a scene in a format, the main file, name.FORMAT, last. Images that are not inside it lie in the
// folder imageDir, in which {name} stands for name. The scene must not change before they are written.
func Files(s *Scene, format, name, imageDir string) ([]OutFile, error) {
	f, err := write.FormatOf(format, "")
	if err != nil {
		return nil, err
	}
	return f.Files(s, name, imageDir)
}

// WriteGLB writes the scene as one binary file, without sidecars. It fails where that would be over 4 GiB, which its
// header can't say.
func WriteGLB(w io.Writer, s *Scene) error { return write.WriteGLB(w, s) }
